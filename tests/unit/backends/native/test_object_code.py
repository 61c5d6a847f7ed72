"""LLVM modules as machine code."""

from typing import Any

import llvmlite.binding as llvm
import pytest

from backends.native.object_code import frame_bytes, internalise, optimise, target_machine, undefined

TEXT = """
declare double @exp(double)
declare double @llvm.sqrt.f64(double)
@table = global [4 x double] zeroinitializer

define double @deep(double %x) {
  %a = alloca [1000 x double], align 64
  %b = alloca i8, i64 500, align 1
  call void @use(ptr %a)
  call void @use(ptr %b)
  %y = call double @exp(double %x)
  ret double %y
}
define void @use(ptr %p) noinline {
  store volatile double 0.0, ptr %p
  ret void
}
define double @flat(double %x) noinline {
  %y = call double @llvm.sqrt.f64(double %x)
  ret double %y
}
define double @entry(double %x) {
  %y = call double @flat(double %x)
  %z = call double @deep(double %y)
  ret double %z
}
"""


def module() -> Any:
    machine = target_machine(None, None)
    parsed = llvm.parse_assembly(TEXT)
    parsed.triple, parsed.data_layout = machine.triple, str(machine.target_data)
    return parsed


def test_only_entries_stay_visible() -> None:
    parsed = module()
    internalise(parsed, ["entry"])
    linkage = {item.name: item.linkage.name for item in (*parsed.functions, *parsed.global_variables)}
    assert linkage["entry"] == "external"
    assert {linkage[name] for name in ("deep", "flat", "use", "table")} == {"internal"}


def test_what_is_not_used_is_gone_and_functions_of_llvm_are_not_missing() -> None:
    parsed = module()
    internalise(parsed, ["entry"])
    optimise(parsed, target_machine(None, None))
    assert undefined(parsed) == ["exp"]
    assert [item.name for item in parsed.global_variables] == []


def test_stack_is_that_of_the_deepest_calls() -> None:
    data = target_machine(None, None).target_data
    flat, whole = frame_bytes(module(), "flat", data), frame_bytes(module(), "entry", data)
    assert frame_bytes(module(), "use", data) == flat
    assert whole >= 8500 + 3 * flat


def test_recursion_is_followed_once() -> None:
    text = "define void @f() {\n  call void @f()\n  ret void\n}\n"
    machine = target_machine(None, None)
    assert frame_bytes(llvm.parse_assembly(text), "f", machine.target_data) > 0


@pytest.mark.parametrize(
    ("triple", "cpu"),
    [("aarch64-unknown-linux-gnu", "generic"), ("x86_64-unknown-linux-gnu", "x86-64-v2")],
)
def test_named_machine_makes_its_own_code(triple: str, cpu: str) -> None:
    machine = target_machine(triple, cpu)
    assert machine.triple == triple
    parsed = llvm.parse_assembly("define void @f() {\n  ret void\n}\n")
    parsed.triple, parsed.data_layout = triple, str(machine.target_data)
    code = machine.emit_object(parsed)
    assert (
        int.from_bytes(code[18:20], "little")
        == {"aarch64": 183, "x86_64": 62}[triple.split("-", maxsplit=1)[0]]
    )
