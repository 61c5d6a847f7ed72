"""Rules on accesses: which offsets there are, and what may be stored where."""

from collections.abc import Iterator, Mapping
from typing import Final

from iir.analyses.accesses import Access
from iir.expressions import CENTER
from iir.interval import Anchor, Interval
from iir.nodes import Axes, Declaration, FieldDecl, LoopOrder, ScalarDecl, Stencil
from iir.verification.fault import Fault, quote

_WRITABLE: Final = frozenset({Axes.IJK, Axes.IJ})


def store_faults(
    ir: Stencil, accesses: tuple[Access, ...], names: Mapping[str, Declaration]
) -> Iterator[Fault]:
    for temporary in ir.temporaries:
        if temporary.axes not in _WRITABLE:
            text = f"The temporary '{temporary.name}' is on {temporary.axes.value}, not on IJK or IJ."
            yield Fault(text, temporary)
    for access in accesses:
        declaration = names[access.name]
        assert not isinstance(declaration, ScalarDecl), "the rules on names hold"
        yield from _offset_faults(access, declaration.axes, names)
        if access.is_store:
            yield from _target_faults(access, declaration.axes, names)
            yield from _plane_faults(access, declaration.axes, names)
            yield from _level_faults(access, declaration, names)


def is_one_level(interval: Interval) -> bool:
    """Whether *interval* holds the same single level (or none) on every domain."""
    start, end = interval.start, interval.end
    is_constant = isinstance(start.anchor, Anchor) and start.anchor is end.anchor
    return is_constant and end.offset - start.offset <= 1


def _offset_faults(access: Access, axes: Axes, names: Mapping[str, Declaration]) -> Iterator[Fault]:
    for axis, displacement in zip("IJK", access.offset, strict=True):
        if displacement and axis not in axes.value:
            access_text = quote(access.node, names)
            text = f"{access_text} has an offset on {axis}, but '{access.name}' is on {axes.value}."
            yield Fault(text, access.node)


def _target_faults(access: Access, axes: Axes, names: Mapping[str, Declaration]) -> Iterator[Fault]:
    if access.offset != CENTER:
        yield Fault(f"{quote(access.statement, names)} stores at an offset.", access.node)
    if axes not in _WRITABLE:
        statement = quote(access.statement, names)
        text = f"{statement} stores to '{access.name}', but fields on {axes.value} are read-only."
        yield Fault(text, access.node)


def _plane_faults(access: Access, axes: Axes, names: Mapping[str, Declaration]) -> Iterator[Fault]:
    is_sweep = access.multistage.order is not LoopOrder.PARALLEL
    if "K" not in axes.value and not is_sweep and not is_one_level(access.do_method.interval):
        text = (
            f"{quote(access.statement, names)} stores to '{access.name}', which has no K, "
            f"in a parallel multistage on more than one level, {quote(access.do_method.interval, names)}."
        )
        yield Fault(text, access.node)


def _level_faults(
    access: Access, declaration: Declaration, names: Mapping[str, Declaration]
) -> Iterator[Fault]:
    interval = access.do_method.interval
    if isinstance(declaration, FieldDecl) and is_outside_domain(interval):
        text = (
            f"{quote(access.statement, names)} stores to the argument '{access.name}' on "
            f"{quote(interval, names)}, which is not inside [start, end)."
        )
        yield Fault(text, access.node)


def is_outside_domain(interval: Interval) -> bool:
    """Whether constant bounds put levels of *interval* outside every domain's own."""
    start, end = interval.start, interval.end
    below = start.anchor is Anchor.START and start.offset < 0
    above = end.anchor is Anchor.END and end.offset > 0
    return below or above
