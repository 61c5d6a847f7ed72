"""The intents of all fields at one node, and how they are shown."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import zip_longest
from typing import Any, Final, TypeAlias

from iir.analyses.intents.events import nodes_of
from iir.analyses.intents.explanations import explain_field, subject, subject_for
from iir.analyses.intents.field_analysis import FieldAnalysis
from iir.analyses.intents.field_intents import FieldIntent, Halo, field_intent, field_intent_for
from iir.analyses.intents.modes import AccessMode
from iir.analyses.intents.shown import Shown
from iir.analyses.intents.wrapping import longest_range, longest_word, wrapped
from iir.base import Node
from iir.diagnostics import ArgumentError, Diagnostic
from iir.nodes import Stencil
from iir.region import EMPTY_TEXT, Region, Size

Analyses: TypeAlias = Mapping[str, FieldAnalysis]
AnalysesOf: TypeAlias = Callable[[Node], Analyses]
Row: TypeAlias = tuple[str, ...]

_HEADINGS: Final = ("field", "intent", "access", "read levels", "read before written", "written", "halo")
_TEMPORARIES: Final = "temporaries"
_NO_POINTS: Final = "-"
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


@dataclass(frozen=True, slots=True)
class Given:
    """The domain and the scalars of a call."""

    domain: Size
    scalars: Mapping[str, Any]


class IntentTable(FieldIntents):
    """The intents at *node* of the field parameters of *ir*, in order; in one call if that is *given*.

    A table is also the notes for ``to_text``: called with a node of *ir* it gives lines about the
    fields that the node accesses.
    """

    def __init__(self, ir: Stencil, node: Node, analyses_of: AnalysesOf, given: Given | None = None) -> None:
        analyses = analyses_of(node)
        arguments = {item.name for item in ir.parameters}

        def find(analysis: FieldAnalysis) -> FieldIntent:
            if given is None:
                return field_intent(analysis)
            return field_intent_for(analysis, given.domain, given.scalars)

        super().__init__({name: item for name, item in analyses.items() if name in arguments}, find)
        self.ir = ir
        self.node = node
        self.temporaries: Mapping[str, FieldIntent] = FieldIntents(
            {name: item for name, item in analyses.items() if name not in arguments}, find
        )
        self._analyses_of = analyses_of
        self._given = given

    def at(self, domain: Size, params: Mapping[str, Any] | None = None, **scalars: Any) -> "IntentTable":
        """The same for one *domain* and given scalars, exact.

        Scalars come by name or as a mapping. A scalar that bounds an interval must be given; where
        one that decides a condition is not, the answer joins both outcomes.
        """
        given = Given(domain, {**(params or {}), **scalars})
        return IntentTable(self.ir, self.node, self._analyses_of, given)

    def explain(self, name: str) -> str:
        """Why *name* has its intent at this node, with source lines."""
        analyses = self._analyses_of(self.node)
        if name not in analyses:
            raise ArgumentError(Diagnostic(f"'{self.ir.name}' has no field '{name}'.", "argument"))
        is_temporary = name in self.temporaries
        if self._given is None:
            return explain_field(subject(analyses[name], is_temporary))
        given = self._given
        return explain_field(subject_for(analyses[name], is_temporary, given.domain, given.scalars))

    def __call__(self, node: Node) -> Iterable[str]:
        """The notes of *node*: a line for each field that it accesses."""
        if id(node) not in self._annotated:
            return ()
        table = self if node is self.node else IntentTable(self.ir, node, self._analyses_of, self._given)
        own = [_note(item, item.label) for item in table.values() if _is_accessed(item)]
        return (*own, *(_note(item, str(item.intent)) for item in table._temporaries if _is_accessed(item)))

    @cached_property
    def _annotated(self) -> frozenset[int]:
        return frozenset(id(node) for node in nodes_of(self.ir))

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        own = [_HEADINGS, *map(_row, self.values())]
        blocks = _laid_out([*own, *map(_temporary_row, self._temporaries)])
        if self.temporaries:
            blocks.insert(len(own), [f"{_TEMPORARIES}:"])
        blocks += [wrapped(remark, _WIDTH, "  ") for remark in self._remarks()]
        return "\n".join(line for block in blocks for line in block)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(text)}</th>" for text in _HEADINGS)
        body = "".join(_html_row(_row(item)) for item in self.values())
        if self.temporaries:
            body += f'<tr><th colspan="{len(_HEADINGS)}">{_TEMPORARIES}</th></tr>'
            body += "".join(_html_row(_temporary_row(item)) for item in self._temporaries)
        remarks = "".join(f"<p>{escape(remark)}</p>" for remark in self._remarks())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{remarks}"

    def _remarks(self) -> Iterator[str]:
        for item in self.values():
            for text, intent in item.remarkable_cases:
                yield f"'{item.name}' is {intent} if {text}."
            if item.partial:
                yield f"'{item.name}' keeps, or may keep, its values on {item.missing}."
        yield from self._sizes()

    def _sizes(self) -> Iterator[str]:
        """From which sizes on what is shown holds; columns count only where any are shown."""
        names: dict[str, list[str]] = {}
        for item in self.values():
            if not item.irbw.is_absolute and (size := self._size(item)):
                names.setdefault(size, []).append(f"'{item.name}'")
        for size, those in names.items():
            verb = "is" if len(those) == 1 else "are"
            yield f"{', '.join(those)} {verb} as shown from {size} on."

    def _size(self, item: FieldIntent) -> str:
        ni, nj, nk = item.generic_from
        cells = item.show()
        has_columns = item.may_write and not (cells.seen.is_plain and cells.written.is_plain)
        if (ni, nj) != (1, 1) and has_columns:
            return f"{ni} x {nj} x {nk} points"
        return f"{nk} levels" if nk > max(1, self._levels) else ""

    @property
    def _temporaries(self) -> Iterable[FieldIntent]:
        return self.temporaries.values()

    @property
    def _levels(self) -> int:
        return max((analysis.limits.levels for analysis in self._analyses.values()), default=0)


def _row(item: FieldIntent) -> Row:
    return _cells(item, item.label)


def _temporary_row(item: FieldIntent) -> Row:
    """Of a temporary it only matters whether anything may be seen that it has on entry."""
    return _cells(item, str(item.intent))


def _cells(item: FieldIntent, intent: str) -> Row:
    shown = (item.show().read_levels, _seen(item), item.show().written)
    levels = (str(part).removeprefix("k=").replace("halo k=", "halo ") for part in shown)
    cells = (_NO_POINTS if text == EMPTY_TEXT else text for text in levels)
    return (item.name, intent, str(item.access), *cells, _halo_text(item.halo) or _NO_POINTS)


def _seen(item: FieldIntent) -> Shown | Region:
    """Of what is only read the halo tells all that matters about columns."""
    cells = item.show()
    return cells.seen if item.may_write else cells.read_levels


def _html_row(row: Row) -> str:
    cells = (escape(text).replace("; ", "<br>") for text in row)
    return "<tr>" + "".join(f"<td>{text}</td>" for text in cells) + "</tr>"


def _halo_text(halo: Halo) -> str:
    sides = [f"{axis}={low}+{high}" for axis, (low, high) in zip(_AXES, halo, strict=True) if low or high]
    return ", ".join(sides)


def _is_accessed(item: FieldIntent) -> bool:
    return item.access is not AccessMode.NONE


def _note(item: FieldIntent, intent: str) -> str:
    parts = [f"{item.name}: {intent}", str(item.access)]
    parts += [f"irbw {_seen(item)}"] if item.irbw else []
    parts += [f"writes {item.show().written}"] if item.may_write else []
    if item.may_write and item.must_write != item.may_write:
        parts.append(f"surely {item.must_write or 'nothing'}")
    if halo := _halo_text(item.halo):
        parts.append(f"halo {halo}")
    return ", ".join(parts)


def _laid_out(rows: Sequence[Row]) -> list[list[str]]:
    """The lines of each of *rows*, in columns; where a line would be too long, cells of the widest
    columns are wrapped, and ranges broken only if that is not enough."""
    columns = tuple(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    for longest in (longest_range, longest_word, lambda text: _NARROWEST):
        least = [max(map(longest, column)) for column in columns]
        while sum(widths) + len(_GAP) * (len(widths) - 1) > _WIDTH:
            slack = [n for n, width in enumerate(widths) if width > least[n]]
            if not slack:
                break
            widths[max(slack, key=widths.__getitem__)] -= 1
    return [list(_wrapped(row, widths)) for row in rows]


def _wrapped(row: Row, widths: Sequence[int]) -> Iterator[str]:
    """The lines of *row*; what different columns of the grid have in common starts a new line."""
    cells = [
        [line for part in text.split("; ") for line in wrapped(part, width)]
        for text, width in zip(row, widths, strict=True)
    ]
    for parts in zip_longest(*cells, fillvalue=""):
        padded = (part.ljust(width) for part, width in zip(parts, widths, strict=True))
        yield _GAP.join(padded).rstrip()
