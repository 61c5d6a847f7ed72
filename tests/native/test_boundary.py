"""Arguments that do not fit: status, field, both numbers, and no array touched."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from backends.loopnest.stack_policy import NATIVE_BUDGET
from tests.catalogue import CATALOGUE
from tests.native.calls import EBOUNDS, ESETUP, ESHAPE, OK, Failure, Loaded, Triple, copied

DOMAIN = (6, 5, 4)


def arguments_of(name: str) -> dict[str, Any]:
    return CATALOGUE[name].arguments(DOMAIN, np.float64)


def refused(
    doubles: Loaded,
    name: str,
    arguments: Mapping[str, Any],
    origin: Triple,
    domain: Triple,
    workspace: int | None = None,
) -> Failure:
    """The failure of a call that must leave all arrays as they are."""
    before = copied(arguments)
    failure = doubles.stencil(name)(arguments, origin, domain, workspace=workspace)
    for field, value in before.items():
        assert np.array_equal(arguments[field], value), field
    assert failure.status != OK
    assert failure.text
    return failure


def facts(failure: Failure) -> tuple[int, ...]:
    return failure.status, failure.field, failure.axis, failure.needed, failure.given


@pytest.mark.parametrize(
    ("origin", "domain", "expected"),
    [
        ((1, 2, 0), DOMAIN, (ESHAPE, 0, 0, 2, 1)),
        ((2, 0, 0), DOMAIN, (ESHAPE, 0, 1, 2, 0)),
        ((3, 2, 0), DOMAIN, (ESHAPE, 0, 0, 11, 10)),
        ((2, 2, 0), (6, 6, 4), (ESHAPE, 0, 1, 10, 9)),
        ((2, 2, 1), DOMAIN, (ESHAPE, 0, 2, 5, 4)),
        ((2, 2, 0), (6, 5, 5), (ESHAPE, 0, 2, 5, 4)),
        ((-1, 2, 0), DOMAIN, (EBOUNDS, -1, 0, 0, -1)),
        ((2, 2, 0), (6, -1, 4), (EBOUNDS, -1, 1, 0, -1)),
        ((2, 2, 0), (6, 5, 2**62), (EBOUNDS, -1, 2, 2**40, 2**62)),
        ((2, 2**63 - 1, 0), DOMAIN, (EBOUNDS, -1, 1, 2**40, 2**63 - 1)),
    ],
)
def test_domain_and_halo_lie_inside_every_array(
    origin: Triple, domain: Triple, expected: tuple[int, ...], doubles: Loaded
) -> None:
    assert facts(refused(doubles, "hdiff", arguments_of("hdiff"), origin, domain)) == expected


def test_message_names_field_axis_and_both_numbers(doubles: Loaded) -> None:
    arguments = arguments_of("hdiff") | {"out": np.zeros((10, 6, 4), order="F")}
    failure = refused(doubles, "hdiff", arguments, (2, 2, 0), DOMAIN)
    assert facts(failure) == (ESHAPE, 2, 1, 7, 6)
    assert failure.text == "Field 'out' has too few points on axis j: 7 needed, 6 given."
    failure = refused(doubles, "hdiff", arguments, (1, 2, 0), DOMAIN)
    assert failure.text == "Field 'inp' has too few points before the domain on axis i: 2 needed, 1 given."


def test_fields_of_fewer_axes_are_checked_on_those_they_have(doubles: Loaded) -> None:
    arguments = arguments_of("surface_layer") | {"sigma": np.zeros(3)}
    failure = refused(doubles, "surface_layer", arguments, (1, 1, 0), DOMAIN)
    assert facts(failure) == (ESHAPE, 3, 2, 4, 3)


def test_there_are_as_many_levels_as_intervals_need(doubles: Loaded) -> None:
    failure = refused(doubles, "vadv", arguments_of("vadv"), (0, 0, 0), (6, 5, 1))
    assert facts(failure) == (EBOUNDS, -1, 2, 2, 1)
    assert failure.text == "The domain has too few levels: 2 needed, 1 given."


@pytest.mark.parametrize(("first", "needed"), [(-1, 0), (5, 4), (2**63 - 1, 4), (-(2**63), 0)])
def test_run_time_bounds_of_intervals_lie_in_the_domain(first: int, needed: int, doubles: Loaded) -> None:
    arguments = arguments_of("rayleigh_damping") | {"first": np.int64(first)}
    failure = refused(doubles, "rayleigh_damping", arguments, (0, 0, 0), DOMAIN)
    assert facts(failure) == (EBOUNDS, 3, 2, needed, first)
    assert "'first'" in failure.text


@pytest.mark.parametrize("first", [0, 4])
def test_run_time_bounds_may_be_the_ends_of_the_domain(first: int, doubles: Loaded) -> None:
    arguments = arguments_of("rayleigh_damping") | {"first": np.int64(first)}
    assert doubles.stencil("rayleigh_damping")(arguments, (0, 0, 0), DOMAIN).status == OK


def test_written_fields_share_no_memory_with_others(doubles: Loaded) -> None:
    arguments = arguments_of("tridiagonal")
    both = np.zeros(2 * arguments["inf"].size)
    half = arguments["inf"].size
    arguments["sup"] = both[1 : half + 1].reshape(DOMAIN, order="F")
    arguments["out"] = both[half : 2 * half].reshape(DOMAIN, order="F")
    failure = refused(doubles, "tridiagonal", arguments, (0, 0, 0), DOMAIN)
    assert facts(failure) == (ESETUP, 4, -1, 0, 0)
    assert failure.text == "Field 'out' is written and shares memory with field 'sup'."


def test_fields_that_are_read_may_be_one_array_and_neighbours_may_touch(doubles: Loaded) -> None:
    arguments = arguments_of("tridiagonal")
    both = np.ones(2 * arguments["inf"].size)
    half = arguments["inf"].size
    arguments["inf"] = arguments["sup"] = both[:half].reshape(DOMAIN, order="F")
    arguments["out"] = both[half:].reshape(DOMAIN, order="F")
    assert doubles.stencil("tridiagonal")(arguments, (0, 0, 0), DOMAIN).status == OK


@pytest.mark.parametrize("domain", [(0, 5, 4), (6, 0, 4), (0, 0, 2)])
def test_domain_without_points_is_nothing_to_do(domain: Triple, doubles: Loaded) -> None:
    arguments = arguments_of("vadv")
    before = copied(arguments)
    assert doubles.stencil("vadv")(arguments, (0, 0, 0), domain).status == OK
    assert all(np.array_equal(arguments[name], before[name]) for name in before)


def test_arrays_without_points_need_no_memory(doubles: Loaded) -> None:
    arguments = {name: np.zeros((0, 0, 0), order="F") for name in ("inf", "diag", "sup", "rhs", "out")}
    assert doubles.stencil("tridiagonal")(arguments, (0, 0, 0), (0, 0, 1)).status == OK


def test_workspace_is_there_and_aligned(doubles: Loaded) -> None:
    name, domain = "vadv", (3, 2, 200)
    needed = doubles.stencil(name).bytes_of("workspace", domain)
    assert needed > 0
    arguments = CATALOGUE[name].arguments(domain, np.float64)
    for address in (0, 8):
        failure = refused(doubles, name, arguments, (0, 0, 0), domain, workspace=address)
        assert facts(failure) == (ESETUP, -1, -1, needed, 0)


@pytest.mark.parametrize("name", CATALOGUE)
def test_arrays_are_on_the_stack_if_all_fit_and_sizes_never_overflow(name: str, doubles: Loaded) -> None:
    run = doubles.stencil(name)
    domains = [(n, n, n) for n in (-5, 0, 1, 10, 100, 2**40)]
    workspaces = [run.bytes_of("workspace", domain) for domain in domains]
    stacks = [run.bytes_of("stack", domain) for domain in domains]
    assert workspaces == sorted(workspaces)
    assert all(size == 0 or size > NATIVE_BUDGET for size in workspaces)
    assert all(0 < size < NATIVE_BUDGET + 20_000 for size in stacks)
    least = min(stacks)
    assert all(size == least for size, workspace in zip(stacks, workspaces, strict=True) if workspace)
