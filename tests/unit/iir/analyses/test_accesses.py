"""Accesses come in program order, a statement's reads before its stores."""

from iir.analyses.accesses import accesses
from iir.expressions import Offset
from iir.statements import Assign, If
from tests.unit.iir.textual import parallel, program


def test_reads_come_from_left_to_right_and_before_the_store() -> None:
    ir = parallel("out = a[1, 0, 0] * (b if plane[0, 1] > 0.0 else sqrt(-out))")
    assert [(item.name, item.offset, item.is_store) for item in accesses(ir)] == [
        ("a", Offset(1, 0, 0), False),
        ("plane", Offset(0, 1, 0), False),
        ("b", Offset(0, 0, 0), False),
        ("out", Offset(0, 0, 0), False),
        ("out", Offset(0, 0, 0), True),
    ]


def test_condition_belongs_to_the_conditional_and_comes_before_its_body() -> None:
    ir = parallel("if a > 0.0", "  out = b", "else", "  out = plane")
    found = accesses(ir)
    assert [item.name for item in found] == ["a", "b", "out", "plane", "out"]
    assert [type(item.statement) for item in found] == [If, Assign, Assign, Assign, Assign]


def test_check_reads_all_its_expressions_and_stores_its_guards() -> None:
    ir = parallel(
        "temporary t: f64[IJK]", 'check user(a > 0.0, "%g", b) guard(t = plane) key(0, 0)', "out = t"
    )
    assert [(item.name, item.is_store) for item in accesses(ir)[:4]] == [
        ("a", False),
        ("b", False),
        ("plane", False),
        ("t", True),
    ]


def test_call_reads_its_arguments_and_bundles_and_stores_its_targets() -> None:
    ir = parallel('b, out = call "m:f"(a) bundle "limits"(plane, 1.0)')
    assert [(item.name, item.is_store) for item in accesses(ir)] == [
        ("a", False),
        ("plane", False),
        ("b", True),
        ("out", True),
    ]


def test_access_knows_where_it_stands() -> None:
    ir = program("""
        multistage forward
          stage
            do [start, start+1)
              b = a
            do [start+1, end)
              out = b
    """)
    last = accesses(ir)[-1]
    assert last.multistage is ir.multistages[0]
    assert last.stage is ir.multistages[0].stages[0]
    assert last.do_method is last.stage.do_methods[1]
    assert last.statement is last.do_method.body[0]
