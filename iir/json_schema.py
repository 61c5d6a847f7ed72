"""The JSON Schema of stored trees, derived from the nodes' annotations; run as a program, it prints it."""

import json
from dataclasses import MISSING, fields
from enum import Enum
from typing import Any, Final, get_args, get_origin

from iir.base import Node
from iir.expressions import Offset
from iir.node_fields import alternatives, field_types
from iir.serialize import FORMAT, NODES, VERSION

_PLAIN: Final[dict[Any, dict[str, Any]]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"anyOf": [{"type": "number"}, {"enum": ["nan", "inf", "-inf"]}]},
    str: {"type": "string"},
    type(None): {"type": "null"},
    Offset: {"type": "array", "items": {"type": "integer"}, "minItems": 3, "maxItems": 3},
}
_SPAN: Final = {
    "description": "index into 'files', line, column, end line, end column (columns in bytes of UTF-8)",
    "type": "array",
    "items": {"type": "integer"},
    "minItems": 5,
    "maxItems": 5,
}
_SCALAR: Final = {
    "type": "object",
    "properties": {"scalar": {"type": "string"}},
    "required": ["scalar"],
    "additionalProperties": False,
}
_FACTS: Final = {"type": "object", "additionalProperties": {"type": "string"}}
_ANNOTATION: Final = {
    "description": "intents of the fields that a node accesses; the nodes stand in program order",
    "type": "object",
    "properties": {
        "node": {"type": "string"},
        "fields": {"type": "object", "additionalProperties": _FACTS},
    },
    "required": ["node", "fields"],
    "additionalProperties": False,
}


def json_schema() -> dict[str, Any]:
    """The schema that each document of `iir.serialize.to_json` obeys."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "IIR of a stencil",
        "type": "object",
        "properties": {
            "format": {"const": FORMAT},
            "version": {"const": VERSION},
            "files": {"type": "array", "items": {"type": "string"}},
            "stencil": _reference("Stencil"),
            "annotations": {"type": "array", "items": _ANNOTATION},
        },
        "required": ["format", "version", "files", "stencil"],
        "$defs": {"Span": _SPAN, **{name: _node(kind) for name, kind in sorted(NODES.items())}},
    }


def _node(kind: type[Node]) -> dict[str, Any]:
    types = field_types(kind)
    properties = {name: _value(hint) for name, hint in types.items()}
    needed = [item.name for item in fields(kind) if item.name in types and item.default is MISSING]
    return {
        "type": "object",
        "properties": {"node": {"const": kind.__name__}, **properties, "span": _reference("Span")},
        "required": ["node", *needed],
        "additionalProperties": False,
    }


def _value(hint: Any) -> dict[str, Any]:
    kinds = alternatives(hint)
    if len(kinds) > 1:
        return {"anyOf": [_SCALAR if kind is str else _value(kind) for kind in kinds]}
    if hint in _PLAIN:
        return _PLAIN[hint]
    if get_origin(hint) is tuple:
        return _array(*get_args(hint))
    if issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    return _reference(hint.__name__)


def _array(*items: Any) -> dict[str, Any]:
    if items[-1] is Ellipsis:
        return {"type": "array", "items": _value(items[0])}
    size = len(items)
    return {"type": "array", "prefixItems": [*map(_value, items)], "minItems": size, "maxItems": size}


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


if __name__ == "__main__":
    print(json.dumps(json_schema(), indent=2))
