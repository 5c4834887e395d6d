"""Options that several readers have, each declared and described once; see `declare.readers`.

A reader with other words for one of them describes it itself, and one with another default declares it itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Annotated, Literal, TypedDict

from interagree.declare import SharedOption
from interagree.gather.units import UnitOptions

PATTERN = 'of "{file}" and "{folder}"'


class UnitReaderOptions(TypedDict, total=False):
    """Of readers of spans."""

    looked: Annotated[
        str | Sequence[Hashable],
        SharedOption("marked", '"marked", "all", or the annotators who looked at every document.'),
    ]
    points: Annotated[str, SharedOption("drop", '"drop" or "keep" spans without length.')]


class SpanReaderOptions(UnitReaderOptions, total=False):
    """Of readers of spans in answer to several questions."""

    questions: Annotated[str | Sequence[str] | None, SharedOption(None, "Those to read.")]


class Answers(TypedDict, total=False):
    """Of readers of answers to several questions."""

    duplicates: Annotated[
        Literal["last", "first", "error"],
        SharedOption(
            "last",
            'Of several answers of one annotator to one item take the "last" one, by time where it is known, the '
            '"first", or stop with an "error".',
        ),
    ]
    questions: Annotated[str | Sequence[str] | None, SharedOption(None, "Those to read.")]


class MarkedAnswers(Answers, UnitReaderOptions, total=False):
    """Of readers of answers of which some are spans."""


class Layers(SpanReaderOptions, total=False):
    """Of readers of documents that have layers of annotations."""

    gold: Annotated[
        Literal["drop", "apart"],
        SharedOption(
            "drop", '"drop" curated documents, or put them "apart" as those of an annotator called \'ground truth\'.'
        ),
    ]
    asked: Annotated[
        Literal["all", "marked"],
        SharedOption("all", 'Whether "all" were asked for every layer, or those who "marked" something of it.'),
    ]
    duplicates: Annotated[str, SharedOption("last", "Not needed, since an annotator has a document once.")]


class LayeredFiles(Layers, total=False):
    """Of readers of such documents with a file for each annotator."""

    item: Annotated[str | None, SharedOption(None, f"A pattern for the name of the document, {PATTERN}.")]
    annotator: Annotated[
        str | None, SharedOption(None, "A pattern for the name of the annotator, likewise, or a name.")
    ]
    empty: Annotated[
        Literal["looked", "unseen"],
        SharedOption("looked", 'Whether a document without any annotation was "looked" at or is "unseen".'),
    ]


class Tiers(UnitReaderOptions, total=False):
    """Of readers of tiers over a recording."""

    item: Annotated[str | None, SharedOption(None, 'What the document is: a pattern; "{file}" by default.')]
    annotator: Annotated[
        str | None, SharedOption(None, "A pattern for who annotated; without, it is told by the tiers, or asked.")
    ]
    label: Annotated[str, SharedOption("{text}", "A pattern for the category of a unit.")]
    tiers: Annotated[str | Sequence[str] | None, SharedOption(None, "The names of the tiers to read.")]


class Written(TypedDict, total=False):
    """Of readers of plain text."""

    encoding: Annotated[str, SharedOption("utf-8-sig", "How the files are written.")]


class TreeReaderOptions(Written, total=False):
    """Of readers of treebanks."""

    annotator: Annotated[str | None, SharedOption(None, f"A pattern for who annotated, {PATTERN}, or a name.")]
    document: Annotated[str | None, SharedOption(None, "A pattern for the name of the document, likewise.")]
    names: Annotated[
        str | None, SharedOption(None, 'What the names of files are made of, as in "{document}-{annotator}".')
    ]
    unequal: Annotated[
        Literal["drop", "majority", "error"],
        SharedOption(
            "drop",
            'What is done with a sentence of which annotators have different words: "drop" it, keep those of the '
            '"majority", or stop with an "error".',
        ),
    ]


class ImageReaderOptions(TypedDict, total=False):
    """Of readers of annotated images."""

    annotator: Annotated[
        str | None, SharedOption(None, f"Who annotated, where it is one person; or a pattern {PATTERN}.")
    ]
    looked: Annotated[
        str | Sequence[str],
        SharedOption(
            "listed",
            'At which images annotators looked: at those that files list for them ("listed"), those in which they '
            '"marked" something, or "all"; or the names of those who looked at all.',
        ),
    ]
    questions: Annotated[str | Sequence[str] | None, SharedOption(None, "Those to read.")]


class ImageFiles(ImageReaderOptions, total=False):
    """Of readers of images of which a file holds several, so that one person may have an image in two files."""

    duplicates: Annotated[
        Literal["last", "first", "error"],
        SharedOption(
            "error",
            'Of an image that one person has in two files take the "last" one, the "first", or stop with an "error".',
        ),
    ]


def unit_options(options: UnitReaderOptions, *, stated: bool = True) -> UnitOptions:
    """What was said about spans, for readers that count identical ones of one annotator once."""
    return UnitOptions(options["looked"], options["points"], once=True, stated=stated)
