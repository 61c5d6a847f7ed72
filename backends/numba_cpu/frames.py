"""How much of a thread's stack kernels take."""

from math import prod

from backends.numba_cpu.interface import Workspace
from backends.workspace import LINE
from iir.dtypes import numpy_dtype
from iir.schedule import Axis


def frame_bytes(frames: tuple[tuple[Workspace, ...], ...], domain: tuple[int, int, int]) -> int:
    """What the arrays of the largest of *frames* take in a call for *domain*; kernels run one by one."""
    sizes = dict(zip(Axis, domain, strict=True))
    return max((sum(_bytes(item, sizes) for item in frame) for frame in frames), default=0)


def _bytes(item: Workspace, sizes: dict[Axis, int]) -> int:
    """Rows are padded to whole lines, and one line more lets the array begin anywhere."""
    lengths = [max(0, more + (sizes[axis] if axis else 0)) for axis, more in item.sizes]
    row = lengths.pop(item.fastest) * numpy_dtype(item.dtype).itemsize
    return -(-row // LINE) * LINE * prod(lengths) + LINE
