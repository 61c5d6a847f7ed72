"""The front end: a Python function in, IIR with spans out."""

from stencil.frontend.parse import Parsed, parse

__all__ = ["Parsed", "parse"]
