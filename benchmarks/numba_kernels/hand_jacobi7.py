"""jacobi7 by hand: plain, or with the leading plane prefetched and the result streamed past the caches."""

from typing import Any, Final

import numpy as np

from backends.writer import Writer
from benchmarks.numba_kernels.decorators import compiled
from benchmarks.numba_kernels.intrinsics import LINE, fence, prefetch, shift, stack_array, stream_row
from tests.catalogue import DTypeLike

AHEAD: Final = 2
LONGEST: Final = 1032
"""Of a row, since its buffer is on the stack."""
CHUNKS: Final = 8
"""Parts that threads take."""

DRIVERS: Final = f"""
@serial
def run(a, out, nj, ni):
    for first in range(1, nj - 1, height):
        for k in range(1, a.shape[0] - 1):
            plane(a, out, k, first, min(first + height, nj - 1), ni)

@parallel
def run_parallel(a, out, nj, ni):
    nk = a.shape[0] - 2
    for chunk in prange({CHUNKS}):
        for first in range(1, nj - 1, height):
            for k in range(1 + chunk * nk // {CHUNKS}, 1 + (chunk + 1) * nk // {CHUNKS}):
                plane(a, out, k, first, min(first + height, nj - 1), ni)
"""


def hand_jacobi7(dtype: DTypeLike, *, streams: bool, height: int) -> tuple[Any, Any]:
    """Serial and parallel function of (a, out, nj, ni), on whole arrays ``a[k, j, i]`` with a halo of 1.

    Planes are worked on in blocks of *height* rows.
    """
    w = Writer()
    with w.block("@serial\ndef plane(a, out, k, first, last, ni):"):
        w.line(f"if ni < 3 or ni > {LONGEST} or first < 1 or last > {1 << 30}: return")
        w.line("a = shift(a, k - 1, 0, 0); out = shift(out, k, 0, 0); row = new_row()")
        with w.block("for j in range(first, last):"):
            if streams:
                with w.block(f"for i in range(0, ni, {LINE // np.dtype(dtype).itemsize}):"):
                    w.line(f"prefetch(a, 2, j + {AHEAD}, i)")
            with w.block("for i in range(1, ni - 1):"):
                around = "a[1, j, i] + a[1, j, i - 1] + a[1, j, i + 1] + a[1, j - 1, i] + a[1, j + 1, i]"
                target = "row[i - 1]" if streams else "out[0, j, i]"
                w.line(f"{target} = ({around} + a[0, j, i] + a[2, j, i]) * seventh")
            if streams:
                w.line("stream_row(out, 0, j, 1, row, ni - 2)")
        if streams:
            w.line("fence()")
    names = {
        "seventh": dtype(1 / 7),
        "height": height,
        "new_row": stack_array((LONGEST,), dtype),
        "shift": shift,
        "prefetch": prefetch,
        "stream_row": stream_row,
        "fence": fence,
    }
    run, run_parallel = compiled(w.text + DRIVERS, names, "run", "run_parallel")
    return run, run_parallel
