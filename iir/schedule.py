"""Decisions of a schedule; they are fields of IIR nodes."""

from dataclasses import dataclass
from enum import Enum

from iir.base import Node


class Axis(Enum):
    """An axis of the grid."""

    I = "i"  # noqa: E741 - the field's name for it
    J = "j"
    K = "k"

    def __repr__(self) -> str:
        return f"Axis.{self.name}"


class Storage(Enum):
    """How a temporary is kept.

    REGISTER: a number for each point of one body of statements. RING: for a sweep, the levels of a row
    that are still needed. ROW: for those who visit a level row by row, the rows that are still needed.
    COLUMN: the columns of a row at a time, for those who visit rows one by one. PLANE: a level at a time,
    for those who visit levels one by one. FIELD: all points. Whoever goes another way may keep more.
    """

    REGISTER = "register"
    RING = "ring"
    ROW = "row"
    COLUMN = "column"
    PLANE = "plane"
    FIELD = "field"

    def __repr__(self) -> str:
        return f"Storage.{self.name}"


@dataclass(frozen=True, slots=True)
class Schedule(Node):
    """How a multistage's loops run.

    *parallel* is the axis whose iterations may be shared among threads, None if none may. A sweep goes
    through so many columns of a row at a time as a *strip* has. Where fields are large and laid out for
    it, *prefetch*: rows are fetched before they are needed; *stream*: rows of what is only written go
    past the caches; *blocks*: all levels of some rows come before the next rows. *fuse*:
    statements that run ahead of each other on the rows share loops over the lanes. *stack*: bytes of a
    thread's stack for temporaries; None: as for the stencil.
    """

    parallel: Axis | None = None
    strip: int | None = None
    prefetch: bool = False
    stream: bool = False
    blocks: bool = False
    fuse: bool = False
    stack: int | None = None
