"""Computations and intervals that are misplaced or empty."""

from typing import Final

import pytest

from tests.diagnostics.bad_stencils import message, split_case

CASES: Final = {
    "a statement outside a computation": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    u = 1
---
This statement stands outside a computation. [no-computation]
  File "bad.py", line 2
    2 |     u = 1
      |     ^^^^^
  hint: Write 'with computation(PARALLEL), interval(...):'.
""",
    "a statement outside an interval": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL):
        u = 1
---
This statement stands in a computation but in no interval. [no-interval]
  File "bad.py", line 3
    3 |         u = 1
      |         ^^^^^ on which levels?
  hint: Put it under 'with interval(...):'.
""",
    "an interval without computation": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with interval(...):
        u = 1
---
This statement stands outside a computation. [no-computation]
  File "bad.py", line 3
    3 |         u = 1
      |         ^^^^^
  hint: Write 'with computation(PARALLEL), interval(...):'.
""",
    "a loop order that is none": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(SCALED), interval(...):
        u = 1
---
'SCALED' is not defined. [undefined-name]
  File "bad.py", line 2
    2 |     with computation(SCALED), interval(...):
      |                      ^^^^^^
  hint: Write 'PARALLEL', 'FORWARD' or 'BACKWARD'.
""",
    "a loop order misspelt": """
def bad(u: Field[float]):
    with computation(FORWRD), interval(...):
        u = 1
---
'FORWRD' is not defined. [undefined-name]
  File "bad.py", line 2
    2 |     with computation(FORWRD), interval(...):
      |                      ^^^^^^
  hint: Did you mean 'FORWARD'?
  hint: Write 'PARALLEL', 'FORWARD' or 'BACKWARD'.
""",
    "a number as loop order": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(1), interval(...):
        u = 1
---
This is no loop order. [bad-loop-order]
  File "bad.py", line 2
    2 |     with computation(1), interval(...):
      |                      ^
  hint: Write 'PARALLEL', 'FORWARD' or 'BACKWARD'.
""",
    "no loop order": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(), interval(...):
        u = 1
---
'computation' takes one loop order, but 0 arguments are given. [bad-loop-order]
  File "bad.py", line 2
    2 |     with computation(), interval(...):
      |          ^^^^^^^^^^^^^
  hint: Write 'PARALLEL', 'FORWARD' or 'BACKWARD'.
""",
    "a computation in a computation": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), computation(FORWARD):
        u = 1
---
'computation' stands inside another 'computation'. [misplaced]
  File "bad.py", line 2
    2 |     with computation(PARALLEL), computation(FORWARD):
      |                                 ^^^^^^^^^^^^^^^^^^^^
  hint: Put the blocks one after another.
""",
    "an interval in an interval": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        with interval(0, 1):
            u = 1
---
'interval' cannot stand here. [misplaced]
  File "bad.py", line 3
    3 |         with interval(0, 1):
      |              ^^^^^^^^^^^^^^
  hint: Blocks nest as 'computation', then 'interval', then statements.
""",
    "a computation in an interval's statements": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        with computation(FORWARD):
            u = 1
---
'computation' cannot stand here. [misplaced]
  File "bad.py", line 3
    3 |         with computation(FORWARD):
      |              ^^^^^^^^^^^^^^^^^^^^
  hint: Blocks nest as 'computation', then 'interval', then statements.
""",
    "another with block among statements": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        with open(u):
            u = 1
---
A 'with' block cannot stand here. [misplaced]
  File "bad.py", line 3
    3 |         with open(u):
      |              ^^^^^^^
  hint: Blocks nest as 'computation', then 'interval', then statements.
""",
    "another with block": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with open(u):
        u = 1
---
This is no block of the language. [misplaced]
  File "bad.py", line 2
    2 |     with open(u):
      |          ^^^^^^^
  hint: Write 'with computation(PARALLEL), interval(...):'.
""",
    "a block with a name": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL) as c, interval(...):
        u = 1
---
A block has no 'as' name. [misplaced]
  File "bad.py", line 2
    2 |     with computation(PARALLEL) as c, interval(...):
      |                                   ^
""",
    "computation as a value": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = computation(PARALLEL)
---
'computation' stands in a 'with' statement only. [misplaced]
  File "bad.py", line 3
    3 |         u = computation(PARALLEL)
      |             ^^^^^^^^^^^
  hint: Write 'with computation(...):'.
""",
    "one bound": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(1):
        u = 1
---
'interval' takes two bounds or '...', but 1 is given. [bad-interval]
  File "bad.py", line 2
    2 |     with computation(PARALLEL), interval(1):
      |                                 ^^^^^^^^^^^
  hint: Write 'interval(...)' for all levels or 'interval(start, end)'.
""",
    "three bounds": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(1, 2, 3):
        u = 1
---
'interval' takes two bounds or '...', but 3 are given. [bad-interval]
  File "bad.py", line 2
    2 |     with computation(PARALLEL), interval(1, 2, 3):
      |                                 ^^^^^^^^^^^^^^^^^
  hint: Write 'interval(...)' for all levels or 'interval(start, end)'.
""",
    "a keyword bound": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(start=1):
        u = 1
---
'interval' takes no keyword arguments. [bad-interval]
  File "bad.py", line 2
    2 |     with computation(PARALLEL), interval(start=1):
      |                                          ^^^^^^^
  hint: Write 'interval(...)' for all levels or 'interval(start, end)'.
""",
    "a float bound": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(0.5, None):
        u = 1
---
This is not a bound of an interval. [bad-interval]
  File "bad.py", line 2
    2 |     with computation(PARALLEL), interval(0.5, None):
      |                                          ^^^
  hint: Use a whole number, 'None', an external, or an integer scalar parameter plus a constant.
""",
    "a field as a bound": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(u, None):
        u = 1
---
This is not a bound of an interval. [bad-interval]
  File "bad.py", line 2
    2 |     with computation(PARALLEL), interval(u, None):
      |                                          ^
  hint: Use a whole number, 'None', an external, or an integer scalar parameter plus a constant.
""",
    "a float scalar as a bound": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(x, None):
        u = 1
---
Scalar 'x' bounds an interval but is no integer. [bad-interval]
  File "bad.py", line 2
    2 |     with computation(PARALLEL), interval(x, None):
      |                                          ^ a number with a fraction
  hint: Declare it as 'x: int'.
""",
    "a product as a bound": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(2 * n, None):
        u = 1
---
This is not a bound of an interval. [bad-interval]
  File "bad.py", line 2
    2 |     with computation(PARALLEL), interval(2 * n, None):
      |                                          ^^^^^
  hint: Use a whole number, 'None', an external, or an integer scalar parameter plus a constant.
""",
    "a sum of scalars as a bound": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(n + n, None):
        u = 1
---
This is not a bound of an interval. [bad-interval]
  File "bad.py", line 2
    2 |     with computation(PARALLEL), interval(n + n, None):
      |                                          ^^^^^
  hint: Use a whole number, 'None', an external, or an integer scalar parameter plus a constant.
""",
    "a negated scalar as a bound": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(3 - n, None):
        u = 1
---
This is not a bound of an interval. [bad-interval]
  File "bad.py", line 2
    2 |     with computation(PARALLEL), interval(3 - n, None):
      |                                          ^^^^^
  hint: Use a whole number, 'None', an external, or an integer scalar parameter plus a constant.
""",
    "a bound beyond all domains": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(0, 2 ** 40):
        u = 1
---
This bound is too large. [bad-interval]
  File "bad.py", line 2
    2 |     with computation(PARALLEL), interval(0, 2 ** 40):
      |                                             ^^^^^^^
""",
    "bounds in the wrong order": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(5, 3):
        u = 1
---
This interval holds no level in any domain. [empty-interval]
  File "bad.py", line 2
    2 |     with computation(PARALLEL), interval(5, 3):
      |                                 ^^^^^^^^^^^^^^ ends at or below its start
  note: Its end is not part of an interval; negative bounds count from the end of the domain.
  hint: The first bound is the lower one.
""",
    "bounds from the end in the wrong order": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(-1, -2):
        u = 1
---
This interval holds no level in any domain. [empty-interval]
  File "bad.py", line 2
    2 |     with computation(PARALLEL), interval(-1, -2):
      |                                 ^^^^^^^^^^^^^^^^ ends at or below its start
  note: Its end is not part of an interval; negative bounds count from the end of the domain.
  hint: The first bound is the lower one.
""",
    "the last level with a zero end": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(-1, 0):
        u = 1
---
This interval holds no level in any domain. [empty-interval]
  File "bad.py", line 2
    2 |     with computation(PARALLEL), interval(-1, 0):
      |                                 ^^^^^^^^^^^^^^^ ends at or below its start
  note: Its end is not part of an interval; negative bounds count from the end of the domain.
  hint: The first bound is the lower one.
""",
    "an 'if' around blocks": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    if n > 1:
        with computation(PARALLEL), interval(...):
            u = 1
---
An 'if' around blocks needs a condition that is known when the stencil is built. [not-constant]
  File "bad.py", line 2
    2 |     if n > 1:
      |        ^^^^^ known at run time only
  hint: Put the 'if' inside the innermost block.
""",
    "a loop around blocks": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    for m in n:
        with computation(PARALLEL), interval(...):
            u = 1
---
A 'for' loop is not part of the stencil language. [unsupported]
  File "bad.py", line 2
    2 |     for m in n:
      |     ^^^^^^^^^^^
  hint: A computation runs over all points by itself; write the terms out.
""",
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_blocks(case: str) -> None:
    source, text = split_case(case)
    assert message(source) == text
