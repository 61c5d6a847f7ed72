"""The definition of the language, in NumPy slices."""
