"""Tables of the kernels, the targets, and what the compiler decided."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import geometric_mean
from typing import Final

from benchmarks.candidate import Group
from benchmarks.cases import Layout
from benchmarks.comparisons import Comparisons
from benchmarks.our_kernels import VARIANTS, decisions
from benchmarks.report import Cell, Matrix, Section

HEADINGS: Final = (
    "kernel",
    "ours, ms",
    "tight, ms",
    "best Fortran",
    "ms",
    "ratio",
    "tight ratio",
    "/ hand",
    "/ floor",
    "naive /",
    "NumPy /",
    "GT4Py /",
)
LEGEND: Final = (
    "ours: on arrays of our allocators; ratio: over the best Fortran on either arrays; tight: both there.",
    "hand: hand-written Numba; floor: the streaming floor; naive Numba, NumPy, GT4Py: their time over ours.",
)

TARGET_KERNELS: Final = ("hdiff", "vadv", "tridiagonal", "jacobi7")
FLOORS: Final = {"jacobi7": 1.2, "tridiagonal": 1.4, "hdiff": 1.75, "vadv": 1.9}


@dataclass(frozen=True, slots=True)
class Target:
    """A bound on each ratio of ours to those of *group*, and on their geometric mean."""

    what: str
    cores: str
    group: Group
    ours: Layout
    theirs: Layout | None
    each: float
    mean: float | None = None
    domain: str | None = None


TARGETS: Final = (
    Target("best Fortran, our arrays", "one core", Group.FORTRAN, Layout.OURS, None, 0.95, 0.65),
    Target("best Fortran, tight arrays", "one core", Group.FORTRAN, Layout.TIGHT, Layout.TIGHT, 1.1, 0.9),
    Target("best OpenMP Fortran, our arrays", "all cores", Group.FORTRAN, Layout.OURS, None, 0.95, 0.75),
    Target("GT4Py's fastest back end", "one core", Group.GT4PY, Layout.OURS, None, 0.3, domain="128x128x80"),
    Target("best hand-written Numba", "one core", Group.HAND, Layout.OURS, None, 1.05),
)


def kernel_sections(found: Sequence[Comparisons]) -> Iterator[Section]:
    for cores in dict.fromkeys(comparisons.case[3] for comparisons in found):
        rows = tuple(_row(comparisons) for comparisons in found if comparisons.case[3] == cores)
        yield Section(
            f"Kernels on {cores}", matrix=Matrix(HEADINGS, rows, ("kernel", "best Fortran")), notes=LEGEND
        )
    variants = tuple(_variants(found))
    if variants:
        yield Section("With vector functions", variants)
    yield Section("Targets", tuple(_targets(found)))
    yield Section("What the compiler decided, in float64", notes=tuple(_decisions(found)))


def _row(c: Comparisons) -> tuple[str, ...]:
    ours, tight = c.seconds(c.ours(Layout.OURS)), c.seconds(c.ours(Layout.TIGHT))
    fortran = c.best(Group.FORTRAN)

    def text(value: float | None) -> str:
        return "" if value is None else f"{value:.2f}"

    def over(group: Group) -> str:
        ratio = c.ratio(group, Layout.OURS)
        return "" if ratio is None else f"{1 / ratio:.1f}"

    return (
        " ".join(c.case[:3]),
        f"{ours * 1e3:.3f}",
        f"{tight * 1e3:.3f}",
        "" if fortran is None else f"{fortran.name}, {fortran.layout.split()[0]}",
        "" if fortran is None else f"{c.seconds(fortran) * 1e3:.3f}",
        text(c.ratio(Group.FORTRAN, Layout.OURS)),
        text(c.ratio(Group.FORTRAN, Layout.TIGHT, Layout.TIGHT)),
        text(c.ratio(Group.HAND, Layout.OURS)),
        text(c.ratio(Group.FLOOR, Layout.OURS)),
        over(Group.NAIVE),
        over(Group.NUMPY),
        over(Group.GT4PY),
    )


def _variants(found: Sequence[Comparisons]) -> Iterator[Cell]:
    for c in found:
        for variant in VARIANTS:
            if variant != "default" and any(m.name == variant for m in c.measurements):
                ours, default = c.ours(Layout.OURS, variant), c.ours(Layout.OURS)
                yield Cell(
                    ", ".join(c.case),
                    variant,
                    c.seconds(ours) * 1e3,
                    "ms",
                    "default",
                    c.seconds(default) * 1e3,
                )


def _targets(found: Sequence[Comparisons]) -> Iterator[Cell]:
    for target in TARGETS:
        ratios = {
            " ".join(c.case[:3]): ratio
            for c in found
            if c.case[0] in TARGET_KERNELS
            and c.case[3] == target.cores
            and target.domain in (None, c.case[2])
            and (ratio := c.ratio(target.group, target.ours, target.theirs)) is not None
        }
        if ratios:
            yield from _bounded(target, ratios)
    for c in found:
        ratio = c.ratio(Group.FLOOR, Layout.OURS)
        if c.case[2:] == ("256x256x80", "one core") and c.case[0] in FLOORS and ratio is not None:
            most = FLOORS[c.case[0]]
            yield Cell(
                " ".join(c.case[:3]),
                "over the streaming floor",
                ratio,
                "x",
                "",
                None,
                f"at most {most:g}",
                ratio <= most,
            )


def _bounded(target: Target, ratios: dict[str, float]) -> Iterator[Cell]:
    what = f"ours over {target.what}, {target.cores}"
    for case, ratio in ratios.items():
        yield Cell(case, what, ratio, "x", "", None, f"at most {target.each:g}", ratio <= target.each)
    if target.mean is not None:
        ratio = geometric_mean(ratios.values())
        case = f"geometric mean of {len(ratios)}"
        yield Cell(case, what, ratio, "x", "", None, f"at most {target.mean:g}", ratio <= target.mean)


def _decisions(found: Sequence[Comparisons]) -> Iterator[str]:
    for kernel in dict.fromkeys(c.case[0] for c in found):
        yield f"{kernel}:"
        for line in decisions(kernel, "float64"):
            yield f"    {line}"
