"""Doubtful stencils are accepted, and their author is told what looks wrong."""

from typing import Final

import pytest

from tests.diagnostics.bad_stencils import split_case, warnings

CASES: Final = {
    "a misspelt output": """
def bad(u: Field[float], result: Field[float]):
    with computation(PARALLEL), interval(...):
        resutl = u[1, 0, 0]
---
Temporary 'resutl' is written and never read. [write-only]
  File "bad.py", line 3
    3 |         resutl = u[1, 0, 0]
      |         ^^^^^^ a temporary, not an output
  hint: Did you mean 'result'?
""",
    "a temporary that only its own updates read": """
def bad(u: Field[float]):
    with computation(FORWARD), interval(1, None):
        total = total[0, 0, -1] + u
---
Temporary 'total' is written and never read. [write-only]
  File "bad.py", line 3
    3 |         total = total[0, 0, -1] + u
      |         ^^^^^ a temporary, not an output
  hint: Remove it, or make it a parameter of the stencil.
""",
    "two of them": """
def bad(u: Field[float]):
    with computation(PARALLEL), interval(...):
        a, b = u, 1
---
Temporary 'a' is written and never read. [write-only]
  File "bad.py", line 3
    3 |         a, b = u, 1
      |         ^ a temporary, not an output
  hint: Remove it, or make it a parameter of the stencil.
Temporary 'b' is written and never read. [write-only]
  File "bad.py", line 3
    3 |         a, b = u, 1
      |            ^ a temporary, not an output
  hint: Remove it, or make it a parameter of the stencil.
""",
    "a temporary that a condition reads": """
def bad(u: Field[float]):
    with computation(PARALLEL), interval(...):
        mask = u > 0
        if mask:
            u = 0
---
""",
    "the locals of a function": """
@function
def half(a):
    unused = a
    return 0.5 * a

def bad(u: Field[float]):
    with computation(PARALLEL), interval(...):
        u = half(u)
---
""",
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_warnings(case: str) -> None:
    source, text = split_case(case)
    assert warnings(source) == text
