"""Python that is not part of the language: its word and what to write instead."""

from typing import Final

import pytest

from tests.diagnostics.bad_stencils import message, split_case

CASES: Final = {
    "a 'for' loop": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        for m in n:
            u = 1
---
A 'for' loop is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         for m in n:
      |         ^^^^^^^^^^^
  hint: A computation runs over all points by itself; write the terms out.
""",
    "a 'try' statement": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        try:
            u = 1
        finally:
            pass
---
A 'try' statement is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         try:
      |         ^^^^
  hint: A stencil raises no exceptions; compare the values instead.
""",
    "a 'raise' statement": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        raise u
---
A 'raise' statement is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         raise u
      |         ^^^^^^^
  hint: A stencil raises no exceptions.
""",
    "an 'assert' statement": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        assert u
---
An 'assert' statement is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         assert u
      |         ^^^^^^^^
  hint: Use 'compile_assert(...)' for what is known in advance.
""",
    "a 'del' statement": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        del u
---
A 'del' statement is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         del u
      |         ^^^^^
  hint: Temporaries need not be deleted.
""",
    "a 'global' statement": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        global g
---
A 'global' statement is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         global g
      |         ^^^^^^^^
  hint: Names outside the stencil can be read without it.
""",
    "a 'match' statement": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        match u:
            case 1:
                pass
---
A 'match' statement is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         match u:
      |         ^^^^^^^^
  hint: Use 'if' and 'elif'.
""",
    "a 'return' statement": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        return u
---
A 'return' statement is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         return u
      |         ^^^^^^^^
  hint: A stencil returns nothing; assign to an output field.
""",
    "an import": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        import os
---
An import inside a stencil is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         import os
      |         ^^^^^^^^^
  hint: Import outside the stencil.
""",
    "an import from": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        from os import path
---
An import inside a stencil is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         from os import path
      |         ^^^^^^^^^^^^^^^^^^^
  hint: Import outside the stencil, or write 'from __externals__ import ...' at its top.
""",
    "a nested function": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        def g(): pass
---
A function defined inside a stencil is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         def g(): pass
      |         ^^^^^^^^^^^^^
  hint: Define it outside, with '@function'.
""",
    "a nested async function": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        async def g(): pass
---
A function defined inside a stencil is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         async def g(): pass
      |         ^^^^^^^^^^^^^^^^^^^
  hint: Define it outside, with '@function'.
""",
    "a class": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        class C: pass
---
A class defined inside a stencil is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         class C: pass
      |         ^^^^^^^^^^^^^
  hint: Do this outside the stencil.
""",
    "a lambda": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = lambda: 1
---
A 'lambda' is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = lambda: 1
      |             ^^^^^^^^^
  hint: Define a function with '@function'.
""",
    "a comprehension": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = [w for w in u]
---
A comprehension is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = [w for w in u]
      |             ^^^^^^^^^^^^^^
  hint: Write the statements out, or move them to a function with '@function'.
""",
    "a set comprehension": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = {w for w in u}
---
A comprehension is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = {w for w in u}
      |             ^^^^^^^^^^^^^^
  hint: Write the statements out, or move them to a function with '@function'.
""",
    "a dictionary comprehension": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = {w: w for w in u}
---
A comprehension is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = {w: w for w in u}
      |             ^^^^^^^^^^^^^^^^^
  hint: Write the statements out, or move them to a function with '@function'.
""",
    "a generator expression": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = (w for w in u)
---
A generator expression is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = (w for w in u)
      |             ^^^^^^^^^^^^^^
  hint: Write the statements out, or move them to a function with '@function'.
""",
    "a yield": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = yield
---
A 'yield' expression is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = yield
      |             ^^^^^
  hint: A stencil returns nothing; assign to an output field.
""",
    "a yield from": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = yield from u
---
A 'yield' expression is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = yield from u
      |             ^^^^^^^^^^^^
  hint: A stencil returns nothing; assign to an output field.
""",
    "a named expression": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = (w := u)
---
An assignment inside an expression is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = (w := u)
      |              ^^^^^^
  hint: Assign in a statement of its own.
""",
    "a formatted string": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = f'{u}'
---
A string is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = f'{u}'
      |             ^^^^^^
  hint: A stencil computes with numbers only; an 'IntEnum' gives them names.
""",
    "a list": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = [u]
---
A list is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = [u]
      |             ^^^
  hint: Use separate names.
""",
    "a dictionary": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = {u: u}
---
A dictionary is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = {u: u}
      |             ^^^^^^
  hint: Use separate names.
""",
    "a set": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = {u}
---
A set is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = {u}
      |             ^^^
  hint: Use separate names.
""",
    "the operator &": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u & v
---
The operator '&' is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = u & v
      |             ^^^^^
  hint: Use 'and'.
""",
    "the operator |": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u |= v
---
The operator '|' is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u |= v
      |         ^^^^^^
  hint: Use 'or'.
""",
    "the operator ^": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u ^ v
---
The operator '^' is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = u ^ v
      |             ^^^^^
  hint: Use '!=' between conditions, '**' for powers.
""",
    "the operator ~": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = ~u
---
The operator '~' is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = ~u
      |             ^^
  hint: Use 'not'.
""",
    "the operator <<": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u << 1
---
The operator '<<' is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = u << 1
      |             ^^^^^^
  hint: Multiply by a power of two.
""",
    "the operator >>": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u >> 1
---
The operator '>>' is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = u >> 1
      |             ^^^^^^
  hint: Use '//' with a power of two.
""",
    "the operator is": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u is v
---
The operator 'is' is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = u is v
      |             ^^^^^^
  hint: Use '=='.
""",
    "the operator is not": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u is not v
---
The operator 'is not' is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = u is not v
      |             ^^^^^^^^^^
  hint: Use '!='.
""",
    "the operator in": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u in v
---
The operator 'in' is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = u in v
      |             ^^^^^^
  hint: Compare with each value, joined by 'or'.
""",
    "the operator not in": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = u not in v
---
The operator 'not in' is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = u not in v
      |             ^^^^^^^^^^
  hint: Compare with each value, joined by 'and'.
""",
    "a 'try' statement with groups": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        try:
            u = 1
        except* ValueError:
            pass
---
A 'try' statement is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         try:
      |         ^^^^
  hint: A stencil raises no exceptions; compare the values instead.
""",
    "a 'nonlocal' statement": """
def outer():
    w = 1
    def bad(u: Field[float]):
        with computation(PARALLEL), interval(...):
            nonlocal w
            u = w
    return bad

bad = outer()
---
A 'nonlocal' statement is not part of the stencil language. [unsupported]
  File "bad.py", line 5
    5 |             nonlocal w
      |             ^^^^^^^^^^
  hint: Names outside the stencil can be read without it.
""",
    "a starred argument": """
def bad(u: Field[float], v: Field[np.float32], area: Field[IJ, float], n: int, x: float):
    with computation(PARALLEL), interval(...):
        u = min(*u)
---
A starred expression is not part of the stencil language. [unsupported]
  File "bad.py", line 3
    3 |         u = min(*u)
      |                 ^^
  hint: Write the values out.
""",
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_unsupported(case: str) -> None:
    source, text = split_case(case)
    assert message(source) == text
