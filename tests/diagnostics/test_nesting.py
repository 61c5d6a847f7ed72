"""What nests too deeply is shown where it does, and long lines and texts are cut."""

import pytest

from tests.diagnostics.bad_stencils import message

WITH = "    with computation(PARALLEL), interval(...):\n"


def chain(links: int, indent: str, result: str) -> str:
    first, *rest = (
        f"{indent}elif u > {number}:\n{indent}    {result} {number}.0\n" for number in range(links)
    )
    return first.replace("elif", "if") + "".join(rest)


def test_too_long_a_chain_of_elif_is_shown_at_the_link_that_is_too_much() -> None:
    source = f"def bad(u: Field[float], v: Field[float]):\n{WITH}{chain(300, '        ', 'v =')}"
    assert message(source) == (
        "This 'if' is nested too deeply. [too-deep]\n"
        '  File "bad.py", line 403\n'
        "    403 |         elif u > 200:\n"
        "        |         ^^^^^^^^^^^^ in 200 others\n"
        "  note: An 'elif' is an 'if' in the 'else' part of the one before.\n"
        "  hint: Begin a new 'if': let a temporary say whether one of the conditions before has held."
    )


def test_too_long_a_chain_of_returns_is_shown_at_its_link() -> None:
    function = f"@function\ndef g(u):\n{chain(300, '    ', 'return')}    return -1.0\n"
    text = message(f"{function}def bad(u: Field[float]):\n{WITH}        u = g(u)\n")
    assert text.splitlines()[:4] == [
        "This 'if' is nested too deeply. [too-deep]",
        '  File "bad.py", line 403',
        "    403 |     elif u > 200:",
        "        |     ^^^^^^^^^^^^ in 200 others",
    ]


def test_deep_expression_in_a_deep_branch_is_shown_at_its_statement() -> None:
    source = f"def bad(u: Field[float], v: Field[float]):\n{WITH}{chain(150, '        ', 'v =')}"
    text = message(f"{source}        else:\n            v = {'-' * 140}u\n")
    lines = text.splitlines()
    assert lines[:2] == ["This expression is nested too deeply. [too-deep]", '  File "bad.py", line 304']
    assert lines[-1] == "  hint: Assign parts of it to temporaries."


def test_long_sum_in_a_deep_branch_is_shown_at_its_statement() -> None:
    source = f"def bad(u: Field[float], v: Field[float]):\n{WITH}{chain(150, '        ', 'v =')}"
    text = message(f"{source}        else:\n            v = {' + '.join(['u'] * 140)}\n")
    lines = text.splitlines()
    assert lines[:2] == ["This is nested too deeply. [too-deep]", '  File "bad.py", line 304']
    assert lines[-1] == "  hint: Assign parts of expressions to temporaries, and nest fewer 'if' statements."


@pytest.mark.parametrize(
    "statement",
    [
        f"compile_assert({' + '.join(['1'] * 300)} == 0)",
        f"u = ({' + '.join(['u'] * 300)})[1, 0, 0]",
        f"u = x{'.real' * 200}",
        f"u = np.{'linalg.' * 200}nothing",
        f"u = np{'.nothing' * 200}(u)",
        f"u = u + {'x' * 900}",
        f"u = {'9' * 900}",
        f"u = 0x{'f' * 9000}",
        f"u = u[{' + '.join(['1'] * 200)}]",
    ],
    ids=lambda text: text[:12],
)
def test_long_source_is_cut_in_every_part_of_a_message(statement: str) -> None:
    text = message(f"def bad(u: Field[float], x: float):\n{WITH}        {statement}\n")
    assert max(map(len, text.splitlines())) < 200
