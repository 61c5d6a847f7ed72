"""How much of a thread's stack kernels take."""

from collections.abc import Iterable
from math import prod

from backends.numba_cpu.interface import Frame, Workspace
from backends.workspace import LINE
from iir.dtypes import numpy_dtype
from iir.schedule import Axis


def exceed_budget(frames: Iterable[Frame], domain: tuple[int, int, int]) -> bool:
    """Whether one of *frames* takes more than it may in a call for *domain*; kernels run one by one."""
    return any(frame_bytes(frame, domain) > frame.budget for frame in frames)


def frame_bytes(frame: Frame, domain: tuple[int, int, int]) -> int:
    """What the arrays of *frame*, which are there together, take in a call for *domain*."""
    sizes = dict(zip(Axis, domain, strict=True))
    return sum(_bytes(item, sizes) for item in frame.arrays)


def _bytes(item: Workspace, sizes: dict[Axis, int]) -> int:
    """Rows are padded to whole lines, and one line more lets the array begin anywhere."""
    lengths = [max(0, more + (sizes[axis] if axis else 0)) for axis, more in item.sizes]
    row = lengths.pop(item.fastest) * numpy_dtype(item.dtype).itemsize
    return -(-row // LINE) * LINE * prod(lengths) + LINE
