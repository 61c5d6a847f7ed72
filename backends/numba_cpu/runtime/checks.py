"""Records of failed checks: kernels never raise, the caller of the driver does."""

from typing import Any, Final

import numpy as np
from numba import types
from numba.core.typing.templates import signature

from backends.numba_cpu.runtime.machine_code import machine_code

KEY: Final = 5
VALUES: Final = 4
RECORD: Final = 1 + KEY + VALUES
"""A record is (number of the check from 1, or 0 for none; canonical key; bits of the values)."""


def bits(value: Any) -> Any:
    """A number as 64 bits: floats in double precision, integers and bools as they are."""
    if isinstance(value, float | np.floating):
        return np.float64(value).view(np.int64)
    return np.int64(value)


def report(records: Any, chunk: int, number: int, key: tuple[int, ...], values: tuple[Any, ...]) -> None:
    """Keep the failure in the chunk's record unless one with a smaller key is there."""
    record = records[chunk]
    for at in range(KEY):
        if record[0] == 0 or key[at] < record[1 + at]:
            break
        if key[at] > record[1 + at]:
            return
    record[0] = number
    for at in range(KEY):
        record[1 + at] = key[at]
    for at in range(len(values)):
        record[1 + KEY + at] = values[at]


def _report_signature(records: Any, *arguments: Any) -> Any:
    key, values = types.UniTuple(types.int64, KEY), types.UniTuple(types.int64, VALUES)
    return signature(types.none, records, types.intp, types.intp, key, values)


@machine_code(bits, lambda value: types.int64)
def _bits(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    (kind,), (value,) = sig.args, args
    if isinstance(kind, types.Float):
        wide = context.cast(builder, value, kind, types.float64)
        return builder.bitcast(wide, context.get_value_type(types.int64))
    return context.cast(builder, value, kind, types.int64)


@machine_code(report, _report_signature)
def _report(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.compile_internal(builder, report, sig, args)
