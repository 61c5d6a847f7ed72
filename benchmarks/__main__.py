"""``python -m benchmarks [kernels] [compile] [calls] [intents] [--quick] [--output FILE]``."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import numpy as np
from rich.console import Console

from benchmarks.call_overhead import measure_call_overhead
from benchmarks.compile_time import measure_compile_time
from benchmarks.intent_analysis import measure_intents
from benchmarks.kernels import measure_kernels
from benchmarks.numpy_kernels import NUMPY_KERNELS
from benchmarks.report import Section, print_section, write_json

SECTIONS: Final[Mapping[str, Callable[[bool], Section]]] = {
    "kernels": lambda quick: (
        measure_kernels(("hdiff",), (16, 16, 8), (np.float64,), 1)
        if quick
        else measure_kernels(tuple(NUMPY_KERNELS), (128, 128, 80), (np.float64, np.float32), 9)
    ),
    "compile": lambda quick: (
        measure_compile_time(("hdiff",), 1) if quick else measure_compile_time(("hdiff", "vadv"), 7)
    ),
    "calls": lambda quick: measure_call_overhead(1 if quick else 150),
    "intents": lambda quick: measure_intents(40, 4, 1) if quick else measure_intents(1000, 20, 5),
}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure, beside yardsticks.")
    parser.add_argument(
        "sections", nargs="*", metavar="section", help=f"{', '.join(SECTIONS)} (default: all)"
    )
    parser.add_argument("--quick", action="store_true", help="tiny sizes: only to see that it runs")
    parser.add_argument("--output", type=Path, default=Path(".benchmarks/latest.json"), help="JSON file")
    options = parser.parse_args(arguments)
    if unknown := set(options.sections) - set(SECTIONS):
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    console = Console()
    # Tables are wide; a pipe or a file has no width of its own.
    console.width = max(console.width, 120)
    sections = []
    for name in options.sections or SECTIONS:
        sections.append(SECTIONS[name](options.quick))
        print_section(sections[-1], console)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    write_json(sections, options.output)
    console.print(f"written to {options.output}")


if __name__ == "__main__":
    main()
