"""Random Python functions: every kind of statement and expression, with no regard for sense."""

import ast
import random
from collections.abc import Callable
from typing import Final

NAMES: Final = ("u", "v", "area", "n", "alpha", "t", "helper", "pair", "np", "TABLE", "I", "K", "sqrt", "min")
VALUES: Final = (0, 1, -1, 2, 2.5, 300, 2**70, True, None, ..., "text", b"x", 1j, float("inf"))
ATTRIBUTES: Final = ("T", "at", "pi", "g", "shape", "float32")
BINARY: Final = (
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow),
    *(ast.MatMult, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift),
)
UNARY: Final = (ast.USub, ast.UAdd, ast.Not, ast.Invert)
COMPARISONS: Final = (
    *(ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq),
    *(ast.Is, ast.IsNot, ast.In, ast.NotIn),
)
HEADER: Final = "def f(u: Field[float], v: Field['int8'], area: Field[IJ, float], n: int, alpha: float): pass"


def random_function(seed: int) -> str:
    """The source of a function ``f`` with parameters of every kind."""
    chance = random.Random(seed)
    tree = ast.parse(HEADER)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    body = [_statement(chance, 3) for _ in range(chance.randint(1, 3))]
    if chance.random() < 0.8:
        block = ast.parse("with computation(FORWARD), interval(1, None): pass").body[0]
        assert isinstance(block, ast.With)
        block.body = body
        function.body = [block]
    else:
        function.body = body
    return ast.unparse(ast.fix_missing_locations(tree))


def _name(chance: random.Random, context: type[ast.expr_context] = ast.Load) -> ast.Name:
    return ast.Name(chance.choice(NAMES), context())


def _expression(chance: random.Random, depth: int) -> ast.expr:
    if depth <= 0 or chance.random() < 0.3:
        return ast.Constant(chance.choice(VALUES)) if chance.random() < 0.3 else _name(chance)
    return chance.choice(_EXPRESSIONS)(chance, depth - 1)


def _expressions(chance: random.Random, depth: int) -> list[ast.expr]:
    return [_expression(chance, depth) for _ in range(chance.randint(0, 3))]


def _slice(chance: random.Random, depth: int) -> ast.expr:
    match chance.randrange(5):
        case 0:
            return ast.Slice(_expression(chance, depth), _expression(chance, depth))
        case 1:
            return ast.Tuple([_expression(chance, depth) for _ in range(3)], ast.Load())
        case 2:
            return ast.Tuple([ast.Constant(chance.choice((-1, 0, 1))) for _ in range(3)], ast.Load())
        case _:
            return _expression(chance, depth)


def _call(chance: random.Random, depth: int) -> ast.expr:
    keywords = [ast.keyword("a", _expression(chance, depth))] if chance.random() < 0.2 else []
    function = _name(chance) if chance.random() < 0.8 else _expression(chance, depth)
    return ast.Call(function, _expressions(chance, depth), keywords)


def _comprehension(chance: random.Random, depth: int) -> ast.comprehension:
    return ast.comprehension(_name(chance, ast.Store), _expression(chance, depth), [], 0)


_EXPRESSIONS: Final[tuple[Callable[[random.Random, int], ast.expr], ...]] = (
    lambda c, d: ast.BinOp(_expression(c, d), c.choice(BINARY)(), _expression(c, d)),
    lambda c, d: ast.BinOp(_expression(c, d), c.choice(BINARY[:4])(), _expression(c, d)),
    lambda c, d: ast.UnaryOp(c.choice(UNARY)(), _expression(c, d)),
    lambda c, d: ast.BoolOp(c.choice((ast.And, ast.Or))(), [_expression(c, d), _expression(c, d)]),
    lambda c, d: ast.Compare(_expression(c, d), [c.choice(COMPARISONS)()], [_expression(c, d)]),
    lambda c, d: ast.Compare(_name(c), [ast.Lt(), ast.Lt()], [_expression(c, d), _expression(c, d)]),
    lambda c, d: ast.IfExp(_expression(c, d), _expression(c, d), _expression(c, d)),
    lambda c, d: ast.Subscript(_name(c), _slice(c, d), ast.Load()),
    lambda c, d: ast.Subscript(_expression(c, d), _slice(c, d), ast.Load()),
    lambda c, d: ast.Attribute(_expression(c, d), c.choice(ATTRIBUTES), ast.Load()),
    _call,
    _call,
    lambda c, d: ast.Tuple(_expressions(c, d), ast.Load()),
    lambda c, d: ast.List(_expressions(c, d), ast.Load()),
    lambda c, d: ast.Set([_expression(c, d)]),
    lambda c, d: ast.Dict([_expression(c, d)], [_expression(c, d)]),
    lambda c, d: ast.Lambda(ast.arguments([], [], None, [], [], None, []), _expression(c, d)),
    lambda c, d: ast.ListComp(_expression(c, d), [_comprehension(c, d)]),
    lambda c, d: ast.GeneratorExp(_expression(c, d), [_comprehension(c, d)]),
    lambda c, d: ast.JoinedStr([ast.FormattedValue(_expression(c, 0), -1)]),
    lambda c, d: ast.NamedExpr(_name(c, ast.Store), _expression(c, d)),
    lambda c, d: ast.Starred(_expression(c, d), ast.Load()),
    lambda c, d: ast.Yield(_expression(c, d)),
)


def _target(chance: random.Random, depth: int) -> ast.expr:
    match chance.randrange(8):
        case 0:
            return ast.Subscript(_name(chance), _slice(chance, depth), ast.Store())
        case 1:
            return ast.Attribute(_expression(chance, depth), "x", ast.Store())
        case 2:
            return ast.Tuple([_target(chance, depth - 1) for _ in range(2)], ast.Store())
        case _:
            return _name(chance, ast.Store)


def _statement(chance: random.Random, depth: int) -> ast.stmt:
    if depth <= 0 or chance.random() < 0.4:
        return ast.Assign([_target(chance, 1)], _expression(chance, 3), lineno=1)
    return chance.choice(_STATEMENTS)(chance, depth - 1)


def _body(chance: random.Random, depth: int) -> list[ast.stmt]:
    return [_statement(chance, depth) for _ in range(chance.randint(1, 2))]


def _with(chance: random.Random, depth: int) -> ast.stmt:
    words = ("computation", "interval", "horizontal", "u")
    call = ast.Call(ast.Name(chance.choice(words), ast.Load()), _expressions(chance, 1), [])
    return ast.With([ast.withitem(call)], _body(chance, depth))


_STATEMENTS: Final[tuple[Callable[[random.Random, int], ast.stmt], ...]] = (
    lambda c, d: ast.Assign([_target(c, 1), _target(c, 1)], _expression(c, 3), lineno=1),
    lambda c, d: ast.AugAssign(_name(c, ast.Store), c.choice(BINARY)(), _expression(c, 3)),
    lambda c, d: ast.AnnAssign(_name(c, ast.Store), _expression(c, 1), _expression(c, 3), 1),
    lambda c, d: ast.If(_expression(c, 2), _body(c, d), _body(c, d) if c.random() < 0.5 else []),
    lambda c, d: ast.If(_expression(c, 2), _body(c, d), []),
    lambda c, d: ast.While(_expression(c, 2), _body(c, d), []),
    lambda c, d: ast.For(_name(c, ast.Store), _expression(c, 2), _body(c, d), [], lineno=1),
    lambda c, d: ast.Expr(_expression(c, 3)),
    lambda c, d: ast.Return(_expression(c, 2)),
    lambda c, d: ast.Assert(_expression(c, 2)),
    lambda c, d: ast.Try(_body(c, d), [], [], _body(c, d)),
    lambda c, d: ast.Raise(_expression(c, 1)),
    lambda c, d: ast.Pass(),
    lambda c, d: ast.ImportFrom("__externals__", [ast.alias(c.choice(("SCALE", "MISSING")))], 0),
    _with,
)
