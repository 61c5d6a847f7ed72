"""The call: checks the arguments of a stencil against its IIR and runs its kernel on them."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from inspect import Signature
from itertools import combinations
from operator import itemgetter
from threading import RLock
from typing import Any, Final, Protocol, TypeAlias

import numpy as np

from backends.base import Array, CallShape, FieldLayout, Number, Recogniser, Runner
from iir.analyses.required_levels import intervals, required_levels
from iir.diagnostics import Diagnostic, InvalidIIRError
from iir.nodes import ScalarDecl, Stencil
from stencil.aliasing import aliasing_error, is_apart, refuse_self_overlap
from stencil.allocations import MadeFor, allocations, origin_of
from stencil.arrays import Layout, as_array, layouts, refuse_unfit
from stencil.binding import Binder
from stencil.differing_origins import differing_origin
from stencil.domains import largest_domain, most_levels, normal_domain, refuse_misfits
from stencil.levels import refuse_bounds, refuse_few_levels
from stencil.origins import ALL, Origin, normal_origin, origins
from stencil.placement import FieldUse, Index, Misfit, Placed, Triple, field_uses, misfits
from stencil.scalars import scalar_converter
from stencil.user_warning import warn_user

# Shapes of calls that are remembered; then all are forgotten, which costs only time.
_MAX_PLANS: Final = 256

_REPORT: Final = "This is a mistake in the compiler; backend='reference' runs the source itself."

_Key: TypeAlias = tuple[
    tuple[tuple[Any, ...], ...], Triple | None, Origin | None, Index, tuple[MadeFor | None, ...]
]


@dataclass(slots=True)
class Plan:
    """What holds for all calls of one shape. *rivals* are pairs of fields of which one is written."""

    run: Runner
    domain: Triple
    placed: tuple[Placed, ...]
    bounds: Mapping[str, int]
    rivals: tuple[tuple[int, int], ...]
    # (first, second, distance of their addresses) of rivals that were found apart.
    apart: set[tuple[int, int, int]] = field(default_factory=set)
    # Made for the first frozen call of this shape.
    recognises: Recogniser | None = None

    def refuse_aliasing(self, arrays: Sequence[Array]) -> None:
        """Nothing that the call stores through one argument is touched through another."""
        for first, second in self.rivals:
            if np.may_share_memory(arrays[first], arrays[second]):
                self._refuse_meeting(first, second, arrays)

    def _refuse_meeting(self, first: int, second: int, arrays: Sequence[Array]) -> None:
        distance = _address(arrays[second]) - _address(arrays[first])
        if (first, second, distance) in self.apart:
            return
        left, right = self.placed[first], self.placed[second]
        if not is_apart((left, arrays[first]), (right, arrays[second]), self.domain, self.bounds):
            raise aliasing_error(left, right)
        self.apart.add((first, second, distance))


class Kernel(Protocol):
    """What runs the calls: the IIR that it was made from, and runners by shape."""

    @property
    def scheduled(self) -> Stencil: ...

    @property
    def is_within(self) -> bool: ...

    def prepare(self, shape: CallShape) -> Runner: ...

    def recogniser(self, arrays: Sequence[Array]) -> Recogniser: ...


class Caller:
    """Runs the calls of one stencil: all checks on every call, the costly ones once for each shape.

    The kernel is asked for under a lock.
    """

    def __init__(self, ir: Stencil, signature: Signature, kernel: Kernel) -> None:
        self._binder = Binder(signature)
        self._kernel = kernel
        self._lock = RLock()
        self._plans: dict[_Key, Plan] = {}
        self._has_warned = False
        self._ir = ir
        self._levels = required_levels(ir)
        self._uses = field_uses(ir)
        position = {name: number for number, name in enumerate(signature.parameters)}
        scalars = tuple(item for item in ir.parameters if isinstance(item, ScalarDecl))
        fields = [position[use.name] for use in self._uses]
        self._fields = _picker(fields)
        are_all = fields == [*range(len(position))]
        self.only_fields = self._binder.all_positional if are_all else -1
        """So many arguments by position and none by keyword are the fields, in order; -1: never."""
        self._scalars = tuple((position[item.name], scalar_converter(item)) for item in scalars)
        bounds = _bound_names(ir)
        self._bounds = tuple((item.name, n) for n, item in enumerate(scalars) if item.name in bounds)

    def __call__(self, args: tuple[Any, ...], named: Mapping[str, Any], domain: Any, origin: Any) -> None:
        arrays, scalars, bounds = self.read(args, named)
        size = None if domain is None else normal_domain(domain)
        start = None if origin is None else normal_origin(origin)
        plan, arrays = self.plan(arrays, bounds, size, start)
        plan.refuse_aliasing(arrays)
        plan.run(arrays, scalars)

    def origin(self, origin: Any) -> Origin:
        """What the caller gave, in one form, and found to name fields of the stencil and their axes."""
        start = normal_origin(origin)
        origins(self._uses, start)
        return start

    def read(
        self, args: tuple[Any, ...], named: Mapping[str, Any]
    ) -> tuple[tuple[Array, ...], Sequence[Number], Index]:
        """The fields and the scalars of a call, in order, and the run-time bounds among the scalars."""
        values = args
        if named or len(args) != self._binder.all_positional:
            values = self._binder.bind(args, named)
        if not self._scalars:
            return self._fields(values), (), ()
        scalars: list[Number] = [convert(values[number]) for number, convert in self._scalars]
        bounds = tuple([int(scalars[number]) for _, number in self._bounds]) if self._bounds else ()
        return self._fields(values), scalars, bounds

    def plan(
        self, arrays: tuple[Array, ...], bounds: Index, size: Triple | None, start: Origin | None
    ) -> tuple[Plan, tuple[Array, ...]]:
        """The plan for a call of this shape, and *arrays* as NumPy arrays."""
        # Only layouts of NumPy arrays are ever found, so the common case needs no look at the types.
        plan = self._plans.get((layouts(arrays), size, start, bounds, allocations(arrays)))
        if plan is not None:
            return plan, arrays
        arrays = tuple(as_array(use.name, array) for use, array in zip(self._uses, arrays, strict=True))
        return self._new_plan((layouts(arrays), size, start, bounds, allocations(arrays))), arrays

    def recogniser(self, plan: Plan, arrays: Sequence[Array]) -> Recogniser:
        """Tells whether other fields have the layouts of *arrays*, which are those that *plan* is for."""
        if plan.recognises is None:
            plan.recognises = self._kernel.recogniser(arrays)
        return plan.recognises

    def _new_plan(self, key: _Key) -> Plan:
        with self._lock:
            plan = self._plans.get(key)
            if plan is None:
                plan = self._checked_plan([Layout(*item) for item in key[0]], *key[1:])
                if len(self._plans) >= _MAX_PLANS:
                    self._plans.clear()
                self._plans[key] = plan
            return plan

    def _checked_plan(
        self,
        layouts: Sequence[Layout],
        domain: Triple | None,
        origin: Origin | None,
        levels: Index,
        made: Sequence[MadeFor | None],
    ) -> Plan:
        bounds = {name: level for (name, _), level in zip(self._bounds, levels, strict=True)}
        for use, array in zip(self._uses, layouts, strict=True):
            refuse_unfit(use, array)
        found = self._made_for(layouts, made)
        starts = origins(self._uses, origin, found)
        placed = tuple(
            Placed(use, array.shape, start)
            for use, array, start in zip(self._uses, layouts, starts, strict=True)
        )
        if domain is None:
            refuse_bounds(self._ir, most_levels(placed), bounds)
            domain = largest_domain(placed, self._levels, bounds)
        refuse_few_levels(self._levels, domain[2])
        refuse_bounds(self._ir, domain[2], bounds)
        refuse_misfits(placed, domain, bounds)
        for item, array in zip(placed, layouts, strict=True):
            refuse_self_overlap(item, array.strides)
        self._warn_of_origins(placed, {*dict(origin or ()), *found})
        shape = CallShape(
            domain,
            tuple(
                FieldLayout(array.shape, array.strides, start)
                for array, start in zip(layouts, starts, strict=True)
            ),
        )
        if 0 in domain:
            return Plan(_do_nothing, domain, placed, bounds, ())
        self._refuse_wider_kernel(placed, domain, bounds)
        return Plan(self._kernel.prepare(shape), domain, placed, bounds, self._rivals())

    def _made_for(self, layouts: Sequence[Layout], made: Sequence[MadeFor | None]) -> Mapping[str, Index]:
        """The origins of the arrays that are allocations, by the names of the fields."""
        found = {
            use.name: origin_of(item, array.shape, array.strides)
            for use, array, item in zip(self._uses, layouts, made or (None,) * len(layouts), strict=True)
        }
        return {name: origin for name, origin in found.items() if origin is not None}

    def _warn_of_origins(self, placed: Sequence[Placed], chosen: Set[str]) -> None:
        """One warning for a stencil, whatever the shapes of its calls."""
        if self._has_warned or ALL in chosen:
            return
        doubt = differing_origin(placed, chosen)
        if doubt is not None:
            warn_user(doubt)
            self._has_warned = True

    def _refuse_wider_kernel(
        self, placed: Sequence[Placed], domain: Triple, bounds: Mapping[str, int]
    ) -> None:
        """The IIR that the kernel runs touches nothing outside the arrays, which fit the source's IIR."""
        if self._kernel.is_within:
            return
        for item, use in zip(placed, self._kernel_uses, strict=True):
            for misfit in misfits(replace(item, use=use), domain, bounds):
                raise _wider(item, misfit)

    @cached_property
    def _kernel_uses(self) -> tuple[FieldUse, ...]:
        """The fields as the kernel uses them, in the order of the source's."""
        scheduled = self._kernel.scheduled
        if scheduled is self._ir:
            return self._uses
        moved = {use.name: use for use in field_uses(scheduled)}
        return tuple(moved[use.name] for use in self._uses)

    def _rivals(self) -> tuple[tuple[int, int], ...]:
        written = [use.is_written for use in self._uses]
        pairs = combinations(range(len(written)), 2)
        return tuple((first, second) for first, second in pairs if written[first] or written[second])


def _picker(positions: Sequence[int]) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """Takes the items at these positions, in order."""
    # Neighbours are taken as a slice: one item as a tuple, too, and all of them without a copy.
    first = positions[0] if positions else 0
    if all(position == first + number for number, position in enumerate(positions)):
        return itemgetter(slice(first, first + len(positions)))
    return itemgetter(*positions)


def _bound_names(ir: Stencil) -> frozenset[str]:
    """The scalars that are run-time bounds of intervals."""
    bounds = (bound for interval in intervals(ir) for bound in (interval.start, interval.end))
    return frozenset(bound.anchor for bound in bounds if isinstance(bound.anchor, str))


def _wider(item: Placed, misfit: Misfit) -> InvalidIIRError:
    message = (
        f"A pass made the stencil touch points of '{item.use.name}' that its source does not: "
        f"{misfit.needed} needed at {misfit.side}, {misfit.given} given."
    )
    return InvalidIIRError(Diagnostic(message, "wider-access", hints=(_REPORT,)))


def _address(array: Array) -> int:
    return int(array.__array_interface__["data"][0])


def _do_nothing(arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
    """The runner of an empty domain."""
