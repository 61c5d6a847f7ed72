"""Arrays of one size that begin at different points, because their fields have different axes."""

from collections.abc import Container, Iterator, Sequence

from iir.diagnostics import Diagnostic
from stencil.placement import Placed


def differing_origin(placed: Sequence[Placed], chosen: Container[str]) -> Diagnostic | None:
    """The warning for a field with an inferred origin that is probably not what the caller means.

    Its array has on all its axes the lengths of a field with more axes, but another origin. Fields in
    *chosen* have an origin that the caller knows of.
    """
    for item in placed:
        if item.use.name not in chosen and item.use.reaches:
            for other in _larger(item, placed):
                if _shape(item, other) == item.shape and _origin(item, other) != item.origin:
                    return _warning(item, other, _common(placed))
    return None


def _larger(item: Placed, placed: Sequence[Placed]) -> Iterator[Placed]:
    own = set(item.use.axes)
    return (other for other in placed if other.use.reaches and own < set(other.use.axes))


def _shape(item: Placed, other: Placed) -> tuple[int, ...]:
    return tuple(other.along(axis)[0] for axis in item.use.axes)


def _origin(item: Placed, other: Placed) -> tuple[int, ...]:
    return tuple(other.along(axis)[1] for axis in item.use.axes)


def _common(placed: Sequence[Placed]) -> tuple[int, ...]:
    """The smallest origin for all fields that leaves every halo."""
    return tuple(
        max((item.along(axis)[1] for item in placed if axis in item.use.axes), default=0) for axis in range(3)
    )


def _warning(item: Placed, other: Placed, common: tuple[int, ...]) -> Diagnostic:
    name = item.use.name
    return Diagnostic(
        f"Field '{name}' has the size of '{other.use.name}', but its domain begins at another point.",
        "origin-differs",
        notes=(
            f"The origin of '{name}' is {item.origin}, the smallest that leaves its halo; "
            f"that of '{other.use.name}' is {other.origin}.",
        ),
        hints=(
            f"If equal indices are the same point in all arrays, pass origin={common}.",
            f"If not, pass origin={{'{name}': {item.origin}}}.",
        ),
    )
