"""Items to look through on a page: what they are, where their pictures come from, and how many are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from interagree.results.document import Document, Section

ADDRESSES = ("http", "https")


def items_of(section: Section) -> Sequence[Mapping[str, object]]:
    """The items of a section that can be looked through."""
    items = (section.browser or {}).get("items", ())
    return items if isinstance(items, list | tuple) else ()


def fewer(section: Section, most: int) -> Section:
    """A section with no more than so many items, and a sentence for those left out."""
    items = items_of(section)
    if section.browser is None or len(items) <= most:
        return section
    cut = f"The first {most:,} of these {len(items):,} items are on this page, which has no room for more."
    return replace(
        section, browser={**section.browser, "items": items[:most], "shown": most}, foot=[*section.foot, cut]
    )


def sources_of(document: Document) -> list[str]:
    """Where pictures of items come from, as a Content-Security-Policy names it: hosts, or the disk."""
    addresses = {item.get("image") for section in document.sections for item in items_of(section)}
    return sorted({_source(address) for address in addresses if isinstance(address, str) and address} - {""})


def _source(address: str) -> str:
    try:
        parts = urlsplit(address)
        scheme, host, port = parts.scheme.lower(), parts.hostname or "", parts.port
    except ValueError:  # not an address that any browser would load
        return ""
    if scheme not in ADDRESSES:
        return "" if scheme == "data" else "file:"
    # A host is named only where its letters can say nothing else to the policy.
    plain = host.isascii() and all(letter.isalnum() or letter in "-._" for letter in host)
    return f"{scheme}://{host}{f':{port}' if port else ''}" if host and plain else ""
