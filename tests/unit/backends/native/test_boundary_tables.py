"""Tables of what a stencil asks of its arguments."""

from backends.native.boundary_tables import write_tables
from backends.native.description import native_library
from backends.writer import Writer
from tests.unit.backends.native.test_description import source

TEXT = """stencil s(u: f64[IJK], p: f64[IJ], first: i32, last: i64, a: f64)
  multistage forward
    stage
      do [first + 1, last)
        u = u + p[-1, 2] * a
      do [last, end - 1)
        u = u + a
"""
TABLES = """\
static const stencil_bound s_bounds[] = {
    {"first", 2, {2, 1}},
    {"last", 3, {3, 0}},
};

static const stencil_access s_accesses[] = {
    {0, {0, 0}, {0, 0}, {2, 1}, {3, 0}},
    {0, {0, 0}, {0, 0}, {3, 0}, {1, -1}},
    {1, {-1, 2}, {-1, 2}, {2, 1}, {3, 0}},
};

"""


def test_tables_count_levels_from_the_ends_of_the_domain_or_from_scalars() -> None:
    (stencil,) = native_library([source(TEXT)], "model").stencils
    w = Writer()
    tables = write_tables(w, stencil)
    assert w.text == TABLES
    assert (tables.bounds, tables.accesses) == ("s_bounds, 2", "s_accesses, 3")
    assert [item.name for item in tables.scalars] == ["first", "last"]


def test_table_without_lines_is_none() -> None:
    text = (
        "stencil s(u: f64[IJK])\n  multistage parallel\n    stage\n      do [start, end)\n        u = 1.0\n"
    )
    (stencil,) = native_library([source(text)], "model").stencils
    tables = write_tables(Writer(), stencil)
    assert tables.bounds == "NULL, 0"
    assert tables.scalars == ()
