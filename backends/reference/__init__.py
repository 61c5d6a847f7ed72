"""The reference: the definition of what a stencil means, in NumPy slices."""

from backends.reference.backend import BACKEND

__all__ = ["BACKEND"]
