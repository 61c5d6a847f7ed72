"""The intents at every node as data that can be stored beside a tree, and compared with it again."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from iir.analyses.intents import intents
from iir.analyses.intents.field_intents import FieldIntent
from iir.analyses.intents.intent_table import IntentTable
from iir.analyses.intents.modes import AccessMode
from iir.base import Node
from iir.diagnostics import Diagnostic, StencilError
from iir.nodes import Stencil

Annotation: TypeAlias = dict[str, Any]
"""The path of a node, and for each field that it accesses its facts as text."""

FACTS: Final = ("intent", "access", "irbw", "reads", "may_write", "must_write")


def annotations(ir: Stencil) -> list[Annotation]:
    """One entry for *ir* and each multistage, stage and do-method, in program order."""
    return [{"node": path, "fields": _fields(intents(ir, node))} for path, node in _paths(ir)]


def check_annotations(ir: Stencil, stored: object) -> None:
    """`StencilError` (``iir-annotations``) with the first fact in *stored* that does not hold for *ir*."""
    found = annotations(ir)
    if stored == found:
        return
    if not isinstance(stored, list) or len(stored) != len(found):
        raise _error(f"There must be a list of {len(found)} annotations.")
    for known, entry in zip(stored, found, strict=True):
        for note in _differences(known, entry):
            raise _error(note)


def _paths(ir: Stencil) -> Iterator[tuple[str, Node]]:
    yield "stencil", ir
    for m, multistage in enumerate(ir.multistages):
        yield f"multistages[{m}]", multistage
        for s, stage in enumerate(multistage.stages):
            yield f"multistages[{m}].stages[{s}]", stage
            for d, do_method in enumerate(stage.do_methods):
                yield f"multistages[{m}].stages[{s}].do_methods[{d}]", do_method


def _fields(table: IntentTable) -> dict[str, dict[str, str]]:
    every = {**table, **table.temporaries}
    return {name: _facts(item) for name, item in every.items() if item.access is not AccessMode.NONE}


def _facts(item: FieldIntent) -> dict[str, str]:
    return {name: item.label if name == "intent" else str(getattr(item, name)) for name in FACTS}


def _differences(stored: object, found: Annotation) -> Iterator[str]:
    path, fields = found["node"], found["fields"]
    known = stored.get("fields") if isinstance(stored, Mapping) else None
    if not isinstance(stored, Mapping) or stored.get("node") != path or not isinstance(known, Mapping):
        yield f"There is no annotation of {path} in its place."
        return
    if unknown := sorted(stored.keys() - found.keys()):
        yield f"At {path}: there is no '{unknown[0]}'."
    for name in dict.fromkeys((*known, *fields)):
        yield from _field_differences(f"At {path}, field '{name}'", known.get(name), fields.get(name))


def _field_differences(place: str, stored: object, found: Mapping[str, str] | None) -> Iterator[str]:
    if found is None:
        yield f"{place}: the node does not access it."
    elif not isinstance(stored, Mapping):
        yield f"{place}: there are no facts."
    else:
        for fact in dict.fromkeys((*stored, *found)):
            if stored.get(fact) != found.get(fact):
                yield f"{place}: '{fact}' is {stored.get(fact)!r} in the document, but {found.get(fact)!r}."


def _error(note: str) -> StencilError:
    hint = "Store the stencil again with 'to_json(ir, annotations=True)'."
    return StencilError(
        Diagnostic(
            "The annotations do not fit the stencil of the document.",
            "iir-annotations",
            notes=(note,),
            hints=(hint,),
        )
    )
