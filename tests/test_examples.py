"""Every example runs, on a small domain."""

from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import terrain
from terrain_data import columns_over, load_jacksboro
from terrain_numpy import numpy_hdiff


def test_terrain_prints_each_step_and_writes_the_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "terrain.png"
    terrain.main(["--small", "--output", str(picture)])
    printed = capsys.readouterr().out
    for text in (
        "stencil hdiff(",
        "multistage backward",
        "field",
        "halo",
        "levels: at least 2",
        "bit for bit",
    ):
        assert text in printed
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_smoothing_terrain_equals_its_numpy_version_bit_for_bit() -> None:
    dem = load_jacksboro().crop(32, 24)
    old = dem.height[:, :, np.newaxis].copy()
    new, coeff = old.copy(), np.full_like(old, 1.0 / 40.0)
    for _ in range(5):
        numpy_hdiff(old, coeff, new)
        old, new = new, old
    assert np.array_equal(terrain.smooth(dem, 5, Console(quiet=True)), old[:, :, 0])


def test_vertical_diffusion_conserves_heat() -> None:
    columns = columns_over(load_jacksboro().crop(8, 6).height, 75.0, 12)
    before = (columns.theta * columns.thickness).sum(axis=2)
    after = (terrain.mix(columns, 900.0) * columns.thickness).sum(axis=2)
    np.testing.assert_allclose(after, before, rtol=1e-13)


def test_vertical_advection_leaves_a_uniform_wind_alone() -> None:
    columns = columns_over(load_jacksboro().crop(8, 6).height, 75.0, 12)
    columns.wind[:] = 7.0
    np.testing.assert_allclose(terrain.advect(columns, 20.0), 0.0, atol=1e-13)
