"""Why lanes must not share scratch memory: the vectoriser of LLVM, told that they do not meet, believes it.

Each lane fills 512 numbers and reads one of them back. Fewer would stay in registers, where nothing shows.
"""

import ctypes

import llvmlite.binding as llvm
import pytest

ELEMENTS = 512
LANES = 16

_STORE = """
  %p{q} = getelementptr inbounds double, ptr %scratch, i64 {place}
  store double %x, ptr %p{q}, align 8, !llvm.access.group !0"""
_PRIVATE_PLACE = """
  %o{q} = add i64 %i, {offset}"""
_FUNCTION = """
define void @lanes(ptr noalias %u) {{
entry:
  %scratch = alloca [{size} x double], align 64
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %x = sitofp i64 %i to double{stores}
  %place = mul i64 %i, {step}
  %q = getelementptr inbounds double, ptr %scratch, i64 %place
  %v = load double, ptr %q, align 8, !llvm.access.group !0
  %to = getelementptr inbounds double, ptr %u, i64 %i
  store double %v, ptr %to, align 8, !llvm.access.group !0
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, {lanes}
  br i1 %more, label %loop, label %end, !llvm.loop !1
end:
  ret void
}}
!0 = distinct !{{}}
!1 = distinct !{{!1, {hints}!{{!"llvm.loop.vectorize.enable", i1 true}}}}
"""
_NO_DEPENDENCE = '!{!"llvm.loop.parallel_accesses", !0}, '


def _shared(hints: str) -> str:
    """All lanes use one array; lane *i* reads number *i* of it."""
    stores = "".join(_STORE.format(q=q, place=q) for q in range(ELEMENTS))
    return _FUNCTION.format(size=ELEMENTS, stores=stores, step=1, lanes=LANES, hints=hints)


def _interleaved(hints: str) -> str:
    """Each lane has its part of one array, ``[...][lane]``; lane *i* reads number *i* of its own."""
    stores = "".join(
        _PRIVATE_PLACE.format(q=q, offset=q * LANES) + _STORE.format(q=q, place=f"%o{q}")
        for q in range(ELEMENTS)
    )
    size = ELEMENTS * LANES
    return _FUNCTION.format(size=size, stores=stores, step=LANES + 1, lanes=LANES, hints=hints)


def _run(text: str) -> list[float]:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(text)
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    machine = target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=3)
    options = llvm.create_pipeline_tuning_options(3)
    options.loop_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    result = (ctypes.c_double * LANES)()
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.get_function_address("lanes"))(ctypes.addressof(result))
    return list(result)


RIGHT = [float(lane) for lane in range(LANES)]


def test_lanes_that_share_scratch_read_what_the_last_of_them_has_left() -> None:
    """The control: this is the wrong program, and it must be seen to fail."""
    assert _run(_shared(_NO_DEPENDENCE)) != RIGHT


@pytest.mark.parametrize("hints", ["", _NO_DEPENDENCE])
def test_lanes_with_scratch_of_their_own_read_what_they_have_stored(hints: str) -> None:
    assert _run(_interleaved(hints)) == RIGHT


def test_shared_scratch_is_right_where_nobody_promises_anything() -> None:
    """So emitted loops never make that promise."""
    assert _run(_shared("")) == RIGHT
