"""Expressions that nest deeply, long sums above all, in parts that functions over trees can recurse into."""

from typing import Final

from iir.dtypes import DType
from iir.span import Span
from stencil.frontend.drafts import Draft, Store, operands, with_operands
from stencil.frontend.frame import Frame, center, check_size, levels, nesting
from stencil.frontend.kinds import Kinds

MAX_PART: Final = 150


def in_parts(value: Draft, span: Span, frame: Frame) -> Draft:
    """*value* for a statement of *frame*; what nests too deeply in it is computed before, in temporaries.

    The operations and their order stay the same, and with them the bits.
    """
    if nesting(value, span) > MAX_PART:
        value = _cut(value, frame)
    check_size(value, span)
    return value


def _cut(value: Draft, frame: Frame) -> Draft:
    """Bottom-up in a loop, because it may be deep."""
    ready: list[tuple[Draft, int]] = []
    pending = [(value, False)]
    while pending:
        draft, is_ready = pending.pop()
        inner = operands(draft)
        if inner and not is_ready:
            pending.append((draft, True))
            pending += [(item, False) for item in reversed(inner)]
            continue
        first = len(ready) - len(inner)
        below = ready[first:]
        del ready[first:]
        draft = with_operands(draft, tuple(item for item, _ in below))
        depth = levels(draft) + max((depth for _, depth in below), default=0)
        if pending and depth >= MAX_PART and _has_own_dtype(draft, frame):
            draft, depth = _saved(draft, frame), 1
        ready.append((draft, depth))
    return ready[0][0]


def _has_own_dtype(draft: Draft, frame: Frame) -> bool:
    """Whether the dtype does not depend on the neighbours; which one it is does not matter here."""
    program = frame.program
    names = dict.fromkeys((*program.fields, *program.scalars, *program.temporaries), DType.FLOAT64)
    return isinstance(Kinds(names).of(draft), DType)


def _saved(draft: Draft, frame: Frame) -> Draft:
    name = frame.program.generated("part")
    frame.body.append(Store(name, draft, draft.span, draft.span))
    return center(name, draft.span)
