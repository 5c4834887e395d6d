"""Spans marked in texts: agreement on spans, units, tokens and relations, and the text with the marks of all."""

from interagree._rooms import make_room

make_room(__name__)
