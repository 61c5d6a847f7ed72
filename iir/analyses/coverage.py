"""The program reduced to the reads and stores of some temporaries, for the analysis of unset reads."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from iir.analyses.accesses import Access, own_reads, own_stores
from iir.expressions import FieldAccess
from iir.interval import Interval
from iir.nodes import DoMethod, LoopOrder, MultiStage, Stage, Stencil
from iir.statements import If, Stmt


@dataclass(frozen=True, slots=True)
class Read:
    """A read; *position* counts the reads of a program in order."""

    position: int
    name: str
    k: int
    is_center: bool


@dataclass(frozen=True, slots=True)
class Step:
    """A statement: its reads, then its stores, then its branches.

    *is_uniform*: the branches hang on scalars alone, so that all points take the same one.
    """

    reads: tuple[Read, ...]
    stores: tuple[str, ...]
    then: tuple["Step", ...] = ()
    orelse: tuple["Step", ...] = ()
    is_uniform: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """The steps of one do-method."""

    interval: Interval
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Sweep:
    """The blocks of one multistage in program order."""

    order: LoopOrder
    blocks: tuple[Block, ...]


@dataclass(slots=True)
class Reduction:
    """Reduces a stencil to the accesses of *names*; *reads* are those that positions count."""

    names: Collection[str]
    reads: list[Access] = field(default_factory=list)

    def sweeps(self, ir: Stencil) -> tuple[Sweep, ...]:
        return tuple(
            Sweep(multistage.order, tuple(self._blocks(multistage))) for multistage in ir.multistages
        )

    def _blocks(self, multistage: MultiStage) -> Iterator[Block]:
        for stage in multistage.stages:
            for do_method in stage.do_methods:
                steps = self._steps(do_method.body, do_method, stage, multistage)
                if steps:
                    yield Block(do_method.interval, steps)

    def _steps(
        self, body: tuple[Stmt, ...], do_method: DoMethod, stage: Stage, multistage: MultiStage
    ) -> tuple[Step, ...]:
        steps: list[Step] = []
        for statement in body:
            nodes = tuple(own_reads(statement))
            first = len(self.reads)
            for node in nodes:
                if node.name in self.names:
                    place = (statement, do_method, stage, multistage)
                    self.reads.append(Access(node.name, node.offset, False, node, *place))
            reads = tuple(_read(first + n, access.node) for n, access in enumerate(self.reads[first:]))
            stores = tuple(node.name for node in own_stores(statement) if node.name in self.names)
            if isinstance(statement, If):
                then = self._steps(statement.then, do_method, stage, multistage)
                orelse = self._steps(statement.orelse, do_method, stage, multistage)
                step = Step(reads, stores, then, orelse, is_uniform=not nodes)
            else:
                step = Step(reads, stores)
            if step.reads or step.stores or step.then or step.orelse:
                steps.append(step)
        return tuple(steps)


def _read(position: int, node: FieldAccess) -> Read:
    return Read(position, node.name, node.offset.k, node.offset == (0, 0, 0))
