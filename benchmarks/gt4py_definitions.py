"""Stencils of the catalogue as GT4Py reads them; field dtypes are those that 'T' stands for."""
# mypy: ignore-errors

from gt4py.cartesian.gtscript import BACKWARD, FORWARD, PARALLEL, Field, computation, interval


def hdiff(inp: Field["T"], coeff: Field["T"], out: Field["T"]):
    with computation(PARALLEL), interval(...):
        lap = inp[1, 0, 0] + inp[-1, 0, 0] + inp[0, 1, 0] + inp[0, -1, 0] - 4.0 * inp
        flux_x = lap[1, 0, 0] - lap
        flux_x = 0.0 if flux_x * (inp[1, 0, 0] - inp) > 0.0 else flux_x
        flux_y = lap[0, 1, 0] - lap
        flux_y = 0.0 if flux_y * (inp[0, 1, 0] - inp) > 0.0 else flux_y
        out = inp - coeff * (flux_x - flux_x[-1, 0, 0] + flux_y - flux_y[0, -1, 0])


def jacobi7(inp: Field["T"], out: Field["T"]):
    with computation(PARALLEL), interval(...):
        out = (
            inp + inp[-1, 0, 0] + inp[1, 0, 0] + inp[0, -1, 0] + inp[0, 1, 0] + inp[0, 0, -1] + inp[0, 0, 1]
        ) * (1.0 / 7.0)


def tridiagonal(inf: Field["T"], diag: Field["T"], sup: Field["T"], rhs: Field["T"], out: Field["T"]):
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


def vadv(
    utens_stage: Field["T"],
    u_stage: Field["T"],
    wcon: Field["T"],
    u_pos: Field["T"],
    utens: Field["T"],
    dtr_stage: "T",
):
    with computation(FORWARD):
        with interval(0, 1):
            gcv = 0.25 * (wcon[1, 0, 1] + wcon[0, 0, 1])
            cs = gcv * 0.5
            ccol = gcv * 0.5
            bcol = dtr_stage - ccol
            correction = -cs * (u_stage[0, 0, 1] - u_stage)
            dcol = dtr_stage * u_pos + utens + utens_stage + correction
            divided = 1.0 / bcol
            ccol = ccol * divided
            dcol = dcol * divided
        with interval(1, -1):
            gav = -0.25 * (wcon[1, 0, 0] + wcon)
            gcv = 0.25 * (wcon[1, 0, 1] + wcon[0, 0, 1])
            as_ = gav * 0.5
            cs = gcv * 0.5
            acol = gav * 0.5
            ccol = gcv * 0.5
            bcol = dtr_stage - acol - ccol
            correction = -as_ * (u_stage[0, 0, -1] - u_stage) - cs * (u_stage[0, 0, 1] - u_stage)
            dcol = dtr_stage * u_pos + utens + utens_stage + correction
            divided = 1.0 / (bcol - ccol[0, 0, -1] * acol)
            ccol = ccol * divided
            dcol = (dcol - dcol[0, 0, -1] * acol) * divided
        with interval(-1, None):
            gav = -0.25 * (wcon[1, 0, 0] + wcon)
            as_ = gav * 0.5
            acol = gav * 0.5
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
