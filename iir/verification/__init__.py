"""The rules of the IIR, by subject; `iir.verifier` applies them."""
