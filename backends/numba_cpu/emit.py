"""Prints a loop program as a Python module for Numba."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, assert_never

from backends.base import Options
from backends.loopnest.nodes import (
    Allocate,
    Branch,
    CallExternal,
    Comment,
    Fence,
    Free,
    Function,
    Invoke,
    Let,
    Loop,
    LoopKind,
    MakeView,
    Memory,
    Prefetch,
    Program,
    Report,
    RestoreStack,
    Return,
    SaveStack,
    Step,
    Store,
    Stream,
    Within,
)
from backends.loopnest.printer import allocation_text
from backends.numba_cpu.emit_expressions import (
    CAST,
    index_source,
    position_source,
    stored_source,
    value_source,
)
from backends.numba_cpu.line_breaks import WIDTH, write_assignment
from backends.writer import Writer
from iir.dtypes import DType, numpy_dtype

RUNTIME: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "casts": ("saturate_i8", "saturate_i16", "saturate_i32", "saturate_i64"),
        "checks": ("bits", "report"),
        "choice": ("isfinite", "isinf", "isnan", "maximum", "minimum", "select"),
        "chunks": ("cut",),
        "division": ("floordiv", "floormod", "truncmod"),
        "external": ("external",),
        "libm": (
            *(
                "acos",
                "acosh",
                "asin",
                "asinh",
                "atan",
                "atan2",
                "atanh",
                "cbrt",
                "cos",
                "cosh",
                "erf",
                "erfc",
            ),
            *("exp", "log", "log10", "round_away", "sin", "sinh", "tan", "tanh", "tgamma"),
        ),
        "powers": ("cube", "fourth", "power", "square"),
        "vectors": ("narrow_vectors",),
        "stack": ("stack_restore", "stack_save", "stack_unit0", "stack_unit1", "stack_unit2"),
        "rows": (
            *("fence", "prefetch_unit0", "prefetch_unit1", "prefetch_unit2"),
            *("stream_unit0", "stream_unit1", "stream_unit2"),
        ),
        "rounding": ("absolute", "ceil", "floor", "rint", "sqrt", "trunc"),
        "wrapping": ("wrapping_add", "wrapping_multiply", "wrapping_subtract"),
        "view": (
            *("view", "view_unit0", "view_unit0_of_chunk"),
            *("view_unit1", "view_unit1_of_chunk", "view_unit2", "view_unit2_of_chunk"),
        ),
    }
)
"""What generated code may import from each module of `backends.numba_cpu.runtime`."""

# The names of libm's functions that `backends.vector_math` has versions of.
_VECTOR: Final = ("exp", "log", "power", "tanh")

_DECORATORS: Final = ("kernel", "parallel_driver", "prange")

RESERVED: Final = frozenset(name for names in RUNTIME.values() for name in names)


def emit_program(program: Program, options: Options) -> str:
    """The text of the module. It imports what it mentions, so that it reads from top to bottom."""
    code = _functions(program, options)
    mentioned = frozenset(re.findall(r"\w+", code)) | {"external" for _ in program.externals}
    w = Writer()
    w.line(f'"""Kernels of stencil {program.ir.name}. Generated from IIR; do not edit."""')
    w.line()
    w.line("import numpy as np")
    w.line()
    decorators = "compiled" if options.jit else "plain"
    for module, names in sorted([*_runtime(options), (decorators, _DECORATORS)]):
        if own := [name for name in names if name in mentioned]:
            w.line(f"from backends.numba_cpu.runtime.{module} import {', '.join(own)}")
    w.line()
    if mentioned & {"inf", "nan"}:
        w.line("inf, nan = np.inf, np.nan")
    for dtype in DType:
        if CAST[dtype] in mentioned:
            w.line(f"{CAST[dtype]} = np.{numpy_dtype(dtype).type.__name__}")
    for item in program.externals:
        w.line(f'{item.name} = external("{item.place}")')
    return f"{w.text}{code}"


def _runtime(options: Options) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the code may import from each module; no name twice."""
    vector = _VECTOR if options.math == "vector" else ()
    yield "vector_math", vector
    for module, names in RUNTIME.items():
        yield module, tuple(name for name in names if name not in vector)


def _functions(program: Program, options: Options) -> str:
    w = Writer()
    for function in program.kernels:
        _emit_function(w, f"@kernel({', '.join(map(repr, sorted(options.fastmath)))})", function)
    _emit_function(w, None, program.serial)
    if program.parallel is not None:
        _emit_function(w, "@parallel_driver", program.parallel)
    return w.text


def _emit_function(w: Writer, decorator: str | None, function: Function) -> None:
    w.line()
    w.line()
    if decorator is not None:
        w.line(decorator)
    _emit_list(w, f"def {function.name}(", [item.name for item in function.parameters], "):")
    with w.indented():
        if function.narrow:
            w.line("narrow_vectors()")
        _emit_steps(w, function.body)


def _emit_list(w: Writer, head: str, items: list[str], tail: str) -> None:
    """A bracketed list on one line, or on lines of its own if it is long."""
    line = f"{head}{', '.join(items)}{tail}"
    if w.column + len(line) <= WIDTH:
        w.line(line)
        return
    with w.block(head):
        for part in _filled(items, WIDTH - w.column):
            w.line(part)
    w.line(tail)


def _filled(items: list[str], width: int) -> Iterator[str]:
    """Lines of items, each as long as *width* allows."""
    line = ""
    for item in items:
        if line and len(line) + len(item) + 2 > width:
            yield line
            line = ""
        line = f"{line} {item},".lstrip()
    yield line


def _emit_steps(w: Writer, steps: tuple[Step, ...]) -> None:
    if all(isinstance(step, Comment | Allocate | Free) for step in steps):
        w.line("pass")
    for step in steps:
        _emit_step(w, step)


def _emit_step(w: Writer, step: Step) -> None:
    match step:
        case Loop():
            with w.block(f"for {step.index} in {_range_source(step)}:"):
                _emit_steps(w, step.body)
        case Within(index, start, stop, body):
            with w.block(f"if {position_source(start)} <= {index} < {position_source(stop)}:"):
                _emit_steps(w, body)
        case Branch(condition, then, orelse):
            with w.block(f"if {value_source(condition)}:"):
                _emit_steps(w, then)
            if orelse:
                with w.block("else:"):
                    _emit_steps(w, orelse)
        case Invoke(kernel, arguments):
            texts = [item if isinstance(item, str) else position_source(item) for item in arguments]
            _emit_list(w, f"{kernel}(", texts, ")")
        case Let(name, value):
            write_assignment(w, name, value, value_source(value))
        case Store(view, index, value):
            target = f"{view}[{', '.join(map(index_source, index))}]"
            write_assignment(w, target, value, stored_source(value))
        case Free():
            pass
        case _:
            w.line(_line_source(step))


def _line_source(step: Step) -> str:
    match step:
        case Report(number, key, values):
            place = ", ".join(map(position_source, key))
            numbers = ", ".join(f"bits({value_source(value)})" for value in values)
            return f"report(failures, chunk, {number}, ({place}), ({numbers}))"
        case CallExternal(targets, function, arguments):
            return f"{', '.join(targets)} = {function}({', '.join(map(value_source, arguments))})"
        case Comment(text):
            return f"# {text}"
        case Return():
            return "return"
        case _:
            return _memory_source(step)


def _memory_source(step: Step) -> str:
    """A step that is about arrays, not about values."""
    match step:
        case MakeView():
            return _view_source(step)
        case Allocate():
            return _allocation_source(step)
        case SaveStack(token):
            return f"{token} = stack_save()"
        case RestoreStack(token):
            return f"stack_restore({token})"
        case Prefetch() | Stream():
            return _row_source(step)
        case Fence():
            return "fence()"
        case _:
            raise AssertionError(step)


def _row_source(step: Prefetch | Stream) -> str:
    places = map(position_source, (step.start, step.stop, *step.others))
    match step:
        case Prefetch(view=view, unit=unit):
            return f"prefetch_unit{unit}({', '.join((view, *places))})"
        case Stream(view=view, row=row, unit=unit):
            return f"stream_unit{unit}({', '.join((view, row, *places))})"
        case _:
            assert_never(step)


def _range_source(loop: Loop) -> str:
    start, stop = position_source(loop.start), position_source(loop.stop)
    if loop.kind is LoopKind.PARALLEL:
        return f"prange({start}, {stop})"
    if loop.descending:
        return f"range({position_source(loop.stop, -1)}, {position_source(loop.start, -1)}, -1)"
    return f"range({start}, {stop})" if loop.step == 1 else f"range({start}, {stop}, {loop.step})"


def _allocation_source(step: Allocate) -> str:
    if step.memory is Memory.HEAP:
        return f"# Workspace {allocation_text(step)}."
    sizes = ", ".join(map(position_source, step.sizes))
    return f"{step.array} = stack_unit{step.fastest}({CAST[step.dtype]}, {step.aligned}, {sizes})"


def _view_source(step: MakeView) -> str:
    unit = "" if step.unit is None else f"_unit{step.unit}"
    positions = step.origin
    if step.chunk is not None:
        unit, positions = f"{unit}_of_chunk", (*positions, step.chunk)
    arguments = ", ".join((step.array, *map(position_source, positions)))
    return f"{step.name} = view{unit}({arguments})"
