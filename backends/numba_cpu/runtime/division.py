"""Floored and truncated division; integers by zero give 0, the smallest by -1 wraps."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from backends.numba_cpu.runtime.libm import call_symbol
from backends.numba_cpu.runtime.machine_code import machine_code, same
from backends.numba_cpu.runtime.rounding import llvm_intrinsic


def floordiv(left: Any, right: Any) -> Any:
    """``left // right`` as NumPy computes it."""
    return np.floor_divide(left, right)


def floormod(left: Any, right: Any) -> Any:
    """``left % right`` as NumPy computes it: the sign is that of *right*."""
    return np.remainder(left, right)


def truncmod(left: Any, right: Any) -> Any:
    """The remainder of truncated division: the sign is that of *left*."""
    return np.fmod(left, right)


@machine_code(floordiv, same)
def _floordiv(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if not isinstance(sig.return_type, types.Float):
        return _floored_integers(builder, *args)[0]
    left, right = args
    is_zero = builder.fcmp_ordered("==", right, ir.Constant(right.type, 0.0))
    return builder.select(is_zero, builder.fdiv(left, right), _floored_floats(builder, left, right)[0])


@machine_code(floormod, same)
def _floormod(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if not isinstance(sig.return_type, types.Float):
        return _floored_integers(builder, *args)[1]
    left, right = args
    is_zero = builder.fcmp_ordered("==", right, ir.Constant(right.type, 0.0))
    remainder = _floored_floats(builder, left, right)[1]
    return builder.select(is_zero, call_symbol(builder, "fmod", left, right), remainder)


@machine_code(truncmod, same)
def _truncmod(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if isinstance(sig.return_type, types.Float):
        return call_symbol(builder, "fmod", *args)
    left, right = args
    zero = ir.Constant(right.type, 0)
    by_zero = builder.icmp_signed("==", right, zero)
    return builder.select(by_zero, zero, builder.srem(left, _safe_divisor(builder, right)))


def _safe_divisor(builder: Any, right: Any) -> Any:
    """*right*, or 1 where it is 0 or -1: both may trap."""
    zero, minus_one = ir.Constant(right.type, 0), ir.Constant(right.type, -1)
    traps = builder.or_(builder.icmp_signed("==", right, zero), builder.icmp_signed("==", right, minus_one))
    return builder.select(traps, ir.Constant(right.type, 1), right)


def _floored_integers(builder: Any, left: Any, right: Any) -> tuple[Any, Any]:
    zero, one = ir.Constant(right.type, 0), ir.Constant(right.type, 1)
    divisor = _safe_divisor(builder, right)
    quotient, remainder = builder.sdiv(left, divisor), builder.srem(left, divisor)
    signs_differ = builder.icmp_signed("<", builder.xor(remainder, divisor), zero)
    is_inexact = builder.icmp_signed("!=", remainder, zero)
    too_high = builder.and_(is_inexact, signs_differ)
    quotient = builder.select(too_high, builder.sub(quotient, one), quotient)
    remainder = builder.select(too_high, builder.add(remainder, divisor), remainder)
    by_minus_one = builder.icmp_signed("==", right, ir.Constant(right.type, -1))
    quotient = builder.select(by_minus_one, builder.neg(left), quotient)
    by_zero = builder.icmp_signed("==", right, zero)
    return builder.select(by_zero, zero, quotient), builder.select(by_zero, zero, remainder)


def _floored_floats(builder: Any, left: Any, right: Any) -> tuple[Any, Any]:
    """Quotient and remainder by a *right* that is not zero, step by step as NumPy's ``divmod``."""
    number = right.type
    zero, half, one = (ir.Constant(number, value) for value in (0.0, 0.5, 1.0))
    remainder = call_symbol(builder, "fmod", left, right)
    quotient = builder.fdiv(builder.fsub(left, remainder), right)

    is_inexact = builder.fcmp_unordered("!=", remainder, zero)
    signs_differ = builder.xor(
        builder.fcmp_ordered("<", right, zero), builder.fcmp_ordered("<", remainder, zero)
    )
    too_high = builder.and_(is_inexact, signs_differ)
    floored = builder.select(too_high, builder.fadd(remainder, right), remainder)
    quotient = builder.select(too_high, builder.fsub(quotient, one), quotient)
    remainder = builder.select(is_inexact, floored, _copysign(builder, zero, right))

    whole = llvm_intrinsic(builder, "floor", quotient)
    is_too_low = builder.fcmp_ordered(">", builder.fsub(quotient, whole), half)
    whole = builder.select(is_too_low, builder.fadd(whole, one), whole)
    signed_zero = _copysign(builder, zero, builder.fdiv(left, right))
    is_zero = builder.fcmp_ordered("==", quotient, zero)
    return builder.select(is_zero, signed_zero, whole), remainder


def _copysign(builder: Any, zero: Any, sign: Any) -> Any:
    """Zero with the sign of *sign*."""
    bits = ir.IntType(32 if sign.type == ir.FloatType() else 64)
    mask = ir.Constant(bits, 1 << (bits.width - 1))
    return builder.bitcast(builder.and_(builder.bitcast(sign, bits), mask), zero.type)
