"""A stencil frozen on a domain and origin: a bare callable."""

from dataclasses import dataclass
from operator import methodcaller
from typing import TYPE_CHECKING, Any

from backends.base import Array, Recogniser, Runner
from iir.diagnostics import StencilError
from stencil.allocations import MadeFor, allocations
from stencil.arguments import Caller
from stencil.origins import ALL, Origin
from stencil.placement import Index, Triple

if TYPE_CHECKING:
    from stencil.stencil_object import StencilObject


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was checked at an earlier call, and runs the calls that are like it."""

    recognises: Recogniser
    bounds: Index
    made_for: tuple[MadeFor | None, ...]
    run: Runner


class FrozenStencil:
    """Runs calls on one domain and origin, and checks arrays only when they change layout.

    While shapes, strides, dtypes and run-time bounds stay those of the call before, nothing is
    checked again, so that aliasing of other arrays of the same layout goes unnoticed.
    """

    __slots__ = ("_allocations", "_caller", "_domain", "_only_fields", "_origin", "_seen", "_stencil")

    def __init__(
        self, stencil: "StencilObject", caller: Caller, domain: Triple | None, origin: Origin | None
    ) -> None:
        self._stencil = stencil
        self._caller = caller
        self._domain = domain
        self._origin = origin
        # What arrays were made for counts only where no origin is given.
        self._allocations = allocations if origin is None or ALL not in dict(origin) else None
        self._only_fields = caller.only_fields
        self._seen: _Seen | None = None

    def __call__(self, /, *args: Any, **named: Any) -> None:
        try:
            # The common call of a stencil without scalars takes its fields as they are.
            if named or len(args) != self._only_fields:
                arrays, scalars, bounds = self._caller.read(args, named)
            else:
                arrays, scalars, bounds = args, (), ()
            seen = self._seen
            if (
                seen is None
                or not seen.recognises(arrays)
                or bounds != seen.bounds
                or (self._allocations is not None and self._allocations(arrays) != seen.made_for)
            ):
                seen, arrays = self._checked(arrays, bounds)
                self._seen = seen
            seen.run(arrays, scalars)
        except StencilError as error:
            raise error.with_traceback(None) from None

    def _checked(self, arrays: tuple[Array, ...], bounds: Index) -> tuple[_Seen, tuple[Array, ...]]:
        """What later calls may rely on, and *arrays* as NumPy arrays; only such are ever recognised."""
        plan, arrays = self._caller.plan(arrays, bounds, self._domain, self._origin)
        plan.refuse_aliasing(arrays)
        made_for = () if self._allocations is None else self._allocations(arrays)
        return _Seen(self._caller.recogniser(plan, arrays), bounds, made_for, plan.run), arrays

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled and copied as its stencil, which is then frozen again."""
        origin = None if self._origin is None else dict(self._origin)
        return methodcaller("freeze", domain=self._domain, origin=origin), (self._stencil,)

    def __repr__(self) -> str:
        text = f"frozen stencil {self._stencil.__name__}"
        if self._domain is not None:
            text += f", domain={self._domain}"
        if self._origin is not None:
            by_name = dict(self._origin)
            text += f", origin={by_name[ALL] if by_name.keys() == {ALL} else by_name}"
        return f"<{text}>"
