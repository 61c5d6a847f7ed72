"""Which functions of the language there are versions of."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from backends.vector_math.arithmetic import Function
from backends.vector_math.exponential import exp
from backends.vector_math.hyperbolic import tanh
from backends.vector_math.logarithm import log
from iir.expressions import NativeFunction

FUNCTIONS: Final[Mapping[NativeFunction, Function]] = MappingProxyType(
    {NativeFunction.EXP: exp, NativeFunction.LOG: log, NativeFunction.TANH: tanh}
)
"""The native functions; beside them there is `backends.vector_math.power.power` for the operator ``**``."""
