"""The published schema of the stored form."""

import json
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest

from iir.json_schema import json_schema
from iir.parser import from_text
from iir.printer import to_text
from iir.serialize import to_json
from tests.strategies import EVERYTHING, program
from tests.unit.iir.test_printer import everything

SCHEMA: Final = Path(__file__).parents[3] / "docs" / "iir.schema.json"
VALIDATOR: Final = jsonschema.Draft202012Validator(json_schema())


def test_published_schema_is_up_to_date() -> None:
    how = "python -m iir.json_schema > docs/iir.schema.json"
    assert json.loads(SCHEMA.read_text()) == json_schema(), how


def test_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())


@pytest.mark.parametrize("index", range(20))
def test_stored_stencils_obey_the_schema(index: int) -> None:
    VALIDATOR.validate(json.loads(to_json(from_text(to_text(program(4, index, EVERYTHING).ir)))))


def test_each_form_obeys_the_schema() -> None:
    VALIDATOR.validate(json.loads(to_json(everything())))


@pytest.mark.parametrize("change", [{"version": 0}, {"files": [1]}, {"stencil": {"node": "If"}}])
def test_schema_refuses_other_documents(change: dict[str, Any]) -> None:
    document = json.loads(to_json(everything()))
    assert not VALIDATOR.is_valid({**document, **change})
