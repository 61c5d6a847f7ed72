"""The loop program as text, for people and tests."""

from typing import assert_never, cast

from backends.loopnest.base import LoopNode
from backends.loopnest.expressions import (
    Affine,
    BinaryOperation,
    Choice,
    Conversion,
    Cut,
    Greatest,
    Index,
    Least,
    Literal,
    Load,
    Native,
    Position,
    Slot,
    UnaryOperation,
    Value,
    Variable,
    Whole,
)
from backends.loopnest.layout import Layout
from backends.loopnest.nodes import (
    Allocate,
    ArrayParameter,
    Branch,
    CallExternal,
    CheckSite,
    Comment,
    ExternalFunction,
    Fence,
    FieldInterface,
    Free,
    Function,
    IndexParameter,
    Invoke,
    LaneAllocate,
    Let,
    Loop,
    MakeView,
    NumberParameter,
    Parameter,
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
    functions,
)
from backends.writer import Writer


def to_text(program: Program) -> str:
    """All functions of *program*."""
    w = Writer()
    w.line(f"program {program.ir.name}  # {_layout_text(program.layout)}")
    for function in functions(program):
        w.line()
        _print_function(w, function)
    return w.text


def _layout_text(layout: Layout) -> str:
    unit = f"unit stride on {layout.unit.value}" if layout.unit else "any strides"
    lanes = "" if layout.lanes is layout.unit else f", lanes along {layout.lanes.value}"
    large = f"{', prefetched' if layout.prefetches else ''}{', streamed' if layout.streams else ''}"
    large += ", temporaries of rows on the heap" if layout.is_large else ""
    large += f", strips of {layout.strip}" if layout.strip else ""
    large += f", rows of whole {layout.whole} lanes" if layout.whole else ""
    large += f", blocks of {layout.block} rows" if layout.block else ""
    return f"{unit}{lanes}{', few levels' if layout.is_flat else ''}{large}"


def node_text(node: LoopNode) -> str:
    """A program, or a part of one."""
    match node:
        case Program():
            return to_text(node)
        case Affine() | Least() | Greatest() | Cut() | Whole():
            return position_text(node)
        case Slot():
            return _one_index_text(node)
        case ArrayParameter() | NumberParameter() | IndexParameter():
            return _parameter_text(node)
        case CheckSite() | ExternalFunction() | FieldInterface():
            return repr(node)
    w = Writer()
    if isinstance(node, Function):
        _print_function(w, node)
    elif isinstance(node, Step):
        _print_step(w, node)
    else:
        w.line(value_text(cast(Value, node)))
    return w.text.rstrip()


def _print_function(w: Writer, function: Function) -> None:
    parameters = ", ".join(_parameter_text(item) for item in function.parameters)
    width = "  # narrow vectors" if function.narrow else ""
    with w.block(f"function {function.name}({parameters}){width}"):
        _print_steps(w, function.body)


def _parameter_text(parameter: Parameter) -> str:
    match parameter:
        case ArrayParameter(name, dtype, ndim):
            return f"{name}: {dtype.value}[{','.join(':' * ndim)}]"
        case NumberParameter(name, dtype):
            return f"{name}: {dtype.value}"
        case IndexParameter(name):
            return name
        case _:
            assert_never(parameter)


def _print_steps(w: Writer, steps: tuple[Step, ...]) -> None:
    for step in steps:
        _print_step(w, step)


def _print_step(w: Writer, step: Step) -> None:
    match step:
        case Loop():
            direction = " descending" if step.descending else ""
            direction += "" if step.step == 1 else f" by {step.step}"
            bounds = f"[{position_text(step.start)}, {position_text(step.stop)})"
            with w.block(f"{step.kind.value} {step.index} in {bounds}{direction}"):
                _print_steps(w, step.body)
        case Within(index, start, stop, body):
            with w.block(f"if {index} in [{position_text(start)}, {position_text(stop)})"):
                _print_steps(w, body)
        case Branch(condition, then, orelse):
            with w.block(f"if {value_text(condition)}"):
                _print_steps(w, then)
            if orelse:
                with w.block("else"):
                    _print_steps(w, orelse)
        case _:
            w.line(_line_text(step))


def _line_text(step: Step) -> str:
    match step:
        case Let(name, value):
            return f"{name} = {value_text(value)}"
        case Store(view, index, value):
            return f"{view}{_index_text(index)} = {value_text(value)}"
        case Report(number, key, values):
            place = ", ".join(map(position_text, key))
            return f"report {number} at ({place}): {', '.join(map(value_text, values))}"
        case CallExternal(targets, function, arguments):
            return f"{', '.join(targets)} = {function}({', '.join(map(value_text, arguments))})"
        case Invoke(kernel, arguments):
            return f"{kernel}({', '.join(map(argument_text, arguments))})"
        case Comment(text):
            return f"# {text}"
        case Return():
            return "return"
        case _:
            return _memory_text(step)


def _memory_text(step: Step) -> str:
    """A step that is about arrays, not about values."""
    match step:
        case MakeView():
            chunk = f", chunk {position_text(step.chunk)}" if step.chunk else ""
            unit = "" if step.unit is None else f", unit stride on axis {step.unit}"
            return f"{step.name} = view of {step.array} at {_index_text(step.origin)}{chunk}{unit}"
        case Allocate():
            return f"allocate {allocation_text(step)} on the {step.memory.value}"
        case Free(array):
            return f"free {array}"
        case LaneAllocate():
            return f"allocate {_lane_allocation_text(step)}"
        case SaveStack(token):
            return f"{token} = save stack"
        case RestoreStack(token):
            return f"restore stack to {token}"
        case Prefetch() | Stream():
            return _row_text(step)
        case Fence():
            return "fence"
        case _:
            raise AssertionError(step)


def _row_text(step: Prefetch | Stream) -> str:
    lanes = f"[{position_text(step.start)}, {position_text(step.stop)})"
    place = f"{step.view} at {_index_text(step.others)}"
    match step:
        case Prefetch():
            return f"prefetch {lanes} of {place}"
        case Stream(row=row):
            return f"stream {lanes} of {row} to {place}"
        case _:
            assert_never(step)


def allocation_text(step: Allocate) -> str:
    """What an array holds."""
    each = " for each chunk" if step.per_chunk else ""
    return f"{step.array}: {_array_text(step)}{each}, unit stride on axis {step.fastest}"


def _lane_allocation_text(step: LaneAllocate) -> str:
    each = f"{step.anchor}: {_array_text(step)} for each of {step.lanes} lanes"
    if step.first is not None:
        each += f" from {position_text(step.first)}"
    return f"{each}, in blocks on multiples of {step.align} bytes" if step.is_handed_out else each


def _array_text(step: Allocate | LaneAllocate) -> str:
    sizes = " x ".join(f"({text})" if " " in (text := position_text(size)) else text for size in step.sizes)
    return f"{step.dtype.value} {sizes}".rstrip()


def argument_text(argument: str | Position) -> str:
    return argument if isinstance(argument, str) else position_text(argument)


def position_text(position: Position) -> str:
    match position:
        case Affine(None, offset):
            return str(offset)
        case Affine(str(name), offset, factor):
            return _signed(name if factor == 1 else f"-{name}", offset)
        case Least(items):
            return f"min({', '.join(map(position_text, items))})"
        case Greatest(items):
            return f"max({', '.join(map(position_text, items))})"
        case Cut(start, stop, chunk, chunks):
            parts = (position_text(start), position_text(stop), position_text(chunk), chunks)
            return f"cut({', '.join(parts)})"
        case Whole(bound, lanes):
            return f"whole({position_text(bound)}, {lanes})"
        case _:
            raise AssertionError(position)


def _signed(name: str, offset: int) -> str:
    if offset == 0:
        return name
    return f"{name} + {offset}" if offset > 0 else f"{name} - {-offset}"


def _index_text(index: tuple[Index, ...]) -> str:
    return f"[{', '.join(map(_one_index_text, index))}]"


def _one_index_text(index: Index) -> str:
    match index:
        case Slot(inner, slots):
            return f"({position_text(inner)}) mod {slots}"
        case Affine():
            return position_text(index)
        case _:
            assert_never(index)


def value_text(value: Value) -> str:
    """A value with every operation in parentheses."""
    match value:
        case Literal(number, dtype):
            return f"{number}:{dtype.value}"
        case Variable(name):
            return name
        case Load(view, index):
            return f"{view}{_index_text(index)}"
        case UnaryOperation(operator, operand):
            return f"({operator.value} {value_text(operand)})"
        case BinaryOperation(binary_operator, left, right):
            return f"({value_text(left)} {binary_operator.value} {value_text(right)})"
        case Choice(condition, if_true, if_false):
            return f"select({', '.join(map(value_text, (condition, if_true, if_false)))})"
        case Native(function, arguments):
            return f"{function.value}({', '.join(map(value_text, arguments))})"
        case Conversion(operand, dtype, saturates):
            return f"{dtype.value}{'.saturated' if saturates else ''}({value_text(operand)})"
        case _:
            assert_never(value)
