"""What some steps refer to."""

from collections.abc import Iterable
from dataclasses import dataclass

from backends.loopnest.expressions import Affine, Load, Variable
from backends.loopnest.nodes import Report, Step, Store
from iir.traversal import walk


@dataclass(frozen=True, slots=True)
class Uses:
    """The names that some steps refer to."""

    views: frozenset[str]
    names: frozenset[str]
    reports: bool


def uses(steps: Iterable[Step]) -> Uses:
    nodes = [node for step in steps for node in walk(step)]
    return Uses(
        frozenset(node.view for node in nodes if isinstance(node, Load | Store)),
        frozenset(node.name for node in nodes if isinstance(node, Affine | Variable) and node.name),
        any(isinstance(node, Report) for node in nodes),
    )
