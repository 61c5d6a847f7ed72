"""Tests of the parts that write Fortran."""
