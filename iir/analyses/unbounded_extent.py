"""The error for a temporary that needs itself ever wider through a sweep."""

from collections.abc import Collection, Mapping

from iir.analyses.accesses import nested, own_reads, own_stores
from iir.diagnostics import Diagnostic, StencilError
from iir.expressions import FieldAccess, Offset
from iir.nodes import MultiStage

Edges = Mapping[str, tuple[FieldAccess, ...]]


def unbounded_extent(multistage: MultiStage, temporaries: Collection[str]) -> StencilError | None:
    """The error that names a cycle of temporaries of the sweep *multistage* that leads sideways, if
    there is one."""
    edges = _edges(multistage, temporaries)
    path = next((path for name in edges if (path := _sideways_cycle(name, edges))), None)
    if path is None:
        return None
    first = next(access for access in path if _is_sideways(access.offset))
    name = path[-1].name
    notes = [f"'{_target(path, n)}' reads {_text(access)}." for n, access in enumerate(path)]
    return StencilError(
        Diagnostic(
            message=f"Temporary '{name}' depends on itself at a horizontal offset through the sweep.",
            code="unbounded-extent",
            span=first.span,
            label="each level needs a wider box of the level before it",
            notes=tuple(notes),
            hints=(f"Make '{name}' an argument: outside the domain it then keeps the caller's values.",),
        )
    )


def _edges(multistage: MultiStage, temporaries: Collection[str]) -> Edges:
    """For each temporary stored in the sweep what its statements (and their conditions) read."""
    edges: dict[str, list[FieldAccess]] = {}
    for stage in multistage.stages:
        for do_method in stage.do_methods:
            for outer in do_method.body:
                everything = tuple(nested((outer,)))
                reads = [read for item in everything for read in own_reads(item) if read.name in temporaries]
                for item in everything:
                    for target in own_stores(item):
                        if target.name in temporaries:
                            edges.setdefault(target.name, []).extend(reads)
    return {name: tuple(reads) for name, reads in edges.items()}


def _sideways_cycle(start: str, edges: Edges) -> tuple[FieldAccess, ...]:
    """The reads along a cycle from *start* to itself with one at a horizontal offset, or nothing.

    Searched over pairs (temporary, whether the path has led sideways), shortest first.
    """
    parents: dict[tuple[str, bool], tuple[tuple[str, bool], FieldAccess] | None] = {(start, False): None}
    pending = [(start, False)]
    for name, was_sideways in pending:
        for access in edges.get(name, ()):
            state = (access.name, was_sideways or _is_sideways(access.offset))
            if state in parents:
                continue
            parents[state] = ((name, was_sideways), access)
            pending.append(state)
            if state == (start, True):
                return _path(state, parents)
    return ()


def _path(
    state: tuple[str, bool], parents: Mapping[tuple[str, bool], tuple[tuple[str, bool], FieldAccess] | None]
) -> tuple[FieldAccess, ...]:
    path: list[FieldAccess] = []
    step = parents[state]
    while step is not None:
        state, access = step
        path.append(access)
        step = parents[state]
    return tuple(reversed(path))


def _target(path: tuple[FieldAccess, ...], position: int) -> str:
    return path[position - 1].name if position else path[-1].name


def _is_sideways(offset: Offset) -> bool:
    return (offset.i, offset.j) != (0, 0)


def _text(access: FieldAccess) -> str:
    place = f", line {access.span.line}" if access.span is not None else ""
    return f"'{access.name}[{', '.join(map(str, access.offset))}]'{place}"
