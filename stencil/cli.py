"""The command ``stencil``: show what becomes of a stencil, and manage the cache."""

import runpy
import sys
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Final

import typer

from iir.diagnostics import Diagnostic, StencilError
from iir.printer import to_text
from stencil.cache import CacheInfo, cache_info, clean_cache
from stencil.fortran_output import DEFAULT_TARGET, verify_fortran, write_fortran
from stencil.stencil_object import StencilObject
from stencil.wording import counted, did_you_mean

app: Final = typer.Typer(
    help="Look at stencils and at the cache of their kernels.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
_cache: Final = typer.Typer(
    help="The folder for generated source and compiled kernels.", no_args_is_help=True
)
app.add_typer(_cache, name="cache")


class Step(Enum):
    """What a stencil is printed as."""

    IIR = "iir"
    OPTIMIZED = "optimized"
    SCHEDULED = "scheduled"
    SOURCE = "source"


@app.command()
def show(
    target: Annotated[str, typer.Argument(metavar="FILE:NAME", help="A Python file and a stencil in it.")],
    step: Annotated[Step, typer.Option(help="How far to compile.")] = Step.IIR,
    backend: Annotated[str | None, typer.Option(help="Another back end than the stencil's.")] = None,
) -> None:
    """Print a stencil as it stands after a step of the compiler."""
    try:
        f = _find(target)
        typer.echo(_text(f if backend is None else f.with_options(backend=backend), step).rstrip("\n"))
    except StencilError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None


@app.command()
def fortran(
    targets: Annotated[
        list[str], typer.Argument(metavar="FILE:NAME...", help="Stencils that become one library.")
    ],
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the files go.")],
    name: Annotated[
        str | None, typer.Option(help="The name of the library, by default that of the file.")
    ] = None,
    target: Annotated[
        str, typer.Option(help="The processors it is for: x86-64-v3, x86-64-v2 or native.")
    ] = DEFAULT_TARGET,
    spec_only: Annotated[bool, typer.Option(help="Write the driver interface spec alone.")] = False,
) -> None:
    """Write stencils as a library for Fortran and C."""
    try:
        stencils = [_find(item) for item in targets]
        chosen = name or Path(targets[0].rpartition(":")[0]).stem
        for path in write_fortran(stencils, folder, name=chosen, target=target, spec_only=spec_only):
            typer.echo(path)
    except StencilError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None


@app.command("verify-fortran")
def verify(
    target: Annotated[str, typer.Argument(metavar="FILE:NAME", help="A Python file and a stencil in it.")],
    seed: Annotated[int, typer.Option(help="Chooses the random data.")] = 0,
) -> None:
    """Compile a Fortran driver of a stencil and compare it with the Python call on random data."""
    try:
        typer.echo(verify_fortran(_find(target), seed=seed), nl=False)
    except StencilError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None


@app.command("version")
def print_version() -> None:
    """Print the version of the package."""
    try:
        typer.echo(version("stencil-dsl"))
    except PackageNotFoundError:
        typer.echo("not installed: running from a checkout")


@_cache.command()
def info() -> None:
    """Print where the cache is and what it holds."""
    typer.echo(_cache_text(cache_info()))


@_cache.command()
def clean() -> None:
    """Remove all kernels from the cache."""
    typer.echo(f"Removed: {_cache_text(clean_cache())}")


def main() -> None:
    """The entry point of the command."""
    app(prog_name="stencil")


def _find(target: str) -> StencilObject:
    file, _, name = target.rpartition(":")
    how = "Name it as FILE:NAME, for example model.py:diffusion."
    if not file:
        raise _error(f"'{target}' does not name a stencil in a file.", how)
    if not Path(file).is_file():
        raise _error(f"'{file}' is not a file.", how)
    # As for a script: what lies beside the file can be imported.
    sys.path.insert(0, str(Path(file).resolve().parent))
    found = {key: value for key, value in runpy.run_path(file).items() if isinstance(value, StencilObject)}
    if name not in found:
        names = ", ".join(found) or "none"
        hints = did_you_mean(name, found) or (f"Its stencils: {names}.",)
        raise _error(f"'{file}' has no stencil '{name}'.", *hints)
    return found[name]


def _text(f: StencilObject, step: Step) -> str:
    match step:
        case Step.IIR:
            return to_text(f.iir)
        case Step.OPTIMIZED:
            return to_text(f.optimized)
        case Step.SCHEDULED:
            return to_text(f.scheduled)
        case Step.SOURCE:
            return f.source


def _cache_text(cache: CacheInfo) -> str:
    size = f"{cache.bytes / 1e6:.1f} MB" if cache.bytes >= 1e5 else counted(cache.bytes, "byte")
    return f"{cache.folder}: {counted(cache.stencils, 'stencil')}, {counted(cache.files, 'file')}, {size}"


def _error(message: str, *hints: str) -> StencilError:
    return StencilError(Diagnostic(message, "command", hints=hints))
