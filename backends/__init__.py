"""What turns scheduled IIR into something that runs."""
