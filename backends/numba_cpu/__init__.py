"""Numba source for the CPU."""
