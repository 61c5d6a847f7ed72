"""Fortran 2018 modules around kernels in object code, with the drivers that try them."""
