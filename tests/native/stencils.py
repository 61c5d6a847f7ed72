"""Stencils with what the catalogue lacks: checks, bools, short axes, names that C has for itself."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

LONG_NAME: Final = "a_name_of_sixty_characters_which_is_as_long_as_most_people_g"

_TEXTS: Final = (
    """stencil upwards(u: f64[IJK], least: f64)
  multistage parallel
    stage
      do [start, end)
        check user(u > least, "u is %g, not above %g", u, least) key(0, 1)
        u = u * 2.0
""",
    """stencil forward_check(u: f32[IJK], n: i32[IJ], flag: bool[IJK])
  multistage forward
    stage
      do [start, end)
        check user(u < 5.0f32, "100%% of \\"%d\\" and %g, then %d", n, u, flag) key(0, 1)
        u = u + 1.0f32
""",
    """stencil backward_check(u: f64[IJK])
  multistage backward
    stage
      do [start, end)
        check user(u < 5.0, "too large") key(0, 1)
        u = 0.0
""",
    """stencil bools(flag: bool[IJK], mask: bool[IJ], out: bool[IJK], count: i8[IJK], invert: bool)
  multistage parallel
    stage
      do [start, end)
        out = flag and mask or invert
        count = 3i8 if flag else -2i8
""",
    """stencil axes(u: f64[IJK], on_i: f64[I], on_j: f32[J], on_k: i16[K], on_ik: f64[IK], on_jk: i64[JK])
  multistage parallel
    stage
      do [start, end)
        u = u + on_i[1] * f64(on_j[-1]) + f64(on_k) - on_ik + f64(on_jk)
""",
    """stencil rows(on_i: f64[I], on_j: f64[J], into: f64[IJ])
  multistage forward
    stage
      do [start, end)
        into = into + on_i * on_j[1]
""",
    f"""stencil double(int: f64[IJK], {LONG_NAME}: f64[IJK], double_run: f64,
    workspace: f64, stencil_begin: i32)
  multistage parallel
    stage
      do [start, end)
        int = int + {LONG_NAME}[0, 0, 0] * double_run + workspace * f64(stencil_begin)
""",
    f"""stencil {LONG_NAME}(größe: f64[IJK], größe_: f64)
  multistage parallel
    stage
      do [start, end)
        größe = größe * größe_
""",
    """stencil on_heap(u: f64[IJK], out: f64[IJK])
  temporary twice: f64[IJK] heap
  temporary sums: f32[IJK] heap
  temporary top: f64[IJ] heap
  multistage parallel
    stage
      do [start, end)
        twice = 2.0 * u
        out = twice * twice
  multistage forward
    stage
      do [start, start+1)
        sums = f32(u)
      do [start+1, end)
        sums = sums[0, 0, -1] + f32(u)
      do [start, end)
        top = f64(sums)
  multistage backward
    stage
      do [start, end)
        out = out + f64(sums) - top[1, 0]
""",
    """stencil calls(u: f64[IJK], v: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        u, v = call "tests.external_functions:split"(u, v)
        u = call "tests.external_functions:mix"(u, exp(v))
""",
)

STENCILS: Final[Mapping[str, str]] = MappingProxyType(
    {text.partition("(")[0].split()[1]: text for text in _TEXTS}
)
