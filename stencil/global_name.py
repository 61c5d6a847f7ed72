"""The name by which another process finds an object: that of a global of its module."""

import sys
from functools import reduce

from iir.diagnostics import Diagnostic, StencilError


def global_name(thing: object, module: str, wish: str) -> str:
    """The name that *module* has for *thing*: *wish*, or that of any global; the error if it has none."""
    names = vars(sys.modules[module]) if module in sys.modules else {}
    if _found(names, wish) is thing:
        return wish
    for name, value in tuple(names.items()):
        if value is thing:
            return name
    raise StencilError(
        Diagnostic(
            f"Stencil '{wish}' cannot be pickled, as it is no global of module '{module}'.",
            "pickle",
            notes=("A stencil is pickled like a function: by its module and name.",),
            hints=("Define it, or give it a name, at the top level of a module.",),
        )
    )


def _found(names: dict[str, object], dotted: str) -> object:
    first, *rest = dotted.split(".")
    return reduce(lambda value, name: getattr(value, name, None), rest, names.get(first))
