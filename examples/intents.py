"""What three stencils of a model need from their arguments, and what they leave in them.

    python examples/intents.py

Each prints the table of its fields' intents, and why one of them is what it is. In the end all are
drawn level by level.
"""

import numpy as np

from iir.analyses.intents import IntentTable, Region
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


@stencil
def leave_a_gap(a: Field[np.float64], x: Field[np.float64], out: Field[np.float64]):
    """Levels 3 and 4 of 'a' are not written, although it is written first and read afterwards."""
    with computation(FORWARD):
        with interval(0, 3):
            a = x
        with interval(5, None):
            a = x
    with computation(BACKWARD), interval(...):
        out = a


LEVELS = 10
LETTERS = {(False, False): ".", (True, False): "s", (False, True): "w", (True, True): "b"}


def level_map(table: IntentTable, **scalars: int | bool) -> str:
    """A line for each field, a letter for each level from 0 on."""
    exact = table.at((1, 1, LEVELS), scalars)
    width = max(map(len, exact))
    lines = []
    for name, field in exact.items():
        seen, written = levels(field.irbw), levels(field.may_write)
        letters = (LETTERS[k in seen, k in written] for k in range(LEVELS))
        lines.append(f"  {name:{width}}  {''.join(letters)}  {field.label}")
    return "\n".join(lines)


def levels(region: Region) -> set[int]:
    return {k for _, _, (low, high) in region.evaluate((1, 1, LEVELS)) for k in range(low, high)}


def main() -> None:
    for title, shown, field in (
        ("A solver in place", solve_in_place, "x"),
        ("A flux summed up over the levels", accumulate_flux, "heating"),
        ("A limiter with switches", limit, "q"),
    ):
        print(f"{title}\n{'=' * len(title)}\n")
        print(shown.intents, end="\n\n")
        print(shown.intents.explain(field), end="\n\n")
    title = f"Level by level, from 0 to {LEVELS - 1}"
    print(f"{title}\n{'=' * len(title)}\n")
    print("s: its value on entry is seen   w: written   b: both   .: neither\n")
    print("solve_in_place", level_map(solve_in_place.intents), sep="\n", end="\n\n")
    print("accumulate_flux", level_map(accumulate_flux.intents), sep="\n", end="\n\n")
    for scalars in ({"top": 4, "positive": True}, {"top": LEVELS, "positive": False}):
        given = ", ".join(f"{name}={value}" for name, value in scalars.items())
        print(f"limit with {given}", level_map(limit.intents, **scalars), sep="\n", end="\n\n")
    print("leave_a_gap", level_map(leave_a_gap.intents), sep="\n")


if __name__ == "__main__":
    main()
