"""From a function to a stencil object: forms of the decorator, options, and how it presents itself."""

import inspect
import pickle
import pydoc
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backends.base import STACK_BUDGET
from iir.diagnostics import Diagnostic, InvalidIIRError
from iir.nodes import Stencil
from iir.passes import DEFAULT
from iir.printer import to_text
from stencil import (
    FORWARD,
    PARALLEL,
    ArgumentError,
    BackendError,
    CheckError,
    Field,
    StencilError,
    StencilWarning,
    computation,
    exp,
    from_iir,
    interval,
    stencil,
)
from stencil.options import changed_settings, default_settings
from stencil.stencil_object import StencilObject

FLAGS = "'afn', 'arcp', 'contract', 'nsz' and 'reassoc'"


def scale(u: Field[np.float64], out: Field[np.float64], *, alpha: float = 2.0):
    """Multiply a field by a number."""
    with computation(PARALLEL), interval(...):
        out = u * alpha


def column(u: Field["real"], out: Field["real"]):
    from __externals__ import STEP

    with computation(FORWARD):
        with interval(0, 1):
            out = u
        with interval(1, None):
            out = out[0, 0, -1] + STEP


def run(f: StencilObject, **scalars: Any) -> Any:
    u, out = np.full((2, 2, 3), 3.0), np.zeros((2, 2, 3))
    f(u, out, **scalars)
    return out[0, 0].tolist()


@pytest.fixture(autouse=True)
def reference_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STENCIL_BACKEND", "reference")
    monkeypatch.delenv("STENCIL_PARALLEL", raising=False)
    monkeypatch.delenv("STENCIL_MATH", raising=False)


@pytest.mark.parametrize(
    "f",
    [
        stencil(scale, backend="reference"),
        stencil(backend="reference")(scale),
        stencil(backend="reference", definition=scale),
        stencil(definition=scale, backend="reference"),
    ],
)
def test_every_form_of_the_decorator_gives_the_same_stencil(f: StencilObject) -> None:
    assert run(f) == [6.0, 6.0, 6.0]
    assert f.backend == "reference"


def test_plain_decorator_takes_the_defaults() -> None:
    @stencil
    def copy(u: Field[float], out: Field[float]):
        with computation(PARALLEL), interval(...):
            out = u

    assert run(copy) == [3.0, 3.0, 3.0]


def test_keyword_only_parameters_and_defaults_are_those_of_the_definition() -> None:
    f = stencil(scale)
    assert run(f, alpha=0.5) == [1.5, 1.5, 1.5]
    with pytest.raises(ArgumentError, match="2 arguments by position at most, 3 given"):
        f(np.zeros((1, 1, 1)), np.zeros((1, 1, 1)), 2.0)


def positional(u: Field[float], /, out: Field[float], *, alpha: float = 2.0):
    with computation(PARALLEL), interval(...):
        out = u * alpha


def test_parameters_before_a_slash_have_no_keyword() -> None:
    f = stencil(positional)
    u, out = np.ones((1, 1, 1)), np.zeros((1, 1, 1))
    f(u, out=out)
    f(u, out, alpha=3.0)
    assert out.item() == 3.0
    for call in (f, f.freeze()):
        with pytest.raises(ArgumentError) as caught:
            call(u=u, out=out, alpha=1.0)
        assert caught.value.field == "u"
        assert str(caught.value) == (
            "Argument 'u' is given by keyword, but it is taken by position only. [status]\n"
            "  hint: The arguments are 'u', 'out' and 'alpha'."
        )
    with pytest.raises(ArgumentError, match="'u' is given by keyword"):
        f(u=u, out=out)
    with pytest.raises(ArgumentError, match="Argument 'u' is missing"):
        f(out=out)


def test_field_named_as_a_keyword_of_the_call_is_given_by_position() -> None:
    @stencil
    def odd(origin: Field[float], domain: Field[float]):
        with computation(PARALLEL), interval(...):
            domain = origin

    source, target = np.ones((2, 2, 2)), np.zeros((2, 2, 2))
    odd(source, target, domain=(1, 2, 2), origin=(1, 0, 0))
    assert target[:, 0, 0].tolist() == [0.0, 1.0]


def test_externals_and_dtypes_are_handed_to_the_definition() -> None:
    f = stencil(column, externals={"STEP": 0.5}, dtypes={"real": np.float64})
    assert run(f) == [3.0, 3.5, 4.0]


def test_name_replaces_that_of_the_function() -> None:
    f = stencil(scale, name="double")
    assert f.__name__ == f.iir.name == "double"
    assert repr(f) == "<stencil double(u: f64[IJK], out: f64[IJK], alpha: f64) on 'reference'>"


def test_stencil_presents_itself_as_its_function() -> None:
    f = stencil(scale)
    assert f.__doc__ == "Multiply a field by a number."
    assert f.__name__ == f.__qualname__ == "scale"
    assert f.__module__ == __name__
    assert list(inspect.signature(f).parameters) == ["u", "out", "alpha"]
    assert inspect.signature(f).parameters["alpha"].default == 2.0


def test_help_shows_signature_and_docstring_as_of_a_function() -> None:
    _, text = pydoc.render_doc(stencil(scale), renderer=pydoc.plaintext).split("\n\n", 1)
    assert text == (
        "scale(u: Field[float64], out: Field[float64], *, alpha: numpy.float64 = 2.0) -> None\n"
        "    Multiply a field by a number.\n"
    )


def test_signature_shows_what_annotations_stand_for() -> None:
    f = stencil(column, externals={"STEP": 0.5}, dtypes={"real": np.float32})
    assert str(inspect.signature(f)) == "(u: Field[float32], out: Field[float32]) -> None"
    g = from_iir("stencil g(a: f64[IJ], n: i64)\n")
    assert str(inspect.signature(g)) == "(a: Field[IJ, float64], n: numpy.int64) -> None"


def test_stencil_in_a_class_is_no_method() -> None:
    class Model:
        step = stencil(scale)

    assert run(Model().step) == run(Model.step) == [6.0, 6.0, 6.0]


def test_errors_of_the_stencil_show_where_it_is_defined() -> None:
    def wrong(out: Field[float]):
        with computation(PARALLEL), interval(...):
            out = missing

    with pytest.raises(StencilError) as caught:
        stencil(wrong)
    assert caught.value.span is not None and caught.value.span.file == __file__
    assert [entry.path.name for entry in caught.traceback] == [Path(__file__).name] + ["decorator.py"] * (
        len(caught.traceback) - 1
    )


def test_temporary_that_is_never_written_where_it_is_read_is_an_error() -> None:
    def unset(out: Field[float]):
        with computation(PARALLEL):
            with interval(0, 1):
                t = 1.0
            with interval(1, None):
                out = t

    with pytest.raises(StencilError, match="'t'"):
        stencil(unset)


def test_temporary_that_may_be_unset_is_a_warning_at_its_line() -> None:
    def doubtful(u: Field[float], out: Field[float]):
        with computation(PARALLEL), interval(...):
            if u > 0.0:
                t = 1.0
            out = t

    with pytest.warns(StencilWarning, match="'t'") as caught:
        stencil(doubtful)
    assert caught[0].filename == __file__
    assert "out = t" in Path(__file__).read_text().splitlines()[caught[0].lineno - 1]


def test_with_options_gives_the_same_stencil_elsewhere() -> None:
    f = stencil(scale, backend="numba")
    g = f.with_options(backend="reference")
    assert g.iir is f.iir
    assert (f.backend, g.backend) == ("numba", "reference")
    assert run(g) == [6.0, 6.0, 6.0]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            {"paralel": True},
            "There is no option 'paralel'. [option]\n  hint: Did you mean 'parallel'?",
        ),
        (
            {"zzz": True},
            "There is no option 'zzz'. [option]\n"
            "  hint: The options are 'backend', 'parallel', 'fastmath', 'math', 'stack_arrays', 'tune', "
            "'jit', 'passes' and 'rebuild'.",
        ),
        ({"parallel": "yes"}, "Option 'parallel' must be 'auto', True or False: 'yes' given. [option]"),
        (
            {"stack_arrays": -1},
            "Option 'stack_arrays' must be True, False or a number of bytes: -1 given. [option]\n"
            "  hint: At most 4194304 bytes of a thread's stack are safe.",
        ),
        ({"jit": None}, "Option 'jit' must be True or False: None given. [option]"),
        ({"tune": "on"}, "Option 'tune' must be True or False: 'on' given. [option]"),
        ({"rebuild": "now"}, "Option 'rebuild' must be True or False: 'now' given. [option]"),
        ({"math": "svml"}, "Option 'math' must be 'libm' or 'vector': 'svml' given. [option]"),
        ({"math": True}, "Option 'math' must be 'libm' or 'vector': True given. [option]"),
        ({"backend": 3}, "Option 'backend' must be the name of a back end: 3 given. [option]"),
        ({"passes": [1]}, "Option 'passes' must list functions from IIR to IIR: [1] given. [option]"),
        (
            {"fastmath": True},
            f"Option 'fastmath' must be a set of {FLAGS}: True given. [option]\n"
            "  hint: By default no flag is set, and every back end gives the same bits.",
        ),
        (
            {"fastmath": {"nnan"}},
            f"Option 'fastmath' must be a set of {FLAGS}: {{'nnan'}} given. [option]\n"
            "  hint: By default no flag is set, and every back end gives the same bits.",
        ),
    ],
)
def test_bad_option_is_refused(options: dict[str, Any], text: str) -> None:
    with pytest.raises(StencilError) as caught:
        stencil(scale, **options)
    assert str(caught.value) == text


class Odd:
    """An object that answers nothing."""

    def __repr__(self) -> str:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = None


@pytest.mark.parametrize(
    "value", [np.array([1, 2]), np.zeros((300, 3)), [[]], [1], 3, b"x", Odd(), [Odd()], [{}]]
)
@pytest.mark.parametrize(
    "name",
    ["backend", "parallel", "fastmath", "tune", "jit", "passes", "rebuild", "externals", "dtypes", "name"],
)
def test_no_value_of_an_option_raises_anything_but_the_error_that_names_it(name: str, value: Any) -> None:
    with pytest.raises(StencilError) as caught:
        stencil(**{name: value})
    message = str(caught.value).partition("\n")[0]
    assert (name in message or caught.value.kind == "bad-name") and len(message) < 220
    assert caught.value.kind == ("bad-name" if name == "name" else "option")


@pytest.mark.parametrize(
    ("value", "budget"), [(True, STACK_BUDGET), (False, 0), (5000, 5000), (np.int64(7), 7)]
)
def test_stack_arrays_is_a_switch_or_a_number_of_bytes(value: Any, budget: int) -> None:
    settings = changed_settings(default_settings(), {"stack_arrays": value})
    assert settings.options.stack_budget == budget
    assert changed_settings(settings, {"jit": False}).options.stack_budget == budget


def test_options_are_refused_before_there_is_a_definition() -> None:
    with pytest.raises(StencilError, match="paralel"):
        stencil(paralel=True)


def test_none_for_a_definition_is_none_given() -> None:
    assert run(stencil(None)(scale)) == run(stencil(definition=None)(scale)) == [6.0, 6.0, 6.0]


@pytest.mark.parametrize("value", [{1: 2}, {"STEP": 1, (): 2}])
def test_externals_have_names(value: Any) -> None:
    with pytest.raises(StencilError) as caught:
        stencil(column, externals=value)
    assert str(caught.value) == (
        f"'externals' must be a mapping from names to objects: {value} given. [option]\n"
        "  hint: Pass externals={'name': ...}."
    )


@pytest.mark.parametrize("source", [None, 3, b"stencil s()", scale])
def test_what_is_no_iir_is_refused(source: Any) -> None:
    with pytest.raises(InvalidIIRError, match=f"The root is a {type(source).__name__}, not a Stencil"):
        from_iir(source)


@pytest.mark.parametrize("result", [None, 3, "stencil s()", scale])
def test_pass_that_gives_no_iir_is_named(result: Any) -> None:
    def forgetful(ir: Stencil) -> Any:
        return result

    f = stencil(scale, passes=[forgetful])
    with pytest.raises(InvalidIIRError) as caught:
        run(f)
    assert str(caught.value).startswith("The IIR after step 'forgetful' breaks a rule. [invalid-iir]\n")
    assert caught.value.diagnostic.notes[0] == f"The root is a {type(result).__name__}, not a Stencil."


@pytest.mark.parametrize("params", [3, [1], {1: 2}])
def test_scalars_of_intents_have_names(params: Any) -> None:
    with pytest.raises(StencilError, match="'params' must be a mapping from names"):
        stencil(scale).intents_for((1, 1, 1), params)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("nunba", "Did you mean 'numba'?"), ("gpu", "The back ends are 'numba' and 'reference'.")],
)
def test_unknown_back_end_is_refused(name: str, hint: str) -> None:
    with pytest.raises(BackendError) as caught:
        stencil(scale, backend=name)
    assert str(caught.value) == f"There is no back end '{name}'. [unknown-backend]\n  hint: {hint}"


def test_options_are_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert stencil(scale).backend == "reference"
    assert stencil(scale, backend="numba").backend == "numba"
    monkeypatch.setenv("STENCIL_PARALLEL", "perhaps")
    with pytest.raises(StencilError, match="STENCIL_PARALLEL must be 'auto', 'on' or 'off': 'perhaps' given"):
        stencil(scale)


@pytest.mark.parametrize(("word", "is_tuned"), [("on", True), ("Off", False), (None, False)])
def test_tuning_is_switched_by_the_environment(
    word: str | None, is_tuned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STENCIL_TUNE", raising=False)
    if word is not None:
        monkeypatch.setenv("STENCIL_TUNE", word)
    assert default_settings().options.tune is is_tuned
    assert changed_settings(default_settings(), {"tune": not is_tuned}).options.tune is not is_tuned


@pytest.mark.parametrize("word", ["auto", "always", ""])
def test_tuning_has_no_other_words(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STENCIL_TUNE", word)
    with pytest.raises(StencilError, match=f"STENCIL_TUNE must be 'on' or 'off': '{word}' given"):
        stencil(scale)


def test_functions_are_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    def wave(u: Field[np.float64], out: Field[np.float64]):
        with computation(PARALLEL), interval(...):
            out = exp(u)

    assert "libm import exp" in stencil(wave, backend="numba").source
    monkeypatch.setenv("STENCIL_MATH", "Vector")
    assert "vector_math import exp" in stencil(wave, backend="numba").source
    assert "libm import exp" in stencil(wave, backend="numba", math="libm").source
    monkeypatch.setenv("STENCIL_MATH", "fast")
    with pytest.raises(StencilError, match="STENCIL_MATH must be 'libm' or 'vector': 'fast' given"):
        stencil(scale)


def test_textual_iir_becomes_a_stencil_with_its_parameters() -> None:
    text = to_text(stencil(scale).iir)
    f = from_iir(text)
    assert f.iir == stencil(scale).iir
    assert list(inspect.signature(f).parameters) == ["u", "out", "alpha"]
    assert run(f, alpha=2.0) == [6.0, 6.0, 6.0]


def test_iir_from_passes_becomes_a_stencil() -> None:
    f = from_iir(stencil(scale, passes=DEFAULT).optimized)
    assert run(f, alpha=2.0) == [6.0, 6.0, 6.0]


def test_textual_iir_with_a_mistake_is_refused_with_its_place() -> None:
    with pytest.raises(StencilError) as caught:
        from_iir("stencil wrong(u: f64[IJK])\n  multistage sideways\n")
    assert caught.value.span is not None and caught.value.span.line == 2


def test_reading_a_stencil_brings_neither_numba_nor_sympy() -> None:
    code = f"""
import sys
from {__name__} import scale
from stencil import stencil
stencil(scale)
print(sorted({{'numba', 'sympy'}} & set(sys.modules)))
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "[]\n"


def test_every_public_name_is_there() -> None:
    import stencil as package

    names = """stencil function Field GlobalTable I J K IJ IK JK IJK PARALLEL FORWARD BACKWARD computation
        interval horizontal region Intent AccessMode Region StencilError StencilWarning ArgumentError
        CheckError BackendError"""
    for name in names.split():
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'gird'"):
        package.gird  # noqa: B018 - the access is the test


DIAGNOSTIC = Diagnostic("Bad.", "bad", notes=("So it is.",))


@pytest.mark.parametrize(
    "error",
    [
        StencilError(DIAGNOSTIC),
        ArgumentError(DIAGNOSTIC, field="u", side="i-low", needed=2, given=1),
        CheckError(DIAGNOSTIC, (1, 2, 3), (0.5,), {"u": 1}),
        BackendError(DIAGNOSTIC),
        StencilWarning(DIAGNOSTIC),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_have_their_public_name_and_cross_processes(error: Any) -> None:
    assert f"{type(error).__module__}.{type(error).__qualname__}" == f"stencil.{type(error).__name__}"
    copied = pickle.loads(pickle.dumps(error))
    assert type(copied) is type(error)
    assert vars(copied) == vars(error)
    assert str(copied) == str(error) == "Bad. [bad]\n  note: So it is."
