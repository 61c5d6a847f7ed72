"""Names in C, which Fortran can spell too: the user's where possible."""

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

LONGEST: Final = 63
"""Characters of a Fortran name; C compilers tell as many apart."""

LONGEST_SUFFIX: Final = "_workspace_bytes"

_VALID: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_DIGITS: Final = 8

_WORDS: Final = """
auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while

alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t char8_t class compl concept consteval
constexpr constinit const_cast co_await co_return co_yield decltype delete dynamic_cast explicit export false
friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
reinterpret_cast requires static_assert static_cast template this thread_local throw true try typeid typename
typeof typeof_unqual using virtual wchar_t xor xor_eq

I NULL EOF INFINITY NAN INT64_MAX errno stdin stdout stderr assert linux unix memcpy memset snprintf
int8_t int16_t int32_t int64_t size_t uintptr_t

origin domain workspace failure unseen fields layouts levels memory total is_small record record_strides
"""
"""Words of C, words of C++, what headers define, and what the generated functions call their own."""

_RESERVED: Final = frozenset(_WORDS.split())


def symbol(name: str) -> str:
    """What the functions of stencil *name* begin with; with each of their endings it is short enough."""
    return _valid(name, LONGEST - len(LONGEST_SUFFIX))


def parameter_names(names: Iterable[str], owner: str, endings: tuple[str, ...]) -> dict[str, str]:
    """A name for each parameter of the functions of *owner*; with each of *endings* it is free, too."""
    found: dict[str, str] = {}
    taken = set(_RESERVED)
    for name in names:
        wanted = _valid(name, LONGEST - 1 - max(map(len, endings), default=0))
        # Functions are called so.
        if wanted.startswith(("stencil_", f"{owner}_")):
            wanted = f"{wanted}_"
        while taken & (family := {wanted, *(f"{wanted}{ending}" for ending in endings)}):
            wanted = f"{wanted}_"
        taken |= family
        found[name] = wanted
    return found


def _valid(name: str, longest: int) -> str:
    """*name*, or what is left of it with a digest of the whole."""
    if _VALID.fullmatch(name) and len(name) <= longest:
        return name
    digest = sha256(name.encode()).hexdigest()[:_DIGITS]
    rest = re.sub(r"[^A-Za-z0-9_]", "_", name).lstrip("_0123456789") or "x"
    return f"{rest[: longest - _DIGITS - 1]}_{digest}"
