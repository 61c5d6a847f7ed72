"""Machine code for processors with AVX2, taken apart, and what of it a fast kernel has not."""

import re
from dataclasses import dataclass
from typing import Final

_ARITHMETIC: Final = re.compile(r"^\tv(?:add|sub|mul|div)([ps])([sd])\t(.*)", re.MULTILINE)
_GATHER: Final = re.compile(r"^\tvp?(?:gather|scatter)", re.MULTILINE)
# With AVX2, compilers rather bring elements together, and take them apart, one by one.
_ONE_BY_ONE: Final = re.compile(r"^\t(?:vmov[hls]p?[sd]|vinsertps|vpinsr[bwdq])\b", re.MULTILINE)
# What adds the length of an axis to a negative index.
_WRAPAROUND: Final = re.compile(r"^\t(?:cmov\w+|sarq\t\$63)\b", re.MULTILINE)
_COPIES: Final = frozenset({"memcpy", "memmove", "memset"})


@dataclass(frozen=True, slots=True)
class Kernel:
    """The machine code of a function on fields of *dtype*, and what it should have.

    *loops*: so many innermost loops compute with floats and call nothing; *functions*: what other loops
    call; *fetches*, *streams*: whether rows are fetched early, and stored past the caches.
    """

    name: str
    dtype: str
    text: str
    loops: int
    functions: tuple[str, ...] = ()
    fetches: bool = False
    streams: bool = False


def faults(kernel: Kernel) -> frozenset[str]:
    """What is wrong with *kernel*, in a word each."""
    packed = packed_loops(kernel.text, kernel.dtype)
    foreign = {own for _, own, _ in _ARITHMETIC.findall(kernel.text)} - {_letter(kernel.dtype)}
    outside = called(kernel.text) - _COPIES
    allowed = {name + end for name in kernel.functions for end in ("", "f")}
    found = {
        "scalar": len(packed) < kernel.loops,
        "mixed": any(form == "s" for loop in packed for form, _, _ in _ARITHMETIC.findall(loop)),
        "gather": bool(_GATHER.search(kernel.text)) or any(map(_ONE_BY_ONE.search, packed)),
        "wraparound": any(map(_WRAPAROUND.search, packed)),
        "dtype": bool(foreign) or "\tvcvt" in kernel.text,
        "allocator": any(re.search("NRT_|alloc|free", name) for name in outside),
        "exception": any("pickle" in name for name in outside),
        "call": not outside <= allowed,
    }
    return frozenset(name for name, is_so in found.items() if is_so)


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


def packed_loops(text: str, dtype: str) -> tuple[str, ...]:
    """The innermost loops of *text* that compute on whole vectors of *dtype*."""
    wanted = ("p", _letter(dtype))
    return tuple(
        loop
        for loop in innermost_loops(text)
        if any((form, own) == wanted and "%ymm" in rest for form, own, rest in _ARITHMETIC.findall(loop))
    )


def innermost_loops(text: str) -> tuple[str, ...]:
    """What is between a label and a jump back to it, where that has no other such loop in it."""
    lines = text.splitlines()
    labels = {line.partition(":")[0]: at for at, line in enumerate(lines) if line.startswith(".LBB")}
    jumps = ((re.match(r"\tj\w+\t(\.LBB\w+)", line), at) for at, line in enumerate(lines))
    loops = {(labels[jump[1]], at) for jump, at in jumps if jump and labels[jump[1]] <= at}
    return tuple(
        "\n".join(lines[start : stop + 1])
        for start, stop in sorted(loops)
        if not any(start <= first and last <= stop for first, last in loops - {(start, stop)})
    )


def called(text: str) -> frozenset[str]:
    """The names of what *text* may call, and of all data but constants of arithmetic."""
    direct: list[str] = re.findall(r"\b(?:call|jmp)q?\s+([A-Za-z_]\S*)", text)
    addresses: list[str] = re.findall(r"\bmovabsq\s+\$([A-Za-z_.][\w.$]*)", text)
    return frozenset(name for name in (*direct, *addresses) if not name.startswith(".LCPI"))


def _letter(dtype: str) -> str:
    return "s" if dtype == "float32" else "d"
