"""The platform libm through ctypes."""

import math

import numpy as np
import pytest

from backends.libm import LIBM_NAMES, libm_function
from iir.dtypes import DType


def test_double_precision_is_what_python_itself_calls() -> None:
    values = np.random.default_rng(0).uniform(0.1, 3.0, 200).tolist()
    for name in ("exp", "log", "sin", "tanh", "erf"):
        assert [libm_function(name, DType.FLOAT64)(x) for x in values] == [
            getattr(math, name)(x) for x in values
        ]


@pytest.mark.parametrize("name", sorted({*LIBM_NAMES.values(), "pow"}))
def test_single_precision_is_close_and_representable(name: str) -> None:
    arguments = (0.75, 0.75) if name in ("pow", "atan2") else (1.25,) if name == "acosh" else (0.75,)
    single = libm_function(name, DType.FLOAT32)(*arguments)
    assert single == float(np.float32(single))
    assert single == pytest.approx(libm_function(name, DType.FLOAT64)(*arguments), rel=1e-6)


def test_integers_have_no_libm() -> None:
    with pytest.raises(ValueError, match="libm has no 'exp' for"):
        libm_function("exp", DType.INT32)
