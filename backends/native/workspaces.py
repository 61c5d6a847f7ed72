"""C source that places the heap arrays of a stencil in the memory that its caller passes."""

from collections.abc import Mapping
from typing import Final

from backends.loopnest.expressions import Affine
from backends.loopnest.names import SIZE
from backends.loopnest.nodes import Allocate, Function, Memory
from backends.native.c_text import c_sum, function
from backends.native.c_types import item_size
from backends.native.description import NativeStencil
from backends.writer import Writer
from iir.traversal import walk

_SIZE: Final[Mapping[str, str]] = {name: f"domain[{axis}]" for axis, name in enumerate(SIZE)}


def write_workspaces(w: Writer, stencil: NativeStencil) -> None:
    """The functions that tell the size of the memory and, where there is any, place the arrays in it."""
    arrays = stencil.program.workspaces
    if arrays:
        head = f"static int64_t {stencil.symbol}_layouts(const int64_t domain[3], stencil_layout *layouts)"
        with function(w, head):
            w.line("int64_t end = 0;")
            for number, item in enumerate(arrays):
                _write_layout(w, item, number, f"&layouts[{number}]")
            w.line("return end;")
        w.line()
    with function(w, f"int64_t {stencil.symbol}_workspace_bytes(const int64_t domain[3])"):
        if arrays:
            w.line(f"stencil_layout layouts[{len(arrays)}];")
            w.line(f"return {stencil.symbol}_layouts(domain, layouts);")
        else:
            w.line("(void)domain;")
            w.line("return 0;")


def write_stack_bytes(w: Writer, stencil: NativeStencil, frames: int) -> None:
    """The function that tells what a call takes of the stack at most, *frames* beside its arrays."""
    kernels = [_stack_arrays(kernel) for kernel in stencil.program.kernels]
    with function(w, f"int64_t {stencil.symbol}_stack_bytes(const int64_t domain[3])"):
        w.line("(void)domain;")
        w.line("int64_t most = 0;")
        for arrays in filter(None, kernels):
            with w.block("{"):
                w.line("stencil_layout layouts[1];")
                w.line("int64_t end = 0;")
                for item in arrays:
                    _write_layout(w, item, 0, "layouts")
                w.line("most = end > most ? end : most;")
            w.line("}")
        w.line(f"return most + {frames};")


def _stack_arrays(kernel: Function) -> tuple[Allocate, ...]:
    return tuple(node for node in walk(kernel) if isinstance(node, Allocate) and node.memory is Memory.STACK)


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
