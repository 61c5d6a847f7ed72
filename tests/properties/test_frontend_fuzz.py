"""No Python function makes the front end raise anything but its documented error."""

import ast
import copy
import linecache
import random
import re
import warnings
from collections.abc import Iterator
from enum import IntEnum
from types import FunctionType, SimpleNamespace
from typing import Any, Final

import numpy as np
import pytest

from iir.diagnostics import StencilError
from iir.verifier import verify
from stencil import language
from stencil.annotations import Field, GlobalTable
from stencil.frontend import Parsed, parse
from tests.properties.random_syntax import random_function

PROGRAMS: Final = (
    """
def f(u: Field[np.float64], v: Field[np.float32], area: Field[IJ, float], eta: Field[K, float],
      n: int, alpha: float = 0.5, *, flag: bool = True):
    '''A docstring.'''
    from __externals__ import SCALE, OPERATION as op
    compile_assert(SCALE > 1)
    with computation(PARALLEL), interval(...):
        t = u[1, 0, 0] - 2.0 * u + u[-1, 0, 0]
        t *= alpha
        s: float32 = v[I + 1] * 3
        a, b = t, s
        a, b = b, a
        v = op(a, b) if a < b <= 3 else max(a, b, 1)
    with computation(FORWARD):
        with interval(0, 1):
            area = area[1, 0] + u * eta[1]
        with interval(1, n - 1):
            if u > 0 and flag or not n == 2:
                area, w = pair(u, area)
                u = u + w
            elif u ** 2 < CONSTANTS.g:
                u = helper(u - v, weight=2)
            else:
                pass
    with interval(-2, None), computation(BACKWARD):
        u = u[0, 0, -1] % 3 if __INLINED(SCALE == 2) else int(u) // 2
""",
    """
def f(a: Field[int], b: Field[IJK, "int8"], c: Field[bool], x: np.int32 = 3):
    with computation(BACKWARD):
        with interval(2, None):
            t = 0
            t = t + b[0, 0, 1] ** 3
            c = c != (a[0, -1, 0] > x) or isnan(float(t))
        with interval(0, 2):
            if MODE == Mode.TWO:
                a = b = min(a, TABLE[1])
    with computation(PARALLEL), interval(0, 1):
        plane: Field[IJ, float32] = sqrt(helper(b))
        a = atan2(plane, 1.5) + int8(x) + np.float32(3) * math.pi
""",
    """
def f(q: Field[float], r: Field[JK, float], h: Field[J, np.float32], m: float):
    with computation(PARALLEL), interval(1, -1):
        q = r[1, -1] + h[-1] * np.exp(q)
        q[0, 0, 0] = nested(nested(q)) + early(q, m)
        x, y = pair(q, helper(m * q))
        q = x = y = x - y
""",
)


class Mode(IntEnum):
    ONE = 1
    TWO = 2


@language.function
def helper(a, weight=1.0):
    shifted = a[1, 0, 0] + a[0, 0, -1] + a
    if shifted > 0:
        shifted = shifted * weight
    return shifted


@language.function
def pair(a, b):
    a = a + b
    return a, a - b


@language.function
def nested(a):
    return helper(a + 1) * helper(helper(a), weight=2)


@language.function
def early(a, b):
    if a > 0:
        c, d = pair(a, b)
        return c
    if b > 1:
        return b
    d, e = pair(b, a)
    return d - e


@language.function
def loop(a):
    return loop(a) + 1


def plain(a):
    return a


NAMES: Final[dict[str, Any]] = {
    "np": np,
    "math": __import__("math"),
    "Field": Field,
    "GlobalTable": GlobalTable,
    "Mode": Mode,
    "MODE": Mode.TWO,
    "TABLE": (1, 2.5, np.int8(3)),
    "CONSTANTS": SimpleNamespace(g=9.81, name="earth", inner=None),
    **{item.__name__: item for item in (helper, pair, nested, early, loop, plain)},
    **{name: value for name, value in vars(language).items() if not name.startswith("_")},
}
EXTERNALS: Final = {"SCALE": 2, "OPERATION": helper, "NOTHING": None, "HALF": np.float32(0.5)}

SNIPPETS: Final = (
    *("(2**1023 + 1) ** -1", "2**1000 * 0.5", "0 ** -1", "1e400 - 1e400", "(-8) ** 0.5", "int(1e400)"),
    *("u", "v", "t", "area", "eta", "n", "unknown", "i", "I", "K", "IJ", "SCALE", "MODE", "TABLE"),
    *(
        "CONSTANTS",
        "1",
        "-1",
        "0",
        "2.5",
        "1e400",
        "(2**1023 + 1) ** -1",
        "2**1000 * 0.5",
        "0 ** -1",
        "10**400",
        "2**0.5",
        "True",
        "None",
        "...",
    ),
    *("'text'", "b'x'", "1j", "u[1, 0, 0]", "u[0, 0, n]", "u[I + 1, K - 2]", "u[1]", "u[1:2]", "u[u]"),
    *("t[0, 0, 1][2]", "area[1, 0, 0]", "u[...]", "u['x']", "u[*t]", "u[2**70, 0, 0]"),
    *("(u + v)[1, 0, 0]", "3[1]", "TABLE[7]", "TABLE[u]", "helper(u)", "helper()", "helper(u, u, u)"),
    *("helper(u, wait=1)", "helper(*u)", "helper(**u)", "pair(u, v)", "nested(u * v)", "loop(u)"),
    *("plain(u)", "print(u)", "sqrt()", "sqrt(u, v)", "sqrt(a=1)", "min(u)", "len", "helper(helper)"),
    *("early(u, pair(u, u))", "np", "np.nope", "np.array(3)", "u.T", "u.shape", "CONSTANTS.name"),
    *("float(u)", "int8(1000)", "bool(u)", "float32(u)[1, 0, 0]", "str(u)", "complex(u)"),
    *("np.float16(1)", "u and v", "not u", "-c", "c + c", "c ** c", "a ** -1", "a ** b", "5 // 0"),
    *("1 / 0", "b + 300", "b < 300", "u if v else t", "u < v < t", "u in v", "u & v", "~u", "u << 1"),
    *("lambda: 0", "[u]", "{u: v}", "{u}", "[x for x in u]", "(yield u)", "(u := v)", "f'{u}'"),
    *("(u, v)", "()", "call(plain, u)", "check(u)", "PARALLEL", "FORWARD", "computation(PARALLEL)"),
    *("interval(0, 1)", "interval(5, 3)", "region", "horizontal", "__INLINED(u)"),
    *("__INLINED(SCALE > 1)", "compile_assert(False)", "round(u)", "abs(-3)", "gamma(-1.0)"),
)
STATEMENTS: Final = (
    *("u = v", "t = t", "n = 1", "SCALE = 2", "eta = u", "area = u", "u, v = v, u", "u, v = u"),
    *("u = u, v", "u, (v, t) = u, (v, t)", "*u, v = v, u", "u[1, 0, 0] = v", "u[0, 0, 0] = v"),
    *("u[0, 0, 1] = v", "u.x = v", "t: float32", "t: float32 = 1", "t: Field[IJ, float] = 2"),
    *("t: Field[K, float] = 2", "t: nope = 2", "t: 'int8' = 3", "u: float = 1"),
    *("t: Field[(float, (2,))] = 1", "(t): int = 1", "u += 1", "u @= v", "u = v = t = u + 1", "u"),
    *("u == v", "'text'", "helper(u)", "pass", "break", "return", "return u", "del u"),
    *("for i in u: pass", "while u: u = 0", "try:\n    u = 1\nfinally:\n    pass", "raise u"),
    *("assert u", "global q", "import os", "from os import path"),
    *("from __externals__ import NOTHING, HALF as h", "from __externals__ import MISSING"),
    *("from __externals__ import SCALE as u", "from __gtscript__ import *"),
    *("with computation(PARALLEL):\n    u = 1", "with interval(...):\n    u = 1", "with u:\n    v = 1"),
    *("with computation(FORWARD), interval(0, 1):\n    area = u",),
    *("with computation(u), interval(...):\n    u = 1",),
    *("with computation(PARALLEL), interval(0) as x:\n    u = 1",),
    *("with interval(n, alpha):\n    u = 1", "if u:\n    t = 1\nelse:\n    u = t"),
    *("if True:\n    pass", "if False:\n    gone = 1\nu = gone", "match u:\n    case 1:\n        pass"),
    *("class C: pass", "def g(): pass", "async def g(): pass", "yield u"),
    *("if __INLINED(SCALE == 2):\n    with computation(PARALLEL), interval(...):\n        u = 1",),
    *("with horizontal(region[I[0], :]):\n    u = 1", "compile_assert(SCALE == 3)"),
    *("compile_assert(u)",),
)
ANNOTATIONS: Final = (
    *("float", "np.float32", "'int8'", "int", "bool", "complex", "str", "Field", "Field[float]"),
    *("Field[IJ, float]", "Field['nope']", "Field[JK, np.int16]", "Field[float, IJ]"),
    *("Field[(float, (3,))]", "GlobalTable[(float, 3)]", "nope", "1 / 0", "list[int]", "Field[()]"),
    *("Field[IJK, 3]", "np.float16", "np.dtype('>f8')", "None", "3"),
)


SIGNS: Final = (ast.Add, ast.Mult, ast.Div, ast.Mod, ast.Pow, ast.FloorDiv, ast.BitXor)


class _Mutation(ast.NodeTransformer):
    """Replaces nodes by snippets, each with a small probability."""

    def __init__(self, chance: random.Random, rate: float) -> None:
        self.chance = chance
        self.rate = rate

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.arg | ast.AnnAssign):
            return self._annotated(node)
        if (
            isinstance(node, ast.expr)
            and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
            and self._is_hit()
        ):
            return self._expression()
        if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef) and self._is_hit():
            return self._statements(node)
        return self.generic_visit(node)

    def _annotated(self, node: ast.arg | ast.AnnAssign) -> ast.AST:
        if self.chance.random() < self.rate / 4:
            node.annotation = ast.parse(self.chance.choice(ANNOTATIONS), mode="eval").body
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            node.value = self.visit(node.value)
        return node

    def _is_hit(self) -> bool:
        return self.chance.random() < self.rate

    def _expression(self) -> ast.expr:
        first, second = (ast.parse(self.chance.choice(SNIPPETS), mode="eval").body for _ in range(2))
        match self.chance.randrange(6):
            case 0:
                sign = self.chance.choice(SIGNS)
                return ast.BinOp(first, sign(), second)
            case 1:
                return ast.Compare(first, [self.chance.choice([ast.Lt, ast.Eq, ast.GtE, ast.Is])()], [second])
            case 2:
                return ast.Call(first, [second], [])
            case _:
                return first

    def _statements(self, node: ast.stmt) -> list[ast.stmt]:
        fresh = ast.parse(self.chance.choice(STATEMENTS)).body
        match self.chance.randrange(4):
            case 0:
                return [node, copy.deepcopy(node)]
            case 1:
                return [*fresh, node]
            case 2 if isinstance(node, ast.With):
                return [ast.With(node.items, fresh)]
            case _:
                return fresh


def mutants(seed: int, count: int) -> Iterator[str]:
    """Sources of functions that differ from working stencils in a few places."""
    chance = random.Random(seed)
    for _ in range(count):
        tree = ast.parse(chance.choice(PROGRAMS))
        tree = _Mutation(chance, chance.choice((0.01, 0.03, 0.1))).visit(tree)
        yield ast.unparse(ast.fix_missing_locations(tree))


def define(text: str) -> tuple[FunctionType, str] | None:
    """The function *f* of a source text, and the text as compiled; None if Python rejects it."""
    whole = f"from __future__ import annotations\n{text}"
    names = dict(NAMES)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(whole, "<fuzz>", "exec"), names)
    except Exception:
        return None
    return names["f"], whole


def read(function: FunctionType, text: str) -> Parsed | StencilError:
    """What the front end says; any error but the documented one is a failure of the test."""
    linecache.cache.pop("<fuzz>", None)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse(function, externals=EXTERNALS, dtypes={"real": np.float32}, source=text)
    except StencilError as problem:
        return problem


@pytest.mark.parametrize("seed", range(8))
def test_mutated_stencils_raise_only_stencil_errors(seed: int) -> None:
    for text in mutants(seed, 60):
        check(text)


@pytest.mark.parametrize("block", range(8))
def test_random_functions_raise_only_stencil_errors(block: int) -> None:
    for seed in range(100 * block, 100 * (block + 1)):
        check(random_function(seed))


def check(text: str) -> None:
    """The function is accepted and its IIR keeps the rules, or refused in one sentence with a place."""
    defined = define(text)
    if defined is None:
        return
    found = read(*defined)
    if isinstance(found, Parsed):
        verify(found.ir, after="parse")
        return
    assert re.match(r"[^a-z].*\. \[[a-z-]+\]$", str(found).splitlines()[0]), str(found)
    assert found.span is not None


def test_fuzzed_functions_reach_many_messages_and_many_valid_programs() -> None:
    texts = [*mutants(99, 300), *map(random_function, range(1000, 1300))]
    found = [read(*defined) for text in texts if (defined := define(text)) is not None]
    codes = {item.kind for item in found if isinstance(item, StencilError)}
    assert sum(isinstance(item, Parsed) for item in found) > 40
    assert len(codes) > 20


@pytest.mark.parametrize("body", (*SNIPPETS, *STATEMENTS))
def test_every_snippet_alone_raises_only_stencil_errors(body: str) -> None:
    head = "def f(u: Field[float], v: Field[float], a: Field[int], b: Field['int8'], c: Field[bool],"
    head += " area: Field[IJ, float], eta: Field[K, float], n: int, alpha: float):\n"
    block = "    with computation(PARALLEL), interval(...):\n"
    statement = body if body in STATEMENTS else f"u = {body}"
    check(head + block + "".join(f"        {line}\n" for line in statement.splitlines()))
