"""Store zero where a temporary may be read unset.

Legal because unset points hold zero by definition: the stores come before the first possible store
of the temporary and make kernels independent of what its memory holds. Where one do-method has all
accesses and none at a vertical offset, they join that do-method; else they are a multistage of
their own, on the levels of the reads in question.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from iir.analyses.accesses import Access, accesses
from iir.analyses.dependencies import footprint
from iir.analyses.interval_order import LevelLimits, level_limits
from iir.analyses.required_levels import levels_needed
from iir.analyses.unset_reads import UnsetRead, unset_reads
from iir.dtypes import DType, is_float
from iir.expressions import Constant, FieldAccess
from iir.interval import Anchor, Bound, Interval
from iir.nodes import Axes, DoMethod, LoopOrder, MultiStage, Stage, Stencil, TemporaryDecl
from iir.passes.rebuild import map_bodies, with_multistages
from iir.statements import Assign, Stmt


def zero_unset_temporaries(ir: Stencil) -> Stencil:
    """After it no read of a temporary can see an unset point."""
    found = unset_reads(ir)
    if not found:
        return ir
    plan = _plan(ir, found)

    def rule(do_method: DoMethod, order: LoopOrder) -> tuple[Stmt, ...]:
        return tuple(_with_zeros(do_method, plan.inside.get(id(do_method), ())))

    stores_inside = map_bodies(ir, rule)
    # Both trees have the same multistages in the same places.
    places = [plan.before.get(id(multistage), ()) for multistage in ir.multistages]
    return with_multistages(stores_inside, _with_zeroing(stores_inside, places))


_FIRST_LEVEL: Final = Interval(Bound(Anchor.START), Bound(Anchor.START, 1))


@dataclass(frozen=True, slots=True)
class _Zeroed:
    """A temporary to set to zero on *interval*."""

    declaration: TemporaryDecl
    interval: Interval


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to zero inside which do-method, and in front of which multistage, by ``id``."""

    inside: Mapping[int, list[TemporaryDecl]]
    before: Mapping[int, list[_Zeroed]]


def _plan(ir: Stencil, found: tuple[UnsetRead, ...]) -> _Plan:
    limits = level_limits(ir)
    own: dict[str, list[Access]] = {item.name: [] for item in found}
    for access in accesses(ir):
        if access.name in own:
            own[access.name].append(access)
    inside: dict[int, list[TemporaryDecl]] = {}
    before: dict[int, list[_Zeroed]] = {}
    for item in ir.temporaries:
        if item.name not in own:
            continue
        first = own[item.name][0]
        reads = [read for read in found if read.name == item.name]
        is_local = _is_local(own[item.name]) and not any(read.whole for read in reads)
        if is_local and (item.axes is Axes.IJK or _is_one_level(own[item.name])):
            inside.setdefault(id(first.do_method), []).append(item)
        else:
            interval = _levels(reads, limits) if item.axes is Axes.IJK else _FIRST_LEVEL
            before.setdefault(id(first.multistage), []).append(_Zeroed(item, interval))
    return _Plan(inside, before)


def _is_local(own: Iterable[Access]) -> bool:
    do_methods = {id(access.do_method) for access in own}
    return len(do_methods) == 1 and all(access.offset.k == 0 for access in own)


def _is_one_level(own: Iterable[Access]) -> bool:
    """Whether the do-method of *own*, accesses to a plane, runs on one level: parallel ones that store do."""
    return any(access.is_store and access.multistage.order is LoopOrder.PARALLEL for access in own)


def _levels(reads: list[UnsetRead], limits: LevelLimits) -> Interval:
    """An interval that holds all levels of *reads* in every call and demands no more levels itself."""
    intervals = [read.levels for read in reads]
    start = _lowest([interval.start for interval in intervals], limits)
    end = _highest([interval.end for interval in intervals], limits)
    if levels_needed(Interval(start, end)) <= limits.required:
        return Interval(start, end)
    bottom, top = Bound(Anchor.START), Bound(Anchor.END)
    return Interval(_lowest([start, bottom], limits), _highest([end, top], limits))


def _lowest(bounds: list[Bound], limits: LevelLimits) -> Bound:
    """A bound that is never above any of *bounds*; counted from the end only if all of them are."""
    if all(bound.anchor is Anchor.END for bound in bounds):
        return Bound(Anchor.END, min(bound.offset for bound in bounds))
    base: dict[Anchor | str, int] = {Anchor.START: 0, Anchor.END: limits.required}
    base.update(limits.lowest)
    return Bound(Anchor.START, min(base[bound.anchor] + bound.offset for bound in bounds))


def _highest(bounds: list[Bound], limits: LevelLimits) -> Bound:
    """A bound that is never below any of *bounds*; counted from the start only if all of them are."""
    if all(bound.anchor is Anchor.START for bound in bounds):
        return Bound(Anchor.START, max(bound.offset for bound in bounds))
    base: dict[Anchor | str, int] = {Anchor.START: -limits.required, Anchor.END: 0}
    base.update({name: -offset for name, offset in limits.highest.items()})
    return Bound(Anchor.END, max(base[bound.anchor] + bound.offset for bound in bounds))


def _with_zeros(do_method: DoMethod, temporaries: Iterable[TemporaryDecl]) -> Iterator[Stmt]:
    """The body of *do_method* with each zero in front of the first statement that needs it."""
    waiting = {item.name: item for item in temporaries}
    for statement in do_method.body:
        if waiting:
            unit = footprint(statement)
            for name in dict.fromkeys((*(name for name, _ in unit.reads), *unit.stores)):
                if name in waiting:
                    yield _zero(waiting.pop(name))
        yield statement


def _with_zeroing(ir: Stencil, places: Iterable[Iterable[_Zeroed]]) -> Iterator[MultiStage]:
    for multistage, zeroed in zip(ir.multistages, places, strict=True):
        do_methods = tuple(DoMethod(item.interval, (_zero(item.declaration),)) for item in zeroed)
        if do_methods:
            yield MultiStage(LoopOrder.PARALLEL, (Stage(do_methods),))
        yield multistage


def _zero(declaration: TemporaryDecl) -> Assign:
    value: float | int | bool = 0
    if declaration.dtype is DType.BOOL:
        value = False
    elif is_float(declaration.dtype):
        value = 0.0
    span = declaration.span
    return Assign(
        FieldAccess(declaration.name, span=span), Constant(value, declaration.dtype, span=span), span=span
    )
