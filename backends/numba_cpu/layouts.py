"""Which loops suit the arrays of a call."""

from collections.abc import Sequence

from backends.base import CallShape
from backends.loopnest.layout import Layout
from iir.dtypes import numpy_dtype
from iir.nodes import FieldDecl
from iir.schedule import Axis


def suitable_layout(fields: Sequence[FieldDecl], shape: CallShape, threads: int) -> Layout:
    """The layout for calls of *shape* that *threads* share.

    Innermost loops go along the axis that lies closest in memory and has more than one point.
    """
    sizes = dict(zip(Axis, shape.domain, strict=True))
    steps = {axis: _steps(axis, fields, shape) for axis in Axis}
    units = [axis for axis in Axis if set(steps[axis]) <= {1}]
    unit = max(units, key=lambda axis: sizes[axis], default=None)
    long = [axis for axis in Axis if sizes[axis] > 1] or [*Axis]
    lanes = unit if unit in long else min(long, key=lambda axis: sum(map(abs, steps[axis])))
    return Layout(unit, lanes, is_flat=lanes is not Axis.K and sizes[Axis.K] < threads)


def _steps(axis: Axis, fields: Sequence[FieldDecl], shape: CallShape) -> tuple[float, ...]:
    """How far apart neighbours on *axis* are, in elements; fields without neighbours do not count."""
    return tuple(
        own.strides[at] / numpy_dtype(field.dtype).itemsize
        for field, own in zip(fields, shape.fields, strict=True)
        if (at := field.axes.value.find(axis.value.upper())) >= 0 and own.shape[at] != 1
    )
