"""What is not in the language, in the user's words, with what to write instead."""

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from iir.diagnostics import StencilError
from iir.span import Span
from stencil.frontend.errors import error


@dataclass(frozen=True, slots=True)
class Entry:
    """*word* is what the user calls the construct, *alternative* what to write instead."""

    word: str
    alternative: str = ""


_INSIDE: Final = "Write the statements out, or move them to a function with '@function'."
_OUTSIDE: Final = "Do this outside the stencil."

STRING: Final = Entry("A string", "A stencil computes with numbers only; an 'IntEnum' gives them names.")

SYNTAX: Final[Mapping[type[ast.AST], Entry]] = {
    # statements
    ast.For: Entry("A 'for' loop", "A computation runs over all points by itself; write the terms out."),
    ast.AsyncFor: Entry("An 'async for' loop", _OUTSIDE),
    ast.AsyncWith: Entry("An 'async with' block", "Use 'with computation(...), interval(...):'."),
    ast.FunctionDef: Entry("A function defined inside a stencil", "Define it outside, with '@function'."),
    ast.AsyncFunctionDef: Entry(
        "A function defined inside a stencil", "Define it outside, with '@function'."
    ),
    ast.ClassDef: Entry("A class defined inside a stencil", _OUTSIDE),
    ast.Try: Entry("A 'try' statement", "A stencil raises no exceptions; compare the values instead."),
    ast.TryStar: Entry("A 'try' statement", "A stencil raises no exceptions; compare the values instead."),
    ast.Raise: Entry("A 'raise' statement", "A stencil raises no exceptions."),
    ast.Assert: Entry("An 'assert' statement", "Use 'compile_assert(...)' for what is known in advance."),
    ast.Delete: Entry("A 'del' statement", "Temporaries need not be deleted."),
    ast.Global: Entry("A 'global' statement", "Names outside the stencil can be read without it."),
    ast.Nonlocal: Entry("A 'nonlocal' statement", "Names outside the stencil can be read without it."),
    ast.Match: Entry("A 'match' statement", "Use 'if' and 'elif'."),
    ast.Break: Entry("A 'break' statement", "Use 'if' around the statements."),
    ast.Continue: Entry("A 'continue' statement", "Use 'if' around the statements."),
    ast.Import: Entry("An import inside a stencil", "Import outside the stencil."),
    ast.ImportFrom: Entry(
        "An import inside a stencil",
        "Import outside the stencil, or write 'from __externals__ import ...' at its top.",
    ),
    ast.Return: Entry("A 'return' statement", "A stencil returns nothing; assign to an output field."),
    # expressions
    ast.Lambda: Entry("A 'lambda'", "Define a function with '@function'."),
    ast.ListComp: Entry("A comprehension", _INSIDE),
    ast.SetComp: Entry("A comprehension", _INSIDE),
    ast.DictComp: Entry("A comprehension", _INSIDE),
    ast.GeneratorExp: Entry("A generator expression", _INSIDE),
    ast.Await: Entry("An 'await' expression", _OUTSIDE),
    ast.Yield: Entry("A 'yield' expression", "A stencil returns nothing; assign to an output field."),
    ast.YieldFrom: Entry("A 'yield' expression", "A stencil returns nothing; assign to an output field."),
    ast.NamedExpr: Entry("An assignment inside an expression", "Assign in a statement of its own."),
    ast.JoinedStr: STRING,
    ast.FormattedValue: STRING,
    ast.List: Entry("A list", "Use separate names."),
    ast.Dict: Entry("A dictionary", "Use separate names."),
    ast.Set: Entry("A set", "Use separate names."),
    ast.Starred: Entry("A starred expression", "Write the values out."),
    ast.Slice: Entry("A slice", "A statement runs on all points; give offsets, as in 'u[1, 0, 0]'."),
    # operators
    ast.BitAnd: Entry("The operator '&'", "Use 'and'."),
    ast.BitOr: Entry("The operator '|'", "Use 'or'."),
    ast.BitXor: Entry("The operator '^'", "Use '!=' between conditions, '**' for powers."),
    ast.Invert: Entry("The operator '~'", "Use 'not'."),
    ast.LShift: Entry("The operator '<<'", "Multiply by a power of two."),
    ast.RShift: Entry("The operator '>>'", "Use '//' with a power of two."),
    ast.Is: Entry("The operator 'is'", "Use '=='."),
    ast.IsNot: Entry("The operator 'is not'", "Use '!='."),
    ast.In: Entry("The operator 'in'", "Compare with each value, joined by 'or'."),
    ast.NotIn: Entry("The operator 'not in'", "Compare with each value, joined by 'and'."),
}
"""Python that is not part of the language."""

_CHOOSE: Final = "Write 'a if condition else b'."
_LOGIC: Final = "Use 'and', 'or' and 'not'."
_NEIGHBOURS: Final = "Read neighbours at offsets, as in 'u[1, 0, 0]', and write the terms out."
_ALLOCATED: Final = "A temporary is allocated when it is assigned: 't = 0.0'."

FUNCTIONS: Final[Mapping[object, str]] = {
    np.where: _CHOOSE,
    np.select: _CHOOSE,
    np.clip: "Write 'min(max(x, low), high)'.",
    np.sign: "Write '1.0 if x > 0.0 else -1.0 if x < 0.0 else 0.0'.",
    np.square: "Write 'x * x'.",
    np.hypot: "Write 'sqrt(x * x + y * y)'.",
    math.hypot: "Write 'sqrt(x * x + y * y)'.",
    np.reciprocal: "Write '1.0 / x'.",
    **dict.fromkeys((np.round, np.around, np.rint), "Write 'round(x)', which rounds half to even, too."),
    np.fix: "Write 'trunc(x)'.",
    np.fabs: "Write 'abs(x)'.",
    np.float_power: "Write 'float(x) ** y'.",
    np.exp2: "Write '2.0 ** x'.",
    math.exp2: "Write '2.0 ** x'.",
    **dict.fromkeys((np.log2, math.log2), "Write 'log(x) / log(2.0)'."),
    **dict.fromkeys((np.log1p, math.log1p), "Write 'log(1.0 + x)'."),
    **dict.fromkeys((np.expm1, math.expm1), "Write 'exp(x) - 1.0'."),
    **dict.fromkeys((np.deg2rad, np.radians, math.radians), "Write 'x * (pi / 180.0)', with pi from 'math'."),
    **dict.fromkeys((np.rad2deg, np.degrees, math.degrees), "Write 'x * (180.0 / pi)', with pi from 'math'."),
    **dict.fromkeys((np.max, np.min), "Write 'max(x, y)' or 'min(x, y)' of values at a point."),
    **dict.fromkeys((np.fmax, np.fmin), "Write 'max(x, y)' or 'min(x, y)', in which NaN wins."),
    **dict.fromkeys((np.logical_and, np.logical_or, np.logical_not, any, all), _LOGIC),
    **dict.fromkeys((np.sum, np.mean, np.roll, np.diff, np.gradient, np.cumsum, sum), _NEIGHBOURS),
    **dict.fromkeys((np.zeros, np.ones, np.full, np.empty, np.zeros_like, np.empty_like), _ALLOCATED),
    np.nan_to_num: "Write '0.0 if isnan(x) else x'.",
    print: "Look at the fields after the call.",
    range: "A computation runs over all points by itself; write the terms out.",
    len: "Pass the number as a scalar parameter or an external.",
}
"""What to write instead of well-known functions that are none of the language's."""

LATER: Final[Mapping[str, Entry]] = {
    "while": Entry("A 'while' loop", "Write a fixed number of steps, each under an 'if'."),
    "horizontal": Entry("A 'horizontal' region", "Compute everywhere and choose with an 'IJ' mask field."),
    "runtime-offset": Entry("An offset known only at run time", "Use a constant offset."),
    "store-offset": Entry(
        "A store at another level", "Store at the point itself, in a computation of its own."
    ),
    "absolute-index": Entry(
        "An absolute index with '.at(...)'", "Use an 'IJ' field for a value of one level."
    ),
    "data-dimensions": Entry("A field with data dimensions", "Use one field for each component."),
    "tables": Entry("A 'GlobalTable'", "Use scalar parameters or externals."),
    "matrix": Entry("The operator '@'", "Write the sums out."),
    "transpose": Entry("The attribute '.T'", "Write the components out."),
    "call": Entry("An external call", "Use a function with '@function'."),
    "check": Entry("A run-time check", "Mark bad points in an output and look at it after the call."),
    "index-value": Entry("The index of a point", "Pass a field that holds the indices."),
    "optional-fields": Entry("An optional field", "Write one stencil for each case."),
}
"""Parts of the language that are not built yet."""


def unsupported(node: ast.AST, span: Span) -> StencilError:
    """The error for Python that is not part of the language."""
    return outside(SYNTAX.get(type(node), Entry("This construct")), span)


def outside(entry: Entry, span: Span) -> StencilError:
    """The error for *entry*, which is not part of the language."""
    hints = (entry.alternative,) if entry.alternative else ()
    return error(f"{entry.word} is not part of the stencil language.", "unsupported", span, hints=hints)


def alternative(function: object) -> str | None:
    """What to write instead of a call of *function*, if that is known."""
    try:
        return FUNCTIONS.get(function)
    except TypeError:  # not hashable
        return None


def later(part: str, span: Span) -> StencilError:
    """The error for a part of the language that is not built yet."""
    entry = LATER[part]
    hints = (entry.alternative,) if entry.alternative else ()
    return error(f"{entry.word} is not supported yet.", "not-supported-yet", span, hints=hints)
