"""The names of the language: they mean something inside a stencil only."""

import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import FunctionType
from typing import Any, ClassVar, Final, NoReturn, TypeAlias

import numpy as np

from iir.axes import Axes, LoopOrder
from iir.diagnostics import Diagnostic, StencilError

PARALLEL: Final = LoopOrder.PARALLEL
FORWARD: Final = LoopOrder.FORWARD
BACKWARD: Final = LoopOrder.BACKWARD

int8: TypeAlias = np.int8
int16: TypeAlias = np.int16
int32: TypeAlias = np.int32
int64: TypeAlias = np.int64
float32: TypeAlias = np.float32
float64: TypeAlias = np.float64


class AxesName(type):
    """The type of the names of axes; they are classes so that ``Field[IJ, float]`` type-checks."""

    axes: Axes

    def __add__(cls, levels: int) -> "AxesName":
        _outside(f"{cls.__name__} + ...")

    def __sub__(cls, levels: int) -> "AxesName":
        _outside(f"{cls.__name__} - ...")

    def __getitem__(cls, position: int) -> "AxesName":
        _outside(f"{cls.__name__}[...]")

    def __repr__(cls) -> str:
        return cls.__name__


class I(metaclass=AxesName):  # noqa: E742 - the field's name for it
    """The first horizontal axis."""

    axes: ClassVar[Axes] = Axes.I


class J(metaclass=AxesName):
    """The second horizontal axis."""

    axes: ClassVar[Axes] = Axes.J


class K(metaclass=AxesName):
    """The vertical axis."""

    axes: ClassVar[Axes] = Axes.K


class IJ(metaclass=AxesName):
    """One plane."""

    axes: ClassVar[Axes] = Axes.IJ


class IK(metaclass=AxesName):
    """A vertical section along i."""

    axes: ClassVar[Axes] = Axes.IK


class JK(metaclass=AxesName):
    """A vertical section along j."""

    axes: ClassVar[Axes] = Axes.JK


class IJK(metaclass=AxesName):
    """The whole grid."""

    axes: ClassVar[Axes] = Axes.IJK


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A subroutine of stencils: it is inlined where it is called."""

    definition: FunctionType
    names: Mapping[str, object]

    @property
    def __name__(self) -> str:
        return self.definition.__name__

    @property
    def __doc__(self) -> str | None:  # type: ignore[override] # a property may stand for the class's text
        return self.definition.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        _outside(self.definition.__name__)

    def __repr__(self) -> str:
        return f"<stencil function {self.definition.__qualname__}>"


def function(definition: Callable[..., Any]) -> Function:
    """Make *definition* a subroutine that stencils can call."""
    if isinstance(definition, Function):
        return definition
    if not isinstance(definition, FunctionType):
        message = f"'@function' takes a function, not an object of type '{type(definition).__name__}'."
        raise StencilError(Diagnostic(message, "not-a-function"))
    frame = sys._getframe(1)
    return Function(definition, {} if frame.f_locals is frame.f_globals else dict(frame.f_locals))


@dataclass(frozen=True, slots=True)
class Native:
    """A function of the language, by the name that users call it."""

    name: str

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        _outside(self.name)

    def __repr__(self) -> str:
        return self.name


class Word(Native):
    """A word of the language that is subscripted: ``region[...]``."""

    __slots__ = ()

    def __getitem__(self, item: Any) -> Any:
        _outside(self.name)


def computation(order: LoopOrder) -> AbstractContextManager[None]:
    """``with computation(PARALLEL | FORWARD | BACKWARD):`` the order in which levels are visited."""
    _outside("computation")


def interval(*bounds: Any) -> AbstractContextManager[None]:
    """``with interval(start, end):`` the levels that statements run on; ``interval(...)`` is all."""
    _outside("interval")


def horizontal(*regions: Any) -> AbstractContextManager[None]:
    """``with horizontal(region[...]):`` the columns that statements run on."""
    _outside("horizontal")


def heap(value: Any = ..., /) -> Any:
    """``t: Field[float] = heap(...)``: declares a temporary that is kept in memory, and not on the stack.

    A *value* is assigned, as by ``t: Field[float] = value``.
    """
    _outside("heap")


def _outside(name: str) -> NoReturn:
    message = f"'{name}' means something inside a stencil only."
    hint = "Use it in the body of a function with the decorator '@stencil' or '@function'."
    raise StencilError(Diagnostic(message, "outside-a-stencil", hints=(hint,)))


region: Final = Word("region")
call: Final = Native("call")
check: Final = Native("check")
compile_assert: Final = Native("compile_assert")
__INLINED: Final = Native("__INLINED")

sqrt: Final = Native("sqrt")
cbrt: Final = Native("cbrt")
exp: Final = Native("exp")
log: Final = Native("log")
log10: Final = Native("log10")
sin: Final = Native("sin")
cos: Final = Native("cos")
tan: Final = Native("tan")
asin: Final = Native("asin")
acos: Final = Native("acos")
atan: Final = Native("atan")
atan2: Final = Native("atan2")
sinh: Final = Native("sinh")
cosh: Final = Native("cosh")
tanh: Final = Native("tanh")
asinh: Final = Native("asinh")
acosh: Final = Native("acosh")
atanh: Final = Native("atanh")
erf: Final = Native("erf")
erfc: Final = Native("erfc")
gamma: Final = Native("gamma")
mod: Final = Native("mod")
fmod: Final = Native("fmod")
floor: Final = Native("floor")
ceil: Final = Native("ceil")
trunc: Final = Native("trunc")
round_away_from_zero: Final = Native("round_away_from_zero")
isnan: Final = Native("isnan")
isinf: Final = Native("isinf")
isfinite: Final = Native("isfinite")
