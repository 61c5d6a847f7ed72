"""C source that turns the record of a failed check into what the caller sees."""

import re
from typing import Final, assert_never

from backends.loopnest.nodes import CheckSite
from backends.native.c_text import c_string
from backends.native.description import NativeStencil
from backends.writer import Writer
from iir.dtypes import is_float
from iir.nodes import LoopOrder

_DIRECTIVE: Final = re.compile(r"%(.)")
_FIRST_VALUE: Final = 6


def write_check_failures(w: Writer, stencil: NativeStencil) -> None:
    """The function that describes the failure of any check of *stencil*."""
    w.line(f"static int32_t {stencil.symbol}_check_failed(const int64_t *record, stencil_failure *failure)")
    with w.block("{"):
        w.line("switch (record[0]) {")
        for number, site in enumerate(stencil.program.checks, start=1):
            with w.block(f"case {number}:"):
                _write_site(w, site)
        w.line("}")
        w.line("return failure->status;")
    w.line("}")


def _write_site(w: Writer, site: CheckSite) -> None:
    line = site.check.span.line if site.check.span else 0
    count = len(site.check.values)
    w.line(f"stencil_check_failed(failure, record, {_level(site.order)}, {line}, {count});")
    for number in range(count):
        w.line(f"failure->values[{number}] = {_value(site, number)};")
    arguments = "".join(f", {item}" for item in _shown(site))
    text = c_string(_DIRECTIVE.sub(_c_directive, site.check.message))
    w.line(f"snprintf(failure->message, sizeof failure->message, {text}{arguments});")
    w.line("break;")


def _level(order: LoopOrder) -> str:
    """Where a record keeps the level, which its key counts in loop order."""
    match order:
        case LoopOrder.PARALLEL:
            return "record[3]"
        case LoopOrder.FORWARD:
            return "record[2]"
        case LoopOrder.BACKWARD:
            return "-record[2]"
        case _:
            assert_never(order)


def _c_directive(match: re.Match[str]) -> str:
    return "%lld" if match[1] == "d" else match[0]


def _shown(site: CheckSite) -> tuple[str, ...]:
    letters = [match[1] for match in _DIRECTIVE.finditer(site.check.message) if match[1] != "%"]
    return tuple(
        f"failure->values[{number}]" if letter == "g" else f"(long long)record[{_FIRST_VALUE + number}]"
        for number, letter in enumerate(letters)
    )


def _value(site: CheckSite, number: int) -> str:
    bits = f"record[{_FIRST_VALUE + number}]"
    return f"stencil_float({bits})" if is_float(site.dtypes[number]) else f"(double){bits}"
