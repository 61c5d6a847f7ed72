"""Text in C source."""

import subprocess
from pathlib import Path

import pytest

from backends.native.c_text import c_string, c_sum, comment_text, function
from backends.writer import Writer


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("plain %d", '"plain %d"'),
        ('a "b" \\', '"a \\042b\\042 \\134"'),
        ("??/", '"\\077\\077/"'),
        ("µ", '"\\302\\265"'),
        ("tab\tnewline\n", '"tab\\011newline\\012"'),
    ],
)
def test_literal_escapes_what_is_not_plain(text: str, literal: str) -> None:
    assert c_string(text) == literal


@pytest.mark.tool("cc")
def test_compiler_reads_what_was_written(tmp_path: Path) -> None:
    text = "".join(map(chr, range(1, 0x250))) + "??= \\n %s"
    source, program = tmp_path / "a.c", tmp_path / "a"
    source.write_text(
        f"#include <stdio.h>\nint main(void) {{ return fputs({c_string(text)}, stdout) < 0; }}\n"
    )
    subprocess.run(["cc", "-std=c11", source, "-o", program], check=True)
    assert subprocess.run([program], capture_output=True, check=True).stdout == text.encode()


def test_comment_ends_where_it_should() -> None:
    assert comment_text("a */ b /* c") == "a * / b / * c"


def test_sum_is_written_without_zeros_and_double_signs() -> None:
    assert [c_sum("n", offset) for offset in (0, 2, -2)] == ["n", "n + 2", "n - 2"]


def test_function_has_its_braces_on_lines_of_their_own() -> None:
    w = Writer()
    with function(w, "int f(void)"):
        w.line("return 0;")
    assert w.text == "int f(void)\n{\n    return 0;\n}\n"
