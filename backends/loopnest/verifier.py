"""Rules of the loop program; a broken one is a bug of the lowering."""

from collections import Counter
from collections.abc import Iterator

from backends.loopnest.expressions import Affine, Cut, Load, Variable
from backends.loopnest.memory_rules import broken_kernel_memory
from backends.loopnest.nodes import (
    Allocate,
    ArrayParameter,
    Branch,
    CallExternal,
    Free,
    Function,
    Invoke,
    Let,
    Loop,
    LoopKind,
    MakeView,
    Memory,
    Prefetch,
    Program,
    Step,
    Store,
    Stream,
    Within,
    functions,
)
from backends.loopnest.steps import all_steps
from iir.base import Node
from iir.diagnostics import Diagnostic, InvalidIIRError
from iir.traversal import walk


def verify(program: Program) -> Program:
    """*program*, if it keeps all rules."""
    broken = tuple(_broken_rules(program))
    if broken:
        message = f"The loop program of '{program.ir.name}' breaks {len(broken)} rules."
        raise InvalidIIRError(Diagnostic(message, "loop-program", notes=broken))
    return program


def _broken_rules(program: Program) -> Iterator[str]:
    kernels = {item.name: item for item in program.kernels}
    for name, count in Counter(item.name for item in functions(program)).items():
        if count > 1:
            yield f"Function '{name}' is defined {count} times."
    for function in functions(program):
        yield from _FunctionRules(function, kernels).broken()
    for kernel in program.kernels:
        yield from broken_kernel_memory(kernel)


class _FunctionRules:
    def __init__(self, function: Function, kernels: dict[str, Function]) -> None:
        self.function = function
        self.kernels = kernels
        self.ranks: dict[str, int] = {}
        self.on_stack: dict[str, int] = {}
        self.viewed: set[str] = set()

    def broken(self) -> Iterator[str]:
        names = [item.name for item in self.function.parameters]
        yield from self._unique(names)
        arrays = [item.name for item in self.function.parameters if isinstance(item, ArrayParameter)]
        yield from self._allocations(frozenset(arrays))
        yield from self._steps(self.function.body, frozenset(names))

    def _where(self) -> str:
        return f"in '{self.function.name}'"

    def _unique(self, names: list[str]) -> Iterator[str]:
        for name, count in Counter(names).items():
            if count > 1:
                yield f"Parameter '{name}' occurs {count} times {self._where()}."

    def _allocations(self, arrays: frozenset[str]) -> Iterator[str]:
        """Each workspace is a parameter, and used from where it is allocated to where it is freed."""
        live: set[str] = set()
        seen: set[str] = set()
        for step in self.function.body:
            match step:
                case Allocate(array, memory=Memory.HEAP):
                    if array not in arrays or array in live:
                        yield f"'{array}' is not one workspace of the caller {self._where()}."
                    live.add(array)
                    seen.add(array)
                case Free(array):
                    if array not in live:
                        yield f"'{array}' is freed but not allocated {self._where()}."
                    live.discard(array)
                case _:
                    yield from self._uses_after_end(step, seen - live)
        yield from (f"'{array}' is never freed {self._where()}." for array in sorted(live))

    def _uses_after_end(self, step: Step, freed: set[str]) -> Iterator[str]:
        for node in walk(step):
            if isinstance(node, Invoke):
                for argument in node.arguments:
                    if argument in freed:
                        yield f"'{node.kernel}' uses '{argument}' after its end {self._where()}."

    def _steps(self, steps: tuple[Step, ...], known: frozenset[str]) -> Iterator[str]:
        """Every name is defined before it is used; a name set in a branch counts after it."""
        for step in steps:
            yield from self._step(step, known)
            known |= _defined(step)

    def _step(self, step: Step, known: frozenset[str]) -> Iterator[str]:
        match step:
            case Loop():
                yield from self._names((step.start, step.stop), known)
                yield from self._shared_loops(step)
                yield from self._steps(step.body, known | {step.index})
            case Within():
                yield from self._names((Affine(step.index), step.start, step.stop), known)
                yield from self._steps(step.body, known)
            case Branch():
                yield from self._names((step.condition,), known)
                yield from self._steps(step.then, known)
                yield from self._steps(step.orelse, known)
            case _:
                yield from self._names((step,), known)
                yield from self._simple_step(step, known)

    def _shared_loops(self, loop: Loop) -> Iterator[str]:
        inner = (step for step in all_steps(loop.body) if isinstance(step, Loop))
        if loop.kind is LoopKind.PARALLEL and any(step.kind is LoopKind.PARALLEL for step in inner):
            yield f"A shared loop stands in another {self._where()}."

    def _simple_step(self, step: Step, known: frozenset[str]) -> Iterator[str]:
        match step:
            case Store():
                yield from self._access(step.view, len(step.index), known)
            case MakeView():
                yield from self._view(step)
            case Invoke():
                yield from self._invoke(step, known)
            case Prefetch() | Stream():
                yield from self._access(step.view, 1 + len(step.others), known)
                if isinstance(step, Stream):
                    yield from self._access(step.row, 1, known)
            case Allocate(array, memory=Memory.STACK):
                self.on_stack[array] = len(step.sizes)
            case _:
                pass

    def _names(self, nodes: tuple[Node, ...], known: frozenset[str]) -> Iterator[str]:
        for node in (inner for outer in nodes for inner in walk(outer)):
            match node:
                case Affine(str(name)) | Variable(name) | Cut(chunks=name) if name not in known:
                    yield f"'{name}' is used but not defined {self._where()}."
                case Load():
                    yield from self._access(node.view, len(node.index), known)
                case _:
                    pass

    def _access(self, view: str, indices: int, known: frozenset[str]) -> Iterator[str]:
        if view not in known or view not in self.ranks:
            yield f"'{view}' is indexed but is no view {self._where()}."
        elif self.ranks[view] != indices:
            yield f"'{view}' has {self.ranks[view]} axes and {indices} indices {self._where()}."

    def _view(self, step: MakeView) -> Iterator[str]:
        """Two views of one argument would break the promise that arguments do not overlap."""
        axes = {p.name: p.ndim for p in self.function.parameters if isinstance(p, ArrayParameter)}
        axes |= self.on_stack
        if step.array not in axes:
            yield f"'{step.array}' is viewed but is no array {self._where()}."
        elif axes[step.array] != len(step.origin) + (step.chunk is not None):
            yield f"The view '{step.name}' does not fit the axes of its array {self._where()}."
        if step.array in self.viewed and step.array not in self.on_stack:
            yield f"'{step.array}' has more than one view {self._where()}."
        self.viewed.add(step.array)
        self.ranks[step.name] = len(step.origin)

    def _invoke(self, step: Invoke, known: frozenset[str]) -> Iterator[str]:
        names = [argument for argument in step.arguments if isinstance(argument, str)]
        yield from (
            f"'{name}' is used but not defined {self._where()}." for name in names if name not in known
        )
        for name, count in Counter(names).items():
            if count > 1:
                yield f"'{step.kernel}' gets '{name}' {count} times: its arguments must not overlap."
        if step.kernel not in self.kernels:
            yield f"There is no kernel '{step.kernel}'."
        elif len(self.kernels[step.kernel].parameters) != len(step.arguments):
            yield f"'{step.kernel}' is called with a wrong number of arguments {self._where()}."


def _defined(step: Step) -> frozenset[str]:
    match step:
        case Let(name) | MakeView(name):
            return frozenset((name,))
        case CallExternal(targets):
            return frozenset(targets)
        case Branch(_, then, orelse):
            return frozenset().union(*(_defined(inner) for inner in (*then, *orelse)))
        case Within(body=body):
            return frozenset().union(*(_defined(inner) for inner in body))
        case _:
            return frozenset()
