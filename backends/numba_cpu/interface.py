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
    """An array for the points ``[low, n + high)`` of each axis; with *per_chunk* one for each chunk."""

    dtype: DType
    axes: tuple[Axis, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    fastest: Axis
    per_chunk: bool


@dataclass(frozen=True, slots=True)
class Interface:
    """The functions of a module, the memory they need, and the axes whose loops threads may share.

    *parallel* is None where there is nothing to share; *scalars* are the dtypes of the number arguments.
    """

    kernels: tuple[Signature, ...]
    serial: Signature
    parallel: Signature | None
    workspaces: tuple[Workspace, ...]
    scalars: tuple[DType, ...]
    shared: tuple[Axis, ...]
    has_checks: bool


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
    )


def _signature_data(signature: Signature) -> list[Any]:
    return [signature.name, list(signature.parameters)]


def _signature(data: list[Any]) -> Signature:
    name, parameters = data
    return Signature(name, tuple(parameters))


def _workspace_data(workspace: Workspace) -> dict[str, Any]:
    return {
        "dtype": workspace.dtype.value,
        "axes": [axis.value for axis in workspace.axes],
        "low": list(workspace.low),
        "high": list(workspace.high),
        "fastest": workspace.fastest.value,
        "per_chunk": workspace.per_chunk,
    }


def _workspace(data: Mapping[str, Any]) -> Workspace:
    return Workspace(
        DType(data["dtype"]),
        tuple(map(Axis, data["axes"])),
        tuple(data["low"]),
        tuple(data["high"]),
        Axis(data["fastest"]),
        data["per_chunk"],
    )
