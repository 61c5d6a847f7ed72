"""How each temporary of a stencil is kept, and which rules have decided it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from types import MappingProxyType
from typing import Final

from backends.loopnest.expressions import Affine
from backends.loopnest.names import SIZE
from backends.loopnest.nodes import Allocate, Function, Invoke, MakeView, Program
from backends.loopnest.printer import position_text
from backends.loopnest.steps import all_steps
from iir.dtypes import numpy_dtype
from iir.nodes import Stencil, TemporaryDecl
from iir.schedule import Storage

NONE: Final = "none"
"""The kind of a temporary that is not kept: its values are computed where they are read."""

_REASONS: Final[Mapping[Storage, str]] = MappingProxyType(
    {
        Storage.REGISTER: "each point is read only where it was set",
        Storage.RING: "one sweep uses it, which needs so many levels at a time",
        Storage.ROW: "it is visited row by row, which needs so many rows",
        Storage.COLUMN: "sweeps leave it to each other, each at its own rows",
        Storage.PLANE: "it is needed while a level is visited, not after that",
        Storage.FIELD: "loops that run one after another use it",
    }
)
_NOT_KEPT: Final = "it is computed where it is read, or nobody needs it"


@dataclass(frozen=True, slots=True)
class TemporaryStorage:
    """How a temporary is kept.

    *kind* is "none" or the name of a `Storage`; *place* "stack" or "heap", None without an array; *sizes*
    are those of the array as text; *rule* tells why it has the kind, and *place_rule* why the place.
    *bytes* is the size of an array whose size no call changes, else None: `StorageReport.bytes_for` tells.
    """

    name: str
    kind: str
    place: str | None
    sizes: str
    bytes: int | None
    rule: str
    place_rule: str


class StorageReport(Mapping[str, TemporaryStorage]):
    """By name, how each temporary is kept; prints as a table."""

    def __init__(self, items: Mapping[str, tuple[TemporaryStorage, Allocate | None]]) -> None:
        self._items = items

    def __getitem__(self, name: str) -> TemporaryStorage:
        if name not in self._items:
            raise KeyError(f"There is no temporary '{name}' among: {', '.join(self._items) or 'none'}.")
        return self._items[name][0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def bytes_for(self, domain: tuple[int, int, int]) -> Mapping[str, int]:
        """The bytes of each array in calls on (ni, nj, nk): of one for each thread where threads have one."""
        sizes = dict(zip(SIZE, domain, strict=True))
        return {
            name: 0 if array is None else _bytes(array, sizes) for name, (_, array) in self._items.items()
        }

    def __str__(self) -> str:
        if not self._items:
            return "no temporaries"
        rows = [("temporary", "kept as", "on", "elements", "because")]
        rows += [(item.name, item.kind, item.place or "", item.sizes, item.rule) for item in self.values()]
        widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
        lines = (
            "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows
        )
        return "\n".join(line.rstrip() for line in lines)

    __repr__ = __str__


def storage_report(source: Stencil, program: Program) -> StorageReport:
    """The temporaries of *source*, what the front end made, and those that passes have added."""
    kept = {item.name: item for item in program.ir.temporaries}
    names = dict.fromkeys((*(item.name for item in source.temporaries), *kept))
    arrays = _arrays(program)
    return StorageReport({name: _entry(name, kept.get(name), arrays, program) for name in names})


def _entry(
    name: str, declaration: TemporaryDecl | None, arrays: Mapping[str, Allocate], program: Program
) -> tuple[TemporaryStorage, Allocate | None]:
    views = dict(program.temporary_views)
    if declaration is None or declaration.storage is None:
        return TemporaryStorage(name, NONE, None, "", 0, _NOT_KEPT, ""), None
    kind, rule = declaration.storage.value, _REASONS[declaration.storage]
    array = arrays.get(views.get(name, ""))
    if array is None:
        return TemporaryStorage(name, kind, None, "", 0, rule, ""), None
    reason = dict(program.stack_rules).get(array.array)
    why = reason.value if reason else "It lives as long as the call."
    constant = None if any(size.name for size in array.sizes) else _bytes(array, {})
    sizes = " x ".join(map(_size_text, array.sizes))
    return TemporaryStorage(name, kind, array.memory.value, sizes, constant, rule, why), array


def _size_text(size: Affine) -> str:
    text = position_text(size)
    return f"({text})" if " " in text else text


def _bytes(array: Allocate, sizes: Mapping[str, int]) -> int:
    counts = (size.offset + (sizes[size.name] if size.name else 0) for size in array.sizes)
    return prod(max(0, count) for count in counts) * numpy_dtype(array.dtype).itemsize


def _arrays(program: Program) -> Mapping[str, Allocate]:
    """By name of a view, the array that it shows."""
    drivers = {step.array: step for step in program.serial.body if isinstance(step, Allocate)}
    calls = {step.kernel: step for step in program.serial.body if isinstance(step, Invoke)}
    found: dict[str, Allocate] = {}
    for kernel in program.kernels:
        own = {step.array: step for step in all_steps(kernel.body) if isinstance(step, Allocate)}
        passed = _passed(kernel, calls[kernel.name], drivers)
        for step in all_steps(kernel.body):
            if isinstance(step, MakeView) and (array := own.get(step.array) or passed.get(step.array)):
                found[step.name] = array
    return found


def _passed(kernel: Function, call: Invoke, drivers: Mapping[str, Allocate]) -> Mapping[str, Allocate]:
    """By name of a kernel's parameter, the workspace that its driver passes."""
    pairs = zip(kernel.parameters, call.arguments, strict=True)
    return {
        parameter.name: drivers[argument]
        for parameter, argument in pairs
        if isinstance(argument, str) and argument in drivers
    }
