"""The C header of a library."""

from backends.native.description import native_library
from backends.native.header import header
from tests.unit.backends.native.test_description import TEXT, source

STENCIL = """\
/* Stencil s: at least 1 level(s).
   0: field u, double on IJK, written; halo i 0+0, j 0+0, k 0+0
   1: field p, float on IJ, only read; halo i 1+0, j 0+2
   2: scalar a, double
   3: scalar n, int32_t
*/
int32_t s_run(
    double *u,
    const int64_t u_shape[3],
    const float *p,
    const int64_t p_shape[2],
    double a,
    int32_t n,
    const int64_t origin[3],
    const int64_t domain[3],
    void *workspace,
    stencil_failure *failure);
int64_t s_workspace_bytes(const int64_t domain[3]);
int64_t s_stack_bytes(const int64_t domain[3]);
"""


def test_header_describes_arguments_and_declares_functions() -> None:
    assert STENCIL in header(native_library([source()], "model"))


def test_name_of_the_library_is_made_a_word_for_its_guard() -> None:
    text = header(native_library([source()], "my-model.2"))
    (guard,) = {line.split()[1] for line in text.splitlines() if line.startswith("#define STENCIL_LIBRARY")}
    assert guard.isidentifier() and guard.startswith("STENCIL_LIBRARY_MY_MODEL_2_")
    assert f"#ifndef {guard}\n" in text


def test_types_of_failures_are_defined_once_for_all_libraries() -> None:
    text = header(native_library([source()], "model"))
    assert text.count("#ifndef STENCIL_FAILURE\n") == text.count("} stencil_failure;") == 1


def test_bools_are_bytes() -> None:
    text = TEXT.replace("n: i32", "n: bool").replace("+ f64(n)", "").replace("u = u", "u = -u if n else u")
    assert "2: scalar a, double\n   3: scalar n, bool as int8_t\n" in header(
        native_library([source(text)], "model")
    )
