"""The default pipeline on whole programs."""

from iir.nodes import Stencil
from iir.passes import DEFAULT
from iir.printer import to_text
from iir.verifier import verify
from tests.unit.iir.textual import parallel, program


def optimised(ir: Stencil) -> str:
    for rule in DEFAULT:
        ir = rule(ir)
    verify(ir, after="default pipeline", scheduled=True)
    return to_text(ir)


def test_horizontal_chain_becomes_one_multistage_with_a_stage_for_each_costly_link() -> None:
    before = parallel(
        "temporary t: f64[IJK]",
        "temporary w: f64[IJK]",
        "t = (a[1, 0, 0] + a[-1, 0, 0] - 2.0 * a) / b",
        "w = t[1, 0, 0] - t",
        "w = 0.0 if w * a > 0.0 else w",
        "out = a - (w - w[-1, 0, 0])",
    )
    after = program("""
        temporary t: f64[IJK]
        temporary w: f64[IJK]
        temporary w_im1: f64[IJK]
        multistage parallel
          stage
            do [start, end)
              t = (a[1, 0, 0] + a[-1, 0, 0] - 2.0 * a) / b
          stage
            do [start, end)
              w_im1 = t - t[-1, 0, 0]
              w_im1 = 0.0 if w_im1 * a[-1, 0, 0] > 0.0 else w_im1
              w = t[1, 0, 0] - t
              w = 0.0 if w * a > 0.0 else w
              out = a - (w - w_im1)
    """)
    assert optimised(before) == to_text(after)


def test_independent_sweep_joins_the_solver_behind_it() -> None:
    before = program("""
        temporary t: f64[IJK]
        temporary w: f64[IJK]
        multistage backward
          stage
            do [start, end)
              t = a * 0.5
        multistage forward
          stage
            do [start, start+1)
              w = t
            do [start+1, end)
              w = t + w[0, 0, -1]
        multistage parallel
          stage
            do [start, end)
              out = w
    """)
    after = program("""
        temporary t: f64[IJK]
        temporary t_1: f64[IJK]
        temporary w: f64[IJK]
        multistage forward
          stage
            do [start, start+1)
              t = a * 0.5
              w = t
            do [start+1, end)
              t_1 = a * 0.5
              w = t_1 + w[0, 0, -1]
            do [start, end)
              out = w
    """)
    assert optimised(before) == to_text(after)


def test_everything_at_once() -> None:
    before = parallel(
        "temporary t: f64[IJK]",
        "if a > 0.0 and True",
        "  t = b",
        "  b = b[1, 0, 0] + 0.5 * 2.0",
        "out = t + b[0, 0, 1]",
    )
    after = program("""
        temporary t: f64[IJK]
        temporary mask: bool[IJK]
        temporary mask_1: bool[IJK]
        temporary b_new: f64[IJK]
        multistage parallel
          stage
            do [start, end)
              t = 0.0
              mask = a > 0.0
              if mask
                t = b
              b_new = b[1, 0, 0] + 1.0
          stage
            do [start, end)
              mask_1 = a > 0.0
              if mask_1
                b = b_new
        multistage parallel
          stage
            do [start, end)
              out = t + b[0, 0, 1]
    """)
    assert optimised(before) == to_text(after)
