"""What an external call may do to fields: the one answer for every pass and analysis."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final

from iir.analyses.accesses import field_reads, nested
from iir.expressions import FieldAccess
from iir.nodes import LoopOrder, MultiStage, Stencil
from iir.statements import Effects, ExternalCall

KNOWN_TAGS: Final = frozenset({"deopt", "inject", "assume"})


@dataclass(frozen=True, slots=True)
class CallSiteEffects:
    """What one call may do, besides storing its results.

    At its point it *reads*, and *may_store*. Fields that are *escaping* are read and perhaps stored
    as a whole, on entry and on exit, and outside code may keep them: a later call that *sees* (or
    *changes*) escaped fields may read (or store) them as a whole, too.
    """

    reads: tuple[FieldAccess, ...]
    may_store: tuple[FieldAccess, ...]
    escaping: tuple[str, ...]
    sees: bool
    changes: bool


def call_site_effects(call: ExternalCall) -> CallSiteEffects:
    """The effects of *call* as its function's effects and its bundles have it.

    Operands of a bundle with an unknown tag escape, those of ``inject`` may be overwritten at the
    point, those of ``deopt`` are read. What ``assume`` says must hold for the values that its operands
    have, so that they are read, too.
    """
    unknown = [bundle for bundle in call.bundles if bundle.tag not in KNOWN_TAGS]
    injected = (operand for bundle in call.bundles if bundle.tag == "inject" for operand in bundle.operands)
    operands = (operand for bundle in call.bundles for operand in bundle.operands)
    is_effectful = bool(unknown) or call.effects in (Effects.WRITE, Effects.ANY)
    return CallSiteEffects(
        reads=tuple(access for expr in (*call.arguments, *operands) for access in field_reads(expr)),
        may_store=tuple(operand for operand in injected if isinstance(operand, FieldAccess)),
        escaping=tuple(
            dict.fromkeys(
                access.name
                for bundle in unknown
                for operand in bundle.operands
                for access in field_reads(operand)
            )
        ),
        sees=is_effectful
        or call.effects is Effects.READ
        or any(bundle.tag == "deopt" for bundle in call.bundles),
        changes=is_effectful,
    )


def escaped_fields(ir: Stencil) -> Mapping[int, tuple[str, ...]]:
    """For each external call, by ``id``, the fields that have escaped when it is over.

    In a sweep the calls of later statements run before those of the next level: all that escapes
    in it has escaped in each of its calls.
    """
    escaped: dict[str, None] = {}
    result: dict[int, tuple[str, ...]] = {}
    for multistage in ir.multistages:
        calls = tuple(_calls(multistage))
        if multistage.order is not LoopOrder.PARALLEL:
            escaped |= dict.fromkeys(chain(*(call_site_effects(call).escaping for call in calls)))
        for call in calls:
            escaped |= dict.fromkeys(call_site_effects(call).escaping)
            result[id(call)] = tuple(escaped)
    return result


def _calls(multistage: MultiStage) -> Iterator[ExternalCall]:
    for stage in multistage.stages:
        for do_method in stage.do_methods:
            for statement in nested(do_method.body):
                if isinstance(statement, ExternalCall):
                    yield statement
