"""Hypothesis profiles (`ci` repeats the same examples, `deep` looks for new ones), plugins, and the cache."""

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

pytest_plugins = ("tests.tools", "tests.golden_files", "tests.reported_shares")

# The kernels of the tests are kept in the checkout, apart from the user's own.
os.environ.setdefault("STENCIL_CACHE_DIR", str(Path(__file__).parents[1] / ".stencil_cache"))
# Test processes share the cores: OpenMP threads that spin while they wait keep the others from running.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

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
