"""Dtypes of drafts by NumPy's rules (NEP 50), and of temporaries from all their assignments."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias, assert_never

from iir.diagnostics import StencilError
from iir.dtypes import DType, is_float, is_integer, promote
from iir.expressions import (
    ANY_NUMBER,
    COMPARISONS,
    LOGICAL,
    PREDICATES,
    NativeFunction,
    Operator,
    UnaryOperator,
)
from stencil.frontend.drafts import (
    Apply,
    Choose,
    Computation,
    Convert,
    Draft,
    Literal,
    Operation,
    Read,
    Scalar,
    Store,
    Temporary,
    stores,
)
from stencil.frontend.errors import error


class Weak(Enum):
    """The kind of a number without a width: it takes the dtype of its neighbours."""

    INT = "int"
    FLOAT = "float"

    def __repr__(self) -> str:
        return f"Weak.{self.name}"


Kind: TypeAlias = DType | Weak
Names: TypeAlias = Mapping[str, DType | None]
"""The dtypes of all fields, scalars and temporaries; None if not known yet."""

WHOLE: Final = frozenset(
    {
        NativeFunction.FLOOR,
        NativeFunction.CEIL,
        NativeFunction.TRUNC,
        NativeFunction.ROUND,
        NativeFunction.ROUND_AWAY_FROM_ZERO,
    }
)
"""Functions that leave an integer as it is."""

_KEEP_INTEGERS: Final = ANY_NUMBER | WHOLE


def strong(kind: Kind) -> DType:
    """The dtype of a value of *kind* that stands alone."""
    match kind:
        case DType():
            return kind
        case Weak.INT:
            return DType.INT64
        case Weak.FLOAT:
            return DType.FLOAT64


def common(kinds: Iterable[Kind | None]) -> Kind | None:
    """The kind of several values together; an unknown one has no say."""
    known = [kind for kind in kinds if kind is not None]
    result: DType | None = None
    for kind in known:
        if isinstance(kind, DType):
            result = kind if result is None else promote(result, kind)
    is_weak_float = Weak.FLOAT in known
    if result is None:
        return Weak.FLOAT if is_weak_float else Weak.INT if known else None
    if is_weak_float:
        return result if is_float(result) else DType.FLOAT64
    return DType.INT64 if Weak.INT in known and result is DType.BOOL else result


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds of drafts, given the dtypes of *names*; each is worked out once."""

    names: Names
    known: dict[int, Kind | None] = field(default_factory=dict)

    def of(self, draft: Draft) -> Kind | None:
        """The kind of a draft's value; None if it depends on what is not known yet."""
        if id(draft) not in self.known:
            self.known[id(draft)] = self._of(draft)
        return self.known[id(draft)]

    def _of(self, draft: Draft) -> Kind | None:
        match draft:
            case Literal(value, None):
                return Weak.INT if isinstance(value, int) else Weak.FLOAT
            case Literal(_, dtype):
                return dtype
            case Scalar(name) | Read(name):
                return self.names[name]
            case Convert(dtype):
                return dtype
            case Choose(_, if_true, if_false):
                return common((self.of(if_true), self.of(if_false)))
            case Apply(operation, inner):
                together = common([self.of(item) for item in inner])
                return None if together is None else result_kind(operation, operand_kind(operation, together))
            case _:
                assert_never(draft)


def operand_kind(operation: Operation, together: Kind) -> Kind:
    """What the operands are converted to, given their kind together."""
    if operation in LOGICAL or operation is UnaryOperator.NOT:
        return DType.BOOL
    if operation in COMPARISONS:
        is_order = operation not in (Operator.EQ, Operator.NE)
        return DType.INT8 if together is DType.BOOL and is_order else strong(together)
    if operation is Operator.DIV or _needs_float(operation):
        if isinstance(together, Weak):
            return Weak.FLOAT
        return together if is_float(together) else DType.FLOAT64
    return together


def result_kind(operation: Operation, operand: Kind) -> Kind:
    """The kind of a result, given what the operands are converted to."""
    is_condition = operation in LOGICAL or operation in COMPARISONS or operation in PREDICATES
    return DType.BOOL if is_condition or operation is UnaryOperator.NOT else operand


def takes_bool(operation: Operation) -> bool:
    """Whether *operation* has a meaning when all operands are conditions."""
    return operation in LOGICAL or operation in COMPARISONS or operation is UnaryOperator.NOT


def infer(
    computations: Iterable[Computation], temporaries: Mapping[str, Temporary], declared: Mapping[str, DType]
) -> dict[str, DType]:
    """The dtype of every temporary: what all its assignments promote to, as a least fixpoint."""
    by_name: dict[str, list[Store]] = {name: [] for name, item in temporaries.items() if item.dtype is None}
    for store in stores(computations):
        if store.name in by_name:
            by_name[store.name].append(store)
    fixed = {name: item.dtype for name, item in temporaries.items()}
    known: dict[str, DType | None] = {**declared, **fixed}
    limit = 2 * len(by_name) + 2
    for step in range(limit + len(DType) * len(by_name) + 1):
        if not _update(known, by_name, grow_only=step >= limit):
            break
    return {name: known[name] or DType.FLOAT64 for name in temporaries}


def _update(known: dict[str, DType | None], by_name: Mapping[str, list[Store]], grow_only: bool) -> bool:
    """One round; *grow_only* makes it end where weak numbers let a dtype swing to and fro."""
    changed = False
    for name, assignments in by_name.items():
        together = common([Kinds(known).of(store.value) for store in assignments])
        before = known[name]
        after = None if together is None else strong(together)
        if grow_only and before is not None and after is not None:
            after = promote(before, after)
        changed = changed or after is not before
        known[name] = after
    return changed


def _needs_float(operation: Operation) -> bool:
    return isinstance(operation, NativeFunction) and operation not in _KEEP_INTEGERS


def check_operands(draft: Apply, together: Kind) -> None:
    """Raise the error for arithmetic on conditions and negative powers of integers."""
    if together is DType.BOOL and not takes_bool(draft.operation):
        message = f"{_word(draft.operation)} takes numbers, not conditions."
        hint = "Use 'and', 'or', 'not', or convert with 'int(...)'."
        raise error(message, "not-a-number", draft.span, "computed from conditions", hints=(hint,))
    if draft.operation is Operator.POW and isinstance(together, DType) and is_integer(together):
        exponent = draft.operands[1]
        if isinstance(exponent, Literal) and exponent.value < 0:
            raise negative_power(exponent)


def negative_power(exponent: Literal) -> StencilError:
    """The error for an integer to a negative power that is known."""
    message = "An integer has no negative power."
    hint = "Make it a float first, as in 'float(n) ** -1' or '10.0 ** -3'."
    return error(message, "negative-power", exponent.span, "gives a fraction", hints=(hint,))


def _word(operation: Operation) -> str:
    if isinstance(operation, NativeFunction):
        name = "**" if operation.value.startswith("pow") else operation.value
        return f"'{name}'"
    return f"Operator '{operation.value}'"
