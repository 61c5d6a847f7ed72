"""Names that passes introduce never clash."""

from iir.passes.fresh_names import FreshNames
from tests.unit.iir.textual import parallel


def test_wish_is_taken_where_it_is_free() -> None:
    assert FreshNames(parallel("out = a")).take("mask") == "mask"


def test_taken_names_get_the_first_free_number() -> None:
    names = FreshNames(parallel("temporary a_2: f64[IJK]", "a_2 = b", "out = a_2"))
    assert [names.take("a") for _ in range(3)] == ["a_1", "a_3", "a_4"]
    assert names.take("a_1") == "a_1_1"
