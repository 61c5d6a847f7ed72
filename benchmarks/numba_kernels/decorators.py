"""How the Numba functions here are compiled: as the generated ones are."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from numba import njit, prange
from numba.core.compiler import CompilerBase, DefaultPassBuilder


class NoAliasCompiler(CompilerBase):  # type: ignore[misc]  # Numba has no types
    """Promises LLVM that array arguments do not overlap: Fortran's rule."""

    def define_pipelines(self) -> list[Any]:
        self.state.flags.noalias = True
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.finalize()
        return [pipeline]


def serial(function: Callable[..., Any]) -> Callable[..., Any]:
    return njit(error_model="numpy", nogil=True, pipeline_class=NoAliasCompiler)(function)  # type: ignore[no-any-return]  # as above


def parallel(function: Callable[..., Any]) -> Callable[..., Any]:
    return njit(error_model="numpy", nogil=True, parallel=True)(function)  # type: ignore[no-any-return]  # as above


def compiled(text: str, names: Mapping[str, Any], *wanted: str) -> tuple[Any, ...]:
    """The *wanted* functions of *text*, which uses *names*, `serial`, `parallel` and `prange`."""
    scope = {"serial": serial, "parallel": parallel, "prange": prange, **names}
    exec(compile(text, "<hand-written kernel>", "exec"), scope)
    return tuple(scope[name] for name in wanted)


@contextmanager
def without_load_pre() -> Iterator[None]:
    """LLVM leaves loads that two iterations share alone: else loops over several rows are scalar.

    The option is the process's, so what is compiled afterwards has the default again.
    """
    llvm.set_option("", "-enable-load-in-loop-pre=false")
    yield
    llvm.set_option("", "-enable-load-in-loop-pre=true")
