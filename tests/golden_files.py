"""Compares texts with files under tests/goldens; ``--update-golden`` writes them."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import pytest

FOLDER: Final = Path(__file__).parent / "goldens"

Golden: TypeAlias = Callable[[str, str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the files under tests/goldens")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """The function that holds a text against the file of that name."""
    is_update = request.config.getoption("--update-golden")

    def compare(name: str, text: str) -> None:
        path = FOLDER / name
        text = text.rstrip("\n") + "\n"
        if is_update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        expected = path.read_text() if path.exists() else ""
        assert text == expected, f"{name} differs; look at it, then: make goldens"

    return compare
