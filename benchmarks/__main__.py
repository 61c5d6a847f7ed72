"""``python -m benchmarks [SECTION ...] [--quick] [--only KERNEL ...] [--size NIxNJxNK ...] ...``."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from rich.console import Console

from benchmarks.call_overhead import measure_call_overhead
from benchmarks.cases import DOMAINS, DTYPES, KERNELS, domain_text
from benchmarks.comparisons import by_case
from benchmarks.compile_time import measure_compile_time
from benchmarks.intent_analysis import measure_intents
from benchmarks.kernel_report import kernel_sections
from benchmarks.kernels import Measurement, Selection, measure
from benchmarks.memory import measure_memory
from benchmarks.pass_scaling import measure_scaling
from benchmarks.plot import plot_ratios
from benchmarks.report import Section, print_section, processor, write_json

KERNEL_SECTION: Final = "kernels"
SECTIONS: Final[Mapping[str, Callable[[bool], Section]]] = {
    "memory": lambda quick: measure_memory(
        KERNELS[:1] if quick else KERNELS, (32, 32, 16) if quick else (128, 128, 80)
    ),
    "scaling": lambda quick: measure_scaling((10, 20) if quick else (10, 100, 1000), 1 if quick else 3),
    "compile": lambda quick: (
        measure_compile_time(("hdiff",), 1) if quick else measure_compile_time(("hdiff", "vadv"), 7)
    ),
    "calls": lambda quick: measure_call_overhead(1 if quick else 150),
    "intents": lambda quick: measure_intents(40, 4, 1) if quick else measure_intents(1000, 20, 5),
}
NAMES: Final = (KERNEL_SECTION, *SECTIONS)

Kernels: TypeAlias = tuple[list[Section], tuple[Measurement, ...]]


def main(arguments: list[str] | None = None) -> None:
    parser = _parser()
    options = parser.parse_args(arguments)
    if unknown := set(options.sections) - set(NAMES):
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    console = Console()
    # Tables are wide; a pipe or a file has no width of its own.
    console.width = max(console.width, 180)
    console.print(processor(), highlight=False)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    sections: list[Section] = []
    measurements: tuple[Measurement, ...] = ()
    for name in options.sections or ((KERNEL_SECTION,) if options.quick else NAMES):
        if name == KERNEL_SECTION:
            found, measurements = _kernels(options, console)
        else:
            found = [SECTIONS[name](options.quick)]
        for section in found:
            print_section(section, console)
        sections += found
    write_json(sections, measurements, options.output)
    console.print(f"written to {options.output}")


def _kernels(options: argparse.Namespace, console: Console) -> Kernels:
    measurements = measure(
        _selection(options), lambda label: console.print(label, style="dim", highlight=False)
    )
    found = by_case(measurements, least=options.busy)
    picture = options.output.with_suffix(".png")
    if plot_ratios(found, picture):
        console.print(f"drawn in {picture}")
    return list(kernel_sections(found)), measurements


def _selection(options: argparse.Namespace) -> Selection:
    quick = options.quick
    cores = {"one": (False,), "all": (True,), "both": (True, False)}
    return Selection(
        kernels=tuple(options.only or (("hdiff", "vadv") if quick else KERNELS)),
        domains=tuple(options.size or (DOMAINS[1:2] if quick else DOMAINS)),
        dtypes=tuple(options.dtype or (("float64",) if quick else DTYPES)),
        parallel=cores[options.cores or ("one" if quick else "both")],
        turns=options.turns or (5 if quick else 9),
        busy=options.busy,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure, beside yardsticks.")
    parser.add_argument("sections", nargs="*", metavar="section", help=f"{', '.join(NAMES)} (default: all)")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="hdiff and vadv in float64 on one domain; other sections: that they run",
    )
    parser.add_argument("--only", nargs="+", choices=KERNELS, metavar="KERNEL", help=", ".join(KERNELS))
    sizes = ", ".join(map(domain_text, DOMAINS))
    parser.add_argument("--size", nargs="+", type=_domain, metavar="NIxNJxNK", help=f"(default: {sizes})")
    parser.add_argument("--dtype", nargs="+", choices=tuple(DTYPES))
    parser.add_argument("--cores", choices=("one", "all", "both"))
    parser.add_argument("--turns", type=int, help="how often candidates take turns (default: 9)")
    busy = "the machine is not quiet: count processor time on one core, and compare the fastest calls"
    parser.add_argument("--busy", action="store_true", help=busy)
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(".benchmarks/latest.json"),
        help="JSON file; the picture lies beside it",
    )
    return parser


def _domain(text: str) -> tuple[int, int, int]:
    ni, nj, nk = map(int, text.split("x"))
    return ni, nj, nk


if __name__ == "__main__":
    main()
