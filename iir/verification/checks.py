"""Rules on checks and external calls."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from iir.analyses.dtypes import expression_dtype
from iir.dtypes import is_float
from iir.nodes import Declaration, TemporaryDecl
from iir.statements import Check, ExternalCall
from iir.verification.fault import Fault, quote

_DIRECTIVE: Final = re.compile(r"%(.?)", re.DOTALL)
_FUNCTION: Final = re.compile(r"[\w.]+:[\w.<>]+")
_MOST_VALUES: Final = 4


def check_faults(check: Check, names: Mapping[str, Declaration]) -> Iterator[Fault]:
    text = quote(check, names)
    directives = [match[1] for match in _DIRECTIVE.finditer(check.message) if match[1] != "%"]
    if any(letter not in ("d", "g") for letter in directives):
        yield Fault(f"The message of {text} has directives other than %d, %g and %%.", check)
    if len(directives) != len(check.values):
        count, given = len(directives), len(check.values)
        yield Fault(f"The message of {text} shows {count} value(s) but {given} are given.", check)
    if len(check.values) > _MOST_VALUES:
        yield Fault(f"{text} shows more than {_MOST_VALUES} values.", check)
    for letter, value in zip(directives, check.values, strict=False):
        if letter == "d" and is_float(expression_dtype(value, names)):
            yield Fault(f"The message of {text} shows the float {quote(value, names)} with %d.", check)
    if min(check.key) < 0:
        yield Fault(f"The key of {text} is negative.", check)
    yield from _guard_faults(check, names)


def _guard_faults(check: Check, names: Mapping[str, Declaration]) -> Iterator[Fault]:
    targets = [guard.target.name for guard in check.guards]
    if len(set(targets)) < len(targets):
        yield Fault(f"{quote(check, names)} guards the same name twice.", check)
    for target in targets:
        if not isinstance(names[target], TemporaryDecl):
            yield Fault(f"{quote(check, names)} guards '{target}', which is no temporary.", check)


def call_faults(call: ExternalCall, names: Mapping[str, Declaration]) -> Iterator[Fault]:
    text = quote(call, names)
    if not _FUNCTION.fullmatch(call.function):
        yield Fault(f"The function of {text} is not written 'module:qualified.name'.", call)
    tags = [bundle.tag for bundle in call.bundles]
    if "" in tags:
        yield Fault(f"{text} has a bundle without a tag.", call)
    if tags.count("deopt") > 1:
        yield Fault(f"{text} has more than one 'deopt' bundle.", call)
