"""What a section of the benchmarks found, as tables and as JSON."""

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Cell:
    """One measurement beside its yardstick; `target` bounds the ratio or the value itself."""

    case: str
    what: str
    value: float
    unit: str
    yardstick: str = ""
    yardstick_value: float | None = None
    target: str = ""
    is_met: bool | None = None


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of text under headings."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    unbroken: tuple[str, ...] = ()
    """Headings of columns whose text stays on one line."""


@dataclass(frozen=True, slots=True)
class Section:
    """The cells of one kind, or a matrix; *notes* are lines below."""

    title: str
    cells: tuple[Cell, ...] = ()
    matrix: Matrix | None = None
    notes: tuple[str, ...] = ()


def print_section(section: Section, console: Console) -> None:
    if section.matrix is not None:
        table = Table(title=section.title, title_justify="left")
        for position, heading in enumerate(section.matrix.headings):
            table.add_column(
                heading, justify="right" if position else "left", no_wrap=heading in section.matrix.unbroken
            )
        for row in section.matrix.rows:
            table.add_row(*row)
        console.print(table)
    elif section.cells:
        console.print(_cell_table(section))
    else:
        console.print(section.title)
    for note in section.notes:
        console.print(note, markup=False, highlight=False, soft_wrap=True)


def _cell_table(section: Section) -> Table:
    table = Table(title=section.title, title_justify="left")
    for heading in ("case", "what", "measured", "yardstick", "", "ratio", "target"):
        table.add_column(heading, justify="right" if heading in ("measured", "", "ratio") else "left")
    for cell in section.cells:
        ratio = "" if not cell.yardstick_value else f"{cell.value / cell.yardstick_value:.3g}"
        yardstick_value = "" if cell.yardstick_value is None else f"{cell.yardstick_value:.3g} {cell.unit}"
        mark = {True: "[green]met[/] ", False: "[red]missed[/] ", None: ""}[cell.is_met]
        table.add_row(
            cell.case,
            cell.what,
            f"{cell.value:.3g} {cell.unit}",
            cell.yardstick,
            yardstick_value,
            ratio,
            mark + cell.target,
        )
    return table


def write_json(sections: Sequence[Section], measurements: Sequence[Any], path: Path) -> None:
    """*measurements* are the records of single candidates, from which tables of kernels are made."""
    machine: dict[str, Any] = {
        "processor": processor(),
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "numba", "llvmlite")},
    }
    content = {
        "machine": machine,
        "sections": [asdict(section) for section in sections],
        "measurements": [asdict(measurement) for measurement in measurements],
    }
    path.write_text(json.dumps(content, indent=2) + "\n")


def processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
