"""docs/iir.md names everything that there is."""

import re
from enum import Enum
from pathlib import Path
from typing import Final

import pytest

from iir.dtypes import DType
from iir.expressions import NativeFunction, Operator, UnaryOperator
from iir.interval import Anchor
from iir.node_fields import field_types
from iir.nodes import Axes, LoopOrder
from iir.notation import RESERVED
from iir.schedule import Axis, Storage
from iir.serialize import NODES
from iir.statements import CheckKind, Effects

PAGE: Final = (Path(__file__).parents[3] / "docs" / "iir.md").read_text()
GRAMMAR: Final = PAGE.split("```text\n")[1].split("```")[0]
ROWS: Final = {match[1]: match[0] for match in re.finditer(r"^\| `(\w+)` \|.*$", PAGE, re.MULTILINE)}


def test_each_node_has_a_row() -> None:
    assert ROWS.keys() == NODES.keys()


@pytest.mark.parametrize("name", NODES)
def test_each_field_of_a_node_is_in_its_row(name: str) -> None:
    assert {field for field in field_types(NODES[name]) if f"`{field}`" not in ROWS[name]} == set()


@pytest.mark.parametrize(
    "kind",
    [
        DType,
        Axes,
        LoopOrder,
        Axis,
        Storage,
        CheckKind,
        Effects,
        Operator,
        UnaryOperator,
        Anchor,
        NativeFunction,
    ],
)
def test_each_word_is_in_the_grammar(kind: type[Enum]) -> None:
    assert {member.value for member in kind if f'"{member.value}"' not in GRAMMAR} == set()


def test_each_reserved_word_is_in_the_grammar() -> None:
    assert {word for word in RESERVED if f'"{word}"' not in GRAMMAR} == set()


def test_each_rule_of_the_grammar_is_defined() -> None:
    rules = re.sub(r'"[^"]*"', "", GRAMMAR)
    defined = set(re.findall(r"^(\w+) +=", rules, re.MULTILINE))
    known = {"NEWLINE", "INDENT", "DEDENT", "digits", "identifier"}
    right = re.sub(r"^\w+ +=", "", rules, flags=re.MULTILINE)
    right = re.sub(r" {4,}[a-z].*$", "", right, flags=re.MULTILINE)  # remarks at the end of a line
    used = set(re.findall(r"\w+", right)) - set("a string as in JSON float Python".split())
    assert used - defined - known == set()
