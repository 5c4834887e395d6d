"""The sections of a report on one question, in the order in which they are read.

The coefficients and why they differ; values, pairs, annotators and items on which agreement is low; what the kind of
value needs; agreement over time; and what was read.  A section that has nothing to say is absent.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from interagree.choose import used
from interagree.errors import KindError
from interagree.reports.parts import Part, coefficients_section
from interagree.reports.sections import items, objects, over_time, people, read, values
from interagree.results.agreement import IntervalOptions
from interagree.results.chance import chance_of
from interagree.results.document import Section


def sections_of(part: Part, intervals: IntervalOptions, *, texts: bool) -> list[Section]:
    """All sections of a question that have something to say."""
    made = [
        coefficients_section(part, intervals, "Coefficients", thresholds=True),
        values.why(part),
        values.by_value(part),
        values.confused(part),
        people.pairs(part),
        people.by_annotator(part),
        items.disputed(part, texts=texts),
        items.distances(part),
        *_of_kind(part, texts=texts),
        objects.objects(part),
        over_time.section(part, intervals),
        read.what_was_read(part),
        read.overlap(part),
    ]
    return [replace(section, title=part.prefix + section.title) for section in made if section is not None]


def _of_kind(part: Part, *, texts: bool) -> Sequence[Section]:
    """What is said of marked text and of objects in images; modules are loaded where there is some."""
    if part.study.kind == "spans":
        from interagree.reports import spans

        return spans.sections(part.study, texts=texts, again=part.again)
    if part.study.kind.object_labels is not None and not part.study.anonymous:
        from interagree.reports.object_types import object_types

        return object_types(part.study).sections()
    return ()


def details(part: Part, intervals: IntervalOptions) -> dict[str, object]:
    """The tables of a part as plain data, all rows of them, distances as they are."""
    lead, study = part.lead, part.study
    data: dict[str, object] = {
        "read": {
            "sources": list(study.provenance.sources),
            "steps": [{"what": step.what, "sentence": step.sentence} for step in study.provenance.steps],
        }
    }
    if not study.kind.complex:
        counts = used(study).tolist()
        data["values"] = [
            {"value": value, "annotations": count} for value, count in zip(study.values, counts, strict=True)
        ]
    shared = read.overlap_table(study)
    if shared is not None:
        data["overlap"] = shared
    several = objects.objects_table(study)
    if several is not None:
        data["objects"] = several
    if study.kind.object_labels is not None and not study.anonymous:
        from interagree.reports.object_types import object_types

        data["object_types"] = object_types(study).tables()
    if lead is None or lead.undefined:
        return data
    data["by"] = part.title_of(lead)
    data["chance"] = chance_of(lead)  # what people are shown distances divided by
    for name, make, wanted in (
        ("by_value", lead.by_value, study.kind != "numbers" and len(study.labels()) <= values.MOST),
        ("by_annotator", lead.by_annotator, not study.anonymous),
        ("by_item", lead.by_item, True),
    ):
        if wanted:
            with suppress(KindError):  # a table that makes no sense of this measure
                data[name] = make()
    further = {
        "confused": values.confused_pairs(part),
        "by_pair": people.by_pair(part),
        "over_time": over_time.over_time_table(part, intervals),
    }
    return data | {name: table for name, table in further.items() if table is not None}
