"""From a Python function to IIR."""
