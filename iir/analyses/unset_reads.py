"""Which reads of temporaries may see a point that no statement has set."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from iir.analyses.accesses import Access, accesses
from iir.analyses.call_cases import call_cases
from iir.analyses.coverage import Reduction
from iir.analyses.coverage_run import CoverageRun, Finding
from iir.nodes import Stencil, TemporaryDecl
from iir.statements import If, Stmt

Reason: TypeAlias = Literal["never-written-level", "loop-order", "maybe"]


@dataclass(frozen=True, slots=True)
class UnsetRead:
    """A read that may see an unset point.

    *certain*: whenever it reads anything on a large domain, it sees a point that no statement can
    have written before. *reason* then is ``loop-order`` if a later iteration of the same sweep
    writes the point, else ``never-written-level``.
    """

    name: str
    access: Access
    statement: Stmt
    certain: bool
    reason: Reason


def unset_reads(ir: Stencil) -> tuple[UnsetRead, ...]:
    """The reads of temporaries that may see unset points, in program order.

    No such read is missed. Levels are exact for every permitted size and for up to two run-time
    bounds; conditions on fields count as free, conditions on scalars as uncorrelated. Columns need
    no look: `extents` makes every store run wherever a later read needs it.
    """
    axes = {item.name: item.axes for item in ir.temporaries}
    reduction = Reduction(_suspects(ir))
    if not reduction.names:
        return ()
    sweeps = reduction.sweeps(ir)
    findings = [Finding() for _ in reduction.reads]
    base = _base(ir)
    for case in call_cases(ir):
        run = CoverageRun(case, axes, base, findings)
        for sweep in sweeps:
            run.sweep(sweep)
    return tuple(
        UnsetRead(access.name, access, access.statement, finding.is_certain, _reason(finding))
        for access, finding in zip(reduction.reads, findings, strict=True)
        if finding.may_be_unset
    )


def _suspects(ir: Stencil) -> frozenset[str]:
    """Temporaries with a read that no plain store in front of it, in its own do-method, covers."""
    temporaries = {item.name for item in ir.temporaries if isinstance(item, TemporaryDecl)}
    conditional = _conditional_statements(ir)
    suspects: set[str] = set()
    covered: set[str] = set()
    here: object = None
    for access in accesses(ir):
        if access.do_method is not here:
            here, covered = access.do_method, set()
        if access.name not in temporaries:
            continue
        if access.is_store:
            if id(access.statement) not in conditional:
                covered.add(access.name)
        elif access.offset.k != 0 or access.name not in covered:
            suspects.add(access.name)
    return frozenset(suspects)


def _conditional_statements(ir: Stencil) -> frozenset[int]:
    found: set[int] = set()

    def visit(body: Sequence[Stmt], is_inside: bool) -> None:
        for statement in body:
            if is_inside:
                found.add(id(statement))
            if isinstance(statement, If):
                visit((*statement.then, *statement.orelse), True)

    for multistage in ir.multistages:
        for stage in multistage.stages:
            for do_method in stage.do_methods:
                visit(do_method.body, False)
    return frozenset(found)


def _base(ir: Stencil) -> int:
    """A distance below the domain that no access reaches."""
    lowest = 0
    for access in accesses(ir):
        interval = access.do_method.interval
        lowest = max(lowest, *(abs(b.offset) + abs(access.offset.k) for b in (interval.start, interval.end)))
    return lowest + 1


def _reason(finding: Finding) -> Reason:
    if not finding.is_certain:
        return "maybe"
    return "loop-order" if finding.has_order_fault else "never-written-level"
