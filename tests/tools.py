"""Programs outside Python that tests need: a test whose program is missing skips, or fails on request.

``python -m tests.tools`` prints the Debian packages of the missing ones.
"""

import os
import shutil
from collections.abc import Mapping
from typing import Final

import pytest

PACKAGES: Final[Mapping[str, str]] = {
    "cc": "gcc",
    "cmake": "cmake",
    "g++": "g++",
    "gfortran": "gfortran",
    "git": "git",
    "ldd": "libc-bin",
    "make": "make",
    "objdump": "binutils",
    "valgrind": "valgrind",
}
"""Program to the Debian package that brings it."""

STRICT: Final = "STENCIL_REQUIRE_TOOLS"


def missing_tools() -> tuple[str, ...]:
    return tuple(tool for tool in PACKAGES if shutil.which(tool) is None)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "tool(name): the test runs this program, which may be missing")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip, or fail under STENCIL_REQUIRE_TOOLS=1, a test whose program is not on the path."""
    for marker in item.iter_markers("tool"):
        (tool,) = marker.args
        if shutil.which(tool) is None:
            reason = f"'{tool}' is missing; on Debian or Ubuntu: apt-get install {PACKAGES[tool]}"
            if os.environ.get(STRICT) == "1":
                pytest.fail(reason, pytrace=False)
            pytest.skip(reason)


if __name__ == "__main__":
    print(" ".join(dict.fromkeys(PACKAGES[tool] for tool in missing_tools())))
