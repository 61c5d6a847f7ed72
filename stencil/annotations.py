"""What parameters and temporaries are annotated with: ``Field[...]`` and ``GlobalTable[...]``."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVarTuple

from iir.axes import Axes
from stencil.language import AxesName


@dataclass(frozen=True, slots=True)
class FieldType:
    """A field annotation: axes, and the dtype as the user spelt it."""

    axes: Axes
    dtype: Any
    data_dims: Any = ()

    def __repr__(self) -> str:
        dtype = getattr(self.dtype, "__name__", None) or repr(self.dtype)
        if self.data_dims != ():
            dtype = f"({dtype}, {self.data_dims!r})"
        return f"Field[{dtype}]" if self.axes is Axes.IJK else f"Field[{self.axes.value}, {dtype}]"


@dataclass(frozen=True, slots=True)
class TableType:
    """A table annotation: the dtype as the user spelt it, and the lengths of its dimensions."""

    dtype: Any
    dims: Any


if TYPE_CHECKING:
    Items = TypeVarTuple("Items")

    class Field(Generic[*Items]):
        """``Field[dtype]``, ``Field[axes, dtype]``: an array argument, or a temporary."""

        def __getitem__(self, offset: Any) -> Any: ...
        def __add__(self, other: Any) -> Any: ...
        def __radd__(self, other: Any) -> Any: ...
        def __sub__(self, other: Any) -> Any: ...
        def __rsub__(self, other: Any) -> Any: ...
        def __mul__(self, other: Any) -> Any: ...
        def __rmul__(self, other: Any) -> Any: ...
        def __truediv__(self, other: Any) -> Any: ...
        def __rtruediv__(self, other: Any) -> Any: ...
        def __floordiv__(self, other: Any) -> Any: ...
        def __rfloordiv__(self, other: Any) -> Any: ...
        def __mod__(self, other: Any) -> Any: ...
        def __rmod__(self, other: Any) -> Any: ...
        def __pow__(self, other: Any) -> Any: ...
        def __rpow__(self, other: Any) -> Any: ...
        def __neg__(self) -> Any: ...
        def __pos__(self) -> Any: ...
        def __abs__(self) -> Any: ...
        def __lt__(self, other: Any) -> Any: ...
        def __le__(self, other: Any) -> Any: ...
        def __gt__(self, other: Any) -> Any: ...
        def __ge__(self, other: Any) -> Any: ...

    class GlobalTable(Generic[*Items]):
        """``GlobalTable[(dtype, dims)]``: an array without grid axes."""

        def __getitem__(self, index: Any) -> Any: ...

else:

    class Field:
        """``Field[dtype]``, ``Field[axes, dtype]``: an array argument, or a temporary."""

        def __class_getitem__(cls, item):
            axes, dtype = item if _starts_with_axes(item) else (None, item)
            if isinstance(dtype, tuple) and len(dtype) == 2:
                return FieldType(axes.axes if axes else Axes.IJK, dtype[0], dtype[1])
            return FieldType(axes.axes if axes else Axes.IJK, dtype)

    class GlobalTable:
        """``GlobalTable[(dtype, dims)]``: an array without grid axes."""

        def __class_getitem__(cls, item):
            dtype, dims = item if isinstance(item, tuple) and len(item) == 2 else (item, ())
            return TableType(dtype, dims)


def _starts_with_axes(item: object) -> bool:
    return isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], AxesName)
