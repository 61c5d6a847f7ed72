"""What a call says that does not fit the stencil: the whole text, the data, and nothing written."""

# ruff: noqa: E501 - whole texts of errors

from collections.abc import Callable
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from stencil import ArgumentError, from_iir
from stencil.stencil_object import StencilObject

pytestmark = pytest.mark.filterwarnings("ignore:Field 'area' has the size of 'u':stencil.StencilWarning")

SMOOTH = from_iir(
    dedent("""\
    stencil smooth(u: f64[IJK], out: f64[IJK], area: f64[IJ], alpha: f64, n: i8, flag: bool, beta: f32)
      multistage parallel
        stage
          do [start, end)
            out = u + alpha * area * (u[-1, 0, 0] + u[1, 0, 0] + u[0, -2, 0])
    """),
    backend="reference",
)
LEVELS = from_iir(
    dedent("""\
    stencil levels(u: f64[IJK], out: f64[IJK], n: i64)
      multistage forward
        stage
          do [start+1, n+1)
            out = u[0, 0, -1]
          do [start+2, end-1)
            out = u[0, 0, 1]
    """),
    backend="reference",
)
SHAPE = (6, 7, 3)
Q = np.zeros(SHAPE)


def smooth(**changes: Any) -> tuple[StencilObject, dict[str, Any]]:
    fields = {"u": np.ones(SHAPE), "out": np.zeros(SHAPE), "area": np.ones((6, 7))}
    return SMOOTH, {**fields, "alpha": 0.5, "n": 1, "flag": True, "beta": 1.0, **changes}


def levels(**changes: Any) -> tuple[StencilObject, dict[str, Any]]:
    return LEVELS, {"u": np.ones((2, 2, 5)), "out": np.zeros((2, 2, 5)), "n": 3, **changes}


def without(name: str) -> tuple[StencilObject, dict[str, Any]]:
    f, arguments = smooth()
    return f, {other: value for other, value in arguments.items() if other != name}


def unaligned() -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.frombuffer(bytearray(Q.nbytes + 1), np.uint8)[1:].view(np.float64).reshape(SHAPE)


def repeated() -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.lib.stride_tricks.as_strided(np.zeros(3), SHAPE, (0, 0, 8))


class Broken:
    """Claims to be an array and fails to be one."""

    @property
    def __array_interface__(self) -> dict[str, Any]:
        raise RuntimeError("the device is gone")


CASES: list[tuple[Callable[[], tuple[StencilObject, dict[str, Any]]], str, tuple[Any, ...]]] = [
    (
        lambda: smooth(u=[1.0]),
        """\
        Field 'u' is not an array: list given. [conformance]
          hint: Pass a NumPy array, or an object that has '__array_interface__'.
        """,
        ("conformance", "u", None, "array", "list"),
    ),
    (
        lambda: smooth(u=None),
        """\
        Field 'u' is not an array: None given. [conformance]
          hint: Pass a NumPy array, or an object that has '__array_interface__'.
        """,
        ("conformance", "u", None, "array", "None"),
    ),
    (
        lambda: smooth(u=np.ma.ones(SHAPE)),
        """\
        Field 'u' is not an array: MaskedArray given. [conformance]
          hint: Its mask would be ignored; pass the array below it, with '.data'.
        """,
        ("conformance", "u", None, "array", "MaskedArray"),
    ),
    (
        lambda: smooth(u=Broken()),
        """\
        Field 'u' is not an array: Broken given. [conformance]
          hint: Its '__array_interface__' does not work: the device is gone.
        """,
        ("conformance", "u", None, "array", "Broken"),
    ),
    (
        lambda: smooth(u=np.ones(SHAPE, np.float32)),
        """\
        Field 'u' has the wrong dtype: float64 needed, float32 given. [conformance]
          hint: Convert it once: u.astype(np.float64).
        """,
        ("conformance", "u", None, "float64", "float32"),
    ),
    (
        lambda: smooth(out=np.ones(SHAPE, np.float32)),
        """\
        Field 'out' has the wrong dtype: float64 needed, float32 given. [conformance]
          hint: Allocate it with dtype=np.float64.
        """,
        ("conformance", "out", None, "float64", "float32"),
    ),
    (
        lambda: smooth(u=np.ones(SHAPE, object)),
        """\
        Field 'u' has the wrong dtype: float64 needed, object given. [conformance]
          hint: Convert it once: u.astype(np.float64).
        """,
        ("conformance", "u", None, "float64", "object"),
    ),
    (
        lambda: smooth(u=np.ones(SHAPE, ">f8")),
        """\
        Field 'u' is not in the machine's byte order: float64 needed, >f8 given. [conformance]
          hint: Convert it once: u.astype(np.float64).
        """,
        ("conformance", "u", None, "float64", ">f8"),
    ),
    (
        lambda: smooth(u=np.ones((6, 7))),
        """\
        Field 'u' has the wrong number of axes: 3 (I, J, K) needed, 2 given. [conformance]
          note: 'u' has the shape (6, 7).
          hint: Allocate it with a shape of the form (ni, nj, nk).
        """,
        ("conformance", "u", None, 3, 2),
    ),
    (
        lambda: smooth(area=np.ones(SHAPE)),
        """\
        Field 'area' has the wrong number of axes: 2 (I, J) needed, 3 given. [conformance]
          note: 'area' has the shape (6, 7, 3).
          hint: Allocate it with a shape of the form (ni, nj).
        """,
        ("conformance", "area", None, 2, 3),
    ),
    (
        lambda: smooth(out=np.broadcast_to(0.0, SHAPE)),
        """\
        Field 'out' is written, but its array is read-only. [conformance]
          hint: Allocate it as np.zeros((6, 7, 3), dtype=np.float64).
        """,
        ("conformance", "out", None, "writable", "read-only"),
    ),
    (
        lambda: smooth(u=unaligned()),
        """\
        Field 'u' is not aligned: each element must start at a multiple of 8 bytes. [conformance]
          hint: Copy it once: u.copy().
        """,
        ("conformance", "u", None, "aligned", "unaligned"),
    ),
    (
        lambda: smooth(out=unaligned()),
        """\
        Field 'out' is not aligned: each element must start at a multiple of 8 bytes. [conformance]
          hint: Allocate it as np.zeros((6, 7, 3), dtype=np.float64).
        """,
        ("conformance", "out", None, "aligned", "unaligned"),
    ),
    (
        lambda: smooth(out=repeated()),
        """\
        Field 'out' is written, but several points of its array are one element in memory. [conformance]
          note: 'out' has the shape (6, 7, 3) and the strides (0, 0, 8).
          hint: Allocate it as np.zeros((6, 7, 3), dtype=np.float64).
        """,
        ("conformance", "out", None, "one element for each point", (0, 0, 8)),
    ),
    (
        lambda: smooth(origin=(0, 2, 0), domain=(4, 5, 3)),
        """\
        The origin of 'u' leaves too few points below the domain along i: 1 needed, 0 given. [conformance]
          note: The domain is (4, 5, 3); 'u' has the shape (6, 7, 3) and the origin (0, 2, 0).
          hint: Allocate 'u' as np.zeros((6, 7, 3), dtype=np.float64), and pass origin={'u': (1, 2, 0)}.
        """,
        ("conformance", "u", "i-low", 1, 0),
    ),
    (
        lambda: smooth(origin={"u": (0, 2, 0)}),
        """\
        The origin of 'u' leaves too few points below the domain along i: 1 needed, 0 given. [conformance]
          note: No domain is given, and the smallest does not fit; 'u' has the shape (6, 7, 3) and the origin (0, 2, 0).
          hint: For a domain (ni, nj, nk) allocate 'u' with the shape (ni + 2, nj + 2, nk), and pass origin={'u': (1, 2, 0)}.
        """,
        ("conformance", "u", "i-low", 1, 0),
    ),
    (
        lambda: smooth(domain=(5, 5, 3)),
        """\
        Field 'u' is too small along i: 7 points needed, 6 given. [conformance]
          note: The domain is (5, 5, 3); 'u' has the shape (6, 7, 3) and the origin (1, 2, 0).
          hint: Allocate 'u' as np.zeros((7, 7, 3), dtype=np.float64).
        """,
        ("conformance", "u", "i-high", 7, 6),
    ),
    (
        lambda: smooth(domain=(4, 6, 3)),
        """\
        Field 'u' is too small along j: 8 points needed, 7 given. [conformance]
          note: The domain is (4, 6, 3); 'u' has the shape (6, 7, 3) and the origin (1, 2, 0).
          hint: Allocate 'u' as np.zeros((6, 8, 3), dtype=np.float64).
        """,
        ("conformance", "u", "j-high", 8, 7),
    ),
    (
        lambda: smooth(domain=(4, 5, 4)),
        """\
        Field 'u' is too small along k: 4 points needed, 3 given. [conformance]
          note: The domain is (4, 5, 4); 'u' has the shape (6, 7, 3) and the origin (1, 2, 0).
          hint: Allocate 'u' as np.zeros((6, 7, 4), dtype=np.float64).
        """,
        ("conformance", "u", "k-high", 4, 3),
    ),
    (
        lambda: smooth(domain=(4, 5, 3), area=np.ones((3, 7))),
        """\
        Field 'area' is too small along i: 4 points needed, 3 given. [conformance]
          note: The domain is (4, 5, 3); 'area' has the shape (3, 7) and the origin (0, 0).
          hint: Allocate 'area' as np.zeros((4, 5), dtype=np.float64).
        """,
        ("conformance", "area", "i-high", 4, 3),
    ),
    (
        lambda: smooth(u=np.ones((1, 7, 3))),
        """\
        Field 'u' is too small along i: 3 points needed, 1 given. [conformance]
          note: No domain is given, and the smallest does not fit; 'u' has the shape (1, 7, 3) and the origin (1, 2, 0).
          hint: For a domain (ni, nj, nk) allocate 'u' with the shape (ni + 2, nj + 2, nk).
        """,
        ("conformance", "u", "i-high", 3, 1),
    ),
    (
        lambda: smooth(u=Q, out=Q),
        """\
        Fields 'u' and 'out' share memory, and 'out' is written. [argument]
          hint: If they are the same field, make it one argument, which the stencil may read and write.
          hint: If they are not, pass a copy: u.copy().
        """,
        ("argument", "out", None, "memory of its own", "u"),
    ),
    (
        lambda: smooth(out=Q, u=Q[:, ::-1]),
        """\
        Fields 'u' and 'out' share memory, and 'out' is written. [argument]
          hint: If they are the same field, make it one argument, which the stencil may read and write.
          hint: If they are not, pass a copy: u.copy().
        """,
        ("argument", "out", None, "memory of its own", "u"),
    ),
    (
        lambda: smooth(area=Q[:, :, 1], out=Q),
        """\
        Fields 'out' and 'area' share memory, and 'out' is written. [argument]
          hint: If they are the same field, make it one argument, which the stencil may read and write.
          hint: If they are not, pass a copy: area.copy().
        """,
        ("argument", "out", None, "memory of its own", "area"),
    ),
    (
        lambda: smooth(origin=(1, -1, 0)),
        """\
        The origin of 'u' is negative along j: at least 0 needed, -1 given. [conformance]
          hint: An origin is an index of the array, counted from the array's first point.
        """,
        ("conformance", "u", "j-low", 0, -1),
    ),
    (
        lambda: smooth(origin=(1, 1, 0, 0)),
        """\
        The origin of 'u' has the wrong length: 3 needed, 4 given. [conformance]
          hint: Give an index for each axis, as in origin=(1, 1, 0).
        """,
        ("conformance", "u", None, 3, 4),
    ),
    (
        lambda: smooth(origin={"area": (1,)}),
        """\
        The origin of 'area' has the wrong length: 2 or 3 needed, 1 given. [conformance]
          hint: Give an index for each axis, as in origin=(1, 1, 0).
        """,
        ("conformance", "area", None, 2, 1),
    ),
    (
        lambda: smooth(origin={"are": (1, 1)}),
        """\
        The origin names 'are', which is no field of this stencil. [conformance]
          hint: Did you mean 'area'?
        """,
        ("conformance", "are", None, None, None),
    ),
    (
        lambda: smooth(origin=1.5),
        """\
        The origin must be integers, or a mapping from names to them: 1.5 given. [conformance]
          hint: Pass origin=(i, j, k), or origin={'name': (i, j, k), '_all_': (i, j, k)}.
        """,
        ("conformance", None, None, None, 1.5),
    ),
    (
        lambda: smooth(origin={"u": (1.0, 1, 1)}),
        """\
        The origin must be integers, or a mapping from names to them: {'u': (1.0, 1, 1)} given. [conformance]
          hint: Pass origin=(i, j, k), or origin={'name': (i, j, k), '_all_': (i, j, k)}.
        """,
        ("conformance", None, None, None, {"u": (1.0, 1, 1)}),
    ),
    (
        lambda: smooth(domain=(4, 5)),
        """\
        The domain must be three integers of at least 0: (4, 5) given. [conformance]
          hint: Pass domain=(ni, nj, nk).
        """,
        ("conformance", None, None, None, (4, 5)),
    ),
    (
        lambda: smooth(domain=(4, -5, 3)),
        """\
        The domain must be three integers of at least 0: (4, -5, 3) given. [conformance]
          hint: Pass domain=(ni, nj, nk).
        """,
        ("conformance", None, None, None, (4, -5, 3)),
    ),
    (
        lambda: smooth(domain=4.0),
        """\
        The domain must be three integers of at least 0: float given. [conformance]
          hint: Pass domain=(ni, nj, nk).
        """,
        ("conformance", None, None, None, 4.0),
    ),
    (
        lambda: smooth(alpha="1"),
        """\
        Scalar 'alpha' has the wrong type: float64 needed, str given. [argument]
          hint: Pass a number.
        """,
        ("argument", "alpha", None, "float64", "str"),
    ),
    (
        lambda: smooth(alpha=1j),
        """\
        Scalar 'alpha' has the wrong type: float64 needed, complex given. [argument]
          hint: Pass a number.
        """,
        ("argument", "alpha", None, "float64", "complex"),
    ),
    (
        lambda: smooth(alpha=Q),
        """\
        Scalar 'alpha' has the wrong type: float64 needed, array of shape (6, 7, 3) given. [argument]
          hint: Pass a number.
        """,
        ("argument", "alpha", None, "float64", "array of shape (6, 7, 3)"),
    ),
    (
        lambda: smooth(alpha=True),
        """\
        Scalar 'alpha' has the wrong type: float64 needed, bool given. [argument]
          hint: Pass 1: a bool is no number.
        """,
        ("argument", "alpha", None, "float64", "bool"),
    ),
    (
        lambda: smooth(alpha=10**400),
        """\
        Scalar 'alpha' does not fit in float64: at most 1.7976931348623157e+308 needed, a larger integer given. [argument]
        """,
        ("argument", "alpha", None, 1.7976931348623157e308, 10**400),
    ),
    (
        lambda: smooth(beta=1e300),
        """\
        Scalar 'beta' does not fit in float32: at most 3.4028234663852886e+38 needed, 1e+300 given. [argument]
        """,
        ("argument", "beta", None, 3.4028234663852886e38, 1e300),
    ),
    (
        lambda: smooth(n=1.0),
        """\
        Scalar 'n' has the wrong type: int8 needed, float given. [argument]
          hint: Pass an integer: a float is not rounded.
        """,
        ("argument", "n", None, "int8", "float"),
    ),
    (
        lambda: smooth(n=True),
        """\
        Scalar 'n' has the wrong type: int8 needed, bool given. [argument]
          hint: Pass 1: a bool is no number.
        """,
        ("argument", "n", None, "int8", "bool"),
    ),
    (
        lambda: smooth(n=300),
        """\
        Scalar 'n' does not fit in int8: -128 to 127 needed, 300 given. [argument]
        """,
        ("argument", "n", None, (-128, 127), 300),
    ),
    (
        lambda: smooth(flag=1),
        """\
        Scalar 'flag' has the wrong type: bool needed, int given. [argument]
          hint: Pass True or False.
        """,
        ("argument", "flag", None, "bool", "int"),
    ),
    (
        lambda: smooth(alhpa=1.0),
        """\
        There is no argument 'alhpa'. [status]
          hint: Did you mean 'alpha'?
        """,
        ("status", "alhpa", None, None, None),
    ),
    (
        lambda: smooth(domian=(1, 1, 1)),
        """\
        There is no argument 'domian'. [status]
          hint: Did you mean 'domain'?
        """,
        ("status", "domian", None, None, None),
    ),
    (
        lambda: smooth(zzz=1.0),
        """\
        There is no argument 'zzz'. [status]
          hint: The arguments are 'u', 'out', 'area', 'alpha', 'n', 'flag' and 'beta'.
        """,
        ("status", "zzz", None, None, None),
    ),
    (
        lambda: without("alpha"),
        """\
        Argument 'alpha' is missing. [status]
          hint: The arguments are 'u', 'out', 'area', 'alpha', 'n', 'flag' and 'beta'.
        """,
        ("status", "alpha", None, ("alpha",), ("u", "out", "area", "n", "flag", "beta")),
    ),
    (
        lambda: levels(domain=(2, 2, 1)),
        """\
        The domain has too few levels: 3 needed, 1 given. [domain]
          hint: Pass a domain of at least 3 levels, and arrays to match.
        """,
        ("domain", None, "k-high", 3, 1),
    ),
    (
        lambda: levels(u=np.ones((2, 2, 1))),
        """\
        The domain has too few levels: 3 needed, 1 given. [domain]
          hint: Pass a domain of at least 3 levels, and arrays to match.
        """,
        ("domain", None, "k-high", 3, 1),
    ),
    (
        lambda: levels(n=5),
        """\
        The interval bound 'n + 1' lies outside the domain: 0 to 5 needed, 6 given. [argument]
          File "<text df77fe0e>", line 4
            4 |       do [start+1, n+1)
              |                    ^^^ 6 for n = 5
          note: The domain has 5 levels, and n = 5.
        """,
        ("argument", "n", None, (0, 5), 6),
    ),
    (
        lambda: levels(n=-2),
        """\
        The interval bound 'n + 1' lies outside the domain: 0 to 5 needed, -1 given. [argument]
          File "<text df77fe0e>", line 4
            4 |       do [start+1, n+1)
              |                    ^^^ -1 for n = -2
          note: The domain has 5 levels, and n = -2.
        """,
        ("argument", "n", None, (0, 5), -1),
    ),
    (
        lambda: levels(n=5, domain=(2, 2, 4)),
        """\
        The interval bound 'n + 1' lies outside the domain: 0 to 4 needed, 6 given. [argument]
          File "<text df77fe0e>", line 4
            4 |       do [start+1, n+1)
              |                    ^^^ 6 for n = 5
          note: The domain has 4 levels, and n = 5.
        """,
        ("argument", "n", None, (0, 4), 6),
    ),
    (
        lambda: levels(u=np.ones((2, 2, 3)), domain=(2, 2, 5)),
        """\
        Field 'u' is too small along k: 5 points needed, 3 given. [conformance]
          note: The domain is (2, 2, 5); 'u' has the shape (2, 2, 3) and the origin (0, 0, 0).
          hint: Allocate 'u' as np.zeros((2, 2, 5), dtype=np.float64).
        """,
        ("conformance", "u", "k-high", 5, 3),
    ),
]


@pytest.mark.parametrize(
    ("call", "text", "data"), CASES, ids=[text.split(" [")[0][:60] for _, text, _ in CASES]
)
def test_error_says_what_is_needed_and_given_and_nothing_is_written(
    call: Callable[[], tuple[StencilObject, dict[str, Any]]], text: str, data: tuple[Any, ...]
) -> None:
    f, arguments = call()
    arrays = [value for value in arguments.values() if isinstance(value, np.ndarray)]
    before = [array.copy() for array in arrays]
    with pytest.raises(ArgumentError) as caught:
        f(**arguments)
    error = caught.value
    assert str(error) == dedent(text).rstrip("\n")
    assert (error.kind, error.field, error.side, error.needed, error.given) == data
    for array, copy in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_too_many_arguments() -> None:
    with pytest.raises(ArgumentError) as caught:
        LEVELS(Q, Q, 1, 2)
    assert str(caught.value) == (
        "Too many arguments: 3 arguments by position at most, 4 given. [status]\n"
        "  hint: The arguments are 'u', 'out' and 'n'."
    )


def test_argument_given_twice() -> None:
    with pytest.raises(ArgumentError) as caught:
        LEVELS(Q, u=Q)
    assert str(caught.value) == "Argument 'u' is given twice, by position and by keyword. [status]"


def test_domain_of_a_frozen_stencil() -> None:
    with pytest.raises(ArgumentError) as caught:
        LEVELS.freeze()(Q, Q, 1, domain=(1, 1, 1))
    assert str(caught.value) == (
        "There is no argument 'domain'. [status]\n"
        "  hint: A frozen stencil has its domain from 'freeze(domain=...)'."
    )


def test_no_arguments() -> None:
    with pytest.raises(ArgumentError) as caught:
        LEVELS()
    assert str(caught.value) == (
        "Arguments 'u', 'out' and 'n' are missing. [status]\n  hint: The arguments are 'u', 'out' and 'n'."
    )


def test_error_shows_no_frames_of_the_package() -> None:
    with pytest.raises(ArgumentError) as caught:
        LEVELS()
    files = [entry.path.name for entry in caught.traceback]
    assert files == ["test_argument_errors.py", "stencil_object.py"]


def test_error_of_a_frozen_call_shows_no_frames_of_the_package() -> None:
    with pytest.raises(ArgumentError) as caught:
        LEVELS.freeze()()
    files = [entry.path.name for entry in caught.traceback]
    assert files == ["test_argument_errors.py", "frozen.py"]
