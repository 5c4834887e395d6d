"""Argilla: the records of a dataset, nested (``records.to_json``) or flat (``to_datasets``, ``to_pandas``).

Every question of the dataset is one of the study.  Labels are labels, and choices of several labels sets, in whichever
order they were clicked; ratings are numbers, rankings rankings, spans spans, and answers in words texts.

**Sorts of questions** are told by the settings where Argilla saved them beside the records (``.argilla/settings.json``,
as ``dataset.to_disk`` and ``to_hub`` do), and else by the answers.  A ranking and a choice of several labels are
written alike; where all answers have the same options in some order they are taken as rankings, and that is said.
``rankings``, ``multiple`` and ``texts`` name questions of which it is known.

**Who answered** is told by the ids of users; their names are only known to the server.

**Drafts and discarded answers** are left out, and counted (``drafts="keep"`` and ``discarded="keep"`` keep them).  The
nested form does not say which answers are: all of them count, and that is said; the flat form does.

**Suggestions** come from models and are left out, and counted; with ``predictions=True`` they are answers of an
annotator called after the agent.

**Forms.**  JSON and JSON lines, nested or flat; flat also Parquet and Arrow, as the ``datasets`` library writes them,
and CSV with lists as Python or JSON writes them.  Lists in a CSV file that NumPy wrote run into each other, and are
refused.  Records of Argilla 1.x, whose answers are lists of one object for each person, are read as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from interagree.data.paths import Paths, files_in, unread_files
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import Advice, ReaderHint
from interagree.gather.gatherer import Gatherer
from interagree.gather.offsets import is_basic
from interagree.gather.units import check_word
from interagree.readers._options import Spans, unit_options
from interagree.readers.argilla.questions import RANKING, SEVERAL, SPANS, TEXTS, add, settings_beside, type_of
from interagree.readers.argilla.records import SUFFIXES, Given, Record, all_records, recognised

SUBMITTED, DRAFT, DISCARDED = "submitted", "draft", "discarded"
MODEL = "suggestion"  # what a model is called whose agent is not named


@reader("Argilla", suffixes=SUFFIXES, sniff=recognised, together=True)
def argilla(
    path: Paths,
    *,
    item: str = "id",
    duplicates: str = "last",
    drafts: str = "drop",
    discarded: str = "drop",
    predictions: bool = False,
    multiple: str | Sequence[str] = (),
    rankings: str | Sequence[str] = (),
    texts: str | Sequence[str] = (),
    **options: Unpack[Spans],
) -> Study:
    """The records of a dataset, or of several.

    Args:
        path: A file, a folder of files, or a list of them.
        item: "id", or the name of a field or of an entry of the metadata that tells records apart.
        duplicates: Of several answers of one user to one record take the "last" one, the "first", or stop with an
            "error".
        drafts: "drop" or "keep" answers that were not submitted yet.
        discarded: "drop" or "keep" answers that were discarded.
        predictions: Whether models count as annotators, called by their agent.
        multiple: Questions that take several labels.
        rankings: Questions that take a ranking.
        texts: Questions that are answered in words.
    """
    check_word("drafts", drafts, ("drop", "keep"))
    check_word("discarded", discarded, ("drop", "keep"))
    sources = list(files_in(path, SUFFIXES))
    gathered = Gatherer("Argilla", sources, duplicates=duplicates, units=unit_options(options))
    gathered.steps += unread_files(path, sources, deep=False)
    records = [record for source in sources for record in all_records(source, gathered.steps)]
    stated, fields = _stated(sources, multiple, rankings, texts)
    kept = {"drafts": drafts == "keep", "discarded": discarded == "keep"}
    answers: dict[str, list[tuple[Record, Given]]] = {}
    for record in records:
        for given in [*_counted(gathered, record, kept), *_suggested(gathered, record, predictions=predictions)]:
            answers.setdefault(given.question, []).append((record, given))
    kinds = {
        name: stated.get(name) or type_of(name, [given for _, given in rows], sources[0].name, gathered)
        for name, rows in answers.items()
    }
    if not answers:
        gathered.note("noticed", "there are no answers as Argilla writes them, such as 'mood.responses'")
        return gathered.study()
    _show(gathered, records, item, fields, [name for name, kind in kinds.items() if kind == SPANS])
    for name, rows in answers.items():
        for record, given in rows:
            add(gathered, kinds[name], given, record.item(item))
    return gathered.study(options["questions"])


def _stated(
    sources: Sequence[object], multiple: str | Sequence[str], rankings: str | Sequence[str], texts: str | Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """The types of questions and the fields of spans that are known, by the settings and by the caller."""
    from interagree.data.files import Source

    types: dict[str, str] = {}
    fields: dict[str, str] = {}
    for source in sources:
        if isinstance(source, Source):
            beside = settings_beside(source)
            types |= beside.types
            fields |= beside.fields
    for names, kind in ((multiple, SEVERAL), (rankings, RANKING), (texts, TEXTS)):
        types |= dict.fromkeys([names] if isinstance(names, str) else names, kind)
    return types, fields


def _counted(gathered: Gatherer, record: Record, kept: dict[str, bool]) -> list[Given]:
    """The answers of people that count."""
    counting = []
    for given in record.responses:
        if given.status == DRAFT and not kept["drafts"]:
            gathered.left_out("draft")
        elif given.status == DISCARDED and not kept["discarded"]:
            gathered.left_out("discarded answer")
        else:
            if given.status is None and not any("drafts or discarded" in step.sentence for step in gathered.steps):
                gathered.note(
                    "noticed",
                    "the file does not say which answers are drafts or discarded; all of them count. The flat form "
                    "(records.to_datasets()) does",
                )
            counting.append(given)
    return counting


def _suggested(gathered: Gatherer, record: Record, *, predictions: bool) -> list[Given]:
    if not predictions:
        models = Advice.of(
            "of a model left out (", ReaderHint("predictions", value=True), " takes models as annotators)"
        )
        gathered.left_out("suggestion", models, len(record.suggestions))
        return []
    return [given._replace(who=given.who or MODEL) for given in record.suggestions if given.value is not None]


def _show(
    gathered: Gatherer, records: Sequence[Record], item: str, fields: dict[str, str], spans: Sequence[str]
) -> None:
    """What records show: the field that spans are marked in, the only text, or all texts one below the other."""
    marked = {fields[name] for name in spans if name in fields}
    wide = 0
    for record in records:
        texts = {name: text for name, text in record.shows.items() if isinstance(text, str)}
        chosen = [texts[name] for name in marked if name in texts] if marked else list(texts.values())
        if chosen and (len(chosen) == 1 or not spans):
            text = "\n".join(chosen)
            gathered.show(record.item(item), text, record.where)
            wide += bool(spans) and not is_basic(text)
    if wide:
        gathered.note(
            "noticed",
            f"positions of spans taken as characters in {wide:,} texts with characters such as emoji, which some "
            "versions of Argilla count as two",
            wide,
        )
