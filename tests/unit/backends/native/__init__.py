"""Pieces of the native back end."""
