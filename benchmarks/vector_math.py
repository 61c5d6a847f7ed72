"""``python -m benchmarks.vector_math [--samples N]``: errors and speed of ``math="vector"``.

Errors are those against mpmath, in units in the last place (ulp) of the exact result, where results are
subnormal in units of the smallest number. Half of that is what no function can do without.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import mpmath
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from backends.vector_math.functions import FUNCTIONS
from backends.vector_math.on_arrays import on_arrays
from backends.vector_math.power import power
from iir.expressions import NativeFunction
from stencil import PARALLEL, Field, computation, exp, interval, log, stencil, tanh

Numbers: TypeAlias = npt.NDArray[Any]
Arguments: TypeAlias = tuple[Numbers, ...]

DTYPES: Final = (np.float64, np.float32)
PRECISION: Final = 160
"""Bits that mpmath computes with."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A function, what is exact, a stencil that calls it, and the *target* for the error.

    *samples* are arrays of arguments, by what they are chosen for; *typical* is one more, to measure speed.
    """

    function: Callable[..., Any]
    exact: Callable[..., Any]
    definition: Callable[..., Any]
    target: float
    samples: Callable[[Any, int, np.random.Generator], Mapping[str, Arguments]]


def any_numbers(dtype: Any, count: int, random: np.random.Generator) -> Numbers:
    """Finite numbers whose bits are random: all exponents are equally likely, subnormal numbers too."""
    bits = np.dtype(f"u{np.dtype(dtype).itemsize}")
    numbers = random.integers(0, np.iinfo(bits).max, count, dtype=bits.type, endpoint=True).view(dtype)
    return np.asarray(np.where(np.isfinite(numbers), numbers, dtype(1.5)))


def near_one(dtype: Any, count: int, random: np.random.Generator) -> Numbers:
    distance = 2.0 ** random.uniform(-np.finfo(dtype).nmant, -1, count)
    return np.asarray(1.0 + random.choice([-1.0, 1.0], count) * distance, dtype)


def exp_samples(dtype: Any, count: int, random: np.random.Generator) -> Mapping[str, Arguments]:
    lowest, smallest, highest = _exponents(dtype) * np.log(2.0)
    spans = {
        "all results": (lowest - 1, highest + 1),
        "near 0": (-1.0, 1.0),
        "subnormal results": (lowest - 1, smallest),
        "near overflow": (highest * 0.99, highest + 0.01),
    }
    samples = {name: random.uniform(*span, count).astype(dtype) for name, span in spans.items()}
    return {name: (x,) for name, x in (samples | {"all numbers": any_numbers(dtype, count, random)}).items()}


def log_samples(dtype: Any, count: int, random: np.random.Generator) -> Mapping[str, Arguments]:
    samples = {
        "all numbers": np.abs(any_numbers(dtype, count, random)),
        "0.5 to 2": random.uniform(0.5, 2.0, count).astype(dtype),
        "near 1": near_one(dtype, count, random),
        "subnormal numbers": random.uniform(0.0, np.finfo(dtype).tiny, count).astype(dtype),
    }
    return {name: (x,) for name, x in samples.items()}


def tanh_samples(dtype: Any, count: int, random: np.random.Generator) -> Mapping[str, Arguments]:
    samples = {
        "all numbers": any_numbers(dtype, count, random),
        "-1 to 1": random.uniform(-1.0, 1.0, count).astype(dtype),
        "0.4 to 0.7": random.uniform(0.4, 0.7, count).astype(dtype),
        "near saturation": random.uniform(1.0, 22.0, count).astype(dtype),
    }
    return {name: (x,) for name, x in samples.items()}


def pow_samples(dtype: Any, count: int, random: np.random.Generator) -> Mapping[str, Arguments]:
    lowest, smallest, highest = _exponents(dtype)
    positive = np.abs(any_numbers(dtype, count, random))

    def with_results(x: Numbers, start: float, stop: float) -> Arguments:
        """*x* and exponents for results between two powers of two."""
        with np.errstate(all="ignore"):
            y = random.uniform(start, stop, count) / np.log2(np.abs(x).astype(np.float64))
        return x, np.where(np.isfinite(y), y, 0.5).astype(dtype)

    whole = random.integers(-20, 20, count).astype(dtype)
    return {
        "all results": with_results(positive, lowest - 1, highest + 1),
        "subnormal results": with_results(positive, lowest - 1, smallest),
        "near overflow": with_results(positive, highest * 0.99, highest + 0.01),
        "base near 1": with_results(near_one(dtype, count, random), lowest - 1, highest + 1),
        "base 0.5 to 2": with_results(random.uniform(0.5, 2.0, count).astype(dtype), lowest, highest),
        "all numbers": (positive, any_numbers(dtype, count, random)),
        "0.1 to 10, -3 to 3": (
            random.uniform(0.1, 10.0, count).astype(dtype),
            random.uniform(-3.0, 3.0, count).astype(dtype),
        ),
        "negative bases": (-(2.0 ** random.uniform(-50, 50, count)).astype(dtype), whole),
    }


def _exponents(dtype: Any) -> Numbers:
    """Binary exponents of the smallest number, of the smallest normal one, and beyond the largest."""
    limits = np.finfo(dtype)
    return np.array([limits.minexp - limits.nmant, limits.minexp, limits.maxexp], float)


def errors(measured: Measured, arguments: Arguments) -> Numbers:
    """The error of each result in ulp."""
    results = on_arrays(measured.function, *arguments)
    with mpmath.workprec(PRECISION):
        return np.array(
            [
                _error(result.item(), measured.exact(*map(mpmath.mpf, point)), results.dtype)
                for result, *point in zip(results, *(item.tolist() for item in arguments), strict=True)
            ]
        )


def _error(result: float, exact: Any, dtype: Any) -> float:
    limits = np.finfo(dtype)
    if exact == 0:
        return 0.0 if result == 0.0 else np.inf
    exponent = min(max(mpmath.frexp(exact)[1] - 1, limits.minexp), limits.maxexp)
    # Infinity stands for the number that would follow the largest one.
    if np.isinf(result):
        if abs(exact) >= mpmath.ldexp(1, limits.maxexp) and (result > 0) == (exact > 0):
            return 0.0
        result = mpmath.ldexp(1, limits.maxexp) * (1 if result > 0 else -1)
    return float(abs(result - exact) / mpmath.ldexp(1, exponent - limits.nmant))


def call_exp(x: "Field[real]", out: "Field[real]"):  # type: ignore[name-defined,no-untyped-def]  # a name for the stencil
    with computation(PARALLEL), interval(...):
        out = exp(x)


def call_log(x: "Field[real]", out: "Field[real]"):  # type: ignore[name-defined,no-untyped-def]  # a name for the stencil
    with computation(PARALLEL), interval(...):
        out = log(x)


def call_tanh(x: "Field[real]", out: "Field[real]"):  # type: ignore[name-defined,no-untyped-def]  # a name for the stencil
    with computation(PARALLEL), interval(...):
        out = tanh(x)


def call_pow(x: "Field[real]", y: "Field[real]", out: "Field[real]"):  # type: ignore[name-defined,no-untyped-def]  # a name for the stencil
    with computation(PARALLEL), interval(...):
        out = x**y


MEASURED: Final[Mapping[str, Measured]] = MappingProxyType(
    {
        "exp": Measured(FUNCTIONS[NativeFunction.EXP], mpmath.exp, call_exp, 1.0, exp_samples),
        "log": Measured(FUNCTIONS[NativeFunction.LOG], mpmath.log, call_log, 1.0, log_samples),
        "tanh": Measured(FUNCTIONS[NativeFunction.TANH], mpmath.tanh, call_tanh, 2.5, tanh_samples),
        "pow": Measured(power, mpmath.power, call_pow, 2.0, pow_samples),
    }
)


def speeds(measured: Measured, dtype: Any, repeats: int) -> tuple[float, float]:
    """Nanoseconds a point on one core, with libm and with ``math="vector"``, where fields fit into L2."""
    random = np.random.default_rng(1)
    shape = (256, 32, 4)
    bounds = ((0.1, 10.0), (-3.0, 3.0))[: len(signature(measured.definition).parameters) - 1]
    fields = [np.asfortranarray(random.uniform(*span, shape).astype(dtype)) for span in bounds]
    out = np.zeros(shape, dtype, order="F")
    calls = {
        math: stencil(parallel=False, math=math, dtypes={"real": dtype})(measured.definition).freeze(
            domain=shape, origin=(0, 0, 0)
        )
        for math in ("libm", "vector")
    }
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats + 3):
        for name, call in calls.items():
            start = time.thread_time()
            call(*fields, out)
            seconds[name].append(time.thread_time() - start)
    # The first calls compile, and what interrupts others only adds to them.
    libm, vector = (min(seconds[name][3:]) / out.size * 1e9 for name in ("libm", "vector"))
    return libm, vector


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vector_math", description=__doc__)
    parser.add_argument("functions", nargs="*", help=f"{', '.join(MEASURED)} (default: all)")
    parser.add_argument(
        "--samples", type=int, default=100_000, help="arguments of each kind (default: 100,000)"
    )
    parser.add_argument("--repeats", type=int, default=101, help="timed calls (default: 101)")
    options = parser.parse_args(arguments)
    table = Table(title="math='vector'", title_justify="left")
    for heading in ("function", "dtype", "largest error", "target", "arguments", "libm", "vector", "ratio"):
        table.add_column(heading, justify="left" if heading in ("function", "dtype") else "right")
    for name in options.functions or MEASURED:
        measured = MEASURED[name]
        for dtype in DTYPES:
            table.add_row(name, dtype.__name__, *_row(measured, dtype, options.samples, options.repeats))
    console = Console()
    console.width = max(console.width, 120)
    console.print(table)


def _row(measured: Measured, dtype: Any, count: int, repeats: int) -> Iterator[str]:
    samples = measured.samples(dtype, count, np.random.default_rng(0))
    worst = {name: errors(measured, arguments).max() for name, arguments in samples.items()}
    kind = max(worst, key=worst.__getitem__)
    libm, vector = speeds(measured, dtype, repeats)
    yield f"{worst[kind]:.2f} ulp ({kind})"
    yield f"{measured.target:g} ulp"
    yield f"{count * len(samples):,}"
    yield f"{libm:.2f} ns"
    yield f"{vector:.2f} ns"
    yield f"{libm / vector:.1f}"


if __name__ == "__main__":
    main()
