"""What the analysis of intents costs: time per statement must not grow with the stencil."""

import time
from random import Random
from typing import Final

from benchmarks.report import Cell, Section
from iir.analyses.intents import intents
from iir.nodes import Stencil
from iir.parser import from_text

BLOCKS: Final = 10
FIELDS: Final = tuple(f"f{number}" for number in range(40))
ORDERS: Final = ("forward", "parallel", "backward")
BUDGET: Final = 2.0


def measure_intents(statements: int, intervals: int, repeats: int) -> Section:
    """The whole table of a stencil, and of one twice as large as the yardstick of growth."""
    small, large = _seconds(statements, intervals, repeats), _seconds(2 * statements, intervals, repeats)
    case = f"{statements} statements, {intervals} intervals"
    return Section(
        "Analysis of intents",
        (
            Cell(case, "all fields, first time", small, "s", "", None, f"under {BUDGET:g} s", small < BUDGET),
            Cell(
                f"{2 * statements} statements, {intervals} intervals",
                "the same",
                large,
                "s",
                case,
                small,
                "near 2 x",
                large < 3.0 * small,
            ),
        ),
    )


def large_stencil(statements: int, intervals: int) -> Stencil:
    """Statements on single levels and one open interval, in sweeps of all orders."""
    random = Random(1)
    lines = [f"stencil large({', '.join(f'{name}: f64[IJK]' for name in FIELDS)})"]
    levels = [f"[start+{n}, start+{n + 1})" for n in range(intervals - 1)]
    levels.append(f"[start+{intervals - 1}, end)")
    for block in range(BLOCKS):
        lines += [f"  multistage {ORDERS[block % len(ORDERS)]}", "    stage"]
        for interval in levels:
            lines.append(f"      do {interval}")
            for _ in range(statements // (BLOCKS * intervals)):
                target, a, b, c = random.choices(FIELDS, k=4)
                i, j, k = random.choice((-1, 0, 1)), random.choice((-1, 0, 1)), random.choice((-1, 0, 0))
                lines.append(f"        {target} = {a}[{i}, 0, 0] + {b}[0, {j}, {k}] + {c}")
    return from_text("\n".join(lines) + "\n")


def _seconds(statements: int, intervals: int, repeats: int) -> float:
    """The fastest of *repeats* analyses, each of a stencil of its own."""
    times = []
    for _ in range(repeats):
        ir = large_stencil(statements, intervals)
        start = time.perf_counter()
        str(intents(ir))
        times.append(time.perf_counter() - start)
    return min(times)
