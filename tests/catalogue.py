"""Stencils as people write them: what every layer is tested and measured with.

An entry makes its definition for a dtype and random arguments for a domain:

    entry = CATALOGUE["hdiff"]
    f = stencil(backend="reference")(entry.define(np.float64))
    f(**entry.arguments((8, 6, 4), np.float64))
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from stencil import (
    BACKWARD,
    FORWARD,
    IJ,
    PARALLEL,
    Field,
    K,
    computation,
    exp,
    function,
    interval,
    max,
    min,
    sqrt,
)

DTypeLike: TypeAlias = type[np.generic]
Definition: TypeAlias = Callable[..., None]
Halo: TypeAlias = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
Domain: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Values:
    """A field with random values from [low, high); of the entry's dtype unless it has its own."""

    low: float = -1.0
    high: float = 1.0
    axes: str = "IJK"
    dtype: DTypeLike | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """A scalar; of the entry's dtype unless it has its own."""

    value: float
    dtype: DTypeLike | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A stencil of the catalogue with what its arguments look like."""

    name: str
    define: Callable[[DTypeLike], Definition]
    parameters: Mapping[str, Values | Number] = field(default_factory=dict)
    halo: Halo = ((0, 0), (0, 0), (0, 0))
    levels: int = 0
    """The fewest levels that it can be called with."""

    def arguments(
        self, domain: Domain, dtype: DTypeLike, *, seed: int = 0, order: Literal["C", "F"] = "F"
    ) -> dict[str, Any]:
        """Arguments by name; fields are as large as domain and halo, so that both are inferred right."""
        random = np.random.default_rng(seed)
        sizes = {axis: low + n + high for axis, n, (low, high) in zip("IJK", domain, self.halo, strict=True)}
        arguments: dict[str, Any] = {}
        for name, parameter in self.parameters.items():
            own = parameter.dtype or dtype
            match parameter:
                case Number(value):
                    arguments[name] = own(value)
                case Values(low, high, axes):
                    values = random.uniform(low, high, [sizes[axis] for axis in axes])
                    arguments[name] = np.asarray(values, dtype=own, order=order)
        return arguments


_ENTRIES: Final[dict[str, Entry]] = {}
CATALOGUE: Final[Mapping[str, Entry]] = MappingProxyType(_ENTRIES)


def _entry(
    *, halo: Halo = ((0, 0), (0, 0), (0, 0)), levels: int = 0, **parameters: Values | Number
) -> Callable[[Callable[[DTypeLike], Definition]], Callable[[DTypeLike], Definition]]:
    def register(define: Callable[[DTypeLike], Definition]) -> Callable[[DTypeLike], Definition]:
        _ENTRIES[define.__name__] = Entry(define.__name__, define, parameters, halo, levels)
        return define

    return register


PLANE_HALO: Final[Halo] = ((1, 1), (1, 1), (0, 0))


@_entry(halo=((2, 2), (2, 2), (0, 0)), inp=Values(), coeff=Values(0.0, 0.03), out=Values())
def hdiff(T: DTypeLike) -> Definition:
    """Flux-limited fourth-order horizontal diffusion."""

    def hdiff(inp: Field[T], coeff: Field[T], out: Field[T]):
        with computation(PARALLEL), interval(...):
            lap = inp[1, 0, 0] + inp[-1, 0, 0] + inp[0, 1, 0] + inp[0, -1, 0] - 4.0 * inp
            flux_x = lap[1, 0, 0] - lap
            flux_x = 0.0 if flux_x * (inp[1, 0, 0] - inp) > 0.0 else flux_x
            flux_y = lap[0, 1, 0] - lap
            flux_y = 0.0 if flux_y * (inp[0, 1, 0] - inp) > 0.0 else flux_y
            out = inp - coeff * (flux_x - flux_x[-1, 0, 0] + flux_y - flux_y[0, -1, 0])

    return hdiff


BET_M: Final = 0.5
BET_P: Final = 0.5


@_entry(
    halo=((0, 1), (0, 0), (0, 0)),
    levels=2,
    utens_stage=Values(),
    u_stage=Values(),
    wcon=Values(-0.5, 0.5),
    u_pos=Values(),
    utens=Values(),
    dtr_stage=Number(3.0),
)
def vadv(T: DTypeLike) -> Definition:
    """Implicit vertical advection of the wind, as in COSMO: a tridiagonal system in every column."""

    def vadv(
        utens_stage: Field[T],
        u_stage: Field[T],
        wcon: Field[T],
        u_pos: Field[T],
        utens: Field[T],
        dtr_stage: T,
    ):
        with computation(FORWARD):
            with interval(0, 1):
                gcv = 0.25 * (wcon[1, 0, 1] + wcon[0, 0, 1])
                cs = gcv * BET_M
                ccol = gcv * BET_P
                bcol = dtr_stage - ccol
                correction = -cs * (u_stage[0, 0, 1] - u_stage)
                dcol = dtr_stage * u_pos + utens + utens_stage + correction
                divided = 1.0 / bcol
                ccol = ccol * divided
                dcol = dcol * divided
            with interval(1, -1):
                gav = -0.25 * (wcon[1, 0, 0] + wcon)
                gcv = 0.25 * (wcon[1, 0, 1] + wcon[0, 0, 1])
                as_ = gav * BET_M
                cs = gcv * BET_M
                acol = gav * BET_P
                ccol = gcv * BET_P
                bcol = dtr_stage - acol - ccol
                correction = -as_ * (u_stage[0, 0, -1] - u_stage) - cs * (u_stage[0, 0, 1] - u_stage)
                dcol = dtr_stage * u_pos + utens + utens_stage + correction
                divided = 1.0 / (bcol - ccol[0, 0, -1] * acol)
                ccol = ccol * divided
                dcol = (dcol - dcol[0, 0, -1] * acol) * divided
            with interval(-1, None):
                gav = -0.25 * (wcon[1, 0, 0] + wcon)
                as_ = gav * BET_M
                acol = gav * BET_P
                bcol = dtr_stage - acol
                correction = -as_ * (u_stage[0, 0, -1] - u_stage)
                dcol = dtr_stage * u_pos + utens + utens_stage + correction
                divided = 1.0 / (bcol - ccol[0, 0, -1] * acol)
                dcol = (dcol - dcol[0, 0, -1] * acol) * divided
        with computation(BACKWARD):
            with interval(-1, None):
                datacol = dcol
                utens_stage = dtr_stage * (datacol - u_pos)
            with interval(0, -1):
                datacol = dcol - ccol * datacol[0, 0, 1]
                utens_stage = dtr_stage * (datacol - u_pos)

    return vadv


@_entry(inf=Values(), diag=Values(3.0, 4.0), sup=Values(), rhs=Values(), out=Values(), levels=1)
def tridiagonal(T: DTypeLike) -> Definition:
    """Solves a tridiagonal system in every column."""

    def tridiagonal(inf: Field[T], diag: Field[T], sup: Field[T], rhs: Field[T], out: Field[T]):
        with computation(FORWARD):
            with interval(0, 1):
                cp = sup / diag
                dp = rhs / diag
            with interval(1, None):
                m = 1.0 / (diag - inf * cp[0, 0, -1])
                cp = sup * m
                dp = (rhs - inf * dp[0, 0, -1]) * m
        with computation(BACKWARD):
            with interval(-1, None):
                out = dp
            with interval(0, -1):
                out = dp - cp * out[0, 0, 1]

    return tridiagonal


@_entry(halo=((1, 1), (1, 1), (1, 1)), inp=Values(), out=Values())
def jacobi7(T: DTypeLike) -> Definition:
    """One step of the 7-point Jacobi iteration."""

    def jacobi7(inp: Field[T], out: Field[T]):
        with computation(PARALLEL), interval(...):
            out = (
                inp
                + inp[-1, 0, 0]
                + inp[1, 0, 0]
                + inp[0, -1, 0]
                + inp[0, 1, 0]
                + inp[0, 0, -1]
                + inp[0, 0, 1]
            ) * (1.0 / 7.0)

    return jacobi7


@_entry(
    halo=((1, 1), (1, 1), (0, 0)),
    levels=2,
    q=Values(0.0, 1.0),
    u=Values(),
    v=Values(),
    w=Values(),
    out=Values(),
    dt_dx=Number(0.2),
    dt_dz=Number(0.1),
)
def upwind(T: DTypeLike) -> Definition:
    """First-order upwind advection in three dimensions, nothing flowing through bottom and top."""

    @function
    def advective(velocity, behind, here, ahead):
        return velocity * (here - behind if velocity > 0.0 else ahead - here)

    def upwind(q: Field[T], u: Field[T], v: Field[T], w: Field[T], out: Field[T], dt_dx: T, dt_dz: T):
        with computation(PARALLEL):
            with interval(...):
                horizontal_part = dt_dx * (
                    advective(u, q[-1, 0, 0], q, q[1, 0, 0]) + advective(v, q[0, -1, 0], q, q[0, 1, 0])
                )
            with interval(0, 1):
                vertical_part = dt_dz * advective(w, q, q, q[0, 0, 1])
            with interval(1, -1):
                vertical_part = dt_dz * advective(w, q[0, 0, -1], q, q[0, 0, 1])
            with interval(-1, None):
                vertical_part = dt_dz * advective(w, q[0, 0, -1], q, q)
            with interval(...):
                out = q - horizontal_part - vertical_part

    return upwind


@_entry(halo=PLANE_HALO, inp=Values(), out=Values(), levels=2)
def box_filter(T: DTypeLike) -> Definition:
    """Mean over 27 points, one axis after the other; over 18 at bottom and top."""

    def box_filter(inp: Field[T], out: Field[T]):
        with computation(PARALLEL):
            with interval(...):
                rows = inp[-1, 0, 0] + inp + inp[1, 0, 0]
                planes = rows[0, -1, 0] + rows + rows[0, 1, 0]
            with interval(0, 1):
                out = (planes + planes[0, 0, 1]) / 18.0
            with interval(1, -1):
                out = (planes[0, 0, -1] + planes + planes[0, 0, 1]) / 27.0
            with interval(-1, None):
                out = (planes[0, 0, -1] + planes) / 18.0

    return box_filter


@_entry(
    temperature=Values(250.0, 290.0),
    pressure=Values(4.0e4, 1.0e5),
    vapour=Values(0.0, 0.02),
    cloud=Values(0.0, 0.002),
    rain=Values(0.0, 0.001),
    dt=Number(10.0),
)
def microphysics(T: DTypeLike) -> Definition:
    """Saturation adjustment, autoconversion and evaporation in place, with a branch for each case."""

    def microphysics(
        temperature: Field[T],
        pressure: Field[T],
        vapour: Field[T],
        cloud: Field[T],
        rain: Field[T],
        dt: T,
    ):
        with computation(PARALLEL), interval(...):
            saturation_pressure = 610.78 * exp(17.27 * (temperature - 273.16) / (temperature - 35.86))
            saturation = 0.622 * saturation_pressure / max(pressure - saturation_pressure, 1.0)
            excess = vapour - saturation
            if excess > 0.0:
                condensed = min(excess / (1.0 + 4.0e3 * saturation / (temperature * temperature)), vapour)
                vapour -= condensed
                cloud += condensed
                temperature += 2.5e3 * condensed
            elif cloud > 0.0:
                evaporated = min(-excess, cloud)
                vapour += evaporated
                cloud -= evaporated
                temperature -= 2.5e3 * evaporated
            else:
                evaporated = min(1.0e-3 * dt * rain**0.525 * sqrt(-excess), rain)
                vapour += evaporated
                rain -= evaporated
                temperature -= 2.5e3 * evaporated
            if cloud > 1.0e-3:
                converted = min(1.0e-3 * dt * (cloud - 1.0e-3) + 2.2 * dt * cloud * rain**0.875, cloud)
                cloud -= converted
                rain += converted
                if temperature < 273.16:
                    temperature += 3.3e2 * converted

    return microphysics


@_entry(
    halo=PLANE_HALO,
    levels=1,
    theta=Values(270.0, 300.0),
    height=Values(0.0, 100.0, axes="IJ"),
    area=Values(1.0, 2.0, axes="IJ"),
    sigma=Values(0.1, 1.0, axes="K"),
    mass=Values(axes="IJ"),
)
def surface_layer(T: DTypeLike) -> Definition:
    """Relaxes a field where it lies near the ground and sums up each column: IJ and K fields."""

    def surface_layer(
        theta: Field[T],
        height: Field[IJ, T],
        area: Field[IJ, T],
        sigma: Field[K, T],
        mass: Field[IJ, T],
    ):
        with computation(PARALLEL), interval(...):
            slope = height[1, 0] - height[-1, 0] + height[0, 1] - height[0, -1]
            theta = theta - sigma * slope / area if abs(slope) < 50.0 else theta
        with computation(FORWARD):
            with interval(0, 1):
                mass = theta * sigma * area
            with interval(1, None):
                mass += theta * sigma * area

    return surface_layer


@_entry(halo=PLANE_HALO, u=Values(), weight=Number(0.125))
def smooth_in_place(T: DTypeLike) -> Definition:
    """Smooths where it lies: the first step sees old values everywhere, the second the caller's halo."""

    def smooth_in_place(u: Field[T], weight: T):
        with computation(PARALLEL), interval(...):
            u = u + weight * (u[-1, 0, 0] - 2.0 * u + u[1, 0, 0])
            u = u + weight * (u[0, -1, 0] - 2.0 * u + u[0, 1, 0])

    return smooth_in_place


@_entry(
    u=Values(),
    wind=Values(),
    damping=Number(0.25),
    first=Number(1, dtype=np.int64),
    levels=1,
)
def rayleigh_damping(T: DTypeLike) -> Definition:
    """Damps the levels from a run-time one upwards and accumulates downwards from the top."""

    def rayleigh_damping(u: Field[T], wind: Field[T], damping: T, first: np.int64):
        with computation(PARALLEL), interval(first, None):
            u -= damping * (u - wind)
        with computation(BACKWARD):
            with interval(-1, None):
                total = u
            with interval(first, -1):
                total = total[0, 0, 1] + u
            with interval(0, first):
                total = 0.0
        with computation(PARALLEL), interval(...):
            wind = total

    return rayleigh_damping


@_entry(u=Values(), a=Values(), levels=2)
def overlapping_sweep(T: DTypeLike) -> Definition:
    """Intervals that overlap and stand out of order: each level runs its statements in textual order."""

    def overlapping_sweep(u: Field[T], a: Field[T]):
        with computation(FORWARD):
            with interval(1, None):
                u = 0.5 * (u + u[0, 0, -1])
            with interval(0, 2):
                u += a
            with interval(-2, None):
                u = u * a + u[0, 0, -1]

    return overlapping_sweep


@_entry(
    halo=((0, 1), (0, 1), (0, 0)),
    flag=Values(-3.0, 3.0, dtype=np.int32),
    u=Values(),
    out=Values(),
    count=Values(dtype=np.int32),
)
def masked_gradient(T: DTypeLike) -> Definition:
    """Two dtypes: a gradient only between points of equal flag, and how many neighbours had it."""

    def masked_gradient(flag: Field[np.int32], u: Field[T], out: Field[T], count: Field[np.int32]):
        with computation(PARALLEL), interval(...):
            gradient = 0.0
            same = 0
            if flag == flag[1, 0, 0] and flag != 0:
                gradient += u[1, 0, 0] - u
                same += 1
            if flag == flag[0, 1, 0] and not flag == 0:
                gradient += u[0, 1, 0] - u
                same += 1
            out = gradient if same > 0 else u
            count = same % 2

    return masked_gradient


@_entry(
    halo=PLANE_HALO,
    u=Values(),
    v=Values(),
    u_out=Values(),
    v_out=Values(),
    weight=Number(0.3),
    background=Number(0.1),
)
def smagorinsky(T: DTypeLike) -> Definition:
    """Horizontal diffusion of the wind, as strong as its strain on a staggered grid says."""

    def smagorinsky(u: Field[T], v: Field[T], u_out: Field[T], v_out: Field[T], weight: T, background: T):
        with computation(PARALLEL), interval(...):
            tension = u - u[-1, 0, 0] - v + v[0, -1, 0]
            tension = tension * tension
            shear = u[0, 1, 0] - u + v[1, 0, 0] - v
            shear = shear * shear
            strain_u = sqrt(0.5 * (tension + tension[1, 0, 0] + shear + shear[0, -1, 0]))
            strain_v = sqrt(0.5 * (tension + tension[0, 1, 0] + shear + shear[-1, 0, 0]))
            strength_u = min(max(weight * strain_u - background, 0.0), 0.5)
            strength_v = min(max(weight * strain_v - background, 0.0), 0.5)
            u_out = u + strength_u * (u[1, 0, 0] + u[-1, 0, 0] + u[0, 1, 0] + u[0, -1, 0] - 4.0 * u)
            v_out = v + strength_v * (v[1, 0, 0] + v[-1, 0, 0] + v[0, 1, 0] + v[0, -1, 0] - 4.0 * v)

    return smagorinsky


@_entry(
    temperature=Values(250.0, 290.0),
    pressure=Values(4.0e4, 1.0e5),
    density=Values(0.5, 1.2),
    vapour=Values(0.0, 0.02),
    cloud=Values(0.0, 0.002),
    rain=Values(0.0, 0.001),
    dt=Number(5.0),
    dt_dz=Number(0.02),
    levels=1,
)
def kessler(T: DTypeLike) -> Definition:
    """Warm rain in every column: it forms, evaporates and falls, with exp and powers."""

    def kessler(
        temperature: Field[T],
        pressure: Field[T],
        density: Field[T],
        vapour: Field[T],
        cloud: Field[T],
        rain: Field[T],
        dt: T,
        dt_dz: T,
    ):
        with computation(PARALLEL), interval(...):
            collected = 2.2 * dt * cloud * rain**0.875
            formed = min(max(1.0e-3 * dt * (cloud - 1.0e-3), 0.0) + collected, cloud)
            cloud -= formed
            rain += formed
            saturation_pressure = 610.78 * exp(17.27 * (temperature - 273.16) / (temperature - 35.86))
            saturation = 0.622 * saturation_pressure / (pressure - saturation_pressure)
            deficit = saturation - vapour
            slope = 1.0 + 4.0e3 * saturation / (temperature * temperature)
            condensed = max(-deficit / slope, -cloud)
            ventilated = dt * max(deficit - cloud, 0.0) * (density * rain) ** 0.525
            evaporated = min(0.1 * ventilated, rain)
            cloud += condensed
            rain -= evaporated
            vapour += evaporated - condensed
            temperature += 2.5e3 * (condensed - evaporated)
            flux = 36.34 * density * rain * (1.0e-3 * density * rain) ** 0.1364
        with computation(BACKWARD):
            with interval(-1, None):
                rain = max(rain - dt_dz * flux / density, 0.0)
            with interval(0, -1):
                rain = max(rain + dt_dz * (flux[0, 0, 1] - flux) / density, 0.0)

    return kessler


@_entry(
    halo=((3, 3), (3, 3), (0, 0)),
    levels=2,
    u=Values(),
    v=Values(),
    theta=Values(1.0, 1.2),
    tracer=Values(0.0, 1.0),
    diffusivity=Values(0.5, 1.0),
    u_new=Values(),
    v_new=Values(),
    theta_new=Values(),
    tracer_new=Values(),
    layer=Number(0.01),
    coriolis=Number(0.1),
    courant=Number(0.2),
    damping=Number(0.02),
    mixing=Number(0.3),
)
def dynamical_core(T: DTypeLike) -> Definition:
    """A step of a dynamical core in 60 statements: pressure gradient, advection, diffusion, transport
    that is limited, and implicit mixing in columns."""

    def dynamical_core(
        u: Field[T],
        v: Field[T],
        theta: Field[T],
        tracer: Field[T],
        diffusivity: Field[T],
        u_new: Field[T],
        v_new: Field[T],
        theta_new: Field[T],
        tracer_new: Field[T],
        layer: T,
        coriolis: T,
        courant: T,
        damping: T,
        mixing: T,
    ):
        # Hydrostatic pressure, from the top down.
        with computation(BACKWARD):
            with interval(-1, None):
                exner = 0.5 * layer / theta
            with interval(0, -1):
                exner = exner[0, 0, 1] + 2.0 * layer / (theta + theta[0, 0, 1])
        with computation(PARALLEL), interval(...):
            # Pressure gradient, vorticity and kinetic energy.
            kinetic = 0.5 * (u * u + v * v)
            vorticity = coriolis + 0.5 * (v[1, 0, 0] - v[-1, 0, 0] - u[0, 1, 0] + u[0, -1, 0])
            push_x = theta * (exner[1, 0, 0] - exner[-1, 0, 0]) + kinetic[1, 0, 0] - kinetic[-1, 0, 0]
            push_y = theta * (exner[0, 1, 0] - exner[0, -1, 0]) + kinetic[0, 1, 0] - kinetic[0, -1, 0]
            u_step = u + courant * (vorticity * v - 0.5 * push_x)
            v_step = v - courant * (vorticity * u + 0.5 * push_y)
            theta_x = u * (theta - theta[-1, 0, 0] if u > 0.0 else theta[1, 0, 0] - theta)
            theta_y = v * (theta - theta[0, -1, 0] if v > 0.0 else theta[0, 1, 0] - theta)
            theta_step = theta - courant * (theta_x + theta_y)
            # Fourth-order diffusion of the wind, which makes no new extremes.
            lap_u = u[1, 0, 0] + u[-1, 0, 0] + u[0, 1, 0] + u[0, -1, 0] - 4.0 * u
            flux_ux = lap_u[1, 0, 0] - lap_u
            flux_ux = 0.0 if flux_ux * (u[1, 0, 0] - u) > 0.0 else flux_ux
            flux_uy = lap_u[0, 1, 0] - lap_u
            flux_uy = 0.0 if flux_uy * (u[0, 1, 0] - u) > 0.0 else flux_uy
            u_step -= damping * (flux_ux - flux_ux[-1, 0, 0] + flux_uy - flux_uy[0, -1, 0])
            lap_v = v[1, 0, 0] + v[-1, 0, 0] + v[0, 1, 0] + v[0, -1, 0] - 4.0 * v
            flux_vx = lap_v[1, 0, 0] - lap_v
            flux_vx = 0.0 if flux_vx * (v[1, 0, 0] - v) > 0.0 else flux_vx
            flux_vy = lap_v[0, 1, 0] - lap_v
            flux_vy = 0.0 if flux_vy * (v[0, 1, 0] - v) > 0.0 else flux_vy
            v_step -= damping * (flux_vx - flux_vx[-1, 0, 0] + flux_vy - flux_vy[0, -1, 0])
            # Transport of the tracer: upwind, and as much of the centred flux as makes no new extremes.
            wind_x = 0.5 * courant * (u[-1, 0, 0] + u)
            wind_y = 0.5 * courant * (v[0, -1, 0] + v)
            upwind_x = wind_x * (tracer[-1, 0, 0] if wind_x > 0.0 else tracer)
            upwind_y = wind_y * (tracer[0, -1, 0] if wind_y > 0.0 else tracer)
            more_x = 0.5 * wind_x * (tracer[-1, 0, 0] + tracer) - upwind_x
            more_y = 0.5 * wind_y * (tracer[0, -1, 0] + tracer) - upwind_y
            moved = tracer - (upwind_x[1, 0, 0] - upwind_x + upwind_y[0, 1, 0] - upwind_y)
            high_x = max(moved[-1, 0, 0], moved[1, 0, 0])
            high_y = max(moved[0, -1, 0], moved[0, 1, 0])
            low_x = min(moved[-1, 0, 0], moved[1, 0, 0])
            low_y = min(moved[0, -1, 0], moved[0, 1, 0])
            room_above = max(moved, max(high_x, high_y)) - moved
            room_below = moved - min(moved, min(low_x, low_y))
            gain = max(more_x, 0.0) - min(more_x[1, 0, 0], 0.0) + max(more_y, 0.0) - min(more_y[0, 1, 0], 0.0)
            loss = max(more_x[1, 0, 0], 0.0) - min(more_x, 0.0) + max(more_y[0, 1, 0], 0.0) - min(more_y, 0.0)
            share_in = min(room_above / (gain + 1.0e-9), 1.0)
            share_out = min(room_below / (loss + 1.0e-9), 1.0)
            more_x *= (
                min(share_in, share_out[-1, 0, 0]) if more_x > 0.0 else min(share_in[-1, 0, 0], share_out)
            )
            more_y *= (
                min(share_in, share_out[0, -1, 0]) if more_y > 0.0 else min(share_in[0, -1, 0], share_out)
            )
            tracer_new = moved - (more_x[1, 0, 0] - more_x + more_y[0, 1, 0] - more_y)
        # Implicit mixing in every column.
        with computation(FORWARD):
            with interval(0, 1):
                above = mixing * diffusivity[0, 0, 1]
                m = 1.0 / (1.0 + above)
                cp = above * m
                u_new = u_step * m
                v_new = v_step * m
                theta_new = theta_step * m
            with interval(1, None):
                below = mixing * diffusivity
                above = 0.0
            with interval(1, -1):
                above = mixing * diffusivity[0, 0, 1]
            with interval(1, None):
                m = 1.0 / (1.0 + above + below - below * cp[0, 0, -1])
                cp = above * m
                u_new = (u_step + below * u_new[0, 0, -1]) * m
                v_new = (v_step + below * v_new[0, 0, -1]) * m
                theta_new = (theta_step + below * theta_new[0, 0, -1]) * m
        with computation(BACKWARD), interval(0, -1):
            u_new += cp * u_new[0, 0, 1]
            v_new += cp * v_new[0, 0, 1]
            theta_new += cp * theta_new[0, 0, 1]

    return dynamical_core
