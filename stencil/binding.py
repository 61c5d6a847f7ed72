"""Arguments by position and keyword to values in the order of the definition."""

from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import Any, Final

from stencil.argument_error import STATUS, argument_error
from stencil.wording import counted, did_you_mean, quoted

CALL_KEYWORDS: Final = ("domain", "origin")
"""Keywords of every call; a parameter of such a name is given by position."""


class Binder:
    """Binds calls to one signature; `bind` gives the values of all parameters in order."""

    __slots__ = ("_by_position", "_defaults", "_names", "_positional", "all_positional")

    def __init__(self, signature: Signature) -> None:
        parameters = tuple(signature.parameters.values())
        self._names = tuple(item.name for item in parameters)
        self._positional = tuple(item.name for item in parameters if item.kind is not Parameter.KEYWORD_ONLY)
        self._by_position = sum(item.kind is Parameter.POSITIONAL_ONLY for item in parameters)
        """So many parameters come first that have no keyword."""
        self._defaults = {
            item.name: item.default for item in parameters if item.default is not Parameter.empty
        }
        self.all_positional = len(self._names) if self._positional == self._names else -1
        """So many arguments by position and none by keyword need no binding; -1: never."""

    def bind(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
        """The values of all parameters; defaults where nothing is given."""
        # Everything given, nothing twice: so it is if the counts agree and each name is found.
        is_plausible = self._by_position <= len(args) <= len(self._positional)
        if is_plausible and len(args) + len(named) == len(self._names):
            try:
                return *args, *[named[name] for name in self._names[len(args) :]]
            except KeyError:
                pass
        return self._bind(args, named)

    def _bind(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
        if len(args) > len(self._positional):
            raise self._too_many(len(args))
        values = dict(zip(self._positional, args, strict=False))
        for name, value in named.items():
            if name in values or name not in self._names[self._by_position :]:
                raise self._unwanted(name)
            values[name] = value
        if len(values) < len(self._names):
            values = {**self._defaults, **values}
            self._refuse_missing(values)
        return tuple([values[name] for name in self._names])

    def _refuse_missing(self, values: Mapping[str, Any]) -> None:
        missing = tuple(name for name in self._names if name not in values)
        if not missing:
            return
        verb, word = ("is", "Argument") if len(missing) == 1 else ("are", "Arguments")
        raise argument_error(
            STATUS,
            f"{word} {quoted(missing)} {verb} missing.",
            hints=self._how_to_call(),
            field=missing[0],
            needed=missing,
            given=tuple(values),
        )

    def _too_many(self, count: int) -> Exception:
        most = len(self._positional)
        return argument_error(
            STATUS,
            f"Too many arguments: {counted(most, 'argument')} by position at most, {count} given.",
            hints=self._how_to_call(),
            needed=most,
            given=count,
        )

    def _unwanted(self, name: str) -> Exception:
        if name in self._names[: self._by_position]:
            return argument_error(
                STATUS,
                f"Argument '{name}' is given by keyword, but it is taken by position only.",
                hints=self._how_to_call(),
                field=name,
            )
        if name in self._names:
            return argument_error(
                STATUS, f"Argument '{name}' is given twice, by position and by keyword.", field=name
            )
        if name in CALL_KEYWORDS:
            hints: tuple[str, ...] = (f"A frozen stencil has its {name} from 'freeze({name}=...)'.",)
        else:
            hints = did_you_mean(name, (*self._names, *CALL_KEYWORDS)) or self._how_to_call()
        return argument_error(STATUS, f"There is no argument '{name}'.", hints=hints, field=name)

    def _how_to_call(self) -> tuple[str, ...]:
        return (f"The arguments are {quoted(self._names)}.",) if self._names else ()
