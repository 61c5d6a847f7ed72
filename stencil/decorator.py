"""The entry points: a function, or a textual IIR, becomes a stencil that can be called."""

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, overload

from iir.diagnostics import StencilError

if TYPE_CHECKING:
    # The compiler is imported with the first stencil: 'import stencil' is for its names alone.
    from iir.nodes import Stencil
    from stencil.options import Settings
    from stencil.stencil_object import StencilObject

_Definition = Callable[..., Any]


@overload
def stencil(
    definition: _Definition,
    *,
    externals: Mapping[str, Any] | None = None,
    dtypes: Mapping[Any, Any] | None = None,
    name: str | None = None,
    **options: Any,
) -> "StencilObject": ...
@overload
def stencil(
    *,
    externals: Mapping[str, Any] | None = None,
    dtypes: Mapping[Any, Any] | None = None,
    name: str | None = None,
    **options: Any,
) -> "Callable[[_Definition], StencilObject]": ...
def stencil(
    definition: _Definition | None = None,
    *,
    externals: Mapping[str, Any] | None = None,
    dtypes: Mapping[Any, Any] | None = None,
    name: str | None = None,
    **options: Any,
) -> "StencilObject | Callable[[_Definition], StencilObject]":
    """Make a function a stencil: ``@stencil``, ``@stencil(backend=...)``, ``stencil(definition=f)``.

    The function is read at once and compiled when it is first called. *externals* are the names that
    it imports from ``__externals__``, *dtypes* the meanings of string annotations, *name* replaces
    the function's. The options are ``backend``, ``parallel``, ``fastmath``, ``math``, ``stack_arrays``,
    ``tune``, ``rebuild``, ``passes`` and ``jit``.
    """
    from stencil.options import dtype_names, named_objects, stencil_name

    try:
        settings = _settings(options)
        given = named_objects("externals", externals), dtype_names(dtypes), stencil_name(name)
    except StencilError as error:
        raise error.with_traceback(None) from None
    names = dict(sys._getframe(1).f_locals)

    def decorate(function: _Definition) -> "StencilObject":
        try:
            return _defined(function, given, names, settings)
        except StencilError as error:
            raise error.with_traceback(None) from None

    return decorate if definition is None else decorate(definition)


def from_iir(source: "Stencil | str", **options: Any) -> "StencilObject":
    """A stencil from an IIR or its textual form; its parameters are the arguments of a call.

    The options are those of `stencil`.
    """
    from stencil.compiler import read_iir
    from stencil.stencil_object import StencilObject

    try:
        settings = _settings(options)
        module = sys._getframe(1).f_globals.get("__name__")
        return StencilObject(read_iir(source), settings, module=module)
    except StencilError as error:
        raise error.with_traceback(None) from None


def _settings(options: Mapping[str, Any]) -> "Settings":
    from stencil.options import changed_settings, default_settings

    return changed_settings(default_settings(), options)


def _defined(
    function: _Definition,
    given: tuple[dict[str, Any], dict[Any, Any], str | None],
    names: Mapping[str, Any],
    settings: "Settings",
) -> "StencilObject":
    from stencil.compiler import read_definition
    from stencil.stencil_object import StencilObject

    externals, dtypes, name = given
    program = read_definition(function, externals=externals, dtypes=dtypes, name=name, names=names)
    return StencilObject(program, settings, function)
