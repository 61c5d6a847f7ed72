"""The axes of fields, and the orders in which levels are visited."""

from enum import Enum


class Axes(Enum):
    """The axes that a field has; the value lists them in order."""

    I = "I"  # noqa: E741 - the field's name for it
    J = "J"
    K = "K"
    IJ = "IJ"
    IK = "IK"
    JK = "JK"
    IJK = "IJK"

    def __repr__(self) -> str:
        return f"Axes.{self.name}"


class LoopOrder(Enum):
    """The order in which a multistage visits levels."""

    PARALLEL = "parallel"
    FORWARD = "forward"
    BACKWARD = "backward"

    def __repr__(self) -> str:
        return f"LoopOrder.{self.name}"
