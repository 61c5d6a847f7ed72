"""What an external call may do to fields: the one answer for every pass and analysis."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from iir.analyses.accesses import field_reads, nested
from iir.expressions import Expr, FieldAccess
from iir.nodes import LoopOrder, MultiStage, Stencil
from iir.statements import Effects, ExternalCall

KNOWN_TAGS: Final = frozenset({"deopt", "inject", "assume"})


@dataclass(frozen=True, slots=True)
class CallSiteEffects:
    """What one call may do, besides storing its results.

    At its point it *reads*, and *may_store*. Through what is *escaping* outside code gets fields as a
    whole, and may keep them: they are read and perhaps stored, on entry and on exit, and a later
    call that *sees* (or *changes*) escaped fields may read (or store) them again. As a whole means
    all points of the domain. *is_effectful*: the world outside can tell when it runs, so that such
    calls keep their order. *may_inline*: its function may take its place.
    """

    reads: tuple[FieldAccess, ...]
    may_store: tuple[FieldAccess, ...]
    escaping: tuple[FieldAccess, ...]
    sees: bool
    changes: bool
    is_effectful: bool
    may_inline: bool


def call_site_effects(call: ExternalCall) -> CallSiteEffects:
    """The effects of *call* as its function's effects and its bundles have it.

    Operands of a bundle with an unknown tag escape, those of ``inject`` may be overwritten at the
    point, those of ``deopt`` are read. What ``assume`` says is no use of its operands: it may be
    dropped, and has to be where their values are not known at the call.
    """
    unknown = tuple(_operands(call, lambda tag: tag not in KNOWN_TAGS))
    injected = tuple(_operands(call, lambda tag: tag == "inject"))
    used = _operands(call, lambda tag: tag != "assume")
    tags = {bundle.tag for bundle in call.bundles}
    has_unknown = bool(tags - KNOWN_TAGS)
    return CallSiteEffects(
        reads=tuple(access for expr in (*call.arguments, *used) for access in field_reads(expr)),
        may_store=tuple(operand for operand in injected if isinstance(operand, FieldAccess)),
        escaping=tuple(access for operand in unknown for access in field_reads(operand)),
        sees=has_unknown or "deopt" in tags or call.effects in (Effects.READ, Effects.ANY),
        changes=has_unknown or call.effects in (Effects.WRITE, Effects.ANY),
        is_effectful=has_unknown or "inject" in tags or call.effects is not Effects.NONE,
        may_inline=not has_unknown,
    )


@dataclass(frozen=True, slots=True)
class Escape:
    """The operand of a call through which outside code has got a field."""

    operand: FieldAccess
    call: ExternalCall


def escapes(ir: Stencil) -> Mapping[int, tuple[Escape, ...]]:
    """For each external call, by ``id``, how the fields have escaped that have when it is over.

    In a sweep the calls of later statements run before those of the next level: all that escapes
    in it has escaped in each of its calls.
    """
    known: dict[str, Escape] = {}
    result: dict[int, tuple[Escape, ...]] = {}
    for multistage in ir.multistages:
        calls = tuple(_calls(multistage))
        if multistage.order is not LoopOrder.PARALLEL:
            for call in calls:
                _add_escapes(known, call)
        for call in calls:
            _add_escapes(known, call)
            result[id(call)] = tuple(known.values())
    return result


def whole_reads(call: ExternalCall, found: Mapping[int, tuple[Escape, ...]]) -> tuple[Escape, ...]:
    """The *found* escapes of fields of which *call* may read all points of the domain."""
    return found[id(call)] if call_site_effects(call).sees else ()


def _add_escapes(known: dict[str, Escape], call: ExternalCall) -> None:
    for operand in call_site_effects(call).escaping:
        known.setdefault(operand.name, Escape(operand, call))


def _operands(call: ExternalCall, is_wanted: Callable[[str], bool]) -> Iterator[Expr]:
    return (operand for bundle in call.bundles if is_wanted(bundle.tag) for operand in bundle.operands)


def _calls(multistage: MultiStage) -> Iterator[ExternalCall]:
    for stage in multistage.stages:
        for do_method in stage.do_methods:
            for statement in nested(do_method.body):
                if isinstance(statement, ExternalCall):
                    yield statement
