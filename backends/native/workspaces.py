"""C source that places arrays: on the stack if all of a stencil's fit, or else in its caller's workspace."""

from collections.abc import Mapping
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


def stack_room(stencil: NativeStencil, frames: int) -> int:
    """The bytes that arrays may take of the stack together, if the kernels' *frames* take so many.

    They have one place, so none of them is there if one must not be.
    """
    if any(item.must_be_heap for item in stencil.program.workspaces):
        return 0
    return max(0, stencil.source.options.stack_budget - frames)


def write_workspaces(w: Writer, stencil: NativeStencil, frames: int) -> None:
    """The functions that place the arrays of *stencil* in memory, and tell how much of which they take."""
    arrays = stencil.program.workspaces
    if arrays:
        _write_layouts(w, stencil)
        w.line()
    describing = _FIELD * len(stencil.fields) + _LAYOUT * len(arrays)
    for kind, if_small, otherwise in (
        ("workspace", "0", "total"),
        ("stack", f"{frames + describing} + total + STENCIL_LINE", str(frames + describing)),
    ):
        with function(w, f"int64_t {stencil.symbol}_{kind}_bytes(const int64_t domain[3])"):
            if arrays:
                w.line(f"stencil_layout layouts[{len(arrays)}];")
                w.line(f"const int64_t total = {stencil.symbol}_layouts(domain, layouts);")
                w.line(f"return total <= {stack_room(stencil, frames)} ? {if_small} : {otherwise};")
            else:
                w.line("(void)domain;")
                w.line(f"return {if_small if kind == 'workspace' else otherwise};")
        w.line()


def _write_layouts(w: Writer, stencil: NativeStencil) -> None:
    head = f"static int64_t {stencil.symbol}_layouts(const int64_t domain[3], stencil_layout *layouts)"
    with function(w, head):
        w.line("int64_t end = 0;")
        for number, item in enumerate(stencil.program.workspaces):
            _write_layout(w, item, number)
        w.line("return end;")


def _write_layout(w: Writer, item: Allocate, number: int) -> None:
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
        w.line(f"end = stencil_lay_out(end, {number}, {array}, &layouts[{number}]);")
    w.line("}")


def _size(affine: Affine) -> str:
    if affine.name is None:
        return str(affine.offset)
    return c_sum(_SIZE[affine.name], affine.offset)
