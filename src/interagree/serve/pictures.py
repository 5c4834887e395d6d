"""The images of items, from a folder that was named when the server was started.

A page asks for the image of an item and never for a path.  What lies outside the folder, also by a link, is not given,
and neither is what may hold more than a picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from interagree.errors import UnknownName
from interagree.serve.workspace import Workspace

TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".bmp": "image/bmp",
    ".avif": "image/avif",
}
LARGEST = 100_000_000  # bytes


def file_of(workspace: Workspace, drawn: Mapping[str, object]) -> Path | None:
    """The file with the image of an item as it is drawn; None where there is none that a page may have."""
    named = drawn.get("image")
    if workspace.images is None or not isinstance(named, str):
        return None
    path = Path(url2pathname(urlsplit(named).path)).resolve()
    inside = path.is_relative_to(workspace.images.resolve()) and path.suffix.lower() in TYPES
    return path if inside and path.is_file() and path.stat().st_size <= LARGEST else None


def picture(workspace: Workspace, name: str, key: str) -> tuple[bytes, str]:
    """The image of an item, and what it is."""
    asked = workspace.around(name, key)
    place = asked.place(key)
    with workspace.lock:
        path = file_of(workspace, asked.item(place))
    if path is None:
        raise UnknownName("there is no image of this item in the folder that --image-folder named")
    return path.read_bytes(), TYPES[path.suffix.lower()]
