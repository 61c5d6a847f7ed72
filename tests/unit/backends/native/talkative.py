"""A module that prints when it is imported, and calls that stencils make of it."""

import numba

print("imported")


@numba.njit
def twice(x: float) -> float:
    return x + x
