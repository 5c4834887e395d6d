"""Do the annotators agree, how certain is that, and where do they disagree?

    >>> import interagree as ia
    >>> labels = {"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"]}
    >>> round(ia.alpha(labels).value, 3)
    0.444

What most people name is here; the rest is in rooms: ``crowd`` (one answer from many), ``judging`` (models beside
people), ``measures`` (all coefficients), ``people``, ``spans`` and ``studies``.  Nothing is imported before it is used.
"""

from interagree._rooms import make_room

__version__ = "0.1.0"

make_room(__name__)
