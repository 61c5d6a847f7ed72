"""How wide the vectors of a kernel are."""

from typing import Any, Final

from numba import types

from backends.numba_cpu.runtime.machine_code import machine_code

_ATTRIBUTE: Final = '"prefer-vector-width"="256"'


def narrow_vectors() -> None:
    """Let the function that calls this use vectors of at most 256 bits; no value changes."""


@machine_code(narrow_vectors, lambda: types.none)
def _narrow_vectors(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    # Its own 'add' knows the attributes that are words only.
    set.add(builder.function.attributes, _ATTRIBUTE)
    return context.get_dummy_value()
