"""The bottom layer: the intermediate representation, its analyses and passes."""
