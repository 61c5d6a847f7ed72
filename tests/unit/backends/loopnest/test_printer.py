"""The loop program as text."""

from iir.traversal import walk
from tests.unit.backends.loopnest.lowered import lowered

TEXT = """stencil s(u: f64[IJK], v: f64[IJK])
  multistage forward
    stage
      do [start+1, end)
        v = u[0, 0, -1] if u > 2.0 else v
"""


def test_program_prints_as_its_functions() -> None:
    lines = str(lowered(TEXT)).splitlines()
    assert lines[0] == "program s  # unit stride on i"
    assert [line.split("(")[0] for line in lines if line.startswith("function")] == [
        "function s_0",
        "function run",
        "function run_parallel",
    ]


def test_every_part_of_a_program_prints_as_it_does_there() -> None:
    program = lowered(TEXT)
    printed = " ".join(str(program).split())
    for function in (*program.kernels, program.serial, program.parallel):
        assert function is not None
        for node in walk(function):
            assert " ".join(str(node).split()) in printed
