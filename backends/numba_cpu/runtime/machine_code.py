"""Gives a plain Python function a second body in machine code, used where Numba compiles a call to it."""

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, Signature, infer_global, signature

Codegen = Callable[[Any, Any, Any, Any], Any]
"""``(context, builder, signature, arguments) -> value`` as in Numba's low-level extension interface."""


def machine_code(
    plain: Callable[..., Any], result: Callable[..., Any], *, sees_literals: bool = False
) -> Callable[[Codegen], Codegen]:
    """Register the decorated code generator for *plain*.

    *result* maps the argument types to the type of the result, or to a whole signature where arguments
    are to be cast; None where the call is not typed. With *sees_literals* types tell the values of literals.
    Templates and builtins cost no compilation of their own, which ``numba.extending.overload`` does.
    """

    def register(codegen: Codegen) -> Codegen:
        class Template(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
            key = plain
            prefer_literal = sees_literals

            def generic(self, args: Any, kws: Any) -> Any:
                returned = result(*args)
                if returned is None or isinstance(returned, Signature):
                    return returned
                return signature(returned, *args)

        infer_global(plain, types.Function(Template))
        lower_builtin(plain, types.VarArg(types.Any))(codegen)
        return codegen

    return register


def same(*arguments: Any) -> Any:
    """The type of the arguments, if they all have one number type."""
    first = arguments[0]
    if isinstance(first, types.Number | types.Boolean) and all(item == first for item in arguments):
        return first
    return None


def same_float(*arguments: Any) -> Any:
    """The type of the arguments, if they all have one float type."""
    return same(*arguments) if isinstance(arguments[0], types.Float) else None
