"""The forms of arrays that a procedure takes: the whole domain, one block of columns, many blocks."""

from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from iir.nodes import Axes

INTEGER = "c_int64_t"


class Form(Enum):
    """The value is the ending of the procedure's name.

    A block holds columns along i; arrays of many blocks are on i, k, block.
    """

    WHOLE = ""
    BLOCK = "_block"
    BLOCKS = "_blocks"


@dataclass(frozen=True, slots=True)
class Shape:
    """The axes of an array in the order of its dimensions."""

    axes: str

    @property
    def declared(self) -> str:
        """``(:, :, :)``; nothing for a number."""
        return f"({', '.join(':' for _ in self.axes)})" if self.axes else ""

    def extent(self, array: str, axis: str) -> str:
        """The size of *array* along *axis*, 1 where it has none."""
        if axis not in self.axes:
            return f"1_{INTEGER}"
        return f"size({array}, {self.axes.index(axis) + 1}, {INTEGER})"


def bounds_of(form: Form) -> tuple[str, ...]:
    """The arguments that say which points a call is for."""
    columns = ("i_start", "i_end")
    levels = ("k_start", "k_end")
    match form:
        case Form.WHOLE:
            return (*columns, "j_start", "j_end", *levels)
        case Form.BLOCK:
            return (*columns, *levels)
        case Form.BLOCKS:
            return ("block_start", "block_end", *columns, *levels)
        case _:
            assert_never(form)


def shape_of(axes: Axes, form: Form) -> Shape:
    """How an array on *axes* is laid out in *form*; a block is an index along j."""
    match form:
        case Form.WHOLE:
            return Shape(axes.value)
        case Form.BLOCK:
            return Shape(axes.value.replace("J", ""))
        case Form.BLOCKS:
            return Shape(axes.value.replace("J", "") + ("J" if "J" in axes.value else ""))
        case _:
            assert_never(form)
