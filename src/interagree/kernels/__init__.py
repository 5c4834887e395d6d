"""Loops that are worth compiling, each written once: as plain Python that numba turns into machine code."""
