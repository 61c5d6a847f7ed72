"""The widest accesses of a stencil."""

from backends.native.accesses import accesses
from backends.native.description import NativeSource
from iir.analyses.reach import Reach
from iir.extent import DOMAIN, Extent
from iir.interval import FULL, Anchor, Bound, Interval
from iir.nodes import Axes
from iir.parser import from_text

TEXT = """stencil s(u: f64[IJK], p: f64[IJ], unused: f64[K])
  multistage forward
    stage
      do [start, end)
        u = u + p + p[1, 0] + p[0, -1]
      do [start + 1, end)
        u = u + u[0, 0, -1]
"""


def test_accesses_that_others_hold_are_left_out() -> None:
    ir = from_text(TEXT)
    found = accesses(NativeSource(ir, ir))
    upper, lower = Bound(Anchor.START, 1), Bound(Anchor.END, -1)
    assert {(item.extent, item.interval) for item in found["u"]} == {
        (DOMAIN, FULL),
        (DOMAIN, Interval(upper, Bound(Anchor.END))),
        (DOMAIN, Interval(Bound(Anchor.START), lower)),
    }
    assert [item.extent for item in found["p"]] == [DOMAIN, Extent((1, 1), (0, 0)), Extent((0, 0), (-1, -1))]
    assert found["unused"] == ()


def test_kernels_that_reach_further_count_too() -> None:
    ir = from_text(TEXT)
    wider = from_text(TEXT.replace("p[1, 0]", "p[2, 0]"))
    assert Reach(Extent((2, 2), (0, 0)), FULL, False, Axes.IJ) in accesses(NativeSource(ir, wider))["p"]
