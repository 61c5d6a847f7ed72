"""The tree above the statements: ``Stencil > MultiStage > Stage > DoMethod``.

What a multistage means (`order`):

- PARALLEL: its statements run one after another (stages, do-methods, statements in order), each
  over the whole interval of its do-method and its whole box of columns.
- FORWARD, BACKWARD: level by level in that direction; at a level the stages run one after another,
  in a stage the statements of every do-method whose interval holds the level, in order, each over
  its whole box of columns.

The intervals of a stage's do-methods may overlap.
"""

from dataclasses import dataclass
from typing import TypeAlias

from iir.axes import Axes as Axes  # noqa: PLC0414 - exported: nodes are made of it
from iir.axes import LoopOrder as LoopOrder  # noqa: PLC0414 - as above
from iir.base import Node
from iir.dtypes import DType
from iir.interval import Interval
from iir.schedule import Schedule, Storage
from iir.statements import Stmt


@dataclass(frozen=True, slots=True)
class FieldDecl(Node):
    """An array argument."""

    name: str
    dtype: DType
    axes: Axes = Axes.IJK


@dataclass(frozen=True, slots=True)
class ScalarDecl(Node):
    """A number argument."""

    name: str
    dtype: DType


@dataclass(frozen=True, slots=True)
class TemporaryDecl(Node):
    """A field inside the stencil, on IJK or IJ; every point that no statement has set holds zero.

    *on_heap*: the user wants it in memory, and this not on the stack.
    """

    name: str
    dtype: DType
    axes: Axes = Axes.IJK
    storage: Storage | None = None
    on_heap: bool = False


Parameter: TypeAlias = FieldDecl | ScalarDecl
Declaration: TypeAlias = FieldDecl | ScalarDecl | TemporaryDecl


@dataclass(frozen=True, slots=True)
class DoMethod(Node):
    """Statements for one interval of levels."""

    interval: Interval
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Stage(Node):
    """Work between horizontal dependencies."""

    do_methods: tuple[DoMethod, ...]


@dataclass(frozen=True, slots=True)
class MultiStage(Node):
    """One sweep over the levels."""

    order: LoopOrder
    stages: tuple[Stage, ...]
    schedule: Schedule | None = None


@dataclass(frozen=True, slots=True)
class Stencil(Node):
    """The root: parameters in the order of the signature, temporaries, and the multistages in order."""

    name: str
    parameters: tuple[Parameter, ...]
    temporaries: tuple[TemporaryDecl, ...]
    multistages: tuple[MultiStage, ...]
