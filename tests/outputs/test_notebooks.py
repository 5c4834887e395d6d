"""What a notebook and a prompt show of everything that public functions return: tables and sentences, all escaped."""

import re
from html import escape

import pytest

import interagree as ia
from interagree.results.document import render
from interagree.tables import MOST, PRINTED, Table

from .test_answers import EXAMPLES
from .test_hostile import check_fragment

DUMP = re.compile(r"\b[A-Z]\w*\([a-z_]+=|\barray\(|<function|object at 0x| at 0x[0-9a-f]{6}")
HOSTILE = "<script>alert(1)</script>"


def study(items: int = 40) -> ia.Annotations:
    rows = [(i, who, label) for i in range(items) for who, label in (("ann", "a"), ("bo", "ab"[i % 2]))]
    columns = [*zip(*rows, strict=True)]
    table = dict(zip(("item", "annotator", "value"), map(list, columns), strict=True))
    table["text"] = [f"sentence number {i} of the text" for i in table["item"]]
    return ia.Annotations.of(table, attributes=["text"])


def shown(thing: object) -> str:
    """What a notebook shows: through its own formatter where IPython is installed."""
    try:
        from IPython.core.formatters import HTMLFormatter
    except ImportError:
        return thing._repr_html_()
    made = HTMLFormatter()(thing)
    assert isinstance(made, str)
    return made


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_answer_is_shown_by_the_call_that_would_make_it(name):
    answer = EXAMPLES[name]()
    assert not DUMP.search(repr(answer)), repr(answer)[:300]
    assert repr(answer).strip()
    check_fragment(shown(answer))


@pytest.mark.parametrize(
    "thing",
    [Table({"a": [1, 2]}), Table({}), study(), ia.Study.of(tone=study(), topic=study(3)), ia.alpha(study()).by_item()],
    ids=lambda thing: type(thing).__name__,
)
def test_what_answers_are_made_of_is_not_either(thing):
    assert not DUMP.search(repr(thing))


def test_a_long_table_shows_its_first_rows_and_says_how_many_more():
    table = Table({"n": [*range(1000)]}, foot="counted")
    assert shown(table).count("<tr>") == MOST + 1
    assert f"… and {1000 - MOST:,} more of 1,000 rows; counted" in shown(table)
    assert repr(table).splitlines()[-1] == f"… and {1000 - PRINTED:,} more of 1,000 rows; counted"
    assert len(str(table).splitlines()) == 1002  # printed, it is whole


def test_a_report_is_shown_whole_where_all_is_asked_for():
    report = ia.report(study(), full=True)
    page = shown(report)
    for section in report.document().sections:
        assert not section.title or section.title.split("'")[0] in page
    assert page.count("<table") == render(report.document(), "html").count("<table")
    assert shown(ia.report(study())).count("<table") == 1  # the overview


def test_a_queue_shows_twenty_items_with_their_text():
    queue = ia.disagreements(study(100))
    page = shown(queue)
    assert page.count("<tr>") == PRINTED + 1
    assert "sentence number" in page
    assert "… and 30 more of 50 rows" in page
    assert "50 of 100 items with disagreement" in page


def test_annotations_and_studies_show_what_they_hold():
    page = shown(study())
    assert page.count("<tr>") == PRINTED + 1
    assert "… and 60 more of 80 annotations" in page
    assert "sentence number 0" in page
    both = shown(ia.Study.of(tone=study(), topic=study(3)))
    assert both.count("<tr>") == 3
    assert "topic" in both


def test_nothing_of_the_data_is_markup():
    rows = {
        "item": [HOSTILE, HOSTILE, 2, 2],
        "annotator": ["<b>", "bo"] * 2,
        "value": [HOSTILE, "x", "x", "x"],
        "text": ["<i>some</i> text here"] * 4,
    }
    hostile = ia.Annotations.of(rows, attributes=["text"])
    for thing in (
        hostile,
        ia.Study.of(**{"<u>": hostile}),
        ia.disagreements(hostile),
        ia.report(hostile),
        ia.alpha(hostile),
        ia.alpha(hostile).by_value(),
    ):
        assert "<script" not in shown(thing)
        assert not re.search("<[biu]>", shown(thing).replace("<b>Krippendorff", ""))
        check_fragment(shown(thing))


def test_a_report_has_its_charts_and_commands_that_stand_apart():
    rows = [
        (i, who, "ab"[i % 2] if who != "gus" else "ab"[i % 3 % 2]) for i in range(60) for who in ("ann", "bo", "gus")
    ]
    report = ia.report(ia.Annotations.of(rows), full=True)
    fragment = shown(report)
    charts = [section.chart for section in report.document().sections if section.chart is not None]
    charts.pop(0)  # the overview's is drawn in its table
    assert fragment.count("<img ") == len(charts) > 2
    assert all(f'alt="{escape(chart.words)}"' in fragment for chart in charts)
    assert "<pre>    interagree." in fragment
