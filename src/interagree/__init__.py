"""Do the annotators agree, how certain is that, and where do they disagree?

    >>> import interagree as ia
    >>> labels = {"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"]}
    >>> round(ia.alpha(labels).value, 3)
    0.444

Nothing is imported before it is used.  The public names and their homes are stated once, in ``__init__.pyi``.
"""

from __future__ import annotations

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    import importlib

    from interagree._names import HOMES

    if name == "__all__":
        return _public_names()
    home = HOMES.get(name)
    public = _measure(name) if home is None else getattr(importlib.import_module(home), name)
    globals()[name] = public
    return public


def __dir__() -> list[str]:
    return _public_names()


def _measure(name: str) -> object:
    """The measure of a name, or the one that goes by another name elsewhere, such as ``krippendorff_alpha``."""
    from importlib.util import find_spec

    if name.startswith("_") or ("." not in name and find_spec(f"interagree.{name}") is not None):
        raise AttributeError(f"module 'interagree' has no attribute {name!r}")
    from interagree.errors import UnknownName
    from interagree.plugins import MEASURES

    try:
        return MEASURES[name]
    except UnknownName as error:
        raise AttributeError(f"module 'interagree' has no attribute {name!r}: {error}") from None


def _public_names() -> list[str]:
    from interagree._names import HOMES, MODULES

    return sorted({*HOMES, *MODULES["measures"], "__version__"})
