"""What a module calls the procedures of a stencil and their arguments."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Final

from backends.fortran.forms import Form
from backends.fortran.names import Names
from backends.fortran.spec import StencilSpec

_ARGUMENTS_AND_VARIABLES: Final = """
    i_start i_end j_start j_end k_start k_end block_start block_end workspace before metrics tolerances rc
    failure outcome first_point last_point domain_origin domain_size block_number size_i size_j size_k
    kernel_status work_address j_before this_call
"""
_FROM_ELSEWHERE: Final = """
    size shape reshape max min int logical present merge wp vp c_loc c_null_ptr c_ptr c_bool c_int8_t
    c_int16_t c_int32_t c_int64_t stencil_ok stencil_failure stencil_finish stencil_before stencil_metrics
    stencil_tolerance stencil_scratch stencil_workspace stencil_check_before stencil_check_blocks
    stencil_check_saved_blocks stencil_name_block stencil_f64 stencil_f32 stencil_i64 stencil_i32 stencil_i16
    stencil_i8 stencil_bool
"""
_PREPROCESSOR: Final = "linux unix"

RESERVED: Final = frozenset(f"{_ARGUMENTS_AND_VARIABLES} {_FROM_ELSEWHERE} {_PREPROCESSOR}".split())
"""Names that no argument of a stencil can have inside its procedures."""


class Task(Enum):
    """What a public procedure does; the value is the ending of its name."""

    RUN = "_run"
    SAVE = "_save_before"
    VERIFY = "_run_and_verify"
    EITHER = "_run_or_verify"


class Logicals(Enum):
    """The kind of logical arguments; the value is the ending of a name where there are both."""

    C = "_c"
    DEFAULT = "_l"


@dataclass(frozen=True, slots=True)
class ArgumentNames:
    """A field or a scalar, and what belongs to it inside procedures."""

    dummy: str
    shape: str
    scratch: str
    used: str
    converted: str


@dataclass(frozen=True, slots=True)
class StencilNames:
    """The names for one stencil; *public* ones are generic where logicals have two kinds."""

    arguments: Mapping[str, ArgumentNames]
    public: Mapping[tuple[Task, Form], str]
    specific: Mapping[tuple[Task, Form, Logicals], str]
    kernel: str
    kernel_workspace: str
    workspace_bytes: str
    call: str
    save: str
    verify: str


def forms_of(stencil: StencilSpec) -> tuple[Form, ...]:
    return tuple(Form) if stencil.is_blockable else (Form.WHOLE,)


def stencil_names(stencil: StencilSpec, module: Names) -> StencilNames:
    """Names for *stencil* in a module whose names so far are *module*."""
    base = stencil.name
    tasks = tuple(product(Task, forms_of(stencil)))
    public = {(task, form): module.claim(base, task.value + form.value) for task, form in tasks}
    specific = {
        (task, form, kind): (
            module.claim(base, task.value + form.value + kind.value)
            if stencil.has_logicals
            else public[task, form]
        )
        for (task, form), kind in product(tasks, Logicals)
    }
    own = {
        ending: module.claim(base, ending)
        for ending in ("_kernel", "_kernel_workspace", "_workspace_bytes", "_call", "_save", "_verify")
    }
    scope = Names((*RESERVED, *public.values(), *specific.values(), *own.values()))
    dummies = {item.name: scope.claim(item.name) for item in stencil.arguments}
    arguments = {
        name: ArgumentNames(
            dummy, *(scope.claim(name, ending) for ending in ("_shape", "_scratch", "_used", "_converted"))
        )
        for name, dummy in dummies.items()
    }
    return StencilNames(
        arguments,
        public,
        specific,
        own["_kernel"],
        own["_kernel_workspace"],
        own["_workspace_bytes"],
        own["_call"],
        own["_save"],
        own["_verify"],
    )
