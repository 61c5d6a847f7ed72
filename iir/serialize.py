"""The stored form of a tree: JSON with a schema version, exact to the bit."""

import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from typing import Any, Final, NoReturn, get_args, get_origin

from iir.base import Node
from iir.diagnostics import Diagnostic, StencilError
from iir.dtypes import DType, is_float
from iir.expressions import Constant, Offset
from iir.node_fields import alternatives, field_types, is_of, kinds_below, type_text
from iir.nodes import Stencil
from iir.span import Span
from iir.traversal import MAX_DEPTH, depth, walk

FORMAT: Final = "stencil-iir"
VERSION: Final = 1
"""Counts up with every change after which older documents would be read wrongly or not at all."""

NODES: Final = {kind.__name__: kind for kind in kinds_below(Stencil)}
_SPECIAL: Final = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def to_json(ir: Stencil, *, annotations: bool = False) -> str:
    """*ir* as a JSON document in one line; ``from_json(to_json(ir)) == ir``, spans included.

    With *annotations* the document also tells the intents of all fields at every node.
    """
    files = tuple(dict.fromkeys(node.span.file for node in walk(ir) if node.span is not None))
    places = {file: number for number, file in enumerate(files)}
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "files": files,
        "stencil": _encode(ir, places),
    }
    if annotations:
        document["annotations"] = _annotations(ir)
    return json.dumps(document, allow_nan=False, separators=(",", ":"))


def from_json(text: str) -> Stencil:
    """The stencil stored in *text*; `StencilError` (``iir-json``) if there is none.

    A field that has a default may be missing, and so may every span. Annotations are computed again:
    `StencilError` (``iir-annotations``) tells the first that is another.
    """
    try:
        document = json.loads(text, parse_float=_finite, parse_constant=_not_json)
        ir = _decode_document(document)
    except RecursionError:
        raise _error(f"It nests nodes more than {MAX_DEPTH} deep.") from None
    except ValueError as error:
        raise _error(f"It is not JSON: {error}.") from None
    if depth(ir) > MAX_DEPTH:
        raise _error(f"It nests nodes more than {MAX_DEPTH} deep.")
    if "annotations" in document:
        _check_annotations(ir, document["annotations"])
    return ir


def _annotations(ir: Stencil) -> object:
    # Imported here, so that only documents with annotations pay for the analysis.
    from iir.analyses.intents.annotations import annotations

    return annotations(ir)


def _check_annotations(ir: Stencil, stored: object) -> None:
    from iir.analyses.intents.annotations import check_annotations
    from iir.verifier import verify

    verify(ir, after="reading it")
    check_annotations(ir, stored)


def _encode(value: object, places: Mapping[str, int]) -> Any:
    match value:
        case Node():
            return _encode_node(value, places)
        case Enum():
            return value.value
        case tuple():
            return [_encode(item, places) for item in value]
        case float() if not math.isfinite(value):
            return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
        case _:
            return value


def _encode_node(node: Node, places: Mapping[str, int]) -> dict[str, Any]:
    encoded: dict[str, Any] = {"node": type(node).__name__}
    for name, hint in field_types(type(node)).items():
        value = getattr(node, name)
        is_open = isinstance(value, str) and str is not hint
        encoded[name] = {"scalar": value} if is_open else _encode(value, places)
    if node.span is not None:
        span = node.span
        encoded["span"] = [places[span.file], span.line, span.column, span.end_line, span.end_column]
    return encoded


def _decode_document(document: object) -> Stencil:
    match document:
        case {"format": str(name), "version": version, "files": files, "stencil": stencil} if name == FORMAT:
            if version != VERSION or type(version) is not int:
                raise _error(f"It is of version {version!r}, but only version {VERSION} can be read.")
            if not isinstance(files, list) or not all(isinstance(file, str) for file in files):
                raise _error("'files' is not a list of strings.")
            ir = _Decoder(tuple(files)).value(stencil, Stencil, "stencil")
            assert isinstance(ir, Stencil), "the decoder checks types"
            return ir
        case _:
            wanted = "format, version, files, stencil"
            raise _error(f"It is no object with the fields {wanted}, where 'format' is '{FORMAT}'.")


@dataclass(frozen=True, slots=True)
class _Decoder:
    """Reads values by the annotations of the fields that they go to; *path* is for messages."""

    files: tuple[str, ...]

    def value(self, data: object, hint: Any, path: str) -> object:
        kinds = alternatives(hint)
        match data:
            case {"node": str(name), **rest}:
                result: object = self.node(name, rest, path)
            case {"scalar": str(name)} if str in kinds and len(kinds) > 1:
                return name
            case list():
                result = self.items(data, kinds, path)
            case str() if hint is not str:
                result = _member(data, kinds)
            case _:
                result = data
        if not is_of(result, hint):
            raise _error(f"At {path}: {_start(data)} is no {type_text(hint)}.")
        return result

    def items(self, data: list[object], kinds: tuple[Any, ...], path: str) -> object:
        if Offset in kinds:
            return _offset(data)
        hint = next((kind for kind in kinds if get_origin(kind) is tuple), None)
        if hint is None:
            return None
        inner = get_args(hint)
        hints = [inner[0]] * len(data) if inner[-1] is Ellipsis else list(inner)
        if len(hints) != len(data):
            raise _error(f"At {path}: {len(data)} items, not {len(hints)}.")
        pairs = enumerate(zip(data, hints, strict=True))
        return tuple(self.value(item, hint, f"{path}[{number}]") for number, (item, hint) in pairs)

    def node(self, name: str, data: dict[Any, object], path: str) -> Node:
        kind = NODES.get(name)
        if kind is None:
            raise _error(f"At {path}: there is no node '{name}'.")
        types = field_types(kind)
        if unknown := data.keys() - types.keys() - {"span"}:
            raise _error(f"At {path}: {name} has no field '{min(unknown)}'.")
        values: dict[str, Any] = {}
        for item in fields(kind):
            if item.name in data and item.name in types:
                values[item.name] = self.value(
                    _special(kind, data[item.name]), types[item.name], f"{path}.{item.name}"
                )
            elif item.default is MISSING:
                raise _error(f"At {path}: the field '{item.name}' of {name} is missing.")
        if kind is Constant:
            values["value"] = _as_dtype(values["value"], values["dtype"], path)
        span = self.span(data["span"], path) if "span" in data else None
        return kind(**values, span=span)

    def span(self, data: object, path: str) -> Span:
        match data:
            case [int(file), int(line), int(column), int(last), int(end)] if 0 <= file < len(self.files):
                return Span(self.files[file], line, column, last, end)
            case _:
                raise _error(f"At {path}: {_start(data)} is no span.")


def _offset(data: list[Any]) -> Offset | None:
    return Offset(*data) if [type(item) for item in data] == [int] * 3 else None


def _member(word: str, kinds: tuple[Any, ...]) -> object:
    """The member of an enumeration among *kinds* whose value is *word*."""
    for kind in kinds:
        if isinstance(kind, type) and issubclass(kind, Enum) and word in {item.value for item in kind}:
            return kind(word)
    return object()  # of no type that any field has


def _special(kind: type[Node], data: object) -> object:
    """Constants that JSON has no number for are words."""
    return _SPECIAL.get(data, data) if kind is Constant and isinstance(data, str) else data


def _as_dtype(value: bool | int | float, dtype: DType, path: str) -> bool | int | float:
    """Undo what writers of JSON may do that drop the point of 4.0."""
    if type(value) is not int or not is_float(dtype):
        return value
    try:
        return float(value)
    except OverflowError:
        raise _error(f"At {path}: {_start(value)} is out of range.") from None


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{digits} is out of range")
    return value


def _not_json(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _start(data: object, width: int = 60) -> str:
    text = json.dumps(data)
    return text if len(text) <= width else f"{text[: width - 3]}..."


def _error(note: str) -> StencilError:
    return StencilError(Diagnostic("The document holds no stencil.", "iir-json", notes=(note,)))
