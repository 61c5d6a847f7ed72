"""The interface of the module that a loop program is printed as."""

from typing import Final, assert_never

from backends.loopnest.expressions import Affine
from backends.loopnest.names import SIZE
from backends.loopnest.nodes import (
    Allocate,
    ArrayParameter,
    Function,
    IndexParameter,
    Loop,
    LoopKind,
    Memory,
    NumberParameter,
    Parameter,
    Program,
)
from backends.loopnest.steps import all_steps
from backends.numba_cpu.interface import Frame, Interface, Signature, Workspace
from iir.schedule import Axis
from iir.traversal import walk

_AXIS_OF_SIZE: Final = dict(zip(SIZE, (Axis.I, Axis.J, Axis.K), strict=True))


def program_interface(program: Program) -> Interface:
    return Interface(
        tuple(map(_signature, program.kernels)),
        _signature(program.serial),
        None if program.parallel is None else _signature(program.parallel),
        tuple(map(_workspace, program.workspaces)),
        tuple(item.dtype for item in program.scalars),
        () if program.parallel is None else _shared_axes(program.parallel),
        bool(program.checks),
        tuple(map(_frame, program.kernels, program.stack_budgets)),
    )


def _signature(function: Function) -> Signature:
    return Signature(function.name, tuple(map(_parameter, function.parameters)))


def _parameter(parameter: Parameter) -> str:
    match parameter:
        case ArrayParameter(_, dtype, ndim):
            return f"{dtype.value}[{ndim}]"
        case NumberParameter(_, dtype):
            return dtype.value
        case IndexParameter():
            return "index"
        case _:
            assert_never(parameter)


def _workspace(item: Allocate) -> Workspace:
    sizes = tuple((_AXIS_OF_SIZE[size.name] if size.name else None, size.offset) for size in item.sizes)
    return Workspace(item.dtype, sizes, item.fastest, item.aligned, item.per_chunk)


def _frame(kernel: Function, budget: int) -> Frame:
    allocations = (step for step in all_steps(kernel.body) if isinstance(step, Allocate))
    return Frame(tuple(_workspace(step) for step in allocations if step.memory is Memory.STACK), budget)


def _shared_axes(driver: Function) -> tuple[Axis, ...]:
    """The axes along which loops are shared: those whose sizes the shares depend on, all if unknown."""
    found: set[Axis] = set()
    for node in walk(driver):
        if isinstance(node, Loop) and node.kind is LoopKind.PARALLEL:
            names = {item.name for item in walk(node) if isinstance(item, Affine)}
            found |= {axis for size, axis in _AXIS_OF_SIZE.items() if size in names} or {*Axis}
    return tuple(axis for axis in Axis if axis in found)
