"""The benchmarks start; nothing is said about what they measure."""

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import SECTIONS, main


@pytest.mark.parametrize("section", SECTIONS)
def test_section_prints_a_table_and_writes_json(
    section: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "results" / "all.json"
    main([section, "--quick", "--output", str(output)])
    (found,) = json.loads(output.read_text())["sections"]
    assert found["title"] in capsys.readouterr().out
    assert all(cell["value"] > 0.0 for cell in found["cells"])


def test_unknown_section_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["kernel"])
    assert "there are kernels, compile, calls" in capsys.readouterr().err
