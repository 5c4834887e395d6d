"""Coefficients of agreement: one module per measure, named as it is called."""

from interagree._rooms import make_room

make_room(__name__)
