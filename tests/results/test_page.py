"""The file of a page: what it may load, how large it is, and what it says; tests/browser opens it."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from browser.documents import COMMAND, HOSTILE, hostile, items, report

from interagree.errors import Advice, Hint, Wording
from interagree.results.document import Document, Section, write_document
from interagree.results.page import page
from interagree.results.page.sections import SentencePiece, contents_of, json_for_page, pieces, sections_of
from interagree.tables import Table


class Parts(HTMLParser):
    """The scripts and styles of a page as a browser takes them, and its policy."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "json": []}
        self.policy: dict[str, list[str]] = {}
        self.attributes: set[str] = set()
        self.at = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.attributes |= given.keys()
        self.at = ("json" if given.get("type") else tag) if tag in ("script", "style") else ""
        if self.at:
            self.texts[self.at].append("")
        if given.get("http-equiv") == "Content-Security-Policy":
            rules = (given["content"] or "").split("; ")
            self.policy = {rule.split()[0]: rule.split()[1:] for rule in rules}

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 -- HTMLParser's
        self.at = ""

    def handle_data(self, data: str) -> None:
        if self.at:
            self.texts[self.at][-1] += data


def hashes(texts: list[str]) -> list[str]:
    return [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts]


@pytest.mark.parametrize("document", [report(), hostile(), Document("", [Section(lines=["alone"])])])
def test_the_policy_allows_what_is_in_the_file_and_nothing_else(document):
    parts = Parts(page(document))
    assert parts.policy == {
        "default-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "style-src": hashes(parts.texts["style"]),
        "script-src": hashes(parts.texts["script"]),
        "img-src": ["data:"],
    }
    assert not {name for name in parts.attributes if name == "style" or name.startswith("on")}
    assert not re.findall(r"""(?:src|href)\s*=\s*["'](?!#)|url\(|@import|innerHTML|eval\(""", "".join(page(document)))


def test_pictures_are_allowed_from_where_the_items_have_them():
    data = items(6)
    addresses = ["https://a.example/1.png", "http://b.example:8080/2.png", "scans/3.png", "data:image/png;base64,AA"]
    for item, address in zip(
        data["items"], [*addresses, "https://x.example;script-src */4.png", "https://["], strict=True
    ):
        item["image"] = address
    document = Document("", [Section("Items", browser=data)])
    policy = Parts(page(document)).policy
    assert policy["img-src"] == ["data:", "file:", "http://b.example:8080", "https://a.example"]
    assert len(policy) == 6


def test_items_cannot_end_the_script_that_holds_them():
    data = {"a": HOSTILE, "b": "\ud800"}
    text = json_for_page(data)
    assert not re.search("[<>&\u2028\u2029\ud800]", text)
    assert json.loads(text) == data


def test_a_page_that_would_be_too_large_says_what_it_leaves_out():
    data = items(1500)
    table = Table({"name": [f"a name of row {k}" for k in range(1500)], "value": [float(k) for k in range(1500)]})
    document = Document("Large", [Section("Items", ["All."], browser=data), Section("Rows", table=table)])
    whole = page(document)
    half = page(document, largest=400_000)
    assert len(whole.encode()) > 500_000
    assert len(half.encode()) <= 400_000
    (kept,) = Parts(half).texts["json"]
    count = len(json.loads(kept)["items"])
    assert 100 < count < 1500
    assert json.loads(kept)["items"] == data["items"][:count]
    assert f"The first {count:,} of these 1,500 items are on this page" in half
    assert "a name of row 1499" in half
    least = page(document, largest=200_000)
    assert len(least.encode()) <= 200_000
    (rows,) = re.findall(r"The first ([\d,]+) of 1,500 rows", least)
    assert least.count("a name of row") == int(rows.replace(",", ""))


def test_what_cannot_be_left_out_stays():
    document = Document("Long", [Section("A text", ["word " * 50_000], verbatim=True)])
    assert page(document, largest=100_000) == page(document)


def test_options_and_commands_of_a_sentence_are_told_from_its_words():
    command = Wording("interagree.read(…)", "interagree measure FILE")
    line = Advice.of("Take ", command, ", or pass ", Hint("top", 5), ".")
    assert pieces(line) == [
        SentencePiece("Take "),
        SentencePiece("interagree.read(…)", code=True, command=True),
        SentencePiece(", or pass "),
        SentencePiece("top=5", code=True),
        SentencePiece("."),
    ]
    (section,) = Document("", [Section(lines=[line])]).for_command_line().visible().sections
    assert [piece.words for piece in pieces(section.lines[0]) if piece.code] == ["interagree measure FILE", "--top 5"]


def test_commands_are_those_of_the_command_line_where_it_writes_the_page():
    assert f'<code class="command">{COMMAND}</code>' in page(report())


def test_sections_of_one_question_stand_together_in_the_contents():
    titles = [
        "tone: In short",
        "tone: Coefficients",
        "topic: In short",
        "topic: Pairs",
        "How to cite",
        "One: alone",
        "",
    ]
    sections = sections_of(Document("", [Section(title) for title in titles]), 3)
    assert [(entry.title, [name for name, _ in entry.below]) for entry in contents_of(sections)] == [
        ("tone", ["In short", "Coefficients"]),
        ("topic", ["In short", "Pairs"]),
        ("How to cite", []),
        ("One: alone", []),
    ]
    assert [section.look for section in sections] == ["verdict", "plain", "verdict", "plain", "plain", "plain", "bare"]


def test_contents_leave_out_brackets_that_tell_nothing_apart():
    titles = ["Pairs (alpha)", "tone: By value (alpha)", "tone: By item (alpha)", "Items (alpha)", "Items (kappa)"]
    sections = sections_of(Document("", [Section(title) for title in titles]), 3)
    assert [(entry.title, [name for name, _ in entry.below]) for entry in contents_of(sections)] == [
        ("Pairs", []),
        ("tone", ["By value", "By item"]),
        ("Items (alpha)", []),
        ("Items (kappa)", []),
    ]


def test_a_page_of_one_section_has_no_contents():
    table = Table({"value": [1.0]})
    alone = page(Document("", [Section(table=table), Section(lines=["Policy."])]))
    assert "<nav" not in alone
    assert '<section id="section" class="plain">' in alone
    assert '<section id="section-2" class="bare">' in alone
    assert "<nav" in page(Document("", [Section("One"), Section("Two")]))


def test_names_of_sections_are_plain_and_differ():
    document = Document("", [Section(title) for title in ["A b", "A b", "a-b-2", "日本", "", *HOSTILE]])
    names = [section.id for section in sections_of(document, 3)]
    assert names[:5] == ["a-b", "a-b-2", "a-b-2-2", "section", "section-2"]
    assert len({*names}) == len(names)
    assert all(re.fullmatch("[a-z0-9-]+", name) for name in names)


def test_numbers_are_rounded_as_asked(tmp_path):
    document = Document("", [Section("T", table=Table({"value": [1 / 3]}))])
    write_document(document, tmp_path / "page.html", digits=5)
    assert ">0.33333<" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_page_without_charts_or_items_does_not_carry_what_draws_them():
    plain = Parts(page(replace(report(), sections=[Section("T", lines=["alone"])])))
    assert len(plain.texts["style"]) == 1
    assert plain.texts["json"] == []
