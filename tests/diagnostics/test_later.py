"""Parts of the language that are not built yet say so."""

from typing import Final

import pytest

from tests.diagnostics.bad_stencils import message, split_case

CASES: Final = {
    "a while loop": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        while u > 0:
            u = u - 1
---
A 'while' loop is not supported yet. [not-supported-yet]
  File "bad.py", line 3
    3 |         while u > 0:
      |         ^^^^^^^^^^^^
  hint: Write a fixed number of steps, each under an 'if'.
""",
    "a horizontal region": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        with horizontal(region[I[0], :]):
            u = 1
---
A 'horizontal' region is not supported yet. [not-supported-yet]
  File "bad.py", line 3
    3 |         with horizontal(region[I[0], :]):
      |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: Compute everywhere and choose with an 'IJ' mask field.
""",
    "a region as a value": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = region
---
A 'horizontal' region is not supported yet. [not-supported-yet]
  File "bad.py", line 3
    3 |         u = region
      |             ^^^^^^
  hint: Compute everywhere and choose with an 'IJ' mask field.
""",
    "a run-time offset": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[0, 0, n]
---
An offset known only at run time is not supported yet. [not-supported-yet]
  File "bad.py", line 3
    3 |         u = u[0, 0, n]
      |                     ^
  hint: Use a constant offset.
""",
    "a store at another level": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u[0, 0, 1] = v
---
A store at another level is not supported yet. [not-supported-yet]
  File "bad.py", line 3
    3 |         u[0, 0, 1] = v
      |         ^^^^^^^^^^
  hint: Store at the point itself, in a computation of its own.
""",
    "an absolute index": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u.at(K=0)
---
An absolute index with '.at(...)' is not supported yet. [not-supported-yet]
  File "bad.py", line 3
    3 |         u = u.at(K=0)
      |             ^^^^
  hint: Use an 'IJ' field for a value of one level.
""",
    "a second subscript": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u[0, 0, 0][1]
---
A field with data dimensions is not supported yet. [not-supported-yet]
  File "bad.py", line 3
    3 |         u = u[0, 0, 0][1]
      |             ^^^^^^^^^^^^^
  hint: Use one field for each component.
""",
    "a declared data dimension": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        t: Field[(float, (3,))] = 1
---
A field with data dimensions is not supported yet. [not-supported-yet]
  File "bad.py", line 3
    3 |         t: Field[(float, (3,))] = 1
      |            ^^^^^^^^^^^^^^^^^^^^
  hint: Use one field for each component.
""",
    "the operator @": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u @ v
---
The operator '@' is not supported yet. [not-supported-yet]
  File "bad.py", line 3
    3 |         u = u @ v
      |             ^^^^^
  hint: Write the sums out.
""",
    "a transpose": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u.T
---
The attribute '.T' is not supported yet. [not-supported-yet]
  File "bad.py", line 3
    3 |         u = u.T
      |             ^^^
  hint: Write the components out.
""",
    "an external call": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = call(shifted, u)
---
An external call is not supported yet. [not-supported-yet]
  File "bad.py", line 3
    3 |         u = call(shifted, u)
      |             ^^^^^^^^^^^^^^^^
  hint: Use a function with '@function'.
""",
    "a run-time check": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        check(u > 0, 'no')
---
A run-time check is not supported yet. [not-supported-yet]
  File "bad.py", line 3
    3 |         check(u > 0, 'no')
      |         ^^^^^^^^^^^^^^^^^^
  hint: Mark bad points in an output and look at it after the call.
""",
    "an index as a value": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = K
---
The index of a point is not supported yet. [not-supported-yet]
  File "bad.py", line 3
    3 |         u = K
      |             ^
  hint: Pass a field that holds the indices.
""",
    "the position of an axis": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = I[0]
---
The index of a point is not supported yet. [not-supported-yet]
  File "bad.py", line 3
    3 |         u = I[0]
      |             ^^^^
  hint: Pass a field that holds the indices.
""",
    "data dimensions": """
def bad(u: Field[(float, (3,))]):
    pass
---
A field with data dimensions is not supported yet. [not-supported-yet]
  File "bad.py", line 1
    1 | def bad(u: Field[(float, (3,))]):
      |            ^^^^^^^^^^^^^^^^^^^^
  hint: Use one field for each component.
""",
    "a table": """
def bad(u: GlobalTable[(float, 3)]):
    pass
---
A 'GlobalTable' is not supported yet. [not-supported-yet]
  File "bad.py", line 1
    1 | def bad(u: GlobalTable[(float, 3)]):
      |            ^^^^^^^^^^^^^^^^^^^^^^^
  hint: Use scalar parameters or externals.
""",
    "an optional field": """
def bad(u: Field[float] = None):
    pass
---
An optional field is not supported yet. [not-supported-yet]
  File "bad.py", line 1
    1 | def bad(u: Field[float] = None):
      |                           ^^^^
  hint: Write one stencil for each case.
""",
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_later(case: str) -> None:
    source, text = split_case(case)
    assert message(source) == text
