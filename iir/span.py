"""A range of the user's source, in the units of Python's ``ast``."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Lines count from 1, columns from 0; the end column is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
