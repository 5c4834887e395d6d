"""Paths and addresses that name images: what they look like, and which of them a page can load."""

from __future__ import annotations

import os
import re
from typing import TypeAlias

IntoImages: TypeAlias = bool | str | os.PathLike[str]  # whether images are shown, or the folder that they lie in

SUFFIXES = r"\.(?:png|jpe?g|gif|webp|bmp|avif|tiff?|svg)"
AN_IMAGE = re.compile(
    rf"data:image/[a-z0-9.+-]+[;,].*"  # no path that names a host, as //host/a.png would
    rf"|(?:https?://|file:(?:///(?![/\\])|(?![/\\]{{2}}))|(?![a-z][a-z0-9+.-]+:|[/\\]{{2}})).*{SUFFIXES}(?:[?#].*)?",
    re.IGNORECASE | re.DOTALL,
)
AN_ADDRESS = re.compile(r"https?://.+", re.IGNORECASE | re.DOTALL)
# The name of an image wherever it lies, also in a cloud (s3://…), which no page can load.
IMAGE_FILE = re.compile(rf"[^\n]*{SUFFIXES}(?:[?#][^\n]*)?", re.IGNORECASE)
