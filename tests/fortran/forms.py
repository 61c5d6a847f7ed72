"""Stencils with the forms of arguments that models have, for programs written by hand and for drivers."""

import numpy as np

from stencil import (
    BACKWARD,
    FORWARD,
    IJ,
    IK,
    JK,
    PARALLEL,
    Field,
    I,
    J,
    K,
    computation,
    from_iir,
    heap,
    interval,
    stencil,
)


@stencil
def partial(a: Field[np.float64], x: Field[np.float64]):
    """Keeps the lowest level of 'a'."""
    with computation(PARALLEL), interval(1, None):
        a = 2.0 * x


@stencil
def masked(a: Field[np.float64], x: Field[np.float64], limit: np.float64):
    """Keeps 'a' wherever 'x' is small."""
    with computation(PARALLEL), interval(...):
        if x > limit:
            a = x


@stencil
def filled(a: Field[np.float64], x: Field[np.float64]):
    with computation(FORWARD):
        with interval(0, 1):
            a = x
        with interval(1, None):
            a = a[0, 0, -1] + x


@stencil
def switched(a: Field[np.float64], b: Field[np.float64], on: bool):
    """'a' is changed only if 'on'."""
    with computation(PARALLEL), interval(...):
        b = a
        if on:
            a = 1.0


@stencil
def filled_from(a: Field[np.float64], b: Field[np.float64], n: np.int64):
    """The values of 'a' count from level n on."""
    with computation(PARALLEL), interval(0, n):
        a = 1.0
    with computation(PARALLEL), interval(...):
        b = a


@stencil
def diffused(u: Field[np.float64], out: Field[np.float64], alpha: np.float64):
    with computation(PARALLEL), interval(...):
        out = u + alpha * (u[1, 0, 0] + u[-1, 0, 0] + u[0, 1, 0] + u[0, -1, 0] - 4.0 * u)


@stencil
def half_levels(w: Field[np.float64], out: Field[np.float64]):
    """Needs at least two levels, and one more of 'w'."""
    with computation(PARALLEL):
        with interval(0, 2):
            out = w
        with interval(2, None):
            out = w[0, 0, 1] - w


@stencil
def logicals(m: Field[bool], on: bool, out: Field[bool], count: Field[np.int32], step: np.int32):
    with computation(PARALLEL), interval(...):
        out = m and on
        if m != on:
            count += step


@stencil
def integers(
    a: Field[np.int8],
    b: Field[np.int16],
    c: Field[np.int32],
    d: Field[np.int64],
    n: np.int16,
    out: Field[np.int64],
):
    with computation(PARALLEL), interval(...):
        out = d + c
        if a > 2:
            b = b + n


@stencil
def precisions(a: Field[np.float32], b: Field[np.float64], f: np.float32):
    with computation(PARALLEL), interval(...):
        b = b + a
        a = f * a


@stencil
def planes(z: Field[IJ, np.float64], u: Field[np.float64], s: Field[K, np.float64]):
    with computation(FORWARD):
        with interval(0, 1):
            z = u * s
        with interval(1, None):
            z = z + u * s


@stencil
def other_axes(
    r: Field[I, np.float64],
    c: Field[J, np.float64],
    p: Field[IK, np.float64],
    q: Field[JK, np.float64],
    out: Field[np.float64],
):
    with computation(PARALLEL), interval(...):
        out = r + c * p - q


@stencil
def column_slices(p: Field[IK, np.float64], q: Field[JK, np.float64], out: Field[np.float64]):
    """Blocks of fields that lack an axis."""
    with computation(BACKWARD):
        with interval(-1, None):
            out = p
        with interval(0, -1):
            out = out[0, 0, 1] + p * q


@stencil
def size(first: np.float64, shape: Field[np.float64], Shape: Field[np.float64], rc: Field[np.float64]):
    """Its arguments are called what Fortran's procedures use."""
    with computation(PARALLEL), interval(...):
        rc = shape + first * Shape


@stencil
def solved(diag: Field[np.float64], side: Field[np.float64], x: Field[np.float64]):
    """A tridiagonal system in every column, whose temporaries grow with the domain."""
    with computation(FORWARD):
        with interval(0, 1):
            ratio = side / diag
            x = x / diag
        with interval(1, None):
            pivot = 1.0 / (diag - side * ratio[0, 0, -1])
            ratio = side * pivot
            x = (x - side * x[0, 0, -1]) * pivot
    with computation(BACKWARD), interval(0, -1):
        x = x - ratio * x[0, 0, 1]


@stencil
def smoothed(x: Field[np.float64], y: Field[np.float64]):
    """Its temporary would be a register."""
    with computation(PARALLEL), interval(...):
        mean: Field[np.float64] = heap(0.5 * (x + y))
        x, y = 0.5 * (x + mean), 0.5 * (y + mean)


def _many_fields() -> str:
    """Forty fields, and names of sixty characters."""
    names = [f"field_{number:02}_".ljust(60, "x") for number in range(40)]
    parameters = ", ".join(f"{name}: f64[IJK]" for name in names)
    total = " + ".join(names[:-1])
    return (
        f"stencil {'many_'.ljust(60, 'y')}({parameters})\n  multistage parallel\n    stage\n"
        f"      do [start, end)\n        {names[-1]} = {total}\n"
    )


def _many_terms() -> str:
    terms = " + ".join(f"{number}.0 * u" for number in range(1, 201))
    return (
        "stencil terms(u: f64[IJK], out: f64[IJK])\n  multistage parallel\n    stage\n"
        f"      do [start, end)\n        out = {terms}\n"
    )


_CHECKED = """stencil checked(a: f64[IJK], out: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        check user(a > 0.0, "a is %g", a) key(0, 0)
        out = 1.0 / a
"""

STENCILS = (
    partial,
    masked,
    filled,
    switched,
    filled_from,
    diffused,
    half_levels,
    logicals,
    integers,
    precisions,
    planes,
    other_axes,
    column_slices,
    size,
    solved,
    smoothed,
    from_iir(_many_fields()),
    from_iir(_many_terms()),
    from_iir(_CHECKED),
)
