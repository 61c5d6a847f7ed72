"""Machine code of kernels, taken apart; as a program it prints that of stencils of the catalogue."""

import json
import re
import sys
from pathlib import Path

import numpy as np


def functions(assembly: str) -> dict[str, str]:
    """The text of each function in *assembly*, by its symbol."""
    pattern = re.compile(r"^([\w.$]+):.*?^\.Lfunc_end\d+:", re.MULTILINE | re.DOTALL)
    starts = set(re.findall(r"\.type\s+([\w.$]+),@function", assembly))
    found = {}
    for symbol in starts:
        begin = assembly.find(f"\n{symbol}:")
        match = pattern.search(assembly, begin + 1)
        if begin >= 0 and match is not None:
            found[symbol] = match.group(0)
    return found


def kernel_assembly(names: list[str], dtype: str, folder: Path) -> dict[str, tuple[str, int]]:
    """The machine code of every kernel of the stencils *names*, without the code that calls it, and
    the number of different operations that its loops have."""
    from backends.base import Options
    from backends.loopnest.expressions import BinaryOperation
    from backends.numba_cpu import BACKEND
    from backends.numba_cpu.kernels import new_kernels
    from backends.numba_cpu.module_file import import_module_file
    from iir.dtypes import is_float
    from iir.traversal import walk
    from stencil import stencil
    from tests.catalogue import CATALOGUE

    options = Options(parallel=False)
    result = {}
    for name in names:
        ir = stencil(backend="numba")(CATALOGUE[name].define(np.dtype(dtype).type)).scheduled
        kernels = new_kernels(BACKEND.lower(ir, options), options, folder)
        kernels.serial()
        module = import_module_file(kernels.path)
        for function in kernels.program.kernels:
            operations = len(
                {n for n in walk(function) if isinstance(n, BinaryOperation) and is_float(n.dtype)}
            )
            (assembly,) = getattr(module, function.name).inspect_asm().values()
            for symbol, text in functions(assembly).items():
                if function.name in symbol and not symbol.startswith(("_ZN7cpython", "cfunc")):
                    result[function.name] = text, operations
    return result


if __name__ == "__main__":
    json.dump(kernel_assembly(sys.argv[3:], sys.argv[2], Path(sys.argv[1])), sys.stdout)
