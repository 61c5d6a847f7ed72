"""Libraries for Fortran and C: built, compiled, linked, run."""
