"""Stencils as decorated Python functions."""
