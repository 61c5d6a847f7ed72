"""Tests of the Numba back end."""
