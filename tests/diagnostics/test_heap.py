"""Temporaries on the heap that are declared wrongly."""

from typing import Final

import pytest

from tests.diagnostics.bad_stencils import message, split_case

CASES: Final = {
    "a heap in an assignment that declares nothing": """
def bad(u: Field[float], n: int):
    with computation(PARALLEL), interval(...):
        t = heap(2 * u)
---
'heap' stands in the declaration of a temporary only. [misplaced]
  File "bad.py", line 3
    3 |         t = heap(2 * u)
      |             ^^^^
  hint: Write 't: Field[float] = heap()' or 't: Field[float] = heap(value)'.
""",
    "a heap in an expression": """
def bad(u: Field[float], n: int):
    with computation(PARALLEL), interval(...):
        t: Field[float] = 1 + heap(u)
---
'heap' stands in the declaration of a temporary only. [misplaced]
  File "bad.py", line 3
    3 |         t: Field[float] = 1 + heap(u)
      |                               ^^^^
  hint: Write 't: Field[float] = heap()' or 't: Field[float] = heap(value)'.
""",
    "a heap in a heap": """
def bad(u: Field[float], n: int):
    with computation(PARALLEL), interval(...):
        t: Field[float] = heap(heap(u))
---
'heap' stands in the declaration of a temporary only. [misplaced]
  File "bad.py", line 3
    3 |         t: Field[float] = heap(heap(u))
      |                                ^^^^
  hint: Write 't: Field[float] = heap()' or 't: Field[float] = heap(value)'.
""",
    "a heap as a statement": """
def bad(u: Field[float], n: int):
    with computation(PARALLEL), interval(...):
        heap()
---
'heap' stands in the declaration of a temporary only. [misplaced]
  File "bad.py", line 3
    3 |         heap()
      |         ^^^^
  hint: Write 't: Field[float] = heap()' or 't: Field[float] = heap(value)'.
""",
    "an argument on the heap": """
def bad(u: Field[float], n: int):
    with computation(PARALLEL), interval(...):
        u: Field[float] = heap()
---
Argument 'u' cannot be kept on the heap. [bad-target]
  File "bad.py", line 3
    3 |         u: Field[float] = heap()
      |         ^ the caller's
  hint: Declare a temporary of another name.
""",
    "a scalar on the heap": """
def bad(u: Field[float], n: int):
    with computation(PARALLEL), interval(...):
        n: Field[float] = heap(u)
---
Argument 'n' cannot be kept on the heap. [bad-target]
  File "bad.py", line 3
    3 |         n: Field[float] = heap(u)
      |         ^ the caller's
  hint: Declare a temporary of another name.
""",
    "a second heap for a temporary": """
def bad(u: Field[float], n: int):
    with computation(PARALLEL), interval(...):
        t: Field[float] = heap()
        t: Field[float] = heap()
---
't' is declared after it has been used or declared. [declared-late]
  File "bad.py", line 4
    4 |         t: Field[float] = heap()
      |         ^
  hint: Declare a temporary in its first assignment.
""",
    "a heap for a temporary that has been used": """
def bad(u: Field[float], n: int):
    with computation(PARALLEL), interval(...):
        t = u
        t: Field[float] = heap()
---
't' is declared after it has been used or declared. [declared-late]
  File "bad.py", line 4
    4 |         t: Field[float] = heap()
      |         ^
  hint: Declare a temporary in its first assignment.
""",
    "a heap for axes that no temporary has": """
def bad(u: Field[float], n: int):
    with computation(PARALLEL), interval(...):
        t: Field[K, float] = heap()
---
A temporary cannot have the axes 'K'. [bad-axes]
  File "bad.py", line 3
    3 |         t: Field[K, float] = heap()
      |            ^^^^^^^^^^^^^^^
  hint: Use 'IJ' or 'IJK'.
""",
    "a heap for a dtype that there is not": """
def bad(u: Field[float], n: int):
    with computation(PARALLEL), interval(...):
        t: Field[complex] = heap()
---
'complex' is not a dtype of the language. [unknown-dtype]
  File "bad.py", line 3
    3 |         t: Field[complex] = heap()
      |            ^^^^^^^^^^^^^^
  hint: Use one of bool, int8, int16, int32, int64, float32, float64, or a name given in 'dtypes='.
""",
    "two values for the heap": """
def bad(u: Field[float], n: int):
    with computation(PARALLEL), interval(...):
        t: Field[float] = heap(u, 1)
---
'heap' takes 0 or 1 arguments, but 2 are given. [wrong-arguments]
  File "bad.py", line 3
    3 |         t: Field[float] = heap(u, 1)
      |                           ^^^^^^^^^^
""",
    "a keyword for the heap": """
def bad(u: Field[float], n: int):
    with computation(PARALLEL), interval(...):
        t: Field[float] = heap(value=u)
---
'heap' takes no keyword arguments. [wrong-arguments]
  File "bad.py", line 3
    3 |         t: Field[float] = heap(value=u)
      |                                ^^^^^^^
""",
}


@pytest.mark.parametrize("case", CASES)
def test_heap_stands_in_the_declaration_of_a_temporary(case: str) -> None:
    source, expected = split_case(CASES[case])
    assert message(source) == expected
