"""The terrain that ships with Matplotlib, and columns of air to stand on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from matplotlib import cbook

Array: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Terrain:
    """Heights in metres, `height[i, j]` with i to the east and j to the north."""

    title: str
    height: Array
    spacing: tuple[float, float]
    west_east: tuple[float, float]
    south_north: tuple[float, float]

    @property
    def aspect(self) -> float:
        """Height of its map over the width."""
        (ni, nj), (dx, dy) = self.height.shape, self.spacing
        return float(nj * dy / (ni * dx))

    def crop(self, ni: int, nj: int) -> "Terrain":
        (west, east), (south, north) = self.west_east, self.south_north
        shape = self.height.shape
        return Terrain(
            self.title,
            self.height[:ni, :nj].copy(order="F"),
            self.spacing,
            (west, west + (east - west) * min(1.0, ni / shape[0])),
            (south, south + (north - south) * min(1.0, nj / shape[1])),
        )


def load_jacksboro() -> Terrain:
    """The fault at Jacksboro, Tennessee, on a grid of three arc seconds."""
    dem = _sample("jacksboro_fault_dem.npz")
    height = dem["elevation"][::-1].T.astype(np.float64)
    west_east = float(dem["xmin"]), float(dem["xmax"])
    south_north = float(dem["ymax"]), float(dem["ymin"])
    return _terrain("Jacksboro fault, Tennessee", height, west_east, south_north)


def load_vancouver_island() -> Terrain:
    """Land and sea floor between Vancouver Island and Puget Sound, on a grid of two arc minutes."""
    dem = _sample("topobathy.npz")
    height = dem["topo"].T.astype(np.float64)
    west_east = float(dem["longitude"][0]) - 360.0, float(dem["longitude"][-1]) - 360.0
    south_north = float(dem["latitude"][0]), float(dem["latitude"][-1])
    return _terrain("Strait of Georgia", height, west_east, south_north)


def _sample(name: str) -> Mapping[str, npt.NDArray[np.generic]]:
    """The arrays of a file that ships with Matplotlib."""
    with np.load(cbook.get_sample_data(name, asfileobj=False)) as arrays:
        return dict(arrays)


def _terrain(
    title: str, height: Array, west_east: tuple[float, float], south_north: tuple[float, float]
) -> Terrain:
    degree = 111.2e3
    ni, nj = height.shape
    dy = degree * (south_north[1] - south_north[0]) / nj
    dx = degree * (west_east[1] - west_east[0]) / ni * np.cos(np.radians(np.mean(south_north)))
    return Terrain(title, np.asfortranarray(height), (float(dx), float(dy)), west_east, south_north)


@dataclass(frozen=True, slots=True)
class Columns:
    """Air over the terrain between ground and a lid; level 0 is the lowest."""

    altitude: Array
    thickness: Array
    theta: Array
    diffusivity: Array
    wind: Array
    rise: Array
    """Vertical velocity in levels per second, on the faces and with a point more to the east."""


LID: Final = 5.0e3
EAST: Final = ((0, 1), (0, 0), (0, 0))


def wind_at(above_ground: Array) -> Array:
    return 2.0 + 10.0 * (1.0 - np.exp(-above_ground / 500.0))


def columns_over(height: Array, dx: float, levels: int) -> Columns:
    """A valley with cold air in layers, under a wind that grows with height."""
    stretched = np.linspace(0.0, 1.0, levels + 1) ** 1.5
    ground = height[:, :, np.newaxis]
    faces = ground + (LID - ground) * stretched
    altitude, thickness = 0.5 * (faces[..., 1:] + faces[..., :-1]), np.diff(faces, axis=2)
    above_ground = altitude - ground
    theta = 286.0 + 4.0e-3 * altitude + 1.5 * np.sin(altitude / 90.0) * np.exp(-above_ground / 1500.0)
    theta -= 5.0 * np.exp(-(((altitude - height.min()) / 150.0) ** 2))
    wind = wind_at(above_ground)
    slope = np.diff(height, axis=0, append=height[-1:], prepend=height[:1]) / dx
    rise = np.zeros((height.shape[0] + 1, height.shape[1], levels + 1))
    height_of_faces = faces[..., 1:-1] - ground
    lift = slope[..., np.newaxis] * np.pad(
        wind_at(height_of_faces) * np.exp(-height_of_faces / 400.0), EAST, "edge"
    )
    rise[..., 1:-1] = lift / np.pad(np.diff(altitude, axis=2), EAST, "edge")
    return Columns(
        *map(
            np.asfortranarray,
            (altitude, thickness, theta, 60.0 * np.exp(-above_ground / 800.0), wind, rise),
        )
    )
