"""The Python in README and docs does what the pages say, and links within the project lead somewhere."""

import re
from pathlib import Path

import pytest

from tests.markdown import run_page

ROOT = Path(__file__).parents[1]
PAGES = tuple(
    sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")))
)
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_on_the_page_does_what_it_says(page: Path) -> None:
    run_page(page)


def test_readme_has_python() -> None:
    assert run_page(ROOT / "README.md") >= 1


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_on_the_page_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("code, printed", [("print(1)\n", "2\n"), (">>> 1\n2\n", None)])
def test_a_page_that_says_something_else_fails(tmp_path: Path, code: str, printed: str | None) -> None:
    page = tmp_path / "page.md"
    output = f"```text\n{printed}```\n" if printed else ""
    page.write_text(f"```python\n{code}```\n{output}")
    with pytest.raises(AssertionError):
        run_page(page)
