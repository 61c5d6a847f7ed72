"""Prepare real terrain for a weather model, and run two column solvers of the model on top of it.

A digital elevation model has detail that no model grid can carry. It is smoothed with the diffusion
that models themselves use: fourth order, with a limiter that keeps it from building new hills. On the
smoothed terrain stand columns of air: heat is mixed along them by an implicit diffusion, momentum by
an implicit vertical advection, both of them tridiagonal systems solved upwards and downwards.

    python examples/terrain.py [--small] [--steps N] [--output terrain.png]
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

from iir.printer import to_text
from stencil import BACKWARD, FORWARD, PARALLEL, Field, computation, interval, stencil
from terrain_data import Columns, Terrain, columns_over, load_jacksboro, load_vancouver_island
from terrain_numpy import numpy_hdiff, numpy_vertical_advection, numpy_vertical_diffusion
from terrain_picture import Section, draw

Array: TypeAlias = npt.NDArray[np.float64]


@stencil
def hdiff(inp: Field[np.float64], coeff: Field[np.float64], out: Field[np.float64]):
    """Fourth-order diffusion; a flux that would run up the gradient is cut off."""
    with computation(PARALLEL), interval(...):
        lap = inp[1, 0, 0] + inp[-1, 0, 0] + inp[0, 1, 0] + inp[0, -1, 0] - 4.0 * inp
        flux_x = lap[1, 0, 0] - lap
        flux_x = 0.0 if flux_x * (inp[1, 0, 0] - inp) > 0.0 else flux_x
        flux_y = lap[0, 1, 0] - lap
        flux_y = 0.0 if flux_y * (inp[0, 1, 0] - inp) > 0.0 else flux_y
        out = inp - coeff * (flux_x - flux_x[-1, 0, 0] + flux_y - flux_y[0, -1, 0])


@stencil
def vertical_diffusion(
    theta: Field[np.float64],
    diffusivity: Field[np.float64],
    thickness: Field[np.float64],
    dt: np.float64,
    out: Field[np.float64],
):
    """One backward Euler step of mixing along each column; 'diffusivity' lies on the lower faces."""
    with computation(PARALLEL):
        with interval(0, 1):
            inf = 0.0
        with interval(1, None):
            inf = -2.0 * dt * diffusivity / (thickness * (thickness + thickness[0, 0, -1]))
        with interval(0, -1):
            sup = -2.0 * dt * diffusivity[0, 0, 1] / (thickness * (thickness + thickness[0, 0, 1]))
        with interval(-1, None):
            sup = 0.0
        with interval(...):
            diag = 1.0 - inf - sup
    with computation(FORWARD):
        with interval(0, 1):
            cp = sup / diag
            dp = theta / diag
        with interval(1, None):
            m = 1.0 / (diag - inf * cp[0, 0, -1])
            cp = sup * m
            dp = (theta - inf * dp[0, 0, -1]) * m
    with computation(BACKWARD):
        with interval(-1, None):
            out = dp
        with interval(0, -1):
            out = dp - cp * out[0, 0, 1]


@stencil
def vertical_advection(
    utens_stage: Field[np.float64],
    u_stage: Field[np.float64],
    wcon: Field[np.float64],
    u_pos: Field[np.float64],
    utens: Field[np.float64],
    dtr_stage: np.float64,
):
    """Crank-Nicolson advection of the wind along each column, as in the COSMO model."""
    with computation(FORWARD):
        with interval(0, 1):
            c = 0.125 * (wcon[1, 0, 1] + wcon[0, 0, 1])
            b = dtr_stage - c
            d = dtr_stage * u_pos + utens + utens_stage - c * (u_stage[0, 0, 1] - u_stage)
            cp = c / b
            dp = d / b
        with interval(1, -1):
            a = -0.125 * (wcon[1, 0, 0] + wcon)
            c = 0.125 * (wcon[1, 0, 1] + wcon[0, 0, 1])
            b = dtr_stage - a - c
            d = dtr_stage * u_pos + utens + utens_stage
            d = d - a * (u_stage[0, 0, -1] - u_stage) - c * (u_stage[0, 0, 1] - u_stage)
            m = 1.0 / (b - a * cp[0, 0, -1])
            cp = c * m
            dp = (d - a * dp[0, 0, -1]) * m
        with interval(-1, None):
            a = -0.125 * (wcon[1, 0, 0] + wcon)
            b = dtr_stage - a
            d = dtr_stage * u_pos + utens + utens_stage - a * (u_stage[0, 0, -1] - u_stage)
            dp = (d - a * dp[0, 0, -1]) / (b - a * cp[0, 0, -1])
    with computation(BACKWARD):
        with interval(-1, None):
            u_new = dp
            utens_stage = dtr_stage * (u_new - u_pos)
        with interval(0, -1):
            u_new = dp - cp * u_new[0, 0, 1]
            utens_stage = dtr_stage * (u_new - u_pos)


def smooth(terrain: Terrain, steps: int, console: Console) -> Array:
    """The terrain after so many steps of hdiff; the two outermost points on each side stay as they are."""
    old = terrain.height[:, :, np.newaxis].copy(order="F")
    new = old.copy(order="F")
    coeff = np.full_like(old, 1.0 / 40.0)
    for _ in track(range(steps), f"{terrain.title}: smoothing", console=console):
        hdiff(old, coeff, new)
        old, new = new, old
    return old[:, :, 0]


def mix(columns: Columns, dt: float) -> Array:
    """Potential temperature after one step of vertical diffusion."""
    mixed = np.zeros_like(columns.theta)
    vertical_diffusion(columns.theta, columns.diffusivity, columns.thickness, dt, mixed)
    return mixed


def advect(columns: Columns, dt: float) -> Array:
    """Tendency of the wind from its vertical advection."""
    tendency, none = np.zeros_like(columns.wind), np.zeros_like(columns.wind)
    vertical_advection(tendency, columns.wind, columns.rise, columns.wind, none, 1.0 / dt)
    return tendency


def describe(f: Any, console: Console) -> None:
    """Prints a stencil's IIR and what it needs of its fields."""
    console.rule(f"[bold]{f.__name__}")
    console.print(to_text(f.iir), highlight=False, markup=False, soft_wrap=True, end="")
    table = Table("field", "dtype", "axes", "access", "halo i", "halo j", "halo k", box=SIMPLE_HEAD)
    for name, info in f.field_info.items():
        halo = (f"{low} / {high}" for low, high in f.halo[name])
        table.add_row(name, str(info.dtype), "".join(info.axes), str(info.access), *halo)
    console.print(table)
    console.print(f"levels: at least {f.required_levels}\n")


@dataclass(frozen=True, slots=True)
class Race:
    """A stencil and its NumPy version on the same arguments; `output` is the position of what they write."""

    stencil: Any
    numpy: Callable[..., None]
    arguments: tuple[Any, ...]
    output: int

    def run(self, f: Callable[..., None]) -> tuple[float, Array]:
        """Seconds that it took, and its output; the arguments stay as they were."""
        arguments = list(self.arguments)
        arguments[self.output] = arguments[self.output].copy(order="F")
        start = time.perf_counter()
        f(*arguments)
        return time.perf_counter() - start, arguments[self.output]


def compare(races: Sequence[Race], repeats: int, console: Console) -> None:
    """Prints the median times of both, run in turn, and whether all bits of their outputs are equal."""
    table = Table("stencil", "points", "NumPy", "compiled", "faster", "equal", box=SIMPLE_HEAD)
    console.rule("[bold]times and results beside NumPy")
    for race in races:
        _, expected = race.run(race.numpy)
        _, got = race.run(race.stencil)
        times = [(race.run(race.numpy)[0], race.run(race.stencil)[0]) for _ in range(repeats)]
        slow, fast = (float(np.median(column)) for column in zip(*times, strict=True))
        table.add_row(
            race.stencil.__name__,
            f"{got.size:,}",
            f"{1e3 * slow:.2f} ms",
            f"{1e3 * fast:.2f} ms",
            f"{slow / fast:.1f} x",
            "bit for bit" if np.array_equal(expected, got) else f"to {np.abs(expected - got).max():.1e}",
        )
    console.print(table)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Smooth real terrain, then solve columns on top of it.")
    parser.add_argument(
        "--steps", type=int, default=200, help="steps of smoothing; an eighth of them on the coarse terrain"
    )
    parser.add_argument("--levels", type=int, default=40, help="levels of the columns")
    parser.add_argument("--repeats", type=int, default=5, help="timed calls of each stencil")
    parser.add_argument(
        "--small", action="store_true", help="a corner of the data, few steps: a matter of seconds"
    )
    parser.add_argument("--output", type=Path, default=Path("terrain.png"), help="the picture to write")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    console = Console()
    terrains = [load_jacksboro(), load_vancouver_island()]
    if options.small:
        terrains = [terrain.crop(48, 40) for terrain in terrains]
        options.steps, options.levels, options.repeats = min(options.steps, 20), min(options.levels, 8), 1

    for f in (hdiff, vertical_diffusion, vertical_advection):
        describe(f, console)
    counts = options.steps, options.steps // 8
    smoothed = [smooth(terrain, steps, console) for terrain, steps in zip(terrains, counts, strict=True)]
    columns = columns_over(smoothed[0], terrains[0].spacing[0], options.levels)
    mixed, tendency = mix(columns, 900.0), advect(columns, 20.0)

    compare(races(terrains[0], columns), options.repeats, console)
    draw(
        list(zip(terrains, smoothed, strict=True)), cut(terrains[0], columns, mixed, tendency), options.output
    )
    console.print(f"The picture is in {options.output}")


def races(terrain: Terrain, columns: Columns) -> tuple[Race, ...]:
    height = np.asfortranarray(terrain.height[:, :, np.newaxis])
    none = np.zeros_like(columns.wind)
    return (
        Race(hdiff, numpy_hdiff, (height, np.full_like(height, 1.0 / 40.0), height.copy(order="F")), 2),
        Race(
            vertical_diffusion,
            numpy_vertical_diffusion,
            (columns.theta, columns.diffusivity, columns.thickness, 900.0, none),
            4,
        ),
        Race(
            vertical_advection,
            numpy_vertical_advection,
            (none, columns.wind, columns.rise, columns.wind, none.copy(order="F"), 1.0 / 20.0),
            0,
        ),
    )


def cut(terrain: Terrain, columns: Columns, mixed: Array, tendency: Array) -> Section:
    j = terrain.height.shape[1] // 2
    return Section(
        terrain,
        terrain.height[:, j],
        columns.altitude[:, j, 0],
        columns.altitude[:, j],
        (
            ("Potential temperature", "K", columns.theta[:, j]),
            ("after 15 minutes of vertical diffusion", "K", mixed[:, j]),
            ("Tendency of the wind by vertical advection", "m/s per hour", 3600.0 * tendency[:, j]),
        ),
    )


if __name__ == "__main__":
    main()
