"""The README as a package index shows it.

An index shows the README alone, so that links and pictures with relative paths lead nowhere there.  Where
``[project.urls]`` names the repository, they are made to point into it; otherwise pictures are left out and links to
files become plain words.
"""

from __future__ import annotations

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[([^\]]*)\]\((?!https?:)([^)]+)\)\n*")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)]+)\)")


class Readme(MetadataHookInterface):
    """Called by hatch when it writes the metadata."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, object]) -> None:
        """Add the README."""
        urls = metadata.get("urls")
        repository = urls.get("Repository", "") if isinstance(urls, dict) else ""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_an_index(text, repository)}


def for_an_index(text: str, repository: str) -> str:
    """A README whose links lead into the repository, or that has none that lead nowhere."""
    if not repository:
        return LINK.sub(r"\1", PICTURE.sub("", text))
    base = repository.rstrip("/")
    text = PICTURE.sub(lambda match: f"![{match[1]}]({base}/raw/HEAD/{match[2]})\n\n", text)
    return LINK.sub(lambda match: f"[{match[1]}]({base}/blob/HEAD/{match[2]})", text)
