"""Words and precedences of the textual form, shared by its printer and its parser."""

from typing import Final

from iir.expressions import Operator
from iir.statements import CheckKind, Effects

RESERVED: Final = frozenset(
    [
        "stencil",
        "temporary",
        "multistage",
        "stage",
        "do",
        "if",
        "elif",
        "else",
        "check",
        "call",
        "start",
        "end",
        "and",
        "or",
        "not",
        "True",
        "False",
    ]
)
"""A name that is one of these is written in backticks."""

HEAP: Final = "heap"
"""Stands behind a temporary that the user wants on the heap."""

TERNARY: Final = 0
NOT: Final = 3
NEGATION: Final = 7
ATOM: Final = 9

# Its own precedence, and the lowest that its left and its right operand may have without parentheses:
# comparisons do not chain, '**' binds to the right, and more tightly than a minus before it.
BINDING: Final = {
    Operator.OR: (1, 1, 2),
    Operator.AND: (2, 2, 3),
    Operator.LT: (4, 5, 5),
    Operator.LE: (4, 5, 5),
    Operator.GT: (4, 5, 5),
    Operator.GE: (4, 5, 5),
    Operator.EQ: (4, 5, 5),
    Operator.NE: (4, 5, 5),
    Operator.ADD: (5, 5, 6),
    Operator.SUB: (5, 5, 6),
    Operator.MUL: (6, 6, 7),
    Operator.DIV: (6, 6, 7),
    Operator.FLOORDIV: (6, 6, 7),
    Operator.MOD: (6, 6, 7),
    Operator.POW: (8, ATOM, NEGATION),
}

CHECK_KINDS: Final = {kind.value: kind for kind in CheckKind}
EFFECTS: Final = {effects.value: effects for effects in Effects}
