"""Programs that look at, compile and run what was built."""

import subprocess
from collections.abc import Mapping
from pathlib import Path


def output(*command: str | Path, environment: Mapping[str, str] | None = None) -> str:
    """What a program prints that must succeed."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout
