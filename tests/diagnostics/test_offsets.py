"""Offsets that are not constant, too many or too few."""

from typing import Final

import pytest

from tests.diagnostics.bad_stencils import message, split_case

CASES: Final = {
    "a multiple of an axis": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[2 * I]
---
An offset on an axis is the axis plus or minus a whole number. [bad-offset]
  File "bad.py", line 3
    3 |         u = u[2 * I]
      |               ^^^^^
  hint: Write 'I + 1' or 'K - 2', or a number for each axis, as in '1, 0, -2'.
""",
    "an axis with a minus": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[-K]
---
An offset on an axis is the axis plus or minus a whole number. [bad-offset]
  File "bad.py", line 3
    3 |         u = u[-K]
      |               ^^
  hint: Write 'I + 1' or 'K - 2', or a number for each axis, as in '1, 0, -2'.
""",
    "an axis from a number": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[1 - I]
---
An offset on an axis is the axis plus or minus a whole number. [bad-offset]
  File "bad.py", line 3
    3 |         u = u[1 - I]
      |               ^^^^^
  hint: Write 'I + 1' or 'K - 2', or a number for each axis, as in '1, 0, -2'.
""",
    "two axes in one offset": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[I + J]
---
An offset on an axis is the axis plus or minus a whole number. [bad-offset]
  File "bad.py", line 3
    3 |         u = u[I + J]
      |               ^^^^^
  hint: Write 'I + 1' or 'K - 2', or a number for each axis, as in '1, 0, -2'.
""",
    "too few offsets": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[1]
---
'u' takes 3 offsets, but 1 is given. [bad-offset]
  File "bad.py", line 3
    3 |         u = u[1]
      |             ^^^^
  note: Its axes are 'IJK'.
  hint: Write 'u[1, 0, 0]'.
""",
    "too many offsets of a plane": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = area[1, 0, 0]
---
'area' takes 2 offsets, but 3 are given. [bad-offset]
  File "bad.py", line 3
    3 |         u = area[1, 0, 0]
      |             ^^^^^^^^^^^^^
  note: Its axes are 'IJ'.
  hint: Write 'area[1, 0]'.
""",
    "an offset known at run time": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[n, 0, 0]
---
An offset on axis 'I' must be known when the stencil is built. [bad-offset]
  File "bad.py", line 3
    3 |         u = u[n, 0, 0]
      |               ^ known at run time only
  hint: Use a whole number or an external.
""",
    "a fraction as offset": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[0.5, 0, 0]
---
An offset is a whole number. [bad-offset]
  File "bad.py", line 3
    3 |         u = u[0.5, 0, 0]
      |               ^^^
""",
    "a condition as offset": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[True, 0, 0]
---
An offset is a whole number. [bad-offset]
  File "bad.py", line 3
    3 |         u = u[True, 0, 0]
      |               ^^^^
""",
    "a string as offset": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u['i', 0, 0]
---
An offset is a whole number. [bad-offset]
  File "bad.py", line 3
    3 |         u = u['i', 0, 0]
      |               ^^^
""",
    "a slice as offset": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[1:2, 0, 0]
---
A slice is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = u[1:2, 0, 0]
      |               ^^^
  hint: A statement runs on all points; give offsets, as in 'u[1, 0, 0]'.
""",
    "a slice of the first axis only": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u[1:-1] = v
---
A slice is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u[1:-1] = v
      |           ^^^^
  hint: A statement runs on all points; give offsets, as in 'u[1, 0, 0]'.
""",
    "an ellipsis as offset": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[...]
---
'u' takes 3 offsets, but 1 is given. [bad-offset]
  File "bad.py", line 3
    3 |         u = u[...]
      |             ^^^^^^
  note: Its axes are 'IJK'.
  hint: Write 'u[1, 0, 0]'.
""",
    "an offset that is too large": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[2 ** 40, 0, 0]
---
This offset is too large. [bad-offset]
  File "bad.py", line 3
    3 |         u = u[2 ** 40, 0, 0]
      |               ^^^^^^^
""",
    "offsets with and without axes": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[I + 1, 2]
---
Offsets with and without axes are mixed. [bad-offset]
  File "bad.py", line 3
    3 |         u = u[I + 1, 2]
      |                      ^
  hint: Write all offsets with axes, as in 'u[I + 1, J - 1]'.
""",
    "an axis given twice": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[I + 1, I - 1]
---
Axis 'I' is given twice. [bad-offset]
  File "bad.py", line 3
    3 |         u = u[I + 1, I - 1]
      |                      ^^^^^
""",
    "an axis that the field lacks": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = area[K + 1]
---
'area' has no axis 'K'. [bad-offset]
  File "bad.py", line 3
    3 |         u = area[K + 1]
      |                  ^^^^^
  note: Its axes are 'IJ'.
""",
    "a scalar at an offset": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = x[1, 0, 0]
---
'x' is a scalar and cannot be read at an offset. [offset-on-scalar]
  File "bad.py", line 3
    3 |         u = x[1, 0, 0]
      |             ^^^^^^^^^^ one value everywhere
""",
    "an expression at an offset": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = (u + v)[1, 0, 0]
---
Only a field can be read at an offset. [offset-on-expression]
  File "bad.py", line 3
    3 |         u = (u + v)[1, 0, 0]
      |             ^^^^^^^^^^^^^^^^
  hint: Assign the expression to a temporary first.
""",
    "a store at an offset": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u[1, 0, 0] = v
---
A statement stores at its own point only. [store-at-offset]
  File "bad.py", line 3
    3 |         u[1, 0, 0] = v
      |         ^^^^^^^^^^ stores at another point
  hint: Read at the opposite offset instead.
""",
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_offsets(case: str) -> None:
    source, text = split_case(case)
    assert message(source) == text
