"""Break the analysis of intents on purpose, one rule at a time, and show that the tests notice.

    python scripts/intent_mutants.py [NAME ...]

Each mutant runs in a copy of the sources. It must be killed by a reference case or by brute force, and
must still pass most reference cases, those that do not concern it: a mutant that fails everything
shows nothing.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = Path("iir/analyses/intents")
CASES: Final = (
    "tests/unit/iir/analyses/test_intents_reference.py",
    "tests/unit/iir/analyses/test_intents_parts.py",
)
LEAST_PASSED: Final = 0.6
BRUTE_FORCE: Final = ("tests/properties/test_intents.py",)


@dataclass(frozen=True, slots=True)
class Mutant:
    """Replace *old*, which occurs once in *file*, by *new*."""

    name: str
    file: str
    old: str
    new: str


HULL: Final = """grid = self.grid(points, number).copy()
        held = grid.any(axis=(0, 1)).nonzero()[0]
        for level in range(held[0], held[-1] + 1) if held.size else ():
            grid[:, :, level] = grid.any(axis=2)
        return set_of_grid(grid, (i, j, k))"""

MUTANTS: Final = (
    Mutant(
        "what ran before covers nothing", "summaries.py", "second.irbw & ~first.must_write", "second.irbw"
    ),
    Mutant(
        "only the last multistage writes",
        "summaries.py",
        "first.must_write | second.must_write",
        "second.must_write",
    ),
    Mutant(
        "loops run the other way",
        "summaries.py",
        "order is LoopOrder.FORWARD\n\n",
        "order is LoopOrder.BACKWARD\n\n",
    ),
    Mutant(
        "the level itself counts as an earlier iteration",
        "summaries.py",
        "at > seen_from if",
        "at >= seen_from if",
    ),
    Mutant(
        "earlier iterations cover nothing",
        "summaries.py",
        "iteration.summary(earlier)",
        "iteration.summary(lambda level: NOTHING)",
    ),
    Mutant(
        "sweeps run in the order of the text", "summaries.py", "lambda offset: offset.k,", "lambda offset: 0,"
    ),
    Mutant(
        "one must-set under masks: what the point has written",
        "summaries.py",
        "if is_own_point else self._everywhere(level)",
        "if level == level else self._everywhere(level)",
    ),
    Mutant(
        "one must-set under masks: what all have written",
        "summaries.py",
        "self._here(level) if is_own_point",
        "self._everywhere(level) if is_own_point",
    ),
    Mutant(
        "after a condition both branches are written",
        "summaries.py",
        "left[level] & right[level]",
        "left[level] | right[level]",
    ),
    Mutant(
        "after a condition nothing is written",
        "summaries.py",
        "self._add(_common(then, orelse))",
        "_common(then, orelse)",
    ),
    Mutant("an else-branch forgets the then-branch", "summaries.py", "_Frame({}, other=then)", "_Frame({})"),
    Mutant(
        "nested conditions count alone",
        "summaries.py",
        "(frame.stored.get(level, NOTHING) | inner)",
        "frame.stored.get(level, NOTHING)",
    ),
    Mutant(
        "a then-branch counts as all points",
        "summaries.py",
        "                inner = NOTHING\n",
        "                inner |= frame.stored.get(level, NOTHING)\n",
    ),
    Mutant(
        "an else-branch on scalars always runs",
        "summaries.py",
        "orelse := active & ~truth.perhaps",
        "orelse := active",
    ),
    Mutant(
        "scalars decide no condition on fields",
        "summaries.py",
        "truth = self.truth_of(event.condition)",
        "truth = self.truth_of(event.condition) if event.uniform else Truth(NOTHING, active)",
    ),
    Mutant(
        "what holds for some points holds for all",
        "summaries.py",
        "then := active & truth.surely",
        "then := active & truth.perhaps",
    ),
    Mutant(
        "an unknown condition holds",
        "summaries.py",
        "self._replace(_common(then, self._innermost))",
        "self._replace(then)",
    ),
    Mutant(
        "planes are filled from the other end",
        "summaries.py",
        "levels if sweep.order is LoopOrder.FORWARD else",
        "levels if sweep.order is LoopOrder.BACKWARD else",
    ),
    Mutant(
        "masked stores count as sure",
        "summaries.py",
        "self.may_write |= points\n",
        "self.may_write |= points\n        self.stored[0] = self.stored.get(0, NOTHING) | points\n",
    ),
    Mutant(
        "statements store before they read",
        "events.py",
        "case Assign(_, value):\n",
        "case Assign(_, value):\n                _add_stores(result, place, statement)\n",
    ),
    Mutant(
        "conditions read nothing",
        "events.py",
        "    _add_reads(result, (statement.condition,), place, statement)\n",
        "",
    ),
    Mutant(
        "vertical offsets are forgotten",
        "universe.py",
        "_moved(start, offset.k), _moved(end, offset.k)",
        "_moved(start, 0), _moved(end, 0)",
    ),
    Mutant("horizontal offsets are forgotten", "universe.py", "*_sides(i, offset.i)", "*_sides(i, 0)"),
    Mutant(
        "stores reach all columns",
        "universe.py",
        "self._boxes[key] = levels & self.columns(place, offset)",
        "self._boxes[key] = levels",
    ),
    Mutant(
        "hulls of levels instead of sets",
        "universe.py",
        "return set_of_grid(self.grid(points, number), (i, j, k))",
        HULL,
    ),
    Mutant(
        "the arms of a ternary are not read",
        "../accesses.py",
        "pending += (node.if_false, node.if_true, node.condition)",
        "pending.append(node.condition)",
    ),
    Mutant(
        "array assignments run level by level",
        "summaries.py",
        "if sweep.order is LoopOrder.PARALLEL:",
        "if not sweep.events:",
    ),
    Mutant(
        "bounds on scalars are those of the domain",
        "field_analysis.py",
        "if can_try_all(self.history, self.limits):",
        "if not run_time_scalars(self.history, self.limits):",
    ),
    Mutant(
        "conditions on one scalar are independent",
        "conditions.py",
        "groups if group[0] & quantities",
        "groups if not quantities",
    ),
    Mutant(
        "each condition is taken by itself",
        "conditions.py",
        "    parts = [_possible(group, names)",
        "    every = ()\n    parts = [_possible(group, names)",
    ),
    Mutant(
        "small domains are like large ones",
        "exploration.py",
        "for nk in range(least, generic[2] + 1)}",
        "for nk in range(generic[2], generic[2] + 1)}",
    ),
    Mutant(
        "run-time bounds only meet others",
        "turns.py",
        "for turn in differences for n in (0, 1)",
        "for turn in differences for n in (0,)",
    ),
    Mutant(
        "one value of a run-time bound stands for itself alone",
        "cases.py",
        "set(differences if are_turns else limits(differences))",
        "set(limits(differences))",
    ),
    Mutant(
        "sure is what any outcome writes",
        "field_analysis.py",
        "must_write &= other.must_write",
        "must_write |= other.must_write",
    ),
)


def main(names: list[str]) -> int:
    survivors = 0
    for mutant in MUTANTS:
        if not names or mutant.name in names:
            survivors += not _is_killed(mutant)
    print(f"{survivors} of {len(MUTANTS)} mutants live")
    return min(survivors, 1)


def _is_killed(mutant: Mutant) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("iir", "tests"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        path = copy / PACKAGE / mutant.file
        source = path.read_text()
        assert source.count(mutant.old) == 1, f"'{mutant.name}' does not fit the source any more"
        path.write_text(source.replace(mutant.old, mutant.new))
        failed, passed = _run(copy, CASES)
        by_cases = f"{failed} of {failed + passed} cases fail"
        brute = () if failed else ("-x", "--no-header", *BRUTE_FORCE)
        killed = bool(failed) or _run(copy, brute)[0] > 0
        is_shown = killed and passed > LEAST_PASSED * (failed + passed)
        print(f"{'killed' if is_shown else 'LIVES':7} {mutant.name}: {by_cases}", flush=True)
        return is_shown


def _run(folder: Path, arguments: tuple[str, ...]) -> tuple[int, int]:
    """How many tests fail and pass."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    found = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    words = found.stdout.replace(",", "").split()
    counts = {
        word: int(words[n - 1]) for n, word in enumerate(words) if word in ("failed", "passed", "error")
    }
    return counts.get("failed", 0) + counts.get("error", 0), counts.get("passed", 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
