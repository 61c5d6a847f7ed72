"""Parameters and annotations that are none."""

from typing import Final

import pytest

from tests.diagnostics.bad_stencils import message, split_case

CASES: Final = {
    "a parameter without annotation": """
def bad(u: Field[float], alpha):
    pass
---
Parameter 'alpha' has no annotation. [bad-parameter]
  File "bad.py", line 1
    1 | def bad(u: Field[float], alpha):
      |                          ^^^^^ a field or a scalar?
  hint: Write 'alpha: Field[float]' for a field or 'alpha: float' for a scalar.
""",
    "a dtype that is unknown": """
def bad(u: Field['flaot32']):
    pass
---
'flaot32' is not a dtype of the language. [unknown-dtype]
  File "bad.py", line 1
    1 | def bad(u: Field['flaot32']):
      |            ^^^^^^^^^^^^^^^^
  hint: Did you mean 'float32'?
""",
    "axes behind the dtype": """
def bad(u: Field[float, IJ]):
    pass
---
The axes of a field come before its dtype. [bad-annotation]
  File "bad.py", line 1
    1 | def bad(u: Field[float, IJ]):
      |            ^^^^^^^^^^^^^^^^
  hint: Write 'Field[IJ, ...]'.
""",
    "axes behind the dtype of a temporary": """
def bad(u: Field[float]):
    with computation(FORWARD), interval(...):
        t: Field[float, IJ] = u
---
The axes of a field come before its dtype. [bad-annotation]
  File "bad.py", line 3
    3 |         t: Field[float, IJ] = u
      |            ^^^^^^^^^^^^^^^^
  hint: Write 'Field[IJ, ...]'.
""",
    "a dtype that resembles none": """
def bad(u: Field[complex]):
    pass
---
'complex' is not a dtype of the language. [unknown-dtype]
  File "bad.py", line 1
    1 | def bad(u: Field[complex]):
      |            ^^^^^^^^^^^^^^
  hint: Use one of bool, int8, int16, int32, int64, float32, float64, or a name given in 'dtypes='.
""",
    "a scalar of a foreign dtype": """
def bad(u: Field[float], x: np.float16):
    pass
---
This annotation is neither a field nor the dtype of a scalar. [bad-annotation]
  File "bad.py", line 1
    1 | def bad(u: Field[float], x: np.float16):
      |                             ^^^^^^^^^^
  hint: Write 'Field[float]' for a field or 'float' for a scalar.
""",
    "an annotation that is no dtype": """
def bad(u: Field[float], x: SIZES):
    pass
---
This annotation is neither a field nor the dtype of a scalar. [bad-annotation]
  File "bad.py", line 1
    1 | def bad(u: Field[float], x: SIZES):
      |                             ^^^^^
  hint: Write 'Field[float]' for a field or 'float' for a scalar.
""",
    "a string annotation that names nothing": """
def bad(u: 'Feild[float]'):
    pass
---
This annotation cannot be evaluated. [bad-annotation]
  File "bad.py", line 1
    1 | def bad(u: 'Feild[float]'):
      |            ^^^^^^^^^^^^^^
  note: NameError: name 'Feild' is not defined
  hint: Did you mean 'Field'?
""",
    "a string annotation that fails": """
def bad(u: '1 / 0'):
    pass
---
This annotation cannot be evaluated. [bad-annotation]
  File "bad.py", line 1
    1 | def bad(u: '1 / 0'):
      |            ^^^^^^^
  note: ZeroDivisionError: division by zero
""",
    "a field with a default": """
def bad(u: Field[float] = 1.0):
    pass
---
Field 'u' cannot have a default. [bad-parameter]
  File "bad.py", line 1
    1 | def bad(u: Field[float] = 1.0):
      |                           ^^^
""",
    "a default that is no number": """
def bad(u: Field[float], x: float = 'a'):
    pass
---
The default of scalar 'x' is not a number of its dtype. [bad-parameter]
  File "bad.py", line 1
    1 | def bad(u: Field[float], x: float = 'a'):
      |                                     ^^^
""",
    "a default out of range": """
def bad(u: Field[float], n: np.int8 = 300):
    pass
---
The default of scalar 'n' is not a number of its dtype. [bad-parameter]
  File "bad.py", line 1
    1 | def bad(u: Field[float], n: np.int8 = 300):
      |                                       ^^^
""",
    "starred parameters": """
def bad(u: Field[float], *rest: float):
    pass
---
A stencil has no '*' parameters. [bad-parameter]
  File "bad.py", line 1
    1 | def bad(u: Field[float], *rest: float):
      |                           ^^^^^^^^^^^
  hint: Name each field and scalar.
""",
    "parameters with two stars": """
def bad(u: Field[float], **rest: float):
    pass
---
A stencil has no '**' parameters. [bad-parameter]
  File "bad.py", line 1
    1 | def bad(u: Field[float], **rest: float):
      |                            ^^^^^^^^^^^
  hint: Name each field and scalar.
""",
    "a stencil without computation": """
def bad(u: Field[float]):
    pass
---
Stencil 'bad' has no computation. [no-computation]
  File "bad.py", line 1
    1 | def bad(u: Field[float]):
      | ^^^^^^^
  hint: Write 'with computation(PARALLEL), interval(...):' and statements in it.
""",
    "an async function": """
async def bad(u: Field[float]):
    pass
---
'bad' is an 'async' function. [unsupported]
  File "bad.py", line 1
    1 | async def bad(u: Field[float]):
      | ^^^^^
  hint: Use a plain 'def'.
""",
    "a keyword-only default that is no number": """
def bad(u: Field[float], *, x: int = 1e400):
    pass
---
The default of scalar 'x' is not a number of its dtype. [bad-parameter]
  File "bad.py", line 1
    1 | def bad(u: Field[float], *, x: int = 1e400):
      |                                      ^^^^^
""",
    "a fraction as the default of an integer": """
def bad(u: Field[float], n: int = 2.5):
    pass
---
The default of scalar 'n' is not a number of its dtype. [bad-parameter]
  File "bad.py", line 1
    1 | def bad(u: Field[float], n: int = 2.5):
      |                                   ^^^
""",
    "a field with axes and no dtype": """
def bad(area: Field[IJ]):
    with computation(FORWARD), interval(...):
        area = 0.0
---
A field on 'IJ' needs a dtype. [bad-annotation]
  File "bad.py", line 1
    1 | def bad(area: Field[IJ]):
      |               ^^^^^^^^^
  hint: Write 'Field[IJ, float64]'.
""",
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_signature(case: str) -> None:
    source, text = split_case(case)
    assert message(source) == text
