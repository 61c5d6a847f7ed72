"""The mutants of the analysis of intents fit its sources; `scripts/intent_mutants.py` runs them."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_each_mutant_changes_one_place_of_the_sources() -> None:
    names = runpy.run_path(str(ROOT / "scripts" / "intent_mutants.py"))
    assert len(names["MUTANTS"]) >= 20
    for mutant in names["MUTANTS"]:
        source = (ROOT / names["PACKAGE"] / mutant.file).read_text()
        assert source.count(mutant.old) == 1, mutant.name
        assert mutant.new != mutant.old
