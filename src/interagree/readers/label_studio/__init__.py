"""Label Studio: the JSON export of a project, its short forms JSON_MIN, CSV and TSV, and projects on a running server.

Every control of the labelling interface (``from_name``) is a question of the study.  Labels on a text are spans, on a
recording spans in seconds; rectangles are boxes, or boxes at an angle where one is turned; polygons and keypoints are
what they are called, ellipses polygons of 72 corners, brush strokes and bitmasks masks.  Rectangles that follow objects
through a video are boxes in its frames, which are the items; they are filled in between those that were drawn.  Choices
and taxonomies are labels, or sets of labels where somebody chose several; a path of a taxonomy is written with its
parents, as *Killed > Feloniously Killed*.  Ratings and numbers are numbers, text areas texts.  A ranker gives rankings,
or, where items are put into several lists, a question of sets for each list.  Relations between spans are the question
``relations``.

**Who looked.** An annotation with nothing in it says that somebody looked and marked nothing: an empty list for every
question of regions that was asked in the project.  A question was asked in the projects in which somebody answered it,
and in those of the same interface.  A choice that nobody made is not an answer and has no row; both are counted.

**What is left out**, and counted: skipped tasks (``was_cancelled``), drafts, predictions, the history of annotations
and reviews.  Of two annotations of one task by one person the newer one counts.  ``ground_truth`` only marks an
annotation; it is kept as its author's.  An annotation that a reviewer changed is read as it is now
(``reviews="before"`` takes what it was).

**Which task.** A number stands for a task of one project.  Two files in which one number shows different things are an
error that names ``item="data"``; files of different annotators that have no number in common are joined by what they
show.

**Regions.** A region and its label may be two results with one id; they are one region.  What was answered about a
region (choices, ratings and so on with its id) is kept in the features of a span.  A region with several labels is one
region for each label.  Places are percents in the file and pixels here.  A turned rectangle is turned about its upper
left corner.

**Offsets** are checked against the text that the file says is covered, span by span: one whose characters do not fit is
tried in UTF-16 units, as JavaScript counts.  One that fits neither way is counted as the others of its annotation are.
A span that ends where it begins covers nothing: it is left out, counted, and said with every number (``points="keep"``
keeps it).  Regions of dialogues are offsets into the paragraphs, one below the other.  Those of HTML without global
offsets are found by the text that they cover, where it occurs once.

Timelines of videos, and regions of HTML or dialogues without a place in the text, are not read; they are counted.

``label-studio://HOST[:PORT]/PROJECT`` reads a project from its server, page by page, with the token that the
environment holds as LABEL_STUDIO_API_KEY.  It is https, but http on this machine; ``label-studio+http://`` and
``label-studio+https://`` say which.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Unpack

from interagree.data.files import Source
from interagree.data.memory import without_garbage_collection
from interagree.data.paths import Paths, as_list, files_in, unread_files
from interagree.data.study import Study
from interagree.declare import reader
from interagree.gather.gatherer import Gatherer
from interagree.readers._answers import names_of
from interagree.readers._options import MarkedAnswers, unit_options
from interagree.readers.label_studio.address import SCHEMES, is_address
from interagree.readers.label_studio.recognise import recognised

SUFFIXES = (".json", ".csv", ".tsv")


@reader("Label Studio", suffixes=SUFFIXES, sniff=recognised, together=True, schemes=tuple(SCHEMES))
def label_studio(
    path: Paths,
    *,
    item: str | None = None,
    annotator: str | None = None,
    cancelled: Literal["drop", "keep"] = "drop",
    gold: Literal["keep", "drop", "apart"] = "keep",
    reviews: Literal["keep", "accepted", "before"] = "keep",
    predictions: bool = False,
    multiple: str | Sequence[str] = (),
    **options: Unpack[MarkedAnswers],
) -> Study:
    """The tasks of a project, or of several: a folder.

    Args:
        path: A file, a folder of files, or a list of them.
        item: "id", the number of the task; "data", what it shows, for projects that hold the same tasks; or the name
            of an entry of what it shows.  By default the number; of several projects of different annotators that
            have no number in common and show the same, what they show.
        annotator: "email" or "id" of who completed an annotation; "{file}" or "{folder}" for a project of each
            annotator.  By default the e-mail address where that tells people apart, else the id.
        cancelled: "drop" or "keep" tasks that were skipped.
        gold: "keep" annotations that are marked as ground truth, "drop" them, or put them "apart" as those of an
            annotator called 'ground truth'.
        reviews: "keep" annotations whatever reviewers said of them and as they are now, only those whose last review
            "accepted" them, or all as they were "before" a reviewer changed them.
        predictions: Whether models count as annotators, called by their version.
        multiple: Questions that take several answers, also where nobody gave more than one.
        questions: Those to read; in short forms, the columns that hold answers, where that cannot be told.
    """
    # What reads is loaded when it is needed, not to tell that a file is of another tool.
    from interagree.readers.label_studio.annotations import LabelStudioOptions, annotations_of
    from interagree.readers.label_studio.questions import add_questions

    several, columns = {*(names_of(multiple) or ())}, names_of(options["questions"])
    sources = _sources(path)
    with without_garbage_collection():
        gathered = Gatherer("Label Studio", sources, duplicates=options["duplicates"], units=unit_options(options))
        gathered.steps += unread_files(path, sources, deep=False)
        chosen = LabelStudioOptions(item, annotator, cancelled, gold, reviews, bool(predictions), columns)
        add_questions(gathered, annotations_of(gathered, chosen), several)
        return gathered.study(columns)


def _sources(path: Paths) -> list[Source]:
    """The files to read; of a folder the JSON files, or the tables of Label Studio where there are none."""
    sources: list[Source] = []
    for given in as_list(path):
        if isinstance(given, str) and is_address(given):
            from interagree.readers.label_studio import live

            sources.append(live.source(given))
            continue
        folder = None if isinstance(given, Source) or not Path(given).is_dir() else Path(given)
        files = [] if folder is None else [Source.of(file) for file in sorted(folder.iterdir()) if file.is_file()]
        tables = [file for file in files if file.suffix in (".csv", ".tsv") and file.path and recognised(file.path)]
        if tables and not any(file.suffix == ".json" for file in files):
            sources += tables
        else:
            sources += files_in(given, (".json",))
    return sources
