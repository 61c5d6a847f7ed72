"""Functions from IIR to IIR."""
