"""Fortran names: letters, digits and underscores, at most 63 of them, whatever their case."""

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

LONGEST: Final = 63
_HASH_DIGITS: Final = 8
_INVALID: Final = re.compile(r"[^A-Za-z0-9_]")


class Names:
    """The names of one scope, each given once; *reserved* ones are never given."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._taken = {name.lower() for name in reserved}

    def claim(self, name: str, suffix: str = "") -> str:
        """*name* and *suffix* as one Fortran name; shortened or changed where they are none, or taken."""
        valid = _INVALID.sub("_", name)
        if not valid[:1].isalpha():
            valid = f"x{valid}"
        found = valid + suffix
        if found.lower() in self._taken:
            found = f"{valid}_{suffix}"
        if valid != name or len(found) > LONGEST or found.lower() in self._taken:
            digest = sha256(name.encode()).hexdigest()[:_HASH_DIGITS]
            room = LONGEST - len(suffix) - _HASH_DIGITS - 1
            found = f"{valid[:room]}_{digest}{suffix}"
        assert found.lower() not in self._taken, found
        self._taken.add(found.lower())
        return found
