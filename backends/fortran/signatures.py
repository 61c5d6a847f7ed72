"""The arguments of public procedures, in the order that all have in common."""

from typing import Final

from backends.fortran.declarations import type_of
from backends.fortran.forms import Form, bounds_of, shape_of
from backends.fortran.procedures import Dummy
from backends.fortran.spec import FieldSpec, ScalarSpec, StencilSpec
from backends.fortran.stencil_names import Logicals, StencilNames, Task
from iir.dtypes import DType

WORKSPACE: Final = Dummy("workspace", "integer(c_int8_t), contiguous, intent(inout), optional, target", "(:)")
METRICS: Final = Dummy("metrics", "type(stencil_metrics), intent(inout)")
TOLERANCES: Final = Dummy("tolerances", "type(stencil_tolerance), intent(in), optional", "(:)")
RC: Final = Dummy("rc", "integer, intent(out), optional")
FAILURE: Final = Dummy("failure", "type(stencil_failure), intent(out), optional")


def signature(
    stencil: StencilSpec, names: StencilNames, task: Task, form: Form, logicals: Logicals
) -> tuple[Dummy, ...]:
    """Fields, scalars, bounds, what the task needs, the ways to tell of failures, and a workspace.

    They are the same whether this stencil ever needs a workspace or not: that is no matter of its author's.
    """
    return (
        *(field_dummy(field, names, form, logicals) for field in stencil.fields),
        *(scalar_dummy(scalar, names, logicals) for scalar in stencil.scalars),
        *(Dummy(name, "integer, intent(in)") for name in bounds_of(form)),
        *_of_task(task, form),
    )


def field_dummy(field: FieldSpec, names: StencilNames, form: Form, logicals: Logicals) -> Dummy:
    dimensions = shape_of(field.axes, form).declared
    declaration = f"{_type(field.dtype, logicals)}, contiguous, intent({field.fortran_intent}), target"
    return Dummy(names.arguments[field.name].dummy, declaration, dimensions)


def scalar_dummy(scalar: ScalarSpec, names: StencilNames, logicals: Logicals) -> Dummy:
    return Dummy(names.arguments[scalar.name].dummy, f"{_type(scalar.dtype, logicals)}, intent(in)")


def _of_task(task: Task, form: Form) -> tuple[Dummy, ...]:
    """A block has its own saved values."""
    is_many = form is Form.BLOCKS
    before = Dummy(
        "before",
        f"type(stencil_before){', allocatable' if is_many else ''}, intent(inout)",
        "(:)" if is_many else "",
    )
    match task:
        case Task.RUN:
            return (RC, FAILURE, WORKSPACE)
        case Task.SAVE:
            return (before,)
        case Task.VERIFY | Task.EITHER:
            return (before, METRICS, TOLERANCES, RC, FAILURE, WORKSPACE)


def _type(dtype: DType, logicals: Logicals) -> str:
    is_default = dtype is DType.BOOL and logicals is Logicals.DEFAULT
    return "logical" if is_default else type_of(dtype)
