"""Which values of a field a node sees, and which it changes: access mode, intent and regions."""

from collections.abc import Mapping
from typing import Any

from iir.analyses.declarations import declarations
from iir.analyses.extents import extents
from iir.analyses.intents.events import histories, nodes_of
from iir.analyses.intents.exploration import limits_of
from iir.analyses.intents.field_analysis import FieldAnalysis
from iir.analyses.intents.field_intents import FieldIntent
from iir.analyses.intents.intent_table import AnalysesOf, IntentTable
from iir.analyses.intents.modes import AccessMode, Intent
from iir.analyses.required_levels import required_levels
from iir.base import Node
from iir.diagnostics import ArgumentError, Diagnostic
from iir.nodes import FieldDecl, Stencil, TemporaryDecl
from iir.region import Region, Size

__all__ = [
    "AccessMode",
    "FieldIntent",
    "Intent",
    "IntentTable",
    "Region",
    "explain",
    "intents",
    "intents_for",
]


def intents(ir: Stencil, node: Node | None = None) -> IntentTable:
    """The intents of all fields at *node*: *ir*, or a multistage, stage or do-method in it.

    What holds: `FieldIntent.irbw` are exactly the points whose value on entry to the node some
    statement of the node sees, and `FieldIntent.may_write` and `FieldIntent.must_write` those that
    it may and must write, for every permitted domain and every value of the scalars; a condition
    on fields may hold at any set of points, and two such conditions are taken to be independent.
    A node is found by identity.
    """
    found = ir if node is None else node
    if not any(found is item for item in nodes_of(ir)):
        raise ArgumentError(
            Diagnostic(f"The node is no part of stencil '{ir.name}' that has intents.", "argument")
        )
    return IntentTable(ir, found, _analyses(ir))


def intents_for(
    ir: Stencil, /, domain: Size, params: Mapping[str, Any] | None = None, **scalars: Any
) -> IntentTable:
    """The intents in a call on *domain* with the given scalars, exact: see `IntentTable.at`."""
    return intents(ir).at(domain, {**(params or {}), **scalars})


def explain(ir: Stencil, name: str, node: Node | None = None) -> str:
    """Why field *name* has its intent: which reads see entry values, and why no store covers them."""
    return intents(ir, node).explain(name)


def _analyses(ir: Stencil) -> AnalysesOf:
    names = declarations(ir)
    box_of = extents(ir).box
    limits = limits_of(ir, required_levels(ir))

    def analyses_of(node: Node) -> Mapping[str, FieldAnalysis]:
        found = histories(ir, node, box_of)
        return {
            name: FieldAnalysis(name, item.axes, found.get(name, ()), limits, names)
            for name, item in names.items()
            if isinstance(item, FieldDecl | TemporaryDecl)
        }

    return analyses_of
