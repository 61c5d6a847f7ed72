"""The rules of the IIR (`docs/iir.md` lists them), checked after every step of the compiler."""

from collections.abc import Iterator, Mapping
from typing import Final

from iir.analyses.accesses import accesses
from iir.analyses.declarations import declarations
from iir.diagnostics import Diagnostic, InvalidIIRError
from iir.nodes import Declaration, Stencil
from iir.printer import to_text
from iir.statements import Check, ExternalCall
from iir.verification.checks import call_faults, check_faults
from iir.verification.decisions import decision_faults
from iir.verification.fault import Fault
from iir.verification.names import name_faults
from iir.verification.operands import operand_faults
from iir.verification.program import statements
from iir.verification.scheduled import scheduled_faults
from iir.verification.stores import store_faults
from iir.verification.structure import structure_faults

_MOST_SHOWN: Final = 20


def verify(ir: Stencil, after: str, scheduled: bool = False) -> None:
    """Raise `InvalidIIRError` if *ir*, as the step *after* left it, breaks a rule.

    *scheduled*: also the rules that hold from the schedule on. The error's notes are the broken
    rules, one sentence each, and at last the tree.
    """
    faults = broken_rules(ir, scheduled)
    if not faults:
        return
    count = "a rule" if len(faults) == 1 else f"{len(faults)} rules"
    message = f"The IIR after step '{after}' breaks {count}."
    notes = [fault.sentence for fault in faults[:_MOST_SHOWN]]
    if len(faults) > _MOST_SHOWN:
        notes.append(f"{len(faults) - _MOST_SHOWN} more are not shown.")
    # What a pass hands back may be no node at all.
    spans = [span for fault in faults if (span := getattr(fault.node, "span", None)) is not None]
    diagnostic = Diagnostic(
        message, "invalid-iir", spans[0] if spans else None, notes=(*notes, f"The tree is:\n{_text(ir)}")
    )
    raise InvalidIIRError(diagnostic)


def broken_rules(ir: Stencil, scheduled: bool = False) -> tuple[Fault, ...]:
    """The rules that *ir* breaks. Where some are broken that others rely on, only those."""
    for family in _families(ir, scheduled):
        if faults := tuple(family):
            return faults
    return ()


def _families(ir: Stencil, scheduled: bool) -> Iterator[Iterator[Fault]]:
    """Families of rules, each of which relies on those before it."""
    yield structure_faults(ir)
    names = declarations(ir)
    yield name_faults(ir, names)
    found = accesses(ir)
    yield iter((*operand_faults(ir, names), *store_faults(ir, found, names)))
    yield _effect_faults(ir, names)
    yield decision_faults(ir, found)
    if scheduled:
        yield scheduled_faults(ir, found, names)


def _effect_faults(ir: Stencil, names: Mapping[str, Declaration]) -> Iterator[Fault]:
    for statement in statements(ir):
        match statement:
            case Check():
                yield from check_faults(statement, names)
            case ExternalCall():
                yield from call_faults(statement, names)
            case _:
                pass


def _text(ir: Stencil) -> str:
    try:
        return to_text(ir)
    except Exception:  # a tree of the wrong shape may break the printer in any way
        return repr(ir)
