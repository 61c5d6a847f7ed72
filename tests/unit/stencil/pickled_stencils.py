"""Stencils that other processes find by module and name."""

import numpy as np

from stencil import PARALLEL, Field, computation, from_iir, interval, stencil


@stencil(backend="reference")
def double(u: Field[np.float64], out: Field[np.float64]):
    with computation(PARALLEL), interval(...):
        out = 2.0 * u


def _quadruple(u: Field[np.float64], out: Field[np.float64]):
    with computation(PARALLEL), interval(...):
        out = 4.0 * u


class Model:
    """A stencil may be an attribute of a class."""

    @stencil(backend="reference")
    def triple(u: Field[np.float64], out: Field[np.float64]):
        with computation(PARALLEL), interval(...):
            out = 3.0 * u


quadruple = stencil(_quadruple, backend="reference")
as_plain_python = double.with_options(parallel=False)
textual = from_iir(
    """stencil copy(u: f64[IJK], out: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        out = u
""",
    backend="reference",
)


def result(f, value):
    """What a process that is sent *f* computes."""
    u, out = np.full((1, 1, 2), value), np.zeros((1, 1, 2))
    f(u, out)
    return out.ravel().tolist()
