"""What a caller has to know of a generated module; all of it can be stored beside the module."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from iir.dtypes import DType
from iir.schedule import Axis


@dataclass(frozen=True, slots=True)
class Signature:
    """A function's name and the kinds of its parameters.

    ``f64[3]`` is an array of three axes, ``f64`` a number, ``index`` a position or a size.
    """

    name: str
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Workspace:
    """An array with a size for each of its axes: so many more than the domain has along an axis of the
    grid, or a constant. See `backends.loopnest.nodes.Allocate` for the rest."""

    dtype: DType
    sizes: tuple[tuple[Axis | None, int], ...]
    fastest: int
    aligned: int
    per_chunk: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """The arrays that a kernel keeps on the stack, and the bytes that they may take of it."""

    arrays: tuple[Workspace, ...]
    budget: int


@dataclass(frozen=True, slots=True)
class Interface:
    """The functions of a module, the memory they need, and the axes whose loops threads may share.

    *parallel* is None where there is nothing to share; *scalars* are the dtypes of the number arguments.
    *frames* has what each kernel keeps on the stack.
    """

    kernels: tuple[Signature, ...]
    serial: Signature
    parallel: Signature | None
    workspaces: tuple[Workspace, ...]
    scalars: tuple[DType, ...]
    shared: tuple[Axis, ...]
    has_checks: bool
    frames: tuple[Frame, ...]


def to_data(interface: Interface) -> dict[str, Any]:
    """*interface* as what JSON can hold."""
    return {
        "kernels": [_signature_data(item) for item in interface.kernels],
        "serial": _signature_data(interface.serial),
        "parallel": None if interface.parallel is None else _signature_data(interface.parallel),
        "workspaces": [_workspace_data(item) for item in interface.workspaces],
        "scalars": [item.value for item in interface.scalars],
        "shared": [item.value for item in interface.shared],
        "has_checks": interface.has_checks,
        "frames": [[list(map(_workspace_data, item.arrays)), item.budget] for item in interface.frames],
    }


def from_data(data: Mapping[str, Any]) -> Interface:
    """The inverse of `to_data`."""
    return Interface(
        tuple(map(_signature, data["kernels"])),
        _signature(data["serial"]),
        None if data["parallel"] is None else _signature(data["parallel"]),
        tuple(map(_workspace, data["workspaces"])),
        tuple(map(DType, data["scalars"])),
        tuple(map(Axis, data["shared"])),
        data["has_checks"],
        tuple(Frame(tuple(map(_workspace, arrays)), budget) for arrays, budget in data["frames"]),
    )


def _signature_data(signature: Signature) -> list[Any]:
    return [signature.name, list(signature.parameters)]


def _signature(data: list[Any]) -> Signature:
    name, parameters = data
    return Signature(name, tuple(parameters))


def _workspace_data(workspace: Workspace) -> dict[str, Any]:
    return {
        "dtype": workspace.dtype.value,
        "sizes": [[axis.value if axis else None, more] for axis, more in workspace.sizes],
        "fastest": workspace.fastest,
        "aligned": workspace.aligned,
        "per_chunk": workspace.per_chunk,
    }


def _workspace(data: Mapping[str, Any]) -> Workspace:
    return Workspace(
        DType(data["dtype"]),
        tuple((Axis(axis) if axis else None, more) for axis, more in data["sizes"]),
        data["fastest"],
        data["aligned"],
        data["per_chunk"],
    )
