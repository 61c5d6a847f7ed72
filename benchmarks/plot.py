"""A picture of the kernels: how long each takes beside the best Fortran."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.candidate import Group
from benchmarks.cases import Layout
from benchmarks.comparisons import Comparisons

COLOURS: Final = ("#0b5394", "#6fa8dc", "#b45f06", "#f6b26b", "#38761d", "#93c47d")


def plot_ratios(found: Sequence[Comparisons], path: Path) -> bool:
    """Bars of our time over the best Fortran's, for one core and for all; False without Matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    panels = tuple(dict.fromkeys(c.case[3] for c in found))
    figure = Figure(figsize=(11, 3.6 * len(panels)), layout="constrained")
    for position, cores in enumerate(panels):
        axes = figure.add_subplot(len(panels), 1, position + 1)
        members = [c for c in found if c.case[3] == cores and c.best(Group.FORTRAN) is not None]
        kernels = list(dict.fromkeys(c.case[0] for c in members))
        groups = list(dict.fromkeys((c.case[1], c.case[2]) for c in members))
        width = 0.84 / max(1, len(groups))
        for number, (dtype, domain) in enumerate(groups):
            chosen = [c for c in members if c.case[1:3] == (dtype, domain)]
            places = [kernels.index(c.case[0]) + (number - (len(groups) - 1) / 2) * width for c in chosen]
            heights = [c.ratio(Group.FORTRAN, Layout.OURS) or 0.0 for c in chosen]
            axes.bar(places, heights, width, label=f"{dtype} {domain}", color=COLOURS[number % len(COLOURS)])
        axes.axhline(1.0, color="black", linewidth=0.8)
        axes.set_xticks(range(len(kernels)), kernels)
        axes.set_ylabel("our time / best Fortran")
        axes.set_title(f"{cores}, arrays of our allocators; lower is better")
        axes.margins(y=0.35)
        axes.legend(fontsize="small", ncols=3, loc="upper center")
    figure.savefig(path, dpi=120)
    return True
