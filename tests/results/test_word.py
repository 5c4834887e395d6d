"""Word documents: headings and tables are Word's own, and read back as they were."""

import io
import zipfile

import pytest
from conftest import need

import interagree as ia
from interagree.results.charts import Bars
from interagree.results.document import Document, Section, office_file
from interagree.results.strips import with_strips
from interagree.results.word import FONT, INSIDE, LETTER, MOST, PAGE, SMALL, _widths
from interagree.tables import Table, cell

ROWS = [(i, who, label) for i, labels in enumerate(["aab", "abb", "aaa", "bbb"]) for who, label in enumerate(labels)]


def opened(content: bytes):
    return need("docx").Document(io.BytesIO(content))


def test_a_report_has_headings_sentences_and_tables(tmp_path):
    report = ia.report(ia.Annotations.of(ROWS), title="Pilot", full=True)
    path = report.write(tmp_path / "report.docx")
    word = need("docx").Document(path)
    headings = [part.text for part in word.paragraphs if part.style.name.startswith(("Heading", "Title"))]
    shown = report.document().sections
    assert headings == ["Pilot", *(section.title for section in shown if section.title)]
    tables = [with_strips(section)[0].table for section in shown if section.table is not None]
    assert len(word.tables) == len(tables)
    for made, table in zip(word.tables, tables, strict=True):
        assert [place.text for place in made.rows[0].cells] == [*table.columns]
        assert [place.text for place in made.columns[0].cells][1:] == [*map(cell, next(iter(table.columns.values())))]
        assert made.rows[0]._tr.trPr.xpath("w:tblHeader")  # repeated on every page
    sentences = [part.text for part in word.paragraphs]
    assert all(line in sentences for section in shown for line in section.lines)
    with zipfile.ZipFile(path) as parts:
        assert not [name for name in parts.namelist() if "vba" in name.lower() or "macro" in name.lower()]


@pytest.mark.parametrize("text", ["<w:p>&amp;", "a\x00b", "half \ud800", "\ufffe", "=1+1", "שלום", "漢字"])
def test_any_text_is_text(text):
    document = Document(text, [Section(text, [text], Table({text: [text, 1.5]}), [text])]).visible()
    word = opened(office_file(document, "word"))
    assert len(word.tables) == 1
    assert len(word.tables[0].rows) == 3
    assert word.tables[0].rows[2].cells[0].text == "1.500"


def test_a_long_table_is_cut_and_says_so():
    word = opened(office_file(Document("T", [Section(table=Table({"n": [*range(MOST + 5)]}))]), "word"))
    assert len(word.tables[0].rows) == MOST + 1
    assert any(f"The first {MOST:,} of {MOST + 5:,} rows" in part.text for part in word.paragraphs)


def test_a_chart_is_a_picture_with_words():
    need("matplotlib")
    chart = Bars(["<a>", "b"], {"": [1, 2]}, "amount", 'b is "twice" <a>')
    word = opened(office_file(Document("T", [Section("Drawn", chart=chart)]), "word"))
    (picture,) = word.inline_shapes
    assert picture._inline.docPr.get("descr") == chart.words


def test_columns_have_room_for_their_longest_words_and_fill_a_page() -> None:
    heads = ["measure", *("value", "low", "high", "observed", "expected", "items", "annotators", "Krippendorff")]
    rows = [heads, ["Conger's kappa, quadratic weights", *["0.507"] * 5, "60", "6", "below 0.667"]]
    widths = _widths(rows, SMALL)
    assert sum(widths) == pytest.approx(PAGE)
    letter = SMALL * LETTER / 72
    longest = [max(len(word) for text in column for word in text.split()) for column in zip(*rows, strict=True)]
    assert all(width >= count * letter + 2 * INSIDE for width, count in zip(widths, longest, strict=True))
    assert sum(_widths([["a", "b"], ["1", "2"]], FONT)) == pytest.approx(PAGE)
    assert sum(_widths([["x" * 30] * 20] * 2, SMALL)) == pytest.approx(PAGE)
