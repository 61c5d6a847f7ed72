"""Scheduled IIR to a loop program: every decision is made here, an emitter only prints."""

from dataclasses import replace

from backends.loopnest.allocations import allocations
from backends.loopnest.bounds import domain_range, hull_range
from backends.loopnest.drivers import KernelCall, call_kernels, index_parameters
from backends.loopnest.heap_arguments import heap_arguments, workspace_parameter
from backends.loopnest.kernels import (
    RECORD_PARAMETER,
    field_parameter,
    kernel,
    level_lets,
    scalar_parameters,
    unit_axis,
)
from backends.loopnest.lane_scratch import privatise_lanes
from backends.loopnest.layout import Layout
from backends.loopnest.lower_nests import lower_nest
from backends.loopnest.lower_statements import StatementLowering
from backends.loopnest.names import CHUNKS, PARALLEL_DRIVER, SERIAL_DRIVER, SIZE, short
from backends.loopnest.nests import Nest, nests
from backends.loopnest.nodes import Allocate, FieldInterface, Function, Parameter, Program
from backends.loopnest.places import places
from backends.loopnest.scope import Scope, stencil_scope
from backends.loopnest.shared_storage import share_storage
from backends.loopnest.stack_arrays import stack_arrays
from backends.loopnest.stack_policy import StackPolicy, innermost
from backends.loopnest.stack_rules import Rule
from backends.loopnest.uses import uses
from backends.loopnest.vector_width import suits_narrow_vectors
from iir.analyses.extents import extents
from iir.nodes import Stencil


def lower(
    ir: Stencil,
    layout: Layout,
    reserved: frozenset[str] = frozenset(),
    policy: StackPolicy | None = None,
) -> Program:
    """The program for *layout*. *reserved* are names that the emitter's language gives a meaning; *policy*
    says what may be on the stack."""
    found = nests(ir, extents(ir), layout)
    scope = stencil_scope(ir, layout.unit, places(ir, found), reserved)
    lowering = _ProgramLowering(scope, layout, policy or StackPolicy())
    for nest in found:
        lowering.add_kernel(nest)
    return lowering.program()


class _ProgramLowering:
    def __init__(self, scope: Scope, layout: Layout, policy: StackPolicy) -> None:
        self.scope = scope
        self.layout = layout
        self.policy = replace(policy, run_time_sizes=policy.run_time_sizes and not layout.is_large)
        self.statements = StatementLowering(scope)
        self.arrays = allocations(scope)
        self.workspaces = {
            array.array: array
            for item in self.arrays.values()
            if isinstance(array := item.array, Allocate) and not item.is_private
        }
        self.stack_rules = {
            name: Rule.MUST_BE_HEAP for name, item in self.workspaces.items() if item.must_be_heap
        }
        self.stack_budgets: list[int] = []
        self.calls: list[KernelCall] = []

    def add_kernel(self, nest: Nest) -> None:
        name = self.scope.allocator.name(f"{short(self.scope.ir.name)}_{len(self.calls)}").name
        steps = lower_nest(nest, self.statements, self.arrays, self.layout)
        function = kernel(name, steps, self.scope, self.arrays, is_shared=nest.is_shared)
        own = None if nest.stack is None else replace(self.policy, budget=nest.stack)
        policy = innermost(self.policy, own)
        function = replace(function, narrow=suits_narrow_vectors(nest))
        stacked = stack_arrays(privatise_lanes(function), policy)
        self.stack_budgets.append(policy.budget)
        self.stack_rules.update(stacked.rules)
        function, workspaces = heap_arguments(stacked.function, is_shared=nest.is_shared)
        self.workspaces.update((item.array, item) for item in workspaces)
        whole = domain_range(nest.axis) if nest.overlaps else hull_range(nest.bodies, nest.axis, self.scope)
        self.calls.append(KernelCall(function, whole if nest.is_shared else None))

    def program(self) -> Program:
        scope = self.scope
        is_shared = any(call.shared is not None for call in self.calls)
        program = Program(
            scope.ir,
            tuple(
                FieldInterface(item.name, item.dtype, axes, unit_axis(axes, scope.unit))
                for item in scope.fields
                for axes in (scope.axes(item.name),)
            ),
            scalar_parameters(scope),
            tuple(call.kernel for call in self.calls),
            self._driver(SERIAL_DRIVER, is_parallel=False),
            self._driver(PARALLEL_DRIVER, is_parallel=True) if is_shared else None,
            tuple(self.workspaces.values()),
            tuple(self.statements.checks),
            tuple(self.statements.externals.values()),
            self.layout,
            tuple(self.stack_rules.items()),
            tuple((item.temporary, item.view.name) for item in self.arrays.values()),
            tuple(self.stack_budgets),
        )
        return share_storage(program)

    def _driver(self, name: str, *, is_parallel: bool) -> Function:
        steps = call_kernels(self.calls, tuple(self.workspaces.values()), is_parallel=is_parallel)
        levels = level_lets(self.scope, uses(steps).names)
        return Function(name, self._parameters(is_parallel), (*levels, *steps))

    def _parameters(self, is_parallel: bool) -> tuple[Parameter, ...]:
        scope = self.scope
        return (
            *(field_parameter(item, scope) for item in scope.fields),
            *(workspace_parameter(item) for item in self.workspaces.values()),
            *((RECORD_PARAMETER,) if self.statements.checks else ()),
            *(
                part
                for item in scope.fields
                for part in index_parameters(scope.names[item.name].origin(item.axes))
            ),
            *index_parameters(SIZE),
            *scalar_parameters(scope),
            *index_parameters((CHUNKS,) if is_parallel else ()),
        )
