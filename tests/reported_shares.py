"""Shares that tests count, added up over all processes and reported after a run."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import pytest

Share: TypeAlias = Callable[[str, int, int], None]
_KEY: Final = "share: "


@pytest.fixture
def report_share(record_property: Any) -> Share:
    """The function that reports *part* of *whole* under a name."""

    def report(name: str, part: int, whole: int) -> None:
        record_property(_KEY + name, [part, whole])

    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    parts: Counter[str] = Counter()
    wholes: Counter[str] = Counter()
    for report in terminalreporter.getreports("passed"):
        for key, value in report.user_properties:
            if key.startswith(_KEY):
                name = key.removeprefix(_KEY)
                parts[name] += value[0]
                wholes[name] += value[1]
    for name, whole in wholes.items():
        terminalreporter.write_line(f"{name}: {parts[name]} of {whole} ({parts[name] / max(1, whole):.0%})")
