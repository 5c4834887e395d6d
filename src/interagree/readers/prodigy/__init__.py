"""Prodigy: the lines that ``prodigy db-out`` writes, one for each answer, or its database, ``prodigy.db``, itself.

Spans that were marked are the question ``spans`` (of a recording ``audio_spans``, in seconds), relations between them
``relations``, and choices ``choice``: labels, or sets of labels where several could be chosen.  Where one label was
shown to be accepted or rejected, the label is the question and *accept* or *reject* its answer; where one span was,
the question is ``answer`` and the span with its text is the item.

**Items** are inputs (``_input_hash``).  The hash of the task is none: it differs where options were shuffled.

**Annotators** are named sessions, less the name of the dataset that they begin with.  A session that nobody named is
called by the time at which it began; such sessions are the annotator that the file is called after, unless two of them
answer the same input.  Files without sessions are of one annotator each, called after the file.

**Datasets.** A folder may hold several datasets, told by how their sessions begin.  A person who has sessions in two of
them is one annotator.  Choices between other options are another question, called after the dataset; what else is asked
in several datasets is one question, and that is said.

**Answers.** ``ignore`` is not an answer.  ``reject`` is one where a label or a span was shown to be judged; where spans
were to be marked or options chosen it says that the input was refused, and there is no row for it, unless
``rejected="empty"`` takes it for nothing marked.  Accepting without marking anything says that there is nothing to
mark.  Spans without a label come from patterns and were marked by nobody.  All that is left out is counted.

**The database** has many datasets; ``dataset=`` names one, or several where every annotator has their own.  A dataset
is read as a file of its name would be.

Of several answers of one annotator to one input the newest counts, by ``_timestamp``, else the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from interagree.data.memory import without_garbage_collection
from interagree.data.paths import Paths, files_in, unread_files
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, Hint, KindError
from interagree.gather.gatherer import Gatherer
from interagree.gather.units import check_word
from interagree.readers._options import Units, unit_options
from interagree.readers.prodigy.database import in_databases
from interagree.readers.prodigy.people import name_annotators
from interagree.readers.prodigy.questions import gather
from interagree.readers.prodigy.records import SUFFIXES, all_records, recognised


@reader("Prodigy", suffixes=SUFFIXES, sniff=recognised, together=True)
def prodigy(
    path: Paths,
    *,
    item: str = "_input_hash",
    annotator: str | None = None,
    dataset: str | Sequence[str] | None = None,
    duplicates: str = "last",
    rejected: str = "drop",
    **options: Unpack[Units],
) -> Study:
    """The answers of a dataset, or of several: a folder.

    Args:
        path: A file, a folder of files, or a list of them.
        item: The entry that says which input was answered; it may stand in ``meta``.
        annotator: Where the name of the annotator is: "{session}", "{file}" or "{folder}".
        dataset: The dataset of a database to read, or several.
        duplicates: Of several answers of one annotator to one input take the "last" one by time, the "first", or stop
            with an "error".
        rejected: "drop" inputs that were refused where spans were to be marked or options chosen, or take them for
            "empty" ones.
    """
    check_word("rejected", rejected, ("drop", "empty"))
    if item == "_task_hash":
        raise KindError(
            Advice.of(
                Hint("item", "_task_hash"),
                " would take one input for several where options were shuffled; take ",
                Hint("item", "_input_hash"),
            )
        )
    files = list(files_in(path, SUFFIXES))
    sources = in_databases(files, dataset)
    gathered = Gatherer("Prodigy", sources, duplicates=duplicates, units=unit_options(options))
    gathered.steps += unread_files(path, files, deep=False)
    with without_garbage_collection():
        records = list(all_records(sources, item))
        gathered.steps += name_annotators(records, annotator)
        gather(gathered, records, rejected)
        return gathered.study()
