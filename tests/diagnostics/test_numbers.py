"""Numbers and conditions that do not fit."""

# ruff: noqa: E501 - whole texts of errors

from typing import Final

import pytest

from tests.diagnostics.bad_stencils import message, split_case

CASES: Final = {
    "an integer that does not fit": """
def bad(m: Field[np.int8]):
    with computation(PARALLEL), interval(...):
        m = m + 300
---
The number 300 does not fit into 'int8'. [literal-overflow]
  File "bad.py", line 3
    3 |         m = m + 300
      |                 ^^^ must be int8 here
""",
    "an integer that its target cannot hold": """
def bad(m: Field[np.int8]):
    with computation(PARALLEL), interval(...):
        m = -129
---
The number -129 does not fit into 'int8'. [literal-overflow]
  File "bad.py", line 3
    3 |         m = -129
      |             ^^^^ must be int8 here
""",
    "a float that does not fit": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        v = v * 1e300
---
The number 1e+300 does not fit into 'float32'. [literal-overflow]
  File "bad.py", line 3
    3 |         v = v * 1e300
      |                 ^^^^^ must be float32 here
""",
    "infinity in an integer": """
def bad(m: Field[int]):
    with computation(PARALLEL), interval(...):
        m = 1e400
---
The number inf does not fit into 'int64'. [literal-overflow]
  File "bad.py", line 3
    3 |         m = 1e400
      |             ^^^^^ must be int64 here
""",
    "a cast that does not fit": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = int8(200)
---
This number does not fit into 'int8'. [literal-overflow]
  File "bad.py", line 3
    3 |         u = int8(200)
      |                  ^^^
""",
    "a constant that is too large": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = 9 ** 9 ** 9
---
The value of this constant expression is too large. [literal-overflow]
  File "bad.py", line 3
    3 |         u = 9 ** 9 ** 9
      |             ^^^^^^^^^^^
""",
    "arithmetic on conditions": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = (u > 0) + (v > 0)
---
Operator '+' takes numbers, not conditions. [not-a-number]
  File "bad.py", line 3
    3 |         u = (u > 0) + (v > 0)
      |             ^^^^^^^^^^^^^^^^^ computed from conditions
  hint: Use 'and', 'or', 'not', or convert with 'int(...)'.
""",
    "a negated condition": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = -(u > 0)
---
Operator '-' takes numbers, not conditions. [not-a-number]
  File "bad.py", line 3
    3 |         u = -(u > 0)
      |             ^^^^^^^^ computed from conditions
  hint: Use 'and', 'or', 'not', or convert with 'int(...)'.
""",
    "the remainder of conditions": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = (u > 0) % (v > 0)
---
Operator '%' takes numbers, not conditions. [not-a-number]
  File "bad.py", line 3
    3 |         u = (u > 0) % (v > 0)
      |             ^^^^^^^^^^^^^^^^^ computed from conditions
  hint: Use 'and', 'or', 'not', or convert with 'int(...)'.
""",
    "a function of a condition": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = sqrt(u > 0)
---
'sqrt' takes numbers, not conditions. [not-a-number]
  File "bad.py", line 3
    3 |         u = sqrt(u > 0)
      |             ^^^^^^^^^^^ computed from conditions
  hint: Use 'and', 'or', 'not', or convert with 'int(...)'.
""",
    "a power of a condition": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = (u > 0) ** (v > 0)
---
Operator '**' takes numbers, not conditions. [not-a-number]
  File "bad.py", line 3
    3 |         u = (u > 0) ** (v > 0)
      |             ^^^^^^^^^^^^^^^^^^ computed from conditions
  hint: Use 'and', 'or', 'not', or convert with 'int(...)'.
""",
    "a negative power of an integer": """
def bad(m: Field[int]):
    with computation(PARALLEL), interval(...):
        m = m ** -1
---
An integer has no negative power. [negative-power]
  File "bad.py", line 3
    3 |         m = m ** -1
      |                  ^^ gives a fraction
  hint: Make it a float first, as in 'float(n) ** -1' or '10.0 ** -3'.
""",
    "a negative power of a known integer": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = 10 ** -3 * u
---
An integer has no negative power. [negative-power]
  File "bad.py", line 3
    3 |         u = 10 ** -3 * u
      |                   ^^ gives a fraction
  hint: Make it a float first, as in 'float(n) ** -1' or '10.0 ** -3'.
""",
    "an expression nested too deeply": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = ----------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------u
---
This expression is nested too deeply. [too-deep]
  File "bad.py", line 3
    3 | ...------------------------------------------------------------------------------------------------------------------------------------------------------------u
      |                                                                                                                                            ^^^^^^^^^^^^^^^^^^^^^
  hint: Assign parts of it to temporaries.
""",
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_numbers(case: str) -> None:
    source, text = split_case(case)
    assert message(source) == text
