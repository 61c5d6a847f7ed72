"""Calls and functions that do not fit."""

from typing import Final

import pytest

from tests.diagnostics.bad_stencils import message, split_case

CASES: Final = {
    "too many arguments": """
@function
def shifted(a, b=1.0, *, scale=2.0):
    return a[1, 0, 0] * scale + b

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = shifted(u, v, 1)
---
'shifted' takes 1 or 2 arguments, but 3 are given. [wrong-arguments]
  File "bad.py", line 7
    7 |         u = shifted(u, v, 1)
      |             ^^^^^^^^^^^^^^^^
""",
    "a missing argument": """
@function
def shifted(a, b=1.0, *, scale=2.0):
    return a[1, 0, 0] * scale + b

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = shifted()
---
Argument 'a' of 'shifted' is missing. [wrong-arguments]
  File "bad.py", line 7
    7 |         u = shifted()
      |             ^^^^^^^^^
""",
    "an unknown keyword": """
@function
def shifted(a, b=1.0, *, scale=2.0):
    return a[1, 0, 0] * scale + b

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = shifted(u, scael=1)
---
'shifted' has no parameter 'scael'. [wrong-arguments]
  File "bad.py", line 7
    7 |         u = shifted(u, scael=1)
      |                        ^^^^^^^
  hint: Did you mean 'scale'?
""",
    "an argument given twice": """
@function
def shifted(a, b=1.0, *, scale=2.0):
    return a[1, 0, 0] * scale + b

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = shifted(u, a=v)
---
'a' is given twice in a call of 'shifted'. [wrong-arguments]
  File "bad.py", line 7
    7 |         u = shifted(u, a=v)
      |                        ^^^
""",
    "starred arguments": """
@function
def shifted(a, b=1.0, *, scale=2.0):
    return a[1, 0, 0] * scale + b

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = shifted(*u)
---
A starred expression is not part of the stencil language. [unsupported]
  File "bad.py", line 7
    7 |         u = shifted(*u)
      |                     ^^
  hint: Write the values out.
""",
    "arguments with two stars": """
@function
def shifted(a, b=1.0, *, scale=2.0):
    return a[1, 0, 0] * scale + b

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = shifted(**u)
---
Arguments cannot be given with '**'. [wrong-arguments]
  File "bad.py", line 7
    7 |         u = shifted(**u)
      |                     ^^^
""",
    "a scalar shifted in a function": """
@function
def shifted(a, b=1.0, *, scale=2.0):
    return a[1, 0, 0] * scale + b

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = shifted(x)
---
'a' is a scalar and cannot be read at an offset. [offset-on-scalar]
  File "bad.py", line 3
    3 |     return a[1, 0, 0] * scale + b
      |            ^^^^^^^^^^ one value everywhere
  note: 'shifted' is called at line 7.
""",
    "a function with starred parameters": """
@function
def total(*a):
    return a

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = total(u)
---
Function 'total' has a starred parameter. [bad-parameter]
  File "bad.py", line 2
    2 | def total(*a):
      |            ^
""",
    "a function that may not return": """
@function
def positive(a):
    if a > 0:
        return a

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = positive(u)
---
Function 'positive' does not return a value on every path. [no-return]
  File "bad.py", line 2
    2 | def positive(a):
      | ^^^^^^^^^^^^ can end without a value
  note: 'positive' is called at line 8.
  hint: End it with 'return ...'.
""",
    "a return without value": """
@function
def nothing(a):
    return

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = nothing(u)
---
This 'return' gives no value. [no-return]
  File "bad.py", line 3
    3 |     return
      |     ^^^^^^
  note: 'nothing' is called at line 7.
""",
    "branches that return differently": """
@function
def some(a):
    if a > 0:
        return a
    return a, a

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = some(u)
---
Function 'some' returns different numbers of values. [no-return]
  File "bad.py", line 5
    5 |     return a, a
      |     ^^^^^^^^^^^ 2 values here
  note: The 'return' at line 4 gives 1 value.
  note: 'some' is called at line 9.
""",
    "several values for one name": """
@function
def pair(a):
    return a, -a

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = pair(u)
---
Several values stand where one is needed. [several-values]
  File "bad.py", line 7
    7 |         u = pair(u)
      |             ^^^^^^^
  hint: Assign them first: 'a, b = ...'.
""",
    "several values in an expression": """
@function
def pair(a):
    return a, -a

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = 1 + pair(u)
---
Several values stand where one is needed. [several-values]
  File "bad.py", line 7
    7 |         u = 1 + pair(u)
      |                 ^^^^^^^
  hint: Assign them first: 'a, b = ...'.
""",
    "a function that calls itself": """
@function
def again(a):
    return again(a - 1)

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = again(u)
---
Function 'again' calls itself. [recursion]
  File "bad.py", line 3
    3 |     return again(a - 1)
      |            ^^^^^^^^^^^^
  note: The calls are again -> again.
  note: 'again' is called at line 7.
""",
    "a local name read before it is assigned": """
@function
def early(a):
    b = c + a
    c = a
    return b

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = early(u)
---
'c' is not defined. [undefined-name]
  File "bad.py", line 3
    3 |     b = c + a
      |         ^
  note: 'early' is called at line 9.
""",
    "a block in a function": """
@function
def swept(a):
    with computation(FORWARD), interval(...):
        a = 1
    return a

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = swept(u)
---
'computation' cannot stand here. [misplaced]
  File "bad.py", line 3
    3 |     with computation(FORWARD), interval(...):
      |          ^^^^^^^^^^^^^^^^^^^^
  note: 'swept' is called at line 9.
  hint: Blocks nest as 'computation', then 'interval', then statements.
""",
    "a plain Python function": """
def twice(a):
    return 2 * a

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = twice(u)
---
'twice' is not a function of the language. [unknown-function]
  File "bad.py", line 6
    6 |         u = twice(u)
      |             ^^^^^
  hint: Decorate 'twice' with '@function'.
""",
    "a foreign function": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = np.cumsum(u)
---
'np.cumsum' is not a function of the language. [unknown-function]
  File "bad.py", line 3
    3 |         u = np.cumsum(u)
      |             ^^^^^^^^^
  hint: Read neighbours at offsets, as in 'u[1, 0, 0]', and write the terms out.
""",
    "a field that is called": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u(1)
---
'u' is a field or a number and cannot be called. [unknown-function]
  File "bad.py", line 3
    3 |         u = u(1)
      |             ^
""",
    "an object that is called": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = TABLE(1)
---
'TABLE' is a 'tuple' and cannot be called. [unknown-function]
  File "bad.py", line 3
    3 |         u = TABLE(1)
      |             ^^^^^
""",
    "an expression that is called": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = (u + v)(1)
---
Only a function given by its name can be called. [unknown-function]
  File "bad.py", line 3
    3 |         u = (u + v)(1)
      |              ^^^^^
""",
    "too many arguments of a native function": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = sqrt(u, v)
---
'sqrt' takes 1 argument, but 2 are given. [wrong-arguments]
  File "bad.py", line 3
    3 |         u = sqrt(u, v)
      |             ^^^^^^^^^^
""",
    "too few arguments of a native function": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = min(u)
---
'min' takes 2 or more arguments, but 1 is given. [wrong-arguments]
  File "bad.py", line 3
    3 |         u = min(u)
      |             ^^^^^^
""",
    "a keyword of a native function": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = sqrt(x=u)
---
A native function takes no keyword arguments. [wrong-arguments]
  File "bad.py", line 3
    3 |         u = sqrt(x=u)
      |                  ^^^
""",
    "a cast of nothing": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = float()
---
'float' takes 1 argument, but 0 are given. [wrong-arguments]
  File "bad.py", line 3
    3 |         u = float()
      |             ^^^^^^^
""",
    "an argument that is a module": """
@function
def shifted(a, b=1.0, *, scale=2.0):
    return a[1, 0, 0] * scale + b

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = shifted(u, np)
---
'b' is a 'module', not a number of the language. [not-a-number]
  File "bad.py", line 3
    3 |     return a[1, 0, 0] * scale + b
      |                                 ^
  note: 'shifted' is called at line 7.
""",
    "a function in a function": """
@function
def shifted(a, b=1.0, *, scale=2.0):
    return a[1, 0, 0] * scale + b

@function
def outer(a):
    return shifted(a, 2, 3)

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = outer(u)
---
'shifted' takes 1 or 2 arguments, but 3 are given. [wrong-arguments]
  File "bad.py", line 7
    7 |     return shifted(a, 2, 3)
      |            ^^^^^^^^^^^^^^^^
  note: 'outer' is called at line 11.
""",
    "a chain of comparisons too large once inlined": """
@function
def mean(a):
    return 0.5 * (a[0, 0, -1] + a[0, 0, 1])

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = mean(mean(mean(mean(mean(mean(mean(mean(mean(mean(mean(mean(mean(mean(u * v))))))))))))))
---
This expression is too large once functions are inlined. [too-large]
  File "bad.py", line 3
    3 |     return 0.5 * (a[0, 0, -1] + a[0, 0, 1])
      |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  note: 'mean' is called at line 7.
  hint: Assign parts of it to temporaries.
""",
    "a choice with NumPy": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = np.where(u > 0.0, u, x)
---
'np.where' is not a function of the language. [unknown-function]
  File "bad.py", line 3
    3 |         u = np.where(u > 0.0, u, x)
      |             ^^^^^^^^
  hint: Write 'a if condition else b'.
""",
    "limits with NumPy": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = np.clip(u, 0.0, x)
---
'np.clip' is not a function of the language. [unknown-function]
  File "bad.py", line 3
    3 |         u = np.clip(u, 0.0, x)
      |             ^^^^^^^
  hint: Write 'min(max(x, low), high)'.
""",
    "a parameter before a slash by keyword": """
@function
def half(a, /, b):
    return 0.5 * a * b

def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = half(a=u, b=u)
---
'half' takes 'a' by position only. [wrong-arguments]
  File "bad.py", line 7
    7 |         u = half(a=u, b=u)
      |                  ^^^ given by keyword
""",
    "rounding of NumPy's": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = np.round(u)
---
'np.round' is not a function of the language. [unknown-function]
  File "bad.py", line 3
    3 |         u = np.round(u)
      |             ^^^^^^^^
  hint: Write 'round(x)', which rounds half to even, too.
""",
    "a print": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        print(u)
---
'print' is not a function of the language. [unknown-function]
  File "bad.py", line 3
    3 |         print(u)
      |         ^^^^^
  hint: Look at the fields after the call.
""",
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_functions(case: str) -> None:
    source, text = split_case(case)
    assert message(source) == text
