"""Random expressions of any shape, well typed or not: what must survive text, `repr` and JSON."""

from typing import Final

import numpy as np
from hypothesis import strategies as st

from iir.dtypes import INTEGERS, DType, numpy_dtype
from iir.expressions import (
    Binary,
    Call,
    Cast,
    Constant,
    Expr,
    FieldAccess,
    NativeFunction,
    Offset,
    Operator,
    ScalarRef,
    Select,
    Unary,
    UnaryOperator,
)
from iir.nodes import Axes, Declaration, FieldDecl, ScalarDecl, TemporaryDecl

NAMES: Final[dict[str, Declaration]] = {
    item.name: item
    for item in (
        FieldDecl("u", DType.FLOAT64),
        FieldDecl("start", DType.FLOAT32, Axes.IJ),
        FieldDecl("φ", DType.INT32, Axes.JK),
        FieldDecl("sqrt", DType.FLOAT64, Axes.K),
        TemporaryDecl("f64", DType.FLOAT64),
        ScalarDecl("call", DType.FLOAT64),
        ScalarDecl("n", DType.INT64),
    )
}


def _offsets(axes: str) -> st.SearchStrategy[Offset]:
    displacement = st.integers(-3, 3)
    return st.builds(Offset, *(displacement if axis in axes else st.just(0) for axis in "IJK"))


def _integers(dtype: DType) -> st.SearchStrategy[int]:
    limits = np.iinfo(numpy_dtype(dtype))
    return st.integers(int(limits.min), int(limits.max))


CONSTANTS: Final = st.one_of(
    st.builds(Constant, st.booleans(), st.just(DType.BOOL)),
    st.builds(Constant, st.floats(), st.just(DType.FLOAT64)),
    st.builds(Constant, st.floats(width=32), st.just(DType.FLOAT32)),
    *(st.builds(Constant, _integers(d), st.just(d)) for d in sorted(INTEGERS, key=lambda d: d.value)),
)
LEAVES: Final = st.one_of(
    CONSTANTS,
    *(
        st.just(ScalarRef(item.name))
        if isinstance(item, ScalarDecl)
        else st.builds(FieldAccess, st.just(item.name), _offsets(item.axes.value))
        for item in NAMES.values()
    ),
)


def _above(below: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.one_of(
        st.builds(Unary, st.sampled_from(UnaryOperator), below),
        st.builds(Binary, st.sampled_from(Operator), below, below),
        st.builds(Select, below, below, below),
        st.builds(Call, st.sampled_from(NativeFunction), st.lists(below, max_size=3).map(tuple)),
        st.builds(Cast, st.sampled_from(DType), below),
    )


EXPRESSIONS: Final = st.recursive(LEAVES, _above, max_leaves=12)
