"""Functions that choose between values: all operands are evaluated, no branch is taken."""

from typing import Any

import numpy as np
from numba import types

from backends.numba_cpu.runtime.machine_code import machine_code, same, same_float


def select(condition: Any, if_true: Any, if_false: Any) -> Any:
    """``if_true if condition else if_false``."""
    return if_true if condition else if_false


def minimum(left: Any, right: Any) -> Any:
    """The smaller one; NaN wins, of equal zeros the first."""
    return right if right < left or np.isnan(right) else left


def maximum(left: Any, right: Any) -> Any:
    """The greater one; NaN wins, of equal zeros the first."""
    return right if right > left or np.isnan(right) else left


def isnan(value: Any) -> Any:
    return np.isnan(value)


def isinf(value: Any) -> Any:
    return np.isinf(value)


def isfinite(value: Any) -> Any:
    return np.isfinite(value)


@machine_code(select, lambda condition, *arms: same(*arms) if condition == types.boolean else None)
def _select(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.select(*args)


@machine_code(minimum, same)
def _minimum(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _extreme(builder, "<", sig.return_type, *args)


@machine_code(maximum, same)
def _maximum(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _extreme(builder, ">", sig.return_type, *args)


def _extreme(builder: Any, comparison: str, number: Any, left: Any, right: Any) -> Any:
    if not isinstance(number, types.Float):
        return builder.select(builder.icmp_signed(comparison, right, left), right, left)
    better = builder.fcmp_ordered(comparison, right, left)
    return builder.select(builder.or_(better, builder.fcmp_unordered("uno", right, right)), right, left)


def _to_bool(value: Any) -> Any:
    return types.boolean if same_float(value) else None


@machine_code(isnan, _to_bool)
def _isnan(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.fcmp_unordered("uno", args[0], args[0])


@machine_code(isinf, _to_bool)
def _isinf(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    infinite = builder.fcmp_unordered("uno", *_twice(builder.fsub(args[0], args[0])))
    return builder.and_(infinite, builder.fcmp_ordered("ord", args[0], args[0]))


@machine_code(isfinite, _to_bool)
def _isfinite(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.fcmp_ordered("ord", *_twice(builder.fsub(args[0], args[0])))


def _twice(value: Any) -> tuple[Any, Any]:
    return value, value
