"""What an earlier process found out about the kernels of a stencil, in a file beside them."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from backends.loopnest.layout import Layout
from backends.numba_cpu.interface import Interface, from_data, to_data
from backends.numba_cpu.module_file import replace_file
from backends.numba_cpu.tuning import Candidate, Tuning
from iir.schedule import Axis

_ANY: Final = "any"


@dataclass(frozen=True, slots=True)
class Module:
    """A generated module: its file, the digest of its text, and the functions that are in Numba's cache."""

    path: Path
    digest: str
    interface: Interface
    compiled: frozenset[str] = frozenset()

    @property
    def is_whole(self) -> bool:
        """Whether the file holds what was written to it."""
        try:
            return text_digest(self.path.read_text(encoding="utf-8")) == self.digest
        except (OSError, UnicodeDecodeError):
            return False


@dataclass(frozen=True, slots=True)
class Manifest:
    """The modules by the layout that they are for, and what was measured for each kind of call; *is_within*
    says that kernels touch no point that the front end's IIR does not."""

    is_within: bool
    modules: Mapping[Layout, Module]
    tunings: Mapping[str, Tuning]


def text_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def read_manifest(path: Path) -> Manifest | None:
    """The manifest at *path*; None if there is none, or not a whole one."""
    try:
        digest, body = path.read_text(encoding="utf-8").split("\n", 1)
    except (OSError, ValueError):
        return None
    if digest != text_digest(body):
        return None
    data = json.loads(body)
    modules = {_layout(name): _module(item, path.parent) for name, item in data["modules"].items()}
    tunings = {kind: _tuning(item) for kind, item in data["tunings"].items()}
    return Manifest(data["is_within"], modules, tunings)


def write_manifest(path: Path, manifest: Manifest) -> None:
    modules = {_name(layout): _module_data(item) for layout, item in manifest.modules.items()}
    tunings = {kind: _tuning_data(item) for kind, item in manifest.tunings.items()}
    data = {"is_within": manifest.is_within, "modules": modules, "tunings": tunings}
    body = json.dumps(data, indent=1)
    replace_file(path, f"{text_digest(body)}\n{body}")


def _name(layout: Layout) -> str:
    unit = layout.unit.value if layout.unit else _ANY
    flags = (name for name, is_set in _flags(layout).items() if is_set)
    numbers = (str(number or _ANY) for number in (layout.strip, layout.block, layout.whole))
    return " ".join((unit, layout.lanes.value, *numbers, *flags))


def _layout(name: str) -> Layout:
    unit, lanes, strip, block, whole, *flags = name.split()
    return Layout(
        None if unit == _ANY else Axis(unit),
        Axis(lanes),
        strip=_number(strip),
        block=_number(block),
        whole=_number(whole),
        **{flag: True for flag in flags},
    )


def _number(text: str) -> int | None:
    return None if text == _ANY else int(text)


def _flags(layout: Layout) -> dict[str, bool]:
    return {
        item.name: value for item in fields(layout) if isinstance(value := getattr(layout, item.name), bool)
    }


def _module_data(module: Module) -> dict[str, Any]:
    return {
        "file": module.path.name,
        "digest": module.digest,
        "compiled": sorted(module.compiled),
        "interface": to_data(module.interface),
    }


def _module(data: Mapping[str, Any], folder: Path) -> Module:
    interface = from_data(data["interface"])
    return Module(folder / data["file"], data["digest"], interface, frozenset(data["compiled"]))


def _tuning_data(tuning: Tuning) -> dict[str, Any]:
    return {
        "domain": list(tuning.domain),
        "seconds": [[*_candidate_data(item), seconds] for item, seconds in tuning.seconds.items()],
        "chosen": _candidate_data(tuning.chosen),
    }


def _tuning(data: Mapping[str, Any]) -> Tuning:
    ni, nj, nk = data["domain"]
    seconds = {_candidate(name, threads): taken for name, threads, taken in data["seconds"]}
    return Tuning((ni, nj, nk), seconds, _candidate(*data["chosen"]))


def _candidate_data(candidate: Candidate) -> list[Any]:
    return [_name(candidate.layout), candidate.threads]


def _candidate(name: str, threads: int) -> Candidate:
    return Candidate(_layout(name), threads)
