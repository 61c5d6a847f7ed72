"""Records of failed checks as errors."""

import struct

from backends.base import Array
from backends.failures import check_error
from backends.loopnest.nodes import CheckSite
from backends.numba_cpu.runtime.checks import KEY
from iir.diagnostics import CheckError
from iir.dtypes import DType, is_float
from iir.nodes import LoopOrder


def raise_failures(records: Array, sites: tuple[CheckSite, ...]) -> None:
    """Raise the error of the record with the smallest key, if there is any."""
    failed = [tuple(record) for record in records.tolist() if record[0] != 0]
    if failed:
        first = min(failed, key=lambda record: record[1 : 1 + KEY])
        raise _error(sites[first[0] - 1], first[1 : 1 + KEY], first[1 + KEY :])


def _error(site: CheckSite, key: tuple[int, ...], bits: tuple[int, ...]) -> CheckError:
    *_, second, third, j, i = key
    match site.order:
        case LoopOrder.PARALLEL:
            k = third
        case LoopOrder.FORWARD:
            k = second
        case LoopOrder.BACKWARD:
            k = -second
    values = [_value(pattern, dtype) for pattern, dtype in zip(bits, site.dtypes, strict=False)]
    return check_error(site.check, (i, j, k), values)


def _value(bits: int, dtype: DType) -> bool | int | float:
    if is_float(dtype):
        return struct.unpack("<d", struct.pack("<q", bits))[0]  # type: ignore[no-any-return]  # a tuple of Any
    return bool(bits) if dtype is DType.BOOL else bits
