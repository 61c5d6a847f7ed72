"""Shares of a loop."""

from typing import Any

from numba import types
from numba.core.typing.templates import signature

from backends.numba_cpu.runtime.machine_code import machine_code


def cut(start: int, stop: int, chunk: int, chunks: int) -> int:
    """Where chunk number *chunk* begins when ``[start, stop)`` is cut into *chunks*; never before *start*."""
    return start + max(0, stop - start) * chunk // chunks


@machine_code(cut, lambda *arguments: signature(types.intp, *(types.intp,) * 4))
def _cut(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    start, stop, chunk, chunks = args
    zero = start.type(0)
    length = builder.sub(stop, start)
    length = builder.select(builder.icmp_signed("<", length, zero), zero, length)
    return builder.add(start, builder.sdiv(builder.mul(length, chunk), chunks))
