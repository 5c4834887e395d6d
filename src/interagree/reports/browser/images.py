"""The image of an item: the attribute that names it, by what it is called and by what is in it, and how large it is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interagree.data import Annotations
from interagree.data.types import Value
from interagree.kinds._views import without_halves

SUFFIXES = r"\.(?:png|jpe?g|gif|webp|bmp|avif|tiff?|svg)"
AN_IMAGE = re.compile(
    rf"data:image/[a-z0-9.+-]+[;,].*"  # no path that names a host, as //host/a.png would
    rf"|(?:https?://|file:(?:///(?![/\\])|(?![/\\]{{2}}))|(?![a-z][a-z0-9+.-]+:|[/\\]{{2}})).*{SUFFIXES}(?:[?#].*)?",
    re.IGNORECASE | re.DOTALL,
)
AN_ADDRESS = re.compile(r"https?://.+", re.IGNORECASE | re.DOTALL)
CALLED = re.compile(r"(?:^|[^a-z])(?:images?|img|photos?|pictures?|figures?)(?:$|[^a-z])", re.IGNORECASE)
MAYBE = re.compile(r"(?:^|[^a-z])(?:url|uri|src|path|file|file_?name)(?:$|[^a-z])", re.IGNORECASE)
LOOKED_AT = 100  # entries by which a column is judged
SIDES = (("width", "height"), ("image_width", "image_height"), ("imageWidth", "imageHeight"))
ITEMS = ""  # the items themselves, which some formats call after their images


def image_column(study: Annotations) -> str | None:
    """The attribute that holds paths or addresses of images, `ITEMS` where it is the items; None where nothing does."""
    best: tuple[int, str] | None = None
    for name in map(str, study.attributes):
        rank = _rank(name, study.attributes[name][:LOOKED_AT].tolist())
        if rank and (best is None or rank > best[0]):
            best = rank, name
    if best is not None:
        return best[1]
    return ITEMS if _rank("image", study.items[:LOOKED_AT]) == len(("named", "looks")) + 1 else None


def _rank(name: str, entries: Sequence[object]) -> int:
    """How much a column seems to hold images; 0 where it does not."""
    given = [entry for entry in entries if isinstance(entry, str) and entry.strip()]
    if not given or len(given) < len(entries) / 2:
        return 0
    called = 2 if CALLED.search(name) else 1 if MAYBE.search(name) else 0
    if all(map(AN_IMAGE.fullmatch, given)):
        return 1 + called
    # An address without a suffix may be an image if it is called one.
    return 1 if called == 2 and all(map(AN_ADDRESS.fullmatch, given)) else 0


def image_of(study: Annotations, column: str | None, code: int, row: int) -> str | None:
    """The path or address of the image of an item."""
    if column is None:
        return None
    entry: Value = study.items[code] if column == ITEMS else study.attributes[column][row]
    if not isinstance(entry, str) or not (AN_IMAGE.fullmatch(entry) or AN_ADDRESS.fullmatch(entry)):
        return None
    return without_halves(entry)


def size_columns(study: Annotations) -> tuple[str, ...]:
    """The attributes that hold the width and the height of images; none where they are not there."""
    return next((pair for pair in SIDES if all(name in study.attributes for name in pair)), ())
