"""The loop program: a small explicit language between scheduled IIR and source."""
