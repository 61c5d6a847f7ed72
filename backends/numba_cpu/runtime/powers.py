"""Powers: small literal exponents multiply, floats go to libm, integers multiply and wrap."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from backends.numba_cpu.runtime.libm import call_symbol, pow_float
from backends.numba_cpu.runtime.machine_code import machine_code, same


def square(value: Any) -> Any:
    return value * value


def cube(value: Any) -> Any:
    return value * value * value


def fourth(value: Any) -> Any:
    return (value * value) * (value * value)


def power(base: Any, exponent: Any) -> Any:
    """libm's ``pow``; of integers repeated multiplication, 0 where the exponent is negative."""
    if isinstance(base, float | np.floating):
        return pow_float(base, exponent)
    return np.power(base, exponent) if exponent >= 0 else type(base)(0)


def _multiply(builder: Any, left: Any, right: Any) -> Any:
    return builder.mul(left, right) if isinstance(left.type, ir.IntType) else builder.fmul(left, right)


@machine_code(square, same)
def _square(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _multiply(builder, args[0], args[0])


@machine_code(cube, same)
def _cube(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _multiply(builder, _multiply(builder, args[0], args[0]), args[0])


@machine_code(fourth, same)
def _fourth(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    squared = _multiply(builder, args[0], args[0])
    return _multiply(builder, squared, squared)


@machine_code(power, same)
def _power(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if isinstance(sig.return_type, types.Float):
        return call_symbol(builder, "pow", *args)
    return integer_power(context, builder, sig, args)


def integer_power(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Code for repeated multiplication."""
    base, exponent = args
    zero, one = ir.Constant(base.type, 0), ir.Constant(base.type, 1)
    is_negative = builder.icmp_signed("<", exponent, zero)
    result = cgutils.alloca_once_value(builder, builder.select(is_negative, zero, one))
    square_ = cgutils.alloca_once_value(builder, base)
    rest = cgutils.alloca_once_value(builder, builder.select(is_negative, zero, exponent))
    with _while_not_zero(builder, rest):
        bit = builder.trunc(builder.load(rest), ir.IntType(1))
        factor = builder.select(bit, builder.load(square_), one)
        builder.store(builder.mul(builder.load(result), factor), result)
        builder.store(builder.mul(builder.load(square_), builder.load(square_)), square_)
        builder.store(builder.lshr(builder.load(rest), one), rest)
    return builder.load(result)


@contextmanager
def _while_not_zero(builder: Any, slot: Any) -> Iterator[None]:
    head, body, end = (builder.append_basic_block(name) for name in ("power", "power.body", "power.end"))
    builder.branch(head)
    builder.position_at_end(head)
    value = builder.load(slot)
    builder.cbranch(builder.icmp_unsigned("!=", value, ir.Constant(value.type, 0)), body, end)
    builder.position_at_end(body)
    yield
    builder.branch(head)
    builder.position_at_end(end)
