"""Each rule of the IIR: a tree that breaks it is refused, with the rule as a sentence."""

import re
from dataclasses import replace

import numpy as np
import pytest

from iir.builder import (
    add,
    assign,
    at,
    constant,
    do,
    field,
    forward,
    interval,
    parallel,
    scalar,
    stage,
    stencil,
    temporary,
    value_of,
)
from iir.diagnostics import InvalidIIRError
from iir.dtypes import DType
from iir.expressions import Cast, Constant, FieldAccess
from iir.nodes import Stencil
from iir.parser import from_text
from iir.statements import Assign
from iir.traversal import MAX_DEPTH
from iir.verifier import broken_rules, verify
from tests.strategies import EVERYTHING, program

PARAMETERS = """\
stencil s(u: f64[IJK], out: f64[IJK], single: f32[IJK], count: i32[IJK], mask: bool[IJK], \
plane: f64[IJ], column: f64[K], alpha: f64, n: i32, flag: bool)
  temporary t: f64[IJK]
  temporary sheet: f64[IJ]
"""


def tree(body: str, order: str = "parallel", interval: str = "[start, end)") -> Stencil:
    """One do-method with the statements *body*, on fields and scalars of many kinds."""
    lines = "".join(f"        {line}\n" for line in body.split("\n"))
    return from_text(f"{PARAMETERS}  multistage {order}\n    stage\n      do {interval}\n{lines}")


def sentences(ir: Stencil, scheduled: bool = False) -> list[str]:
    return [fault.sentence for fault in broken_rules(ir, scheduled)]


@pytest.mark.parametrize(
    "body, sentence",
    [
        ("out = single", "'out = single' stores f32 in 'out', which is f64."),
        ("out = u + single", "The operands of '+' in 'u + single' are f64 and f32, not of one dtype."),
        ("mask = u < single", "The operands of '<' in 'u < single' are f64 and f32, not of one dtype."),
        (
            "out = min(u, single)",
            "The operands of 'min' in 'min(u, single)' are f64 and f32, not of one dtype.",
        ),
        (
            "out = u if flag else 1",
            "The operands of 'if else' in 'u if flag else 1' are f64 and i64, not of one dtype.",
        ),
        ("out = u if alpha else u", "The condition 'alpha' is f64, not bool."),
        ("if u\n  out = u", "The condition 'u' is f64, not bool."),
        ('check user(u, "")', "The condition 'u' is f64, not bool."),
        ("count = count / count", "'/' takes floats, not i32, in 'count / count'."),
        ("out = f64(mask + mask)", "'+' takes numbers, not bool, in 'mask + mask'."),
        ("mask = mask < flag", "'<' takes numbers, not bool, in 'mask < flag'."),
        ("mask = u and u", "'and' takes bool, not f64, in 'u and u'."),
        ("mask = not u", "'not' takes bool, not f64, in 'not u'."),
        ("out = f64(-mask)", "'-' takes numbers, not bool, in '-mask'."),
        ("count = sqrt(count)", "'sqrt' takes floats, not i32, in 'sqrt(count)'."),
        ("mask = isnan(count)", "'isnan' takes floats, not i32, in 'isnan(count)'."),
        ("out = f64(abs(mask))", "'abs' takes numbers, not bool, in 'abs(mask)'."),
        ("out = sqrt(u, u)", "'sqrt' takes 1 argument(s), not 2, in 'sqrt(u, u)'."),
        ("out = min(u)", "'min' takes 2 argument(s), not 1, in 'min(u)'."),
        ("count = 2147483648i32", "2147483648 is not a number of dtype i32."),
        (
            'check user(flag, "", u + count)',
            "The operands of '+' in 'u + count' are f64 and i32, not of one dtype.",
        ),
        ('check user(flag, "") guard(t = n)', "'t = n' stores i32 in 't', which is f64."),
        (
            'out = call "m:f"(u + count)',
            "The operands of '+' in 'u + count' are f64 and i32, not of one dtype.",
        ),
    ],
)
def test_operands_have_the_dtypes_that_are_taken(body: str, sentence: str) -> None:
    assert sentences(tree(body)) == [sentence]


@pytest.mark.parametrize(
    "body",
    [
        "out = f64(single) if flag or mask and u == 1.0 else alpha ** 2.0",
        "mask = mask == flag",
        "mask = isnan(u)",
        "count = abs(-count) // n % 3i32",
        "out = atan2(u, sqrt(alpha)) + pow2(u) + -128.0",
        "count = -2147483648i32",
        "single = 0.1f32 * $inff32 - $nanf32",
        "if flag\n  mask = not flag\nelif u > 0.0\n  single = f32(u)",
        'check user(u > 0.0, "%d%% of %g %g %d", n, u, n, flag) guard(t = u, sheet = u)',
        'out, u = call "m:f.<locals>.g"(u, n) effects(any) bundle "deopt"(u) bundle "x"() bundle "x"()',
        'call "m:f"()',
        "t = u\nt = t[1, 0, 0] + column[-1] + plane[1, 1]",
    ],
)
def test_what_keeps_the_rules_passes(body: str) -> None:
    verify(tree(body, "forward"), after="test")


@pytest.mark.parametrize(
    "value, dtype",
    [
        (4, DType.FLOAT64),
        (4.0, DType.INT32),
        (True, DType.INT32),
        (1, DType.BOOL),
        (0.1, DType.FLOAT32),
        (1e300, DType.FLOAT32),
        (128, DType.INT8),
        (-(2**63) - 1, DType.INT64),
    ],
)
def test_constants_are_numbers_of_their_dtype(value: bool | int | float, dtype: DType) -> None:
    ir = stencil(
        "s", (field("out"),), parallel(stage(do(assign("out", Cast(DType.FLOAT64, Constant(value, dtype))))))
    )
    assert sentences(ir) == [f"{value!r} is not a number of dtype {dtype.value}."]


@pytest.mark.parametrize(
    "body, order, interval, sentence",
    [
        ("u[1, 0, 0] = alpha", "parallel", "[start, end)", "'u[1, 0, 0] = alpha' stores at an offset."),
        (
            "column = alpha",
            "forward",
            "[start, end)",
            "'column = alpha' stores to 'column', but fields on K are read-only.",
        ),
        (
            "plane = alpha",
            "parallel",
            "[start, start+2)",
            "'plane = alpha' stores to 'plane', which has no K, in a parallel multistage on more than one "
            "level, '[start, start+2)'.",
        ),
        (
            "sheet = alpha",
            "parallel",
            "[start, n)",
            "'sheet = alpha' stores to 'sheet', which has no K, in a parallel multistage on more than one "
            "level, '[start, n)'.",
        ),
        (
            "out = u",
            "parallel",
            "[start-1, end)",
            "'out = u' stores to the argument 'out' on '[start-1, end)', which is not inside [start, end).",
        ),
        (
            "plane = alpha",
            "forward",
            "[end, end+1)",
            "'plane = alpha' stores to the argument 'plane' on '[end, end+1)', which is not inside "
            "[start, end).",
        ),
    ],
)
def test_stores_go_where_they_may(body: str, order: str, interval: str, sentence: str) -> None:
    assert sentences(tree(body, order, interval)) == [sentence]


@pytest.mark.parametrize(
    "body, order, interval",
    [
        ("plane = alpha", "parallel", "[start, start+1)"),
        ("plane = alpha", "parallel", "[end-1, end)"),
        ("plane = alpha", "backward", "[start, end)"),
        ("t = alpha", "parallel", "[start-1, end+2)"),
        ("out = u", "parallel", "[n-1, end)"),
        ("out = u", "parallel", "[end-3, start+3)"),
    ],
)
def test_stores_where_they_may_pass(body: str, order: str, interval: str) -> None:
    verify(tree(body, order, interval), after="test")


@pytest.mark.parametrize(
    "body, sentence",
    [
        (
            'check user(flag, "%d")',
            "The message of 'check user(flag, \"%d\")' shows 1 value(s) but 0 are given.",
        ),
        (
            'check user(flag, "%%", n)',
            "The message of 'check user(flag, \"%%\", n)' shows 0 value(s) but 1 are given.",
        ),
        (
            'check user(flag, "%s", n)',
            "The message of 'check user(flag, \"%s\", n)' has directives other than %d, %g and %%.",
        ),
        (
            'check user(flag, "100%")',
            "The message of 'check user(flag, \"100%\")' has directives other than %d, %g and %%.",
        ),
        (
            'check user(flag, "%d%d%d%d%d", n, n, n, n, n)',
            "'check user(flag, \"%d%d%d%d%d\", n, n, n, n, n)' shows more than 4 values.",
        ),
        (
            'check user(flag, "%d", u)',
            "The message of 'check user(flag, \"%d\", u)' shows the float 'u' with %d.",
        ),
        ('check user(flag, "") key(-1, 0)', "The key of 'check user(flag, \"\") key(-1, 0)' is negative."),
        (
            'check user(flag, "") guard(t = u, t = u)',
            "'check user(flag, \"\") guard(t = u, t = u)' guards the same name twice.",
        ),
        (
            'check user(flag, "") guard(out = u)',
            "'check user(flag, \"\") guard(out = u)' guards 'out', which is no temporary.",
        ),
        ('call "f"()', "The function of 'call \"f\"()' is not written 'module:qualified.name'."),
        ('call "m:f"() bundle ""()', '\'call "m:f"() bundle ""()\' has a bundle without a tag.'),
        (
            'call "m:f"() bundle "deopt"() bundle "deopt"()',
            '\'call "m:f"() bundle "deopt"() bundle "deopt"()\' has more than one \'deopt\' bundle.',
        ),
    ],
)
def test_checks_and_calls_are_complete(body: str, sentence: str) -> None:
    assert sentence in sentences(tree(body, "forward"))


def one(*statements: Assign, **changes: object) -> Stencil:
    """A stencil of *statements* over a field `u`, a plane `p` and a scalar `n`."""
    ir = stencil(
        "s", (field("u"), field("p", axes="IJ"), scalar("n", "i32")), parallel(stage(do(*statements)))
    )
    return replace(ir, **changes)  # type: ignore[arg-type]  # the tests name fields of Stencil


@pytest.mark.parametrize(
    "ir, sentence",
    [
        (one(assign("v", 1.0)), "'v' is accessed as a field but is not declared."),
        (one(assign("u", value_of("v"))), "'v' is read as a scalar but is not declared."),
        (one(assign("u", value_of("p"))), "'p' is read as a scalar but is a field."),
        (one(assign("u", "n")), "'n' is accessed as a field but is a scalar."),
        (one(temporaries=(temporary("u"),)), "'u' is declared twice."),
        (one(temporaries=(temporary("a b"),)), "'a b' cannot be a name: it is no Python identifier."),
        (one(temporaries=(temporary("if"),)), "'if' cannot be a name: it is no Python identifier."),
        (one(name=""), "'' cannot be a name: it is no Python identifier."),
        (
            one(multistages=(forward(stage(do(on=interval("start", "m")))),)),
            "'m' bounds an interval but is not declared.",
        ),
        (
            one(multistages=(forward(stage(do(on=interval("start", "p")))),)),
            "'p' bounds an interval but is a field.",
        ),
        (
            one(parameters=(scalar("n"),), multistages=(forward(stage(do(on=interval("start", "n")))),)),
            "'n' bounds an interval but is of dtype f64.",
        ),
        (one(assign("u", at("p", k=1))), "'p[0, 0, 1]' has an offset on K, but 'p' is on IJ."),
        (one(temporaries=(temporary("t", axes="JK"),)), "The temporary 't' is on JK, not on IJK or IJ."),
    ],
)
def test_names_are_used_as_they_are_declared(ir: Stencil, sentence: str) -> None:
    assert sentences(ir) == [sentence]


SHARED = assign("u", 1.0)


@pytest.mark.parametrize(
    "ir, sentence",
    [
        (
            one(assign("u", constant(np.float64(1.0), "f64"))),
            "'value' of a Constant is np.float64(1.0), not of type bool | int | float.",
        ),
        (
            one(assign("u", FieldAccess("p", (0, 0, 0)))),
            "'offset' of a FieldAccess is (0, 0, 0), not of type Offset.",
        ),  # type: ignore[arg-type]  # the fault under test
        (
            one(assign("u", at("u", i=True))),
            "An offset holds something else than integers: Offset(i=True, j=0, k=0).",
        ),
        (one(temporaries=[]), "'temporaries' of a Stencil is [], not of type tuple[TemporaryDecl, ...]."),
        (one(SHARED, SHARED), "The same Assign object occurs twice: Assign(target=FieldAccess(name='u', "),
        (
            one(assign("u", add(*["u"] * MAX_DEPTH))),
            f"The tree is more than {MAX_DEPTH} nodes deep.",
        ),
    ],
)
def test_tree_has_the_right_shape(ir: Stencil, sentence: str) -> None:
    (found,) = sentences(ir)
    assert found.startswith(sentence)


def test_same_stage_and_do_method_may_not_occur_twice() -> None:
    block = do(assign("u", 1.0))
    ir = one(multistages=(parallel(stage(block), stage(block)),))
    assert [line.split(":")[0] for line in sentences(ir)] == [
        "The same DoMethod object occurs twice",
        "The same Assign object occurs twice",
    ]


def test_expression_may_occur_twice() -> None:
    shared = add("u", 1.0)
    verify(one(assign("u", shared), assign("u", shared)), after="test")


def test_error_names_the_step_every_rule_and_the_tree() -> None:
    ir = tree("out = single\nout = mask")
    with pytest.raises(InvalidIIRError) as caught:
        verify(ir, after="fold_constants")
    text = str(caught.value)
    assert text.startswith("The IIR after step 'fold_constants' breaks 2 rules. [invalid-iir]\n")
    assert "note: 'out = single' stores f32 in 'out', which is f64." in text
    assert "note: 'out = mask' stores bool in 'out', which is f64." in text
    assert "^^^^^^^^^^^^" in text
    assert caught.value.diagnostic.notes[-1].startswith("The tree is:\nstencil s(")


def test_error_shows_a_tree_that_has_no_text() -> None:
    with pytest.raises(InvalidIIRError, match=re.escape("multistages=(3,)")):
        verify(one(multistages=(3,)), after="test")


def test_error_does_not_show_hundreds_of_rules() -> None:
    with pytest.raises(InvalidIIRError, match=r"breaks 100 rules(.|\n)*80 more are not shown."):
        verify(tree("\n".join(["out = single"] * 100)), after="test")


@pytest.mark.parametrize("index", range(40))
def test_random_stencils_keep_the_rules(index: int) -> None:
    verify(program(2, index, EVERYTHING).ir, after="random_stencil")
