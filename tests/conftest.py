"""Hypothesis profiles: `ci` repeats the same examples on every run, `deep` looks for new ones."""

import os

from hypothesis import HealthCheck, settings

pytest_plugins = ("tests.tools", "tests.golden_files")

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=50,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
)
settings.register_profile("deep", parent=settings.get_profile("ci"), derandomize=False, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
