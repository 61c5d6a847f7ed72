"""The back end that defines what a stencil means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from backends.base import Array, Backend, CallShape, Executable, Number, Options, Runner, Source
from backends.external import check_bundles, resolve
from backends.reference.interpreter import Interpreter
from backends.reference.storage import FieldView
from iir.analyses.extents import Extents, extents
from iir.analyses.reach import Reach, bounding_box, reaches
from iir.dtypes import numpy_dtype
from iir.nodes import FieldDecl, ScalarDecl, Stencil, TemporaryDecl
from iir.printer import to_text
from iir.statements import ExternalCall
from iir.traversal import walk


@dataclass(frozen=True, slots=True)
class ReferenceStencil:
    """A stencil ready to be interpreted."""

    ir: Stencil
    extents: Extents
    reaches: Mapping[str, tuple[Reach, ...]]
    math: str = "libm"

    def prepare(self, shape: CallShape) -> Runner:
        """A runner for calls of this shape; see `Executable`."""

        def run(arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
            if 0 not in shape.domain:
                self._interpreter(shape, arrays, scalars).run()

        return run

    def _interpreter(
        self, shape: CallShape, arrays: Sequence[Array], scalars: Sequence[Number]
    ) -> Interpreter:
        scalar_decls = [item for item in self.ir.parameters if isinstance(item, ScalarDecl)]
        numbers = {
            item.name: np.array(value, dtype=numpy_dtype(item.dtype))
            for item, value in zip(scalar_decls, scalars, strict=True)
        }
        field_decls = [item for item in self.ir.parameters if isinstance(item, FieldDecl)]
        fields = {
            item.name: FieldView(array, item.axes, layout.origin)
            for item, array, layout in zip(field_decls, arrays, shape.fields, strict=True)
        }
        for item in self.ir.temporaries:
            fields[item.name] = self._temporary(item, shape.domain, numbers)
        return Interpreter(self.ir, self.extents, shape.domain, fields, numbers, self.math)

    def _temporary(
        self, declaration: TemporaryDecl, domain: tuple[int, int, int], numbers: Mapping[str, Array]
    ) -> FieldView:
        """Zeros wherever a statement stores or reads the temporary."""
        bounds = {name: int(number) for name, number in numbers.items() if number.dtype.kind == "i"}
        touched = bounding_box(self.reaches[declaration.name], domain, bounds) or ((0, 0),) * 3
        own = [part for axis, part in zip("IJK", touched, strict=True) if axis in declaration.axes.value]
        array = np.zeros([stop - start for start, stop in own], dtype=numpy_dtype(declaration.dtype))
        return FieldView(array, declaration.axes, tuple(-start for start, _ in own))


def _keep(ir: Stencil, options: Options) -> Stencil:
    return ir


def _emit(ir: Stencil, options: Options) -> Source:
    return Source(to_text(ir), ir, ".iir")


def _build(source: Source, options: Options, folder: Path) -> Executable:
    ir: Stencil = source.program
    for node in walk(ir):
        if isinstance(node, ExternalCall):
            check_bundles(node)
            resolve(node)
    return ReferenceStencil(ir, extents(ir), reaches(ir), options.math)


BACKEND = Backend("reference", schedule=_keep, lower=_keep, emit=_emit, build=_build)
