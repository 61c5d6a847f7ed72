"""Temporaries that the user wants on the heap, from the declaration to the call."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Literal

import numpy as np
import pytest

import stencil as language
from backends.loopnest.stack_rules import Rule
from iir.parser import from_text
from iir.printer import to_text
from iir.serialize import from_json, to_json
from stencil import BACKWARD, FORWARD, IJ, PARALLEL, Field, computation, from_iir, function, heap, interval
from stencil import stencil as make
from stencil.stencil_object import StencilObject

Definition = Callable[..., None]


def point(u: Field[float], out: Field[float]) -> None:
    with computation(PARALLEL), interval(...):
        t: Field[float] = heap(2.0 * u)
        out = t + t


def neighbours(u: Field[float], out: Field[float]) -> None:
    with computation(PARALLEL), interval(...):
        t: Field[float] = heap(2.0 * u)
        out = t[1, 0, 0] - t[-1, 0, 0] + t[0, 1, 0]


def sweeps(u: Field[float], out: Field[float]) -> None:
    with computation(FORWARD):
        with interval(0, 1):
            t: Field[float] = heap(u)
        with interval(1, None):
            t = 0.5 * t[0, 0, -1] + u
    with computation(BACKWARD):
        with interval(-1, None):
            out = t
        with interval(0, -1):
            out = t - 0.25 * out[0, 0, 1]


def plane(u: Field[float], out: Field[float]) -> None:
    with computation(FORWARD):
        with interval(0, 1):
            t: Field[IJ, float] = heap(u)
        with interval(1, None):
            t += u
    with computation(PARALLEL), interval(...):
        out = t * u


def whole(u: Field[float], out: Field[float]) -> None:
    with computation(PARALLEL), interval(...):
        t: Field[float] = heap(2.0 * u)
    with computation(PARALLEL), interval(0, -1):
        out = t[1, 0, 0] + t[0, -1, 1]


KINDS: Final = ((point, "row"), (neighbours, "row"), (sweeps, "column"), (plane, "field"), (whole, "field"))
DEFINITIONS: Final = tuple(definition for definition, _ in KINDS)


def without_heap(definition: Definition, **options: Any) -> StencilObject:
    """The same stencil with ordinary temporaries."""
    ir = make(definition).iir
    temporaries = tuple(replace(item, on_heap=False) for item in ir.temporaries)
    return from_iir(replace(ir, temporaries=temporaries), **options)


def called(f: StencilObject, order: Literal["F", "C"] = "F") -> np.ndarray[Any, np.dtype[np.float64]]:
    values = np.random.default_rng(1).uniform(-1.0, 1.0, (13, 8, 6))
    u, out = np.array(values, order=order), np.zeros_like(values, order=order)
    f(u, out, origin=(1, 1, 0), domain=(11, 6, 6))
    return out


@pytest.mark.parametrize("order", ["F", "C"])
@pytest.mark.parametrize(
    "options",
    [
        {"backend": "reference"},
        {"parallel": False, "jit": False},
        {"parallel": True, "jit": False},
        {"parallel": False, "jit": False, "stack_arrays": False},
    ],
    ids=str,
)
@pytest.mark.parametrize("definition", DEFINITIONS)
def test_heap_changes_no_bits(
    definition: Definition, options: dict[str, Any], order: Literal["F", "C"]
) -> None:
    expected = called(without_heap(definition, backend="reference"), order)
    assert np.array_equal(called(make(**options)(definition), order), expected)


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("order", ["F", "C"])
def test_heap_changes_no_bits_of_compiled_kernels(order: Literal["F", "C"], parallel: bool) -> None:
    f = make(parallel=parallel)(sweeps)
    assert np.array_equal(called(f, order), called(without_heap(sweeps, backend="reference"), order))


@pytest.mark.parametrize(("definition", "kind"), KINDS)
def test_smallest_storage_that_is_memory_is_on_the_heap(definition: Definition, kind: str) -> None:
    found = make(definition).storage["t"]
    assert (found.kind, found.place, found.place_rule) == (kind, "heap", Rule.MUST_BE_HEAP.value)


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_heap_changes_neither_halo_nor_intents(definition: Definition) -> None:
    with_heap, without = make(definition), without_heap(definition)
    assert with_heap.halo == without.halo
    assert str(with_heap.intents) == str(without.intents)


def test_text_of_the_iir_tells_the_wish() -> None:
    f = make(backend="numba", parallel=False)(neighbours)
    assert to_text(f.iir) == (
        "stencil neighbours(u: f64[IJK], out: f64[IJK])\n"
        "  temporary t: f64[IJK] heap\n"
        "  multistage parallel\n"
        "    stage\n"
        "      do [start, end)\n"
        "        t = 2.0 * u\n"
        "        out = t[1, 0, 0] - t[-1, 0, 0] + t[0, 1, 0]\n"
    )
    assert "  temporary t: f64[IJK] heap  @ row\n" in to_text(f.scheduled)
    assert from_text(to_text(f.scheduled)) == f.scheduled
    assert from_json(to_json(f.scheduled)) == f.scheduled


def test_stored_stencil_keeps_its_memory() -> None:
    f = from_iir(to_text(make(neighbours).iir))
    assert f.storage["t"].place == "heap"


def test_value_is_assigned_where_the_declaration_stands() -> None:
    def positive(u: Field[float], out: Field[float]) -> None:
        with computation(PARALLEL), interval(...):
            if u > 0.0:
                t: Field[float] = heap(u)
            out = t

    with pytest.warns(language.StencilWarning, match="no statement has set it"):
        f = make(backend="reference")(positive)
    u, out = np.array([-3.0, 4.0]).reshape(2, 1, 1), np.ones((2, 1, 1))
    f(u, out)
    assert out.ravel().tolist() == [0.0, 4.0]


def test_dtype_is_that_of_the_declaration() -> None:
    def narrow(u: Field[float], out: Field[float]) -> None:
        with computation(PARALLEL), interval(...):
            t: Field[np.float32] = heap(u)
            out = 1.0 * t

    u, out = np.full((1, 1, 1), 0.1), np.zeros((1, 1, 1))
    make(backend="reference")(narrow)(u, out)
    assert out.item() == np.float32(0.1)


def test_each_call_of_a_function_has_memory_of_its_own() -> None:
    @function
    def smooth(q: Any) -> Any:
        if q > 0.5:
            return q
        t: Field[float] = heap()
        t = q * q
        return t

    def twice(u: Field[float], out: Field[float]) -> None:
        with computation(PARALLEL), interval(...):
            out = smooth(u) + smooth(u[0, 1, 0])

    f = make(parallel=False, jit=False)(twice)
    kept = [name for name, item in f.storage.items() if item.place_rule == Rule.MUST_BE_HEAP.value]
    assert kept == ["smooth_t", "smooth_t_2"]
    assert np.array_equal(called(f), called(make(backend="reference")(twice)))


def test_declaration_after_a_return_in_a_nested_branch_is_one_declaration() -> None:
    @function
    def limited(q: Any) -> Any:
        if q > 0.0:
            if q > 0.5:
                return 0.5
        t: Field[float] = heap(2.0 * q)
        return t

    def f(u: Field[float], out: Field[float]) -> None:
        with computation(PARALLEL), interval(...):
            out = limited(u)

    u, out = np.array([-1.0, 0.25, 2.0]).reshape(3, 1, 1), np.zeros((3, 1, 1))
    make(backend="reference")(f)(u, out)
    assert out.ravel().tolist() == [-2.0, 0.5, 0.5]


def test_what_nobody_reads_is_not_computed() -> None:
    def unread(u: Field[float], out: Field[float]) -> None:
        with computation(PARALLEL), interval(...):
            t: Field[float] = heap(u)
            out = u

    with pytest.warns(language.StencilWarning, match="never read"):
        f = make(unread)
    assert (f.storage["t"].kind, f.storage["t"].place) == ("none", None)


def test_parameter_may_be_called_heap() -> None:
    def named(heap: Field[float], out: Field[float]) -> None:
        with computation(PARALLEL), interval(...):
            t: Field[float] = heap[1, 0, 0]
            out = t

    assert not make(named).iir.temporaries[0].on_heap


def test_module_may_stand_before_heap() -> None:
    def named(u: Field[float], out: Field[float]) -> None:
        with computation(PARALLEL), interval(...):
            t: Field[float] = language.heap(u)
            out = t

    assert make(named).iir.temporaries[0].on_heap


def test_heap_means_nothing_outside_a_stencil() -> None:
    with pytest.raises(language.StencilError, match="means something inside a stencil only"):
        heap(1.0)
