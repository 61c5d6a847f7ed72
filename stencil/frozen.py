"""A stencil frozen on a domain and origin: a bare callable."""

from collections.abc import Sequence
from operator import methodcaller
from typing import TYPE_CHECKING, Any

from backends.base import Runner
from iir.diagnostics import StencilError
from stencil.allocations import allocations
from stencil.arguments import Caller, layouts
from stencil.origins import ALL, Origin
from stencil.placement import Triple

if TYPE_CHECKING:
    from stencil.stencil_object import StencilObject


class FrozenStencil:
    """Runs calls on one domain and origin, and checks arrays only when they change layout.

    While shapes, strides, dtypes and run-time bounds stay those of the call before, nothing is
    checked again, so that aliasing of other arrays of the same layout goes unnoticed.
    """

    __slots__ = ("_allocations", "_caller", "_domain", "_origin", "_seen", "_stencil")

    def __init__(
        self, stencil: "StencilObject", caller: Caller, domain: Triple | None, origin: Origin | None
    ) -> None:
        self._stencil = stencil
        self._caller = caller
        self._domain = domain
        self._origin = origin
        # What arrays were made for counts only where no origin is given.
        self._allocations = allocations if origin is None or ALL not in dict(origin) else _none
        self._seen: tuple[Any, Runner] | None = None

    def __call__(self, /, *args: Any, **named: Any) -> None:
        try:
            arrays, scalars, bounds = self._caller.read(args, named)
            seen = self._seen
            if seen is None or seen[0] != (layouts(arrays), bounds, self._allocations(arrays)):
                plan = self._caller.plan(arrays, bounds, self._domain, self._origin)
                plan.refuse_aliasing(arrays)
                # The layouts of what are NumPy arrays by now, so that only such are ever recognised.
                key = layouts(arrays), bounds, self._allocations(arrays)
                self._seen = seen = key, plan.run
            seen[1](arrays, scalars)
        except StencilError as error:
            raise error.with_traceback(None) from None

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


def _none(arrays: Sequence[Any]) -> tuple[()]:
    return ()
