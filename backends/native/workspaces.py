"""C source that places the heap arrays of a stencil in the memory that its caller passes."""

from collections.abc import Mapping
from typing import Final

from backends.loopnest.nodes import Allocate
from backends.native.c_text import function
from backends.native.c_types import item_size
from backends.native.description import NativeStencil
from backends.writer import Writer
from iir.schedule import Axis

_SIZE: Final[Mapping[Axis, str]] = {axis: f"domain[{number}]" for number, axis in enumerate(Axis)}


def write_workspaces(w: Writer, stencil: NativeStencil) -> None:
    """The functions that tell the size of the memory and, where there is any, place the arrays in it."""
    arrays = stencil.program.workspaces
    if arrays:
        head = f"static int64_t {stencil.symbol}_layouts(const int64_t domain[3], stencil_layout *layouts)"
        with function(w, head):
            w.line("int64_t end = 0;")
            for number, item in enumerate(arrays):
                _write_layout(w, number, item)
            w.line("return end;")
        w.line()
    with function(w, f"int64_t {stencil.symbol}_workspace_bytes(const int64_t domain[3])"):
        if arrays:
            w.line(f"stencil_layout layouts[{len(arrays)}];")
            w.line(f"return {stencil.symbol}_layouts(domain, layouts);")
        else:
            w.line("(void)domain;")
            w.line("return 0;")


def _write_layout(w: Writer, number: int, item: Allocate) -> None:
    fastest = item.axes.index(item.fastest)
    sizes = [
        f"{_SIZE[axis]} + {high - low}"
        for axis, low, high in zip(item.axes, item.low, item.high, strict=True)
    ]
    order = [fastest, *(axis for axis in range(len(sizes)) if axis != fastest)]
    if item.per_chunk:
        order.append(len(sizes))
        sizes.append("1")
    shape, places = ", ".join(sizes), ", ".join(map(str, order))
    with w.block("{"):
        w.line(f"const int64_t shape[] = {{{shape}}};")
        w.line(f"const int32_t order[] = {{{places}}};")
        array = f"{item_size(item.dtype)}, {len(sizes)}, shape, order, {-item.low[fastest]}"
        w.line(f"end = stencil_lay_out(end, {number}, {array}, &layouts[{number}]);")
    w.line("}")
