"""What three stencils of a model need from their arguments, and what they leave in them.

    python examples/intents.py

Each prints the table of its fields' intents, and why one of them is what it is.
"""

import numpy as np

from stencil import BACKWARD, FORWARD, PARALLEL, Field, computation, interval, stencil


@stencil
def solve_in_place(
    inf: Field[np.float64], diag: Field[np.float64], sup: Field[np.float64], x: Field[np.float64]
):
    """A tridiagonal solver: 'x' is the right-hand side before and the solution after."""
    with computation(FORWARD):
        with interval(0, 1):
            cp = sup / diag
            x = x / diag
        with interval(1, None):
            m = 1.0 / (diag - inf * cp[0, 0, -1])
            cp = sup * m
            x = (x - inf * x[0, 0, -1]) * m
    with computation(BACKWARD), interval(0, -1):
        x = x - cp * x[0, 0, 1]


@stencil
def accumulate_flux(
    source: Field[np.float64], surface: Field[np.float64], flux: Field[np.float64], heating: Field[np.float64]
):
    """A flux that grows from level to level; the lowest and the highest level have rules of their own."""
    with computation(FORWARD):
        with interval(1, None):
            flux = flux[0, 0, -1] + source
        with interval(0, 1):
            flux = surface
    with computation(PARALLEL):
        with interval(0, -1):
            heating = flux[0, 0, 1] - flux


@stencil
def limit(q: Field[np.float64], tendency: Field[np.float64], dt: np.float64, positive: bool, top: int):
    """Advance 'q'; a switch keeps it positive, below level 'top' it starts from zero."""
    with computation(PARALLEL), interval(0, top):
        q = 0.0
    with computation(PARALLEL), interval(...):
        if positive:
            tendency = max(tendency, -q / dt)
        q = q + dt * tendency


def main() -> None:
    for title, shown, field in (
        ("A solver in place", solve_in_place, "x"),
        ("A flux summed up over the levels", accumulate_flux, "heating"),
        ("A limiter with switches", limit, "q"),
    ):
        print(f"{title}\n{'=' * len(title)}\n")
        print(shown.intents, end="\n\n")
        print(shown.intents.explain(field), end="\n\n")


if __name__ == "__main__":
    main()
