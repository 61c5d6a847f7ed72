"""The example about intents runs and prints what it promises."""

import pytest

import intents


def test_example_prints_a_table_and_an_explanation_of_each_stencil(
    capsys: pytest.CaptureFixture[str],
) -> None:
    intents.main()
    printed = capsys.readouterr().out
    assert printed.count("read before written") == 3
    for text in (
        "'x' is inout: its values on entry are seen on k=[start, end)",
        "'heating' is out_partial",
        "'q' is out if top == nk.",
        "  heating  wwwwwwwww.  out_partial\n",
        "  a    wwwsswwwww  inout\n",
    ):
        assert text in printed
    assert max(len(line) for line in printed.splitlines() if not line.startswith("  ")) <= 110
