"""What kernels are measured on: a stencil of the catalogue, a domain, a dtype, and arrays of two kinds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from iir.analyses.intents import Intent
from stencil import from_array, stencil
from tests.catalogue import CATALOGUE, Domain, DTypeLike, Entry

KERNELS: Final = (
    "hdiff",
    "vadv",
    "tridiagonal",
    "jacobi7",
    "box_filter",
    "upwind",
    "smagorinsky",
    "kessler",
    "dynamical_core",
)
DOMAINS: Final[tuple[Domain, ...]] = ((64, 64, 80), (128, 128, 80), (256, 256, 80))
DTYPES: Final[Mapping[str, DTypeLike]] = {"float64": np.float64, "float32": np.float32}


class Layout(Enum):
    """Where the fields lie."""

    OURS = "our arrays"
    TIGHT = "tight arrays"


@dataclass(frozen=True, slots=True)
class Case:
    """A kernel on a domain."""

    kernel: str
    domain: Domain
    dtype: DTypeLike

    @property
    def entry(self) -> Entry:
        return CATALOGUE[self.kernel]

    @property
    def dtype_name(self) -> str:
        return np.dtype(self.dtype).name

    @property
    def label(self) -> str:
        return f"{self.kernel} {self.dtype_name} {domain_text(self.domain)}"


@dataclass(frozen=True, slots=True)
class Traffic:
    """Which fields a kernel has to read and to write, whatever it does between."""

    read: tuple[str, ...]
    written: tuple[str, ...]

    @property
    def in_place(self) -> tuple[str, ...]:
        return tuple(name for name in self.read if name in self.written)


@dataclass(frozen=True, slots=True)
class Arguments:
    """Arguments in memory of their own, and what fields that are changed in place held at first."""

    values: Mapping[str, Any]
    origin: tuple[int, int, int]
    initial: Mapping[str, npt.NDArray[Any]] = field(repr=False)

    def restore(self) -> None:
        for name, start in self.initial.items():
            self.values[name][...] = start

    def fields(self) -> Iterator[tuple[str, npt.NDArray[Any]]]:
        for name, value in self.values.items():
            if isinstance(value, np.ndarray):
                yield name, value


def domain_text(domain: Domain) -> str:
    return "x".join(map(str, domain))


def traffic(case: Case) -> Traffic:
    """By the intents of the stencil."""
    intents = stencil(backend="reference")(case.entry.define(case.dtype)).intents
    found = {name: row.intent for name, row in intents.items()}
    return Traffic(
        tuple(name for name, intent in found.items() if intent in (Intent.IN, Intent.INOUT)),
        tuple(name for name, intent in found.items() if intent not in (Intent.IN, Intent.NONE)),
    )


def arguments(case: Case, layout: Layout) -> Arguments:
    """The same values for both layouts; all fields with the halo of the stencil."""
    values = case.entry.arguments(case.domain, case.dtype)
    if layout is Layout.OURS:
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                values[name] = from_array(value, halo=case.entry.halo)
    initial = {name: values[name].copy(order="F") for name in traffic(case).in_place}
    i, j, k = (low for low, _ in case.entry.halo)
    return Arguments(values, (i, j, k), initial)
