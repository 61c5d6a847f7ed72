"""The least number of levels that puts every interval in order."""

import pytest

from iir.analyses.required_levels import required_levels
from tests.unit.iir.textual import program


@pytest.mark.parametrize(
    ("intervals", "levels"),
    [
        (("[start, end)",), 0),
        (("[start, start+2)",), 2),
        (("[end-3, end-1)",), 3),
        (("[start+1, end-2)",), 3),
        (("[start, start+1)", "[start+1, end)"), 1),
        (("[start+2, end)", "[end-1, end)"), 2),
        (("[x, end)",), 0),
        (("[start+4, x)",), 0),
        (("[start-2, end+2)",), 0),
    ],
)
def test_smallest_number_of_levels(intervals: tuple[str, ...], levels: int) -> None:
    do_methods = "".join(f"\n    do {interval}\n      t = a" for interval in intervals)
    ir = program(f"temporary t: f64[IJK]\nmultistage parallel\n  stage{do_methods}")
    assert required_levels(ir) == levels
