"""Coefficients of agreement: one module per measure, named as it is called."""
