"""Intents that are stored beside a tree, and compared with it when it is read."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from iir.analyses.intents.annotations import annotations
from iir.diagnostics import InvalidIIRError, StencilError
from iir.parser import from_text
from iir.serialize import from_json, to_json
from tests.strategies import program
from tests.unit.iir.test_json_schema import VALIDATOR

CARRY = from_text(
    """stencil carry(a: f64[IJK], x: f64[IJK], unused: f64[IJK])
  multistage forward
    stage
      do [start, start+1)
        a = 0.0
      do [start+1, end)
        x = a[0, 0, -1]
        a = x
"""
)


def changed(change: Callable[[Any], None]) -> str:
    """The document of `CARRY` with other annotations."""
    document = json.loads(to_json(CARRY, annotations=True))
    change(document["annotations"])
    return json.dumps(document)


def test_each_node_tells_the_fields_that_it_accesses() -> None:
    stencil, *_, last = annotations(CARRY)
    assert stencil["node"] == "stencil"
    assert list(stencil["fields"]) == ["a", "x"]
    assert stencil["fields"]["a"] == {
        "intent": "out_full",
        "access": "read-write",
        "irbw": "empty",
        "reads": "k=[start, end-1)",
        "may_write": "k=[start, end)",
        "must_write": "k=[start, end)",
    }
    assert last["node"] == "multistages[0].stages[0].do_methods[1]"
    assert last["fields"]["a"]["irbw"] == "k=[start, start+1)"


@pytest.mark.parametrize("index", range(10))
def test_annotated_documents_are_read_back_and_obey_the_schema(index: int) -> None:
    ir = program(5, index).ir
    text = to_json(ir, annotations=True)
    assert from_json(text) == ir
    VALIDATOR.validate(json.loads(text))


def test_annotations_are_stored_on_request_only() -> None:
    assert "annotations" not in json.loads(to_json(CARRY))


@pytest.mark.parametrize(
    ("change", "note"),
    [
        (
            lambda entries: entries[0]["fields"]["a"].update(irbw="k=[start, end)"),
            "At stencil, field 'a': 'irbw' is 'k=[start, end)' in the document, but 'empty'.",
        ),
        (
            lambda entries: entries[1]["fields"].pop("x"),
            "At multistages[0], field 'x': there are no facts.",
        ),
        (
            lambda entries: entries[3]["fields"].update(x={}),
            "At multistages[0].stages[0].do_methods[0], field 'x': the node does not access it.",
        ),
        (
            lambda entries: entries[2].update(node="stencil"),
            "There is no annotation of multistages[0].stages[0] in its place.",
        ),
        (lambda entries: entries[0].update(more=1), "At stencil: there is no 'more'."),
        (lambda entries: entries.pop(), "There must be a list of 5 annotations."),
    ],
)
def test_what_does_not_hold_is_refused(change: Callable[[Any], None], note: str) -> None:
    with pytest.raises(StencilError) as caught:
        from_json(changed(change))
    diagnostic = caught.value.diagnostic
    assert (diagnostic.code, diagnostic.notes) == ("iir-annotations", (note,))


def test_a_tree_that_breaks_rules_is_not_analysed() -> None:
    with pytest.raises(InvalidIIRError):
        from_json(to_json(CARRY, annotations=True).replace('"name":"x"', '"name":"q"', 1))
