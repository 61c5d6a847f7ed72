"""Functions outside the stencil: where they are, and what a call of one may ask for."""

from collections.abc import Callable
from functools import reduce
from importlib import import_module
from typing import Any

from iir.diagnostics import BackendError, Diagnostic
from iir.statements import ExternalCall


def resolve(call: ExternalCall) -> Callable[..., Any]:
    """The function that *call* names as ``module:qualified.name``."""
    module, _, qualified = call.function.partition(":")
    try:
        function = reduce(getattr, qualified.split("."), import_module(module))
    except (ImportError, AttributeError) as error:
        message = f"The external function '{call.function}' cannot be found."
        raise BackendError(Diagnostic(message, "external-call", call.span)) from error
    assert callable(function)
    return function


def check_bundles(call: ExternalCall) -> None:
    """Refuse tags that need a handler."""
    for bundle in call.bundles:
        if bundle.tag != "assume":
            message = f"The bundle '{bundle.tag}' has no handler."
            raise BackendError(Diagnostic(message, "bundle", bundle.span or call.span))
