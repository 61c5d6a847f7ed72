"""Long expressions on several lines, broken at arguments and operators."""

from typing import Final, TypeGuard

from backends.loopnest.expressions import BinaryOperation, Value
from backends.numba_cpu.emit_expressions import call_parts, operand_sources, operator_of, value_source
from backends.writer import Writer
from iir.expressions import COMPARISONS

WIDTH: Final = 110


def write_assignment(w: Writer, target: str, value: Value, text: str) -> None:
    """``target = text``; *value*, whose source *text* is, in parts if the line would be too long."""
    _write(w, f"{target} = ", value, text, "")


def _write(w: Writer, before: str, value: Value, text: str, after: str) -> None:
    """*text* between two others, or *value* in brackets of its own on several lines."""
    parts = call_parts(value)
    if w.column + len(before) + len(text) + len(after) <= WIDTH:
        w.line(f"{before}{text}{after}")
    elif parts is not None:
        function, arguments = parts
        with w.block(f"{before}{function}("):
            for argument in arguments:
                _write(w, "", argument, value_source(argument), ",")
        w.line(f"){after}")
    elif isinstance(value, BinaryOperation):
        symbol, (left, right) = operator_of(value)[0], operand_sources(value)
        start = f"{before}{left} {symbol} "
        if text == value_source(value) and right.endswith(")") and w.column + len(start) <= WIDTH // 2:
            _write(w, start, value.right, right, after)
        else:
            with w.block(f"{before}("):
                _write_chain(w, value)
            w.line(f"){after}")
    else:
        w.line(f"{before}{text}{after}")


def _write_chain(w: Writer, operation: BinaryOperation) -> None:
    """A line for each operand of operators that bind alike."""
    symbol, strength = operator_of(operation)
    left, right = operand_sources(operation)
    if _is_chained(operation.left, strength):
        _write_chain(w, operation.left)
    else:
        _write(w, "", operation.left, left, "")
    _write(w, f"{symbol} ", operation.right, right, "")


def _is_chained(left: Value, strength: int) -> TypeGuard[BinaryOperation]:
    """Whether *left* needs no brackets before an operator of *strength*, and binds no more tightly."""
    if not isinstance(left, BinaryOperation) or call_parts(left) is not None:
        return False
    return operator_of(left)[1] == strength and left.operator not in COMPARISONS
