"""Names for what passes introduce."""

from iir.nodes import Stencil


class FreshNames:
    """Gives out names that a stencil does not use yet."""

    def __init__(self, ir: Stencil) -> None:
        self._taken = {item.name for item in (*ir.parameters, *ir.temporaries)}
        self._last: dict[str, int] = {}

    def take(self, wish: str) -> str:
        """*wish*, or *wish* with the first free number behind it."""
        number = self._last.get(wish, 0)
        name = wish
        while name in self._taken:
            number += 1
            name = f"{wish}_{number}"
        self._last[wish] = number
        self._taken.add(name)
        return name
