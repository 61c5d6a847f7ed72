"""Which kernels use narrow vectors."""

import pytest

from tests.unit.backends.loopnest.lowered import lowered

HEAD = "stencil s(u: f64[IJK], v: f64[IJK])\n  multistage {order}\n    stage\n      do [start+1, end)\n"
MUCH = "u[1, 0, 0] * u + u[-1, 0, 0] * u + u * u - u[1, 0, 0] * u[-1, 0, 0] * u"


def _is_narrow(value: str, order: str = "parallel") -> bool:
    (kernel,) = lowered(f"{HEAD.format(order=order)}        v = {value}\n").kernels
    return kernel.narrow


@pytest.mark.parametrize(
    ("value", "order"),
    [(MUCH, "parallel"), ("u[1, 0, 0]", "parallel"), (f"v[0, 0, -1] + {MUCH}", "forward")],
    ids=["levels", "waits for memory", "sweep"],
)
def test_kernels_that_load_neighbours_of_lanes_have_narrow_vectors(value: str, order: str) -> None:
    assert _is_narrow(value, order)


@pytest.mark.parametrize(
    "value",
    [MUCH.replace("1, 0, 0", "0, 1, 0"), f"({MUCH}) / u", f"sqrt({MUCH})"],
    ids=["aligned rows", "division", "root"],
)
def test_others_have_the_widest(value: str) -> None:
    assert not _is_narrow(value, "parallel")
