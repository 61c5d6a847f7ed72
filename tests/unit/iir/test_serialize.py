"""The stored form of a tree."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iir.builder import assign, do, field, parallel, stage, stencil
from iir.diagnostics import StencilError
from iir.dtypes import DType
from iir.expressions import Constant, Expr
from iir.interval import Anchor, Bound, Interval
from iir.nodes import Stencil
from iir.parser import from_text
from iir.printer import to_text
from iir.serialize import VERSION, from_json, to_json
from iir.traversal import MAX_DEPTH, walk
from tests.strategies import EVERYTHING as EVERY_FEATURE
from tests.strategies import program
from tests.unit.iir.test_printer import everything
from tests.unit.iir.trees import EXPRESSIONS


def storing(value: Expr) -> Stencil:
    return stencil("s", (field("u"),), parallel(stage(do(assign("u", value)))))


@given(EXPRESSIONS)
def test_stored_expression_is_read_back(expr: Expr) -> None:
    assert from_json(to_json(storing(expr))) == storing(expr)


@pytest.mark.parametrize("index", range(40))
def test_random_stencils_are_read_back_with_their_spans(index: int) -> None:
    ir = from_text(to_text(program(3, index, EVERY_FEATURE).ir))
    again = from_json(to_json(ir))
    assert again == ir
    assert [node.span for node in walk(again)] == [node.span for node in walk(ir)]


def test_each_form_is_read_back() -> None:
    assert from_json(to_json(everything())) == everything()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -0.0, 5e-324, 0.1])
def test_floats_are_exact(value: float) -> None:
    ir = storing(Constant(value, DType.FLOAT64))
    text = to_json(ir)
    json.loads(text, parse_constant=pytest.fail)
    assert from_json(text) == ir


def test_scalar_called_start_is_no_anchor() -> None:
    ir = stencil("s", (), parallel(stage(do(on=Interval(Bound("start"), Bound(Anchor.START, 2))))))
    assert from_json(to_json(ir)) == ir


def test_whole_number_stands_for_a_float_of_its_dtype() -> None:
    text = to_json(storing(Constant(4.0, DType.FLOAT64)))
    assert from_json(text.replace("4.0", "4")) == storing(Constant(4.0, DType.FLOAT64))


def test_fields_with_defaults_may_be_missing() -> None:
    document = {
        "format": "stencil-iir",
        "version": VERSION,
        "files": [],
        "stencil": {
            "node": "Stencil",
            "name": "s",
            "parameters": [{"node": "FieldDecl", "name": "u", "dtype": "f64"}],
            "temporaries": [],
            "multistages": [],
        },
    }
    assert from_json(json.dumps(document)) == stencil("s", (field("u"),))


def document() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(to_json(from_text(to_text(everything()))))
    return loaded


def error_of(text: str) -> str:
    with pytest.raises(StencilError) as caught:
        from_json(text)
    assert caught.value.kind == "iir-json"
    return str(caught.value)


@pytest.mark.parametrize(
    "path, value, note",
    [
        (
            ["version"],
            VERSION + 1,
            f"It is of version {VERSION + 1}, but only version {VERSION} can be read.",
        ),
        (["version"], True, f"It is of version True, but only version {VERSION} can be read."),
        (["format"], "dawn", "It is no object with the fields format, version, files, stencil"),
        (["files"], "f", "'files' is not a list of strings."),
        (["stencil"], None, "At stencil: null is no Stencil."),
        (["stencil", "name"], 3, "At stencil.name: 3 is no str."),
        (["stencil", "node"], "Program", "At stencil: there is no node 'Program'."),
        (["stencil", "extra"], 3, "At stencil: Stencil has no field 'extra'."),
        (["stencil", "span"], [9, 1, 0, 1, 0], "At stencil: [9, 1, 0, 1, 0] is no span."),
        (
            ["stencil", "parameters"],
            {},
            "At stencil.parameters: {} is no tuple[FieldDecl | ScalarDecl, ...].",
        ),
        (["stencil", "parameters", 0, "dtype"], "f65", 'At stencil.parameters[0].dtype: "f65" is no DType.'),
        (["stencil", "multistages", 0], 3, "At stencil.multistages[0]: 3 is no MultiStage."),
        (
            ["stencil", "multistages", 0, "schedule"],
            "k",
            'At stencil.multistages[0].schedule: "k" is no Schedule | None.',
        ),
        (
            ["stencil", "temporaries", 0, "storage"],
            "attic",
            'At stencil.temporaries[0].storage: "attic" is no Storage | None.',
        ),
    ],
)
def test_what_does_not_fit_is_named(path: list[Any], value: object, note: str) -> None:
    tree = document()
    place = tree
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert note in error_of(json.dumps(tree))


BODY = "stencil.multistages[0].stages[0].do_methods[1].body[0]"


@pytest.mark.parametrize(
    "old, new, note",
    [
        ('"key":[0,3]', '"key":[0]', f"At {BODY}.key: 1 items, not 2."),
        ('"offset":[1,0,0]', '"offset":[1,0]', "[1, 0] is no Offset."),
        ('"value":0.0', '"value":"zero"', '"zero" is no bool | int | float.'),
        ('"value":0.0', '"value":1e999', "It is not JSON: 1e999 is out of range."),
        ('"value":0.0', '"value":NaN', "It is not JSON: NaN is no number."),
        ('"value":0.0', f'"value":1{"0" * 400}', "is out of range."),
        ('"anchor":{"scalar":"n"}', '"anchor":"n"', '"n" is no Anchor | str.'),
        ('"name":"u",', "", "the field 'name' of FieldDecl is missing."),
        ("{", "", "It is not JSON: "),
    ],
)
def test_document_that_is_damaged_is_an_error(old: str, new: str, note: str) -> None:
    text = to_json(everything())
    assert old in text
    assert note in error_of(text.replace(old, new, 1))


def test_document_that_nests_too_deeply_is_an_error() -> None:
    assert f"It nests nodes more than {MAX_DEPTH} deep." in error_of("[" * 100_000)
    inner, outer = '{"node":"Cast","dtype":"f64","operand":', "}"
    text = to_json(storing(Constant(0.0, DType.FLOAT64)))
    constant = text[text.index('{"node":"Constant"') :].split("}")[0] + "}"
    assert "more than" in error_of(text.replace(constant, inner * 260 + constant + outer * 260))


@given(st.data())
def test_no_document_raises_anything_else(data: st.DataObject) -> None:
    text = to_json(everything())
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    middle = data.draw(
        st.sampled_from(["", "null", "[]", "{}", '""', "1", "true", '"node"', ",", ":", '"start"'])
    )
    try:
        from_json(text[:start] + middle + text[end:])
    except StencilError as error:
        assert error.kind == "iir-json"
