"""The picture that terrain.py writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, LightSource, ListedColormap, Normalize, TwoSlopeNorm
from matplotlib.ticker import MaxNLocator

from terrain_data import Terrain

Array: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Section:
    """A cut from west to east through the columns, one value a point and level."""

    terrain: Terrain
    raw: Array
    ground: Array
    altitude: Array
    fields: tuple[tuple[str, str, Array], ...]
    """Title, unit and values of each."""


def draw(rows: Sequence[tuple[Terrain, Array]], section: Section, path: Path) -> None:
    """Writes the picture: before, after and difference of each terrain, then the section."""
    mpl.use("Agg")
    heights = [*(terrain.aspect for terrain, _ in rows), 0.8]
    size = 16.0, 1.0 + 4.6 * sum(heights)
    figure, axes = plt.subplots(3, 3, figsize=size, height_ratios=heights, layout="constrained")
    for (terrain, smoothed), row in zip(rows, axes[:-1], strict=True):
        draw_terrain(terrain, smoothed, row)
    draw_section(section, axes[-1])
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_terrain(terrain: Terrain, smoothed: Array, row: Sequence[Axes]) -> None:
    colors, norm = height_colors(terrain.height)
    light = LightSource(azdeg=315.0, altdeg=40.0)
    steepness = float(np.abs(np.gradient(terrain.height, *terrain.spacing)).mean())
    for ax, height, title in ((row[0], terrain.height, "as measured"), (row[1], smoothed, "smoothed")):
        shaded = light.shade(
            height.T,
            colors,
            norm,
            blend_mode="soft",
            vert_exag=0.3 / steepness,
            dx=terrain.spacing[0],
            dy=terrain.spacing[1],
        )
        show_map(ax, terrain, shaded)
        ax.set_title(f"{terrain.title}: {title}")
    row[0].figure.colorbar(ScalarMappable(norm, colors), ax=row[:2], label="height (m)", pad=0.01)
    change = smoothed - terrain.height
    limit = float(np.percentile(np.abs(change), 99.5))
    image = show_map(row[2], terrain, change.T, cmap="RdBu_r", vmin=-limit, vmax=limit)
    row[2].set_title("Smoothed \N{MINUS SIGN} measured")
    row[2].figure.colorbar(image, ax=row[2], label="change (m)", extend="both", pad=0.02)


def height_colors(height: Array) -> tuple[Colormap, Normalize]:
    """Matplotlib's earth colours, their blue for the sea, where there is one, and the rest for the land."""
    low, high = float(height.min()), float(height.max())
    earth = mpl.colormaps["gist_earth"]
    land = earth(np.linspace(0.4, 0.98, 256))
    if low >= 0.0:
        return ListedColormap(land), Normalize(low, high)
    sea = earth(np.linspace(0.05, 0.31, 256))
    return ListedColormap(np.concatenate((sea, land))), TwoSlopeNorm(0.0, low, high)


def show_map(ax: Axes, terrain: Terrain, values: Any, **style: Any) -> Any:
    image = ax.imshow(
        values,
        origin="lower",
        extent=(*terrain.west_east, *terrain.south_north),
        interpolation="bilinear",
        **style,
    )
    ax.set_box_aspect(terrain.aspect)
    ax.set_aspect("auto")
    ax.set_xlabel("longitude (°E)")
    ax.set_ylabel("latitude (°N)")
    ax.locator_params(nbins=5)
    return image


def draw_section(section: Section, row: Sequence[Axes]) -> None:
    x = 1e-3 * section.terrain.spacing[0] * np.arange(section.ground.size)
    bottom, top = float(section.ground.min()) - 60.0, float(section.ground.max()) + 900.0
    seen = section.altitude < top
    first = section.fields[0][2][seen]
    for ax, (title, unit, values) in zip(row, section.fields, strict=True):
        if values.min() < 0.0:
            limit = float(np.percentile(np.abs(values[seen]), 99.0))
            colors, levels = "PuOr_r", np.linspace(-limit, limit, 33)
        else:
            colors, levels = (
                "Spectral_r",
                np.linspace(np.percentile(first, 1.0), np.percentile(first, 99.0), 33),
            )
        filled = ax.contourf(
            np.broadcast_to(x[:, np.newaxis], values.shape),
            section.altitude,
            values,
            levels=levels,
            cmap=colors,
            extend="both",
        )
        ax.fill_between(x, bottom, section.altitude[:, 0], color="0.3", linewidth=0.0)
        ax.plot(x, section.raw, color="black", linewidth=0.6, label="ground as measured")
        ax.set(title=title, xlabel="distance from the west (km)", ylabel="height (m)")
        ax.set(xlim=(x[0], x[-1]), ylim=(bottom, top))
        ticks = MaxNLocator(7).tick_values(levels[0], levels[-1])[1:-1]
        ax.figure.colorbar(filled, ax=ax, label=unit, pad=0.02, ticks=ticks)
    row[0].legend(loc="lower right", frameon=False, labelcolor="white", handlelength=1.0)
