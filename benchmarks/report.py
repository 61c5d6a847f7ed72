"""What a section of the benchmarks found, as a table and as JSON."""

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
class Section:
    """The cells of one kind."""

    title: str
    cells: tuple[Cell, ...]


def print_section(section: Section, console: Console) -> None:
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
    console.print(table)


def write_json(sections: Sequence[Section], path: Path) -> None:
    machine: dict[str, Any] = {
        "processor": _processor(),
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "numba", "llvmlite")},
    }
    content = {"machine": machine, "sections": [asdict(section) for section in sections]}
    path.write_text(json.dumps(content, indent=2) + "\n")


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
