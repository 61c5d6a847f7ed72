"""Numba source for the CPU."""

from backends.numba_cpu.backend import BACKEND

__all__ = ["BACKEND"]
