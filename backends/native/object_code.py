"""From LLVM modules to machine code for a named processor."""

import re
from collections.abc import Collection
from typing import Any, Final

import llvmlite.binding as llvm

_MARGIN: Final = 4096
"""Bytes of a stack frame for what is no array: registers that are saved, arguments, the boundary's own."""

_ADDRESS: Final = re.compile(r"inttoptr \(i64 \d+ to ptr\)")
_ALLOCATION: Final = re.compile(r"= alloca (?P<type>.+?)(, i64 (?P<count>\d+))?, align (?P<align>\d+)$")


def target_machine(triple: str | None, cpu: str | None) -> Any:
    """The machine of a triple and a processor; None means this one."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(triple or llvm.get_process_triple())
    features = llvm.get_host_cpu_features().flatten() if cpu is None else ""
    return target.create_target_machine(
        cpu=cpu or llvm.get_host_cpu_name(), features=features, opt=3, reloc="pic", codemodel="default"
    )


def internalise(module: Any, entries: Collection[str]) -> None:
    """Leave only *entries* visible, and these inside the library that the object is linked into."""
    for item in (*module.functions, *module.global_variables):
        if item.name in entries:
            item.visibility = "hidden"
        elif not item.is_declaration:
            item.linkage = "internal"


def optimise(module: Any, machine: Any) -> None:
    """The passes that Numba runs on the kernels of a process."""
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization, options.slp_vectorization = True, False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def undefined(module: Any) -> list[str]:
    """The symbols that *module* needs from elsewhere, and what stands for addresses in this process."""
    items = (*module.functions, *module.global_variables)
    symbols = {item.name for item in items if item.is_declaration and not item.name.startswith("llvm.")}
    return [*sorted(symbols), *(("a fixed address",) if _ADDRESS.search(str(module)) else ())]


def frame_bytes(module: Any, entry: str, data: Any) -> int:
    """What a call of *entry* takes of the stack at most: its own frame, and the deepest of what it calls."""

    def depth(function: Any, callers: tuple[str, ...]) -> int:
        callees = [item for item in _callees(function) if item.name not in callers]
        deepest = max((depth(item, (*callers, item.name)) for item in callees), default=0)
        return _frame(function, data) + deepest

    return depth(module.get_function(entry), (entry,))


def _callees(function: Any) -> tuple[Any, ...]:
    found = (
        function.module.get_function(operand.name)
        for block in function.blocks
        for instruction in block.instructions
        if instruction.opcode in ("call", "invoke")
        for operand in instruction.operands
        if operand.value_kind is llvm.ValueKind.function
    )
    return tuple({item.name: item for item in found if not item.is_declaration}.values())


def _frame(function: Any, data: Any) -> int:
    instructions = (item for block in function.blocks for item in block.instructions)
    return _MARGIN + sum(_allocated(str(item), data) for item in instructions if item.opcode == "alloca")


def _allocated(text: str, data: Any) -> int:
    """The bytes that an instruction allocates; no call decides it."""
    match = _ALLOCATION.search(text)
    assert match is not None and "%" not in match["type"], text
    # A type has a size where it belongs to something.
    module = llvm.parse_assembly(f"@it = global {match['type']} zeroinitializer")
    size: int = data.get_abi_size(module.get_global_variable("it").global_value_type)
    return size * int(match["count"] or 1) + int(match["align"])
