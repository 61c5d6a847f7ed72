"""C source that places arrays: on the stack if all of a stencil's fit, or else in its caller's workspace."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Final

from backends.loopnest.expressions import Affine
from backends.loopnest.names import SIZE
from backends.loopnest.nodes import Allocate
from backends.native.c_text import c_sum, function
from backends.native.c_types import item_size
from backends.native.description import NativeStencil
from backends.writer import Writer

_SIZE: Final[Mapping[str, str]] = {name: f"domain[{axis}]" for axis, name in enumerate(SIZE)}

_FIELD: Final = 128
_LAYOUT: Final = 64
"""Bytes of the stack that describe a field and an array to the boundary."""


def write_workspaces(w: Writer, stencil: NativeStencil, frames: int) -> None:
    """The functions that place the arrays of *stencil* in memory, and tell how much of which they take.

    *frames* is what the kernels take of the stack beside arrays.
    """
    arrays = stencil.program.workspaces
    if arrays:
        head = f"static int64_t {stencil.symbol}_layouts(const int64_t domain[3], stencil_layout *layouts)"
        with function(w, head):
            w.line("int64_t end = 0;")
            for number, item in enumerate(arrays):
                _write_layout(w, item, number, f"&layouts[{number}]")
            w.line("return end;")
        w.line()
    with _size_function(w, stencil, "workspace"):
        _write_total(w, stencil)
        w.line("return total <= STENCIL_STACK ? 0 : total;")
    w.line()
    frames += _FIELD * len(stencil.fields) + _LAYOUT * len(arrays)
    with _size_function(w, stencil, "stack"):
        _write_total(w, stencil)
        w.line(f"return {frames} + (total <= STENCIL_STACK ? total + STENCIL_LINE : 0);")


def _size_function(w: Writer, stencil: NativeStencil, kind: str) -> AbstractContextManager[None]:
    return function(w, f"int64_t {stencil.symbol}_{kind}_bytes(const int64_t domain[3])")


def _write_total(w: Writer, stencil: NativeStencil) -> None:
    """Set ``total`` to the bytes of all arrays together."""
    if count := len(stencil.program.workspaces):
        w.line(f"stencil_layout layouts[{count}];")
        w.line(f"const int64_t total = {stencil.symbol}_layouts(domain, layouts);")
    else:
        w.line("const int64_t total = 0;")
        w.line("(void)domain;")


def _write_layout(w: Writer, item: Allocate, number: int, layout: str) -> None:
    sizes = [_size(affine) for affine in item.sizes]
    order = [item.fastest, *(axis for axis in range(len(sizes)) if axis != item.fastest)]
    if item.per_chunk:
        order.append(len(sizes))
        sizes.append("1")
    shape, places = ", ".join(sizes), ", ".join(map(str, order))
    with w.block("{"):
        w.line(f"const int64_t shape[] = {{{shape}}};")
        w.line(f"const int32_t order[] = {{{places}}};")
        array = f"{item_size(item.dtype)}, {len(sizes)}, shape, order, {item.aligned}"
        w.line(f"end = stencil_lay_out(end, {number}, {array}, {layout});")
    w.line("}")


def _size(affine: Affine) -> str:
    if affine.name is None:
        return str(affine.offset)
    return c_sum(_SIZE[affine.name], affine.offset)
