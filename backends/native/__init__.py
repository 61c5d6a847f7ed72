"""Kernels as object code with a C interface, which need no Python when they run."""

from backends.native.build import BuiltLibrary, build_library
from backends.native.description import NativeLibrary, NativeSource, native_library, native_options

__all__ = [
    "BuiltLibrary",
    "NativeLibrary",
    "NativeSource",
    "build_library",
    "native_library",
    "native_options",
]
