"""The three components of the model that the compiler takes over, as stencils; 'src' has them in Fortran.

Level 0 is the lowest. Level k of a field 'on faces' is the lower face of level k.
"""

import numpy as np

from stencil import BACKWARD, FORWARD, IJ, PARALLEL, Field, computation, interval, stencil


@stencil
def horizontal_diffusion(
    field: Field[np.float64], coefficient: Field[IJ, np.float64], smoothed: Field[np.float64]
):
    """Fourth-order diffusion; a flux that would run up the gradient is cut off."""
    with computation(PARALLEL), interval(...):
        laplacian = field[1, 0, 0] + field[-1, 0, 0] + field[0, 1, 0] + field[0, -1, 0] - 4.0 * field
        flux_x = laplacian[1, 0, 0] - laplacian
        flux_x = 0.0 if flux_x * (field[1, 0, 0] - field) > 0.0 else flux_x
        flux_y = laplacian[0, 1, 0] - laplacian
        flux_y = 0.0 if flux_y * (field[0, 1, 0] - field) > 0.0 else flux_y
        smoothed = field - coefficient * (flux_x - flux_x[-1, 0, 0] + flux_y - flux_y[0, -1, 0])


@stencil
def vertical_diffusion(
    theta: Field[np.float64],
    diffusivity: Field[np.float64],
    thickness: Field[np.float64],
    surface_flux: Field[IJ, np.float64],
    mixed: Field[np.float64],
    dt: np.float64,
):
    """A backward Euler step of mixing along each column; 'diffusivity' lies on faces."""
    with computation(FORWARD):
        with interval(0, 1):
            upper = -2.0 * dt * diffusivity[0, 0, 1] / (thickness * (thickness + thickness[0, 0, 1]))
            pivot = 1.0 - upper
            ratio = upper / pivot
            mixed = (theta + dt * surface_flux / thickness) / pivot
        with interval(1, -1):
            lower = -2.0 * dt * diffusivity / (thickness * (thickness + thickness[0, 0, -1]))
            upper = -2.0 * dt * diffusivity[0, 0, 1] / (thickness * (thickness + thickness[0, 0, 1]))
            pivot = 1.0 - lower - upper - lower * ratio[0, 0, -1]
            ratio = upper / pivot
            mixed = (theta - lower * mixed[0, 0, -1]) / pivot
        with interval(-1, None):
            lower = -2.0 * dt * diffusivity / (thickness * (thickness + thickness[0, 0, -1]))
            pivot = 1.0 - lower - lower * ratio[0, 0, -1]
            mixed = (theta - lower * mixed[0, 0, -1]) / pivot
    with computation(BACKWARD), interval(0, -1):
        mixed = mixed - ratio * mixed[0, 0, 1]


@stencil
def vertical_advection(
    tracer: Field[np.float64],
    wind: Field[np.float64],
    thickness: Field[np.float64],
    flux: Field[np.float64],
    burden: Field[IJ, np.float64],
    dt: np.float64,
):
    """An upwind step of transport along each column, and what the column holds after it.

    'wind' and 'flux' lie on faces. The flux through the lowest face is given; nothing comes in at the top.
    """
    with computation(PARALLEL), interval(1, None):
        flux = wind * (tracer[0, 0, -1] if wind > 0.0 else tracer)
    with computation(FORWARD):
        with interval(0, -1):
            tracer = tracer + dt * (flux - flux[0, 0, 1]) / thickness
        with interval(-1, None):
            outflow = max(wind[0, 0, 1], 0.0) * tracer
            tracer = tracer + dt * (flux - outflow) / thickness
    with computation(FORWARD):
        with interval(0, 1):
            burden = tracer * thickness
        with interval(1, None):
            burden = burden + tracer * thickness
