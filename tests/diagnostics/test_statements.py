"""Statements that assign to what cannot be assigned, or do nothing."""

from typing import Final

import pytest

from tests.diagnostics.bad_stencils import message, split_case

CASES: Final = {
    "an assignment to a scalar": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        x = 1.0
---
Scalar 'x' cannot be assigned to. [bad-target]
  File "bad.py", line 3
    3 |         x = 1.0
      |         ^ an argument that is no field
  hint: Use another name for the temporary.
""",
    "an assignment to an external": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    from __externals__ import SCALE
    with computation(PARALLEL), interval(...):
        SCALE = 1
---
External 'SCALE' has the name of a parameter or temporary. [bad-target]
  File "bad.py", line 2
    2 |     from __externals__ import SCALE
      |                               ^^^^^
  hint: Write 'from __externals__ import SCALE as ...'.
""",
    "an assignment to a field that is read-only": """
def bad(u: Field[K, float]):
    with computation(FORWARD), interval(...):
        u = 1
---
Field 'u' on the axes 'K' is read-only. [read-only-field]
  File "bad.py", line 3
    3 |         u = 1
      |         ^
  hint: Only fields on 'IJ' and 'IJK' can be assigned to.
""",
    "an assignment to a plane in parallel": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        area = u
---
'area' has no axis 'K' and is assigned on several levels in no order. [plane-in-parallel]
  File "bad.py", line 3
    3 |         area = u
      |         ^^^^ one value for all levels
  hint: Use 'computation(FORWARD)' or an interval of one level, as in 'interval(0, 1)'.
""",
    "an assignment to an attribute": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u.data = 1
---
Only a field or a temporary can be assigned to. [bad-target]
  File "bad.py", line 3
    3 |         u.data = 1
      |         ^^^^^^
""",
    "an assignment to a starred name": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        *u, v = u, v
---
A starred expression is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         *u, v = u, v
      |         ^^
  hint: Write the values out.
""",
    "more targets than values": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u, v = u
---
2 targets cannot take 1 value. [several-values]
  File "bad.py", line 3
    3 |         u, v = u
      |         ^^^^
""",
    "more values than targets": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u, v = u, v, 1
---
2 targets cannot take 3 values. [several-values]
  File "bad.py", line 3
    3 |         u, v = u, v, 1
      |         ^^^^
""",
    "a tuple for one target": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u, v
---
Several values stand where one is needed. [several-values]
  File "bad.py", line 3
    3 |         u = u, v
      |             ^^^^
  hint: Assign them first: 'a, b = ...'.
""",
    "nested tuples": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u, (v, w) = u, (v, u)
---
Several values stand where one is needed. [several-values]
  File "bad.py", line 3
    3 |         u, (v, w) = u, (v, u)
      |                        ^^^^^^
  hint: Assign them first: 'a, b = ...'.
""",
    "a tuple inside an expression": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = 1 + (u, v)
---
Several values stand where one is needed. [several-values]
  File "bad.py", line 3
    3 |         u = 1 + (u, v)
      |                 ^^^^^^
  hint: Assign them first: 'a, b = ...'.
""",
    "a declaration on a wrong set of axes": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        t: Field[K, float] = 1
---
A temporary cannot have the axes 'K'. [bad-axes]
  File "bad.py", line 3
    3 |         t: Field[K, float] = 1
      |            ^^^^^^^^^^^^^^^
  hint: Use 'IJ' or 'IJK'.
""",
    "a declaration of an unknown dtype": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        t: 'flot' = 1
---
This annotation cannot be evaluated. [bad-annotation]
  File "bad.py", line 3
    3 |         t: 'flot' = 1
      |            ^^^^^^
  note: NameError: name 'flot' is not defined
  hint: Did you mean 'float'?
""",
    "a declaration of a parameter": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u: float = 1
---
'u' is declared after it has been used or declared. [declared-late]
  File "bad.py", line 3
    3 |         u: float = 1
      |         ^
  hint: Declare a temporary in its first assignment.
""",
    "a declaration after a use": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        t = 1
        t: float32 = 2
---
't' is declared after it has been used or declared. [declared-late]
  File "bad.py", line 4
    4 |         t: float32 = 2
      |         ^
  hint: Declare a temporary in its first assignment.
""",
    "a declaration of an element": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u[0, 0, 0]: float = 1
---
Only a name can be declared. [bad-target]
  File "bad.py", line 3
    3 |         u[0, 0, 0]: float = 1
      |         ^^^^^^^^^^
""",
    "a declaration without an assignment": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        t: Field[float]
        u = t
---
't' is not defined. [undefined-name]
  File "bad.py", line 4
    4 |         u = t
      |             ^
  note: It is declared, and never assigned.
""",
    "an expression as a statement": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u + 1
---
This expression has no effect. [no-effect]
  File "bad.py", line 3
    3 |         u + 1
      |         ^^^^^
  hint: Assign it.
""",
    "a comparison as a statement": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u == v
---
This comparison has no effect. [no-effect]
  File "bad.py", line 3
    3 |         u == v
      |         ^^^^^^ compared, not assigned
  hint: Assign with a single '='.
""",
    "a call as a statement": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        sqrt(u)
---
The result of this call is not used. [no-effect]
  File "bad.py", line 3
    3 |         sqrt(u)
      |         ^^^^^^^
  hint: Assign it.
""",
    "an assertion that fails": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    compile_assert(TABLE[0] > 1)
    with computation(PARALLEL), interval(...):
        u = 1
---
The assertion 'TABLE[0] > 1' does not hold. [compile-assert]
  File "bad.py", line 2
    2 |     compile_assert(TABLE[0] > 1)
      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
    "an assertion that is not known": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        compile_assert(n > 1)
---
The condition of 'compile_assert' is not known when the stencil is built. [not-constant]
  File "bad.py", line 3
    3 |         compile_assert(n > 1)
      |                        ^^^^^ known at run time only
  hint: Use constants and externals only.
""",
    "an inlined condition that is not known": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = 1 if __INLINED(u > 0) else 2
---
The condition of '__INLINED' is not known when the stencil is built. [not-constant]
  File "bad.py", line 3
    3 |         u = 1 if __INLINED(u > 0) else 2
      |                            ^^^^^ known at run time only
  hint: Use constants and externals only.
""",
    "a temporary with axes and no dtype": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        plane: Field[IJ] = 0.0
---
A field on 'IJ' needs a dtype. [bad-annotation]
  File "bad.py", line 3
    3 |         plane: Field[IJ] = 0.0
      |                ^^^^^^^^^
  hint: Write 'Field[IJ, float64]'.
""",
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_statements(case: str) -> None:
    source, text = split_case(case)
    assert message(source) == text
