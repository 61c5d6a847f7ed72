"""Which loops suit the arrays of a call."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from backends.base import CallShape, FieldLayout, Options
from backends.loopnest.layout import Layout
from backends.workspace import LINE, SET_PERIOD
from iir.dtypes import numpy_dtype
from iir.nodes import FieldDecl
from iir.schedule import Axis

STRIPS: Final = (32, 64, 128)
"""Lanes of strips of a constant length that may be measured."""
STRIP_BYTES: Final = 256
"""Length of the strips of which rows consist, if they do. Measured on a vertical advection: in float64 such
strips take 0.8 to 0.9 of the time of twice as long ones, and a constant length 0.9 of any other."""
WHOLE: Final = 16
"""Where rows have a multiple of so many lanes, loops over them are compiled without a rest. Measured: hdiff
and Jacobi iterations take 0.91 to 0.98 of the time."""
LONG_STRIP: Final = 128
"""Lanes of strips where levels compete for the same lines of a cache, which then does not hold a strip long.
Measured: a tridiagonal system takes 0.8 of the time of strips of 256 bytes."""


def suitable_layout(fields: Sequence[FieldDecl], shape: CallShape, threads: int, options: Options) -> Layout:
    """The layout for calls of *shape* that *threads* share.

    Innermost loops go along the axis that lies closest in memory and has more than one point.
    """
    sizes = dict(zip(Axis, shape.domain, strict=True))
    steps = {axis: _steps(axis, fields, shape) for axis in Axis}
    units = [axis for axis in Axis if set(steps[axis]) <= {1}]
    unit = max(units, key=lambda axis: sizes[axis], default=None)
    long = [axis for axis in Axis if sizes[axis] > 1] or [*Axis]
    lanes = unit if unit in long else min(long, key=lambda axis: sum(map(abs, steps[axis])))
    size = sum(_bytes(field, own) for field, own in zip(fields, shape.fields, strict=True))
    is_spread = all(map(_is_spread, fields, shape.fields))
    prefetches = unit is lanes and size >= options.prefetch_from
    # To stream rows that share lines, or that drive each other out of the cache, takes longer.
    may_stream = unit is lanes and (is_spread or options.stream_from == 0)
    streams = may_stream and size >= options.stream_from
    return Layout(
        unit,
        lanes,
        is_flat=lanes is not Axis.K and sizes[Axis.K] < threads,
        prefetches=prefetches,
        streams=streams,
        whole=WHOLE if unit is lanes is not Axis.K and sizes[lanes] % WHOLE == 0 else None,
        # Only with these do blocks pay.
        block=_block(lanes, fields, shape, options.block_bytes) if prefetches and streams else None,
        strip=_strip(fields, sizes[lanes], is_spread=is_spread) if unit is lanes is not Axis.K else None,
    )


def _strip(fields: Sequence[FieldDecl], lanes: int, *, is_spread: bool) -> int | None:
    """Lanes of the strips of which rows of so many *lanes* consist; None if they do not."""
    if not is_spread and lanes % LONG_STRIP == 0:
        return LONG_STRIP
    strip = STRIP_BYTES // _largest_item(fields)
    return strip if lanes % strip == 0 else None


def variants(layout: Layout, lanes: int = 1) -> tuple[Layout, ...]:
    """*layout*, then others for the same arrays and rows of so many *lanes*: all that differ in how rows
    are fetched and stored, those with other strips of which rows consist, and without blocks of rows."""
    if layout.unit is not layout.lanes:
        return (layout,)
    ways = product((False, True), repeat=2)
    others = (replace(layout, prefetches=prefetches, streams=streams) for prefetches, streams in ways)
    strips = (replace(layout, strip=strip) for strip in STRIPS if lanes % strip == 0)
    return tuple(dict.fromkeys((layout, *others, *strips, replace(layout, block=None))))


def _block(lanes: Axis, fields: Sequence[FieldDecl], shape: CallShape, most: int) -> int | None:
    """How many rows of a field have at most so many bytes; None if all have.

    Powers of two, so that domains of similar sizes share a kernel.
    """
    if lanes is Axis.K:
        return None
    sizes = dict(zip(Axis, shape.domain, strict=True))
    row = sizes[lanes] * _largest_item(fields)
    block = 1 << max(1, most // row).bit_length() - 1
    return block if block < sizes[Axis.J if lanes is Axis.I else Axis.I] else None


def _largest_item(fields: Sequence[FieldDecl]) -> int:
    """Bytes; of a stencil without fields, 1."""
    return max((numpy_dtype(field.dtype).itemsize for field in fields), default=1)


def _bytes(field: FieldDecl, layout: FieldLayout) -> int:
    return math.prod(layout.shape) * numpy_dtype(field.dtype).itemsize


def _is_spread(field: FieldDecl, layout: FieldLayout) -> bool:
    """Whether rows begin in lines of their own, and levels do not compete for the same lines of a cache."""
    item = numpy_dtype(field.dtype).itemsize
    rows, levels = ([*sorted(stride for stride in layout.strides if stride != item), 0, 0])[:2]
    return rows % LINE == 0 and (levels == 0 or levels % SET_PERIOD != 0)


def _steps(axis: Axis, fields: Sequence[FieldDecl], shape: CallShape) -> tuple[float, ...]:
    """How far apart neighbours on *axis* are, in elements; fields without neighbours do not count."""
    return tuple(
        own.strides[at] / numpy_dtype(field.dtype).itemsize
        for field, own in zip(fields, shape.fields, strict=True)
        if (at := field.axes.value.find(axis.value.upper())) >= 0 and own.shape[at] != 1
    )
