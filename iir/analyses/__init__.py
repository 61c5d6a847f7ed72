"""Facts computed from IIR: functions from a tree to an immutable result."""
