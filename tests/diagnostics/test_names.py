"""Names that mean nothing, or nothing that a stencil can compute with."""

from typing import Final

import pytest

from tests.diagnostics.bad_stencils import message, split_case

CASES: Final = {
    "externals imported in an interval": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        from __externals__ import SCALE, OTHER as other
        u = SCALE
---
Externals are not imported inside a block. [misplaced]
  File "bad.py", line 3
    3 |         from __externals__ import SCALE, OTHER as other
      |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: Put 'from __externals__ import SCALE, OTHER as other' before the first computation.
""",
    "externals imported in a computation": """
def bad(u: Field[float]):
    with computation(PARALLEL):
        from __externals__ import SCALE
        with interval(...):
            u = SCALE
---
Externals are not imported inside a block. [misplaced]
  File "bad.py", line 3
    3 |         from __externals__ import SCALE
      |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: Put 'from __externals__ import SCALE' before the first computation.
""",
    "a name that nothing defines": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = w
---
'w' is not defined. [undefined-name]
  File "bad.py", line 3
    3 |         u = w
      |             ^
""",
    "a misspelt field": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = aera + 1
---
'aera' is not defined. [undefined-name]
  File "bad.py", line 3
    3 |         u = aera + 1
      |             ^^^^
  hint: Did you mean 'area'?
""",
    "a misspelt native function": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = sqr(u)
---
Function 'sqr' is not defined. [unknown-function]
  File "bad.py", line 3
    3 |         u = sqr(u)
      |             ^^^
  hint: Did you mean 'sqrt'?
""",
    "a misspelt function of the user's": """
@function
def laplacian(a):
    return a

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = laplacien(u)
---
Function 'laplacien' is not defined. [unknown-function]
  File "bad.py", line 7
    7 |         u = laplacien(u)
      |             ^^^^^^^^^
  hint: Did you mean 'laplacian'?
""",
    "an unknown function that resembles nothing": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = frobnicate(u)
---
Function 'frobnicate' is not defined. [unknown-function]
  File "bad.py", line 3
    3 |         u = frobnicate(u)
      |             ^^^^^^^^^^
""",
    "an external that is not imported": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = SCALE * u
---
'SCALE' is not defined. [undefined-name]
  File "bad.py", line 3
    3 |         u = SCALE * u
      |             ^^^^^
  hint: Write 'from __externals__ import SCALE' at the top of the function.
""",
    "an external that is not given": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    from __externals__ import SCALES
    with computation(PARALLEL), interval(...):
        u = 1
---
External 'SCALES' is not given. [unknown-external]
  File "bad.py", line 2
    2 |     from __externals__ import SCALES
      |                               ^^^^^^
  note: The externals are 'SCALE'.
  hint: Did you mean 'SCALE'?
""",
    "an external that resembles none": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    from __externals__ import WIND
    with computation(PARALLEL), interval(...):
        u = 1
---
External 'WIND' is not given. [unknown-external]
  File "bad.py", line 2
    2 |     from __externals__ import WIND
      |                               ^^^^
  note: The externals are 'SCALE'.
  hint: Pass 'externals={"WIND": ...}'.
""",
    "an external named as a parameter": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    from __externals__ import SCALE as u
    with computation(PARALLEL), interval(...):
        u = 1
---
External 'u' has the name of a parameter or temporary. [bad-target]
  File "bad.py", line 2
    2 |     from __externals__ import SCALE as u
      |                               ^^^^^^^^^^
  hint: Write 'from __externals__ import SCALE as ...'.
""",
    "an attribute that a module lacks": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = np.pie
---
'np' has no attribute 'pie'. [bad-attribute]
  File "bad.py", line 3
    3 |         u = np.pie
      |             ^^^^^^
  hint: Did you mean 'pi'?
""",
    "an attribute of a field": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u.shape
---
A field or number has no attribute 'shape'. [bad-attribute]
  File "bad.py", line 3
    3 |         u = u.shape
      |             ^^^^^^^
""",
    "an attribute of a number": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = SIZES.nx.real
---
A field or number has no attribute 'real'. [bad-attribute]
  File "bad.py", line 3
    3 |         u = SIZES.nx.real
      |             ^^^^^^^^^^^^^
""",
    "a misspelt attribute of an object": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = SIZES.nz
---
'SIZES' has no attribute 'nz'. [bad-attribute]
  File "bad.py", line 3
    3 |         u = SIZES.nz
      |             ^^^^^^^^
""",
    "an entry that a tuple lacks": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = TABLE[7]
---
'TABLE' has no such entry. [bad-attribute]
  File "bad.py", line 3
    3 |         u = TABLE[7]
      |             ^^^^^^^^
""",
    "an index into a tuple that is not known": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = TABLE[n]
---
An index into a Python object must be known when the stencil is built. [bad-offset]
  File "bad.py", line 3
    3 |         u = TABLE[n]
      |                   ^ known at run time only
""",
    "a module as a number": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = np + 1
---
'np' is a 'module', not a number of the language. [not-a-number]
  File "bad.py", line 3
    3 |         u = np + 1
      |             ^^
""",
    "a function as a number": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = sqrt
---
'sqrt' is a function, not a number. [not-a-number]
  File "bad.py", line 3
    3 |         u = sqrt
      |             ^^^^
  hint: Call it.
""",
    "a table as a number": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = 2 * TABLE
---
'TABLE' is a 'tuple', not a number of the language. [not-a-number]
  File "bad.py", line 3
    3 |         u = 2 * TABLE
      |                 ^^^^^
""",
    "None as a number": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = None
---
'None' is not a number. [not-a-number]
  File "bad.py", line 3
    3 |         u = None
      |             ^^^^
""",
    "a string as a number": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = 'one'
---
A string is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = 'one'
      |             ^^^^^
  hint: A stencil computes with numbers only; an 'IntEnum' gives them names.
""",
    "a complex number": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = 1j
---
This is not a number of the language. [not-a-number]
  File "bad.py", line 3
    3 |         u = 1j
      |             ^^
""",
    "a NumPy scalar of a foreign dtype": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = HALF
---
'HALF' is a 'float16', not a number of the language. [not-a-number]
  File "bad.py", line 3
    3 |         u = HALF
      |             ^^^^
""",
    "a name that only a branch left out assigns": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        if False:
            gone = 1
        u = gone
---
'gone' is not defined. [undefined-name]
  File "bad.py", line 5
    5 |         u = gone
      |             ^^^^
  note: It is assigned only in branches that are left out when the stencil is built.
""",
    "a module that is not imported": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = math.sqrt(u)
---
'math' is not defined. [undefined-name]
  File "bad.py", line 3
    3 |         u = math.sqrt(u)
      |             ^^^^
  hint: Write 'import math' above the function.
""",
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_names(case: str) -> None:
    source, text = split_case(case)
    assert message(source) == text
