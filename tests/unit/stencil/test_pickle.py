"""Stencils are pickled and copied as functions are."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

from stencil import StencilError
from tests.unit.stencil import pickled_stencils
from tests.unit.stencil.pickled_stencils import (
    Model,
    as_plain_python,
    double,
    quadruple,
    result,
    textual,
)

GLOBALS = [double, Model.triple, quadruple, as_plain_python, textual]


@pytest.mark.parametrize("f", GLOBALS, ids=str)
def test_stencil_at_the_top_of_a_module_is_found_again(f: Any) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(f, protocol)) is f


def test_stencils_go_to_processes_that_start_afresh() -> None:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(result, [*GLOBALS, double.freeze(domain=(1, 1, 1))], [1.0] * 6))
    assert found == [[2.0, 2.0], [3.0, 3.0], [4.0, 4.0], [2.0, 2.0], [1.0, 1.0], [2.0, 0.0]]


def test_copies_of_a_stencil_are_the_stencil() -> None:
    for f in (double, double.with_options(jit=False)):
        assert copy.copy(f) is f and copy.deepcopy(f) is f
        assert copy.deepcopy({"step": f})["step"] is f


def test_frozen_stencil_is_copied_with_its_domain_and_origin() -> None:
    frozen = double.freeze(domain=(1, 1, 1), origin={"u": (0, 0, 1), "_all_": (0, 0, 0)})
    for other in (copy.copy(frozen), copy.deepcopy(frozen), pickle.loads(pickle.dumps(frozen))):
        assert repr(other) == repr(frozen)
        assert result(other, 3.0) == result(frozen, 3.0) == [6.0, 0.0]


@pytest.mark.parametrize(
    "f", [double.with_options(jit=False), double.with_options(jit=False).freeze()], ids=["bare", "frozen"]
)
def test_stencil_that_no_module_holds_cannot_be_pickled(f: Any) -> None:
    with pytest.raises(StencilError) as caught:
        pickle.dumps(f)
    assert str(caught.value) == (
        f"Stencil 'double' cannot be pickled, as it is no global of module '{pickled_stencils.__name__}'. "
        "[pickle]\n"
        "  note: A stencil is pickled like a function: by its module and name.\n"
        "  hint: Define it, or give it a name, at the top level of a module."
    )
