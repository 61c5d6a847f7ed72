"""The intents of all fields at one node, and how they are shown."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from html import escape
from itertools import zip_longest
from typing import Any, Final, TypeAlias

from iir.analyses.intents.events import nodes_of
from iir.analyses.intents.explanations import explain_field
from iir.analyses.intents.field_analysis import FieldAnalysis
from iir.analyses.intents.field_intents import FieldIntent, Halo, field_intent, field_intent_for
from iir.analyses.intents.modes import AccessMode
from iir.analyses.intents.wrapping import longest_word, wrapped
from iir.base import Node
from iir.diagnostics import ArgumentError, Diagnostic
from iir.nodes import Stencil
from iir.region import Size

Analyses: TypeAlias = Mapping[str, FieldAnalysis]
AnalysesOf: TypeAlias = Callable[[Node], Analyses]

_HEADINGS: Final = ("field", "intent", "access", "read levels", "read before written", "written", "halo")
_WIDTH: Final = 100
_NARROWEST: Final = 8
_GAP: Final = "  "
_AXES: Final = "ijk"


class FieldIntents(Mapping[str, FieldIntent]):
    """Intents by name, found when first asked for."""

    def __init__(self, analyses: Analyses, find: Callable[[FieldAnalysis], FieldIntent]) -> None:
        self._analyses = analyses
        self._find = find
        self._found: dict[str, FieldIntent] = {}

    def __getitem__(self, name: str) -> FieldIntent:
        if name not in self._found:
            self._found[name] = self._find(self._analyses[name])
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._analyses)

    def __len__(self) -> int:
        return len(self._analyses)


class IntentTable(FieldIntents):
    """The intents at *node* of the field parameters of *ir*, in order.

    A table is also the notes for ``to_text``: called with a node of *ir* it gives lines about the
    fields that the node accesses.
    """

    def __init__(
        self, ir: Stencil, node: Node, analyses_of: AnalysesOf, find: Callable[[FieldAnalysis], FieldIntent]
    ) -> None:
        analyses = analyses_of(node)
        arguments = {item.name for item in ir.parameters}
        super().__init__({name: item for name, item in analyses.items() if name in arguments}, find)
        self.ir = ir
        self.node = node
        self.temporaries: Mapping[str, FieldIntent] = FieldIntents(
            {name: item for name, item in analyses.items() if name not in arguments}, find
        )
        self._analyses_of = analyses_of

    def at(self, domain: Size, params: Mapping[str, Any] | None = None, **scalars: Any) -> "IntentTable":
        """The same for one *domain* and given scalars, exact.

        Scalars come by name or as a mapping. A scalar that bounds an interval must be given; where
        one that decides a condition is not, the answer joins both outcomes.
        """
        given = {**(params or {}), **scalars}
        return IntentTable(
            self.ir, self.node, self._analyses_of, lambda analysis: field_intent_for(analysis, domain, given)
        )

    def explain(self, name: str) -> str:
        """Why *name* has its intent at this node, with source lines."""
        analyses = self._analyses_of(self.node)
        if name not in analyses:
            raise ArgumentError(Diagnostic(f"'{self.ir.name}' has no field '{name}'.", "argument"))
        return explain_field(analyses[name], field_intent(analyses[name]))

    def __call__(self, node: Node) -> Iterable[str]:
        """The notes of *node*: a line for each field that it accesses."""
        if id(node) not in self._annotated:
            return ()
        table = self if node is self.node else IntentTable(self.ir, node, self._analyses_of, self._find)
        return tuple(_note(item) for item in table._accessed())

    @cached_property
    def _annotated(self) -> frozenset[int]:
        return frozenset(id(node) for node in nodes_of(self.ir))

    def _accessed(self) -> Iterator[FieldIntent]:
        for item in (*self.values(), *self.temporaries.values()):
            if item.access is not AccessMode.NONE:
                yield item

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        rows = [_row(item) for item in (*self.values(), *self.temporaries.values())]
        lines = _laid_out([_HEADINGS, *rows])
        remarks = (wrapped(remark, _WIDTH, "  ") for remark in self._remarks())
        return "\n".join([*lines, *(line for remark in remarks for line in remark)])

    def _repr_html_(self) -> str:
        rows = [_row(item) for item in (*self.values(), *self.temporaries.values())]
        head = "".join(f"<th>{escape(text)}</th>" for text in _HEADINGS)
        body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
        remarks = "".join(f"<p>{escape(remark)}</p>" for remark in self._remarks())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{remarks}"

    def _remarks(self) -> Iterator[str]:
        for item in (*self.values(), *self.temporaries.values()):
            for text, intent in item.remarkable_cases:
                yield f"'{item.name}' is {intent} if {text}."
            if item.partial and item.name in self:
                yield f"'{item.name}' keeps, or may keep, its values on {item.missing}."
            if not item.irbw.is_absolute and item.generic_from != (1, 1, max(1, self._levels)):
                ni, nj, nk = item.generic_from
                yield f"The regions of '{item.name}' are as shown from {ni} x {nj} x {nk} points on."

    @property
    def _levels(self) -> int:
        return max((analysis.limits.levels for analysis in self._analyses.values()), default=0)


def _row(item: FieldIntent) -> tuple[str, ...]:
    return (
        item.name,
        item.label,
        str(item.access),
        _levels_text(item),
        str(item.irbw) if item.irbw else "-",
        str(item.may_write) if item.may_write else "-",
        _halo_text(item.halo),
    )


def _levels_text(item: FieldIntent) -> str:
    return str(item.levels).removeprefix("k=") if item.levels else "-"


def _halo_text(halo: Halo) -> str:
    sides = [f"{axis}={low}+{high}" for axis, (low, high) in zip(_AXES, halo, strict=True) if low or high]
    return ", ".join(sides) or "-"


def _note(item: FieldIntent) -> str:
    parts = [f"{item.name}: {item.label}", str(item.access)]
    parts += [f"irbw {item.irbw}"] if item.irbw else []
    parts += [f"writes {item.may_write}"] if item.may_write else []
    if item.may_write and item.must_write != item.may_write:
        parts.append(f"surely {item.must_write or 'nothing'}")
    return ", ".join(parts)


def _laid_out(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """*rows* in columns; where a line would be too long the cells of the widest columns are wrapped."""
    columns = tuple(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    least = [max(map(longest_word, column)) for column in columns]
    while sum(widths) + len(_GAP) * (len(widths) - 1) > _WIDTH and max(widths) > _NARROWEST:
        slack = [n for n, width in enumerate(widths) if width > least[n]]
        widths[max(slack or range(len(widths)), key=widths.__getitem__)] -= 1
    return [line for row in rows for line in _wrapped(row, widths)]


def _wrapped(row: tuple[str, ...], widths: Sequence[int]) -> Iterator[str]:
    """The lines of *row*; what different columns of the grid have in common starts a new line."""
    cells = [
        [line for part in text.split("; ") for line in wrapped(part, width)]
        for text, width in zip(row, widths, strict=True)
    ]
    for parts in zip_longest(*cells, fillvalue=""):
        padded = (part.ljust(width) for part, width in zip(parts, widths, strict=True))
        yield _GAP.join(padded).rstrip()
