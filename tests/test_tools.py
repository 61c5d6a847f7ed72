"""A test whose program is missing skips with a reason, and fails where programs are required."""

import pytest

pytest_plugins = ("pytester",)

SUITE = """
    import pytest

    @pytest.mark.tool("no-such-program")
    def test_runs_a_program():
        raise AssertionError("ran without its program")
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.delenv("STENCIL_REQUIRE_TOOLS", raising=False)
    monkeypatch.setattr("tests.tools.PACKAGES", {"no-such-program": "its-package"})
    pytester.makepyfile(SUITE)
    return pytester


def test_missing_program_skips_with_the_package_to_install(suite: pytest.Pytester) -> None:
    result = suite.runpytest_inprocess("-rs", "-p", "tests.tools", "-p", "no:cacheprovider")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines("*'no-such-program' is missing*apt-get install its-package*")


def test_missing_program_fails_where_programs_are_required(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STENCIL_REQUIRE_TOOLS", "1")
    result = suite.runpytest_inprocess("-p", "tests.tools", "-p", "no:cacheprovider")
    result.assert_outcomes(errors=1)
