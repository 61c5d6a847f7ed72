"""Numba as people write it: naively, and by hand for one kernel and one machine."""
