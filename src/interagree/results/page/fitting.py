"""A page within bounds: fewer items to look through, then fewer rows of tables, and a sentence for what is left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from interagree.results.document import Document, Section
from interagree.results.page.items import fewer, items_of

LARGEST = 3_000_000  # bytes of a page
FEWEST = 20  # items and rows that are kept in any case


def fitted(document: Document, made: Callable[[Document], str], largest: int) -> str:
    """The page of a document with as much of it as fits; sentences are never left out.

    Args:
        document: The document.
        made: Makes the page of a document.
        largest: How many bytes the page may have.
    """
    page = made(document)
    for shorten, length in ((fewer, lambda section: len(items_of(section))), (_fewer_rows, _rows)):
        kept = max(map(length, document.sections), default=0)
        whole = document
        while (size := _size(page)) > largest and kept > FEWEST:
            # In proportion to what is too much; and less again, as not all of the page is items or rows.
            kept = max(FEWEST, min(kept - 1, int(kept * largest / size)))
            document = replace(whole, sections=[shorten(section, kept) for section in whole.sections])
            page = made(document)
    return page


def _size(page: str) -> int:
    return len(page.encode("utf-8", errors="backslashreplace"))


def _rows(section: Section) -> int:
    return 0 if section.table is None else len(section.table)


def _fewer_rows(section: Section, most: int) -> Section:
    if section.table is None or len(section.table) <= most:
        return section
    cut = f"The first {most:,} of {len(section.table):,} rows; other formats have them all."
    return replace(section, table=section.table.head(most), foot=[*section.foot, cut])
