"""Names and labels are shown, not obeyed: a study of hostile ones, through every command and in every format."""

import base64
import contextlib
import csv
import io
import json
import re
import shlex
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main, show
from interagree.errors import AS_BEFORE, IN_ORDER, JOINERS, UNSEEN, shell, visible
from interagree.results.document import Document, render, write_document
from interagree.results.markdown import escaped, fenced, paragraph
from interagree.results.terminal import print_on_terminal
from interagree.tables import Table, aligned, as_html, json_text

LABELS = [
    "[/x]",
    "[bold]loud[/bold]",
    "\x1b[31mred\x1b[0m",
    "\x1b]8;;https://example.org\x07link\x1b]8;;\x07",
    "\x1b]52;c;aGk=\x07",
    "over\x08\x08\x08\x08written",
    "\u202eback\u202c",
    "ze\u200bro",
    "\x9b2J",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "a|b",
    "\\input{x}%$",
    "two\nlines",
    "re\rturn",
    "=1+1",
    "`code` **bold** [a](b) ![c](d)",
    "$x$ $\\frac$",
    "&lt;b&gt;",
    "\"quoted\" 'single'",
    "%d {0} {name}",
    "nul\x00l",
    "\ufeffmark",
    "[link=https://example.org]x[/link]",
    ":boom:",
]
SGR = re.compile(r"\x1b\[[0-9;]*m")  # colours of our own
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "table", "caption", "thead", "tbody", "tr", "th", "td"),
    *("h1", "h2", "h3", "p", "small", "pre", "b", "div", "span"),
}
ATTRIBUTES = {"style", "charset", "lang", "class", "title", "colspan", "dir"}
# What a page of its own has besides: a script and items as JSON, both of which must be ours.
DRAWN = {*("svg", "style", "title", "desc", "g", "path", "circle", "line", "rect", "text")}
PAGE_TAGS = {
    *("script", "noscript", "a", "header", "footer", "nav", "main", "section", "details", "summary", "ol", "li"),
    *("code", "figure", "figcaption", "svg", "desc", "g", "path", "circle", "line", "rect", "text"),
}
PAGE_ATTRIBUTES = {
    *("http-equiv", "content", "name", "href", "id", "open", "tabindex", "role", "scope", "focusable", "type"),
    *("data-key", "viewbox", "d", "cx", "cy", "r", "x", "y", "x1", "x2", "y1", "y2", "width", "height", "points"),
    *("aria-label", "aria-labelledby", "aria-hidden", "aria-live", "text-anchor", "transform"),
}


def records() -> list[dict[str, str]]:
    rows = []
    for place, item in enumerate(LABELS * 2):
        for who, name in enumerate(LABELS[:3]):
            label = LABELS[place % len(LABELS) if (place + who) % 4 else (place + 3) % len(LABELS)]
            rows.append({"item": f"{place} {item}", "annotator": name, "label": label, "text": f"some text of {item}"})
    return rows


def spans() -> list[dict[str, object]]:
    text = "".join(LABELS)
    return [
        {
            "document": f"letter {LABELS[2]}",
            "annotator": name,
            "label": [[2 + who, 9, LABELS[2]], [12, 20 + who, LABELS[9]], [30, 42, LABELS[6]]],
            "text": text,
        }
        for who, name in enumerate([*LABELS[:2], LABELS[4]])
    ]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "COLUMNS", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, rows in (("labels.jsonl", records()), ("spans.jsonl", spans())):
        Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    Path("hostile\x1b[31m<b>.jsonl").write_text(Path("labels.jsonl").read_text())
    Path("gold.jsonl").write_text(
        "".join(json.dumps({"item": f"{k} {name}", "label": name}) + "\n" for k, name in enumerate(LABELS * 2))
    )
    return tmp_path


def unseen(text: str, keep: str = "\n") -> list[str]:
    return [
        text[max(found.start() - 30, 0) : found.end() + 30] for found in UNSEEN.finditer(text) if found[0] not in keep
    ]


class Tags(HTMLParser):
    """Tags and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def check_fragment(fragment: str) -> None:
    found = Tags(fragment)
    assert found.tags <= TAGS | {"img"}
    assert found.attributes <= ATTRIBUTES | {"src", "alt", "width"}
    assert "<script" not in fragment.lower()
    for source in re.findall('<img src="([^"]*)"', fragment):
        kind, _, drawing = source.partition(",")
        assert kind == "data:image/svg+xml;base64"
        image = Tags(base64.b64decode(drawing).decode())
        assert image.tags <= DRAWN
        assert not any(name.startswith("on") or name in ("href", "src") for name in image.attributes)


def check_page(page: str) -> None:
    found = Tags(page)
    assert found.tags <= TAGS | PAGE_TAGS
    assert found.attributes <= (ATTRIBUTES - {"style"}) | PAGE_ATTRIBUTES
    scripts = re.findall("<script[^>]*>", page.lower())
    assert scripts[0] == "<script>"
    assert set(scripts[1:]) <= {'<script type="application/json">'}
    assert not unseen(
        re.sub("(?s)<style>.*?</style>|<script>.*?</script>", "", page), "\n" + IN_ORDER + AS_BEFORE + JOINERS
    )


def check_document(document: Document, folder: Path) -> None:
    """One document in every format: nothing in it is obeyed."""
    drawings = IN_ORDER + AS_BEFORE + JOINERS if any(section.verbatim for section in document.sections) else ""
    for form in ("text", "markdown", "html", "latex", "json"):
        text = render(document, form)
        assert not unseen(text, "\n" + ("" if form == "json" else drawings)), form
    check_fragment(render(document, "html"))
    write_document(document, folder / "page.html")
    check_page((folder / "page.html").read_text(encoding="utf-8"))
    outside = re.sub(r"(?ms)^(`{3,})\w*$.*?^\1$", "", render(document, "markdown"))
    assert not re.search(r"(?<!\\)[<\[`&$]", outside)
    latex = "\n".join(line for line in render(document, "latex").splitlines() if not line.startswith("%"))
    assert "\\input" not in latex
    assert not re.search(r"(?<!\\)%", latex)
    assert not re.search(r"(\\\\|rule)\s*[\[*]", latex)
    json.loads(render(document, "json"))
    for row in csv.reader(io.StringIO(render(document, "csv"), newline="")):
        assert not [cell for cell in row if re.match(r"[=@\t\r\n]|[+-](?![\d.]|$)", cell)]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        print_on_terminal(document)
    assert not unseen(SGR.sub("", out.getvalue()), "\n" + drawings)
    assert "\x1b[31mred" not in out.getvalue()


COMMANDS = [
    "measure labels.jsonl --by value --by annotator --by item --by pair",
    "measure labels.jsonl --value label --attribute text",
    "report labels.jsonl --attribute text",
    "report labels.jsonl gold.jsonl --item item --value label --annotator '{file}' --duplicates first",
    "check labels.jsonl --at-least 0.1",
    "compare labels.jsonl -m alpha -m ac1",
    "consensus labels.jsonl --top 60",
    "consensus labels.jsonl --gold gold.jsonl",
    "consensus labels.jsonl --method dawid-skene",
    "disagreements labels.jsonl --top 60 --text text",
    "annotators labels.jsonl",
    "judge labels.jsonl --model '[/x]'",
    "doctor labels.jsonl",
    "doctor spans.jsonl",
    "explain alpha labels.jsonl",
    "distances labels.jsonl --resamples 10",
    "plan labels.jsonl --budget 1000",
    "shuffle labels.jsonl --reference '[/x]' --repeats 1 --magnitudes 0,0.5",
    "spans spans.jsonl",
    "spans spans.jsonl --types boundary,label,both",
    "timeline spans.jsonl",
    "report spans.jsonl",
    "watch labels.jsonl --once --value label",
]


@pytest.mark.parametrize("words", COMMANDS)
def test_no_format_of_any_command_obeys_a_name(words, folder, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    documents: list[Document] = []
    monkeypatch.setattr(show, "print_document", lambda document, *_: documents.append(document))
    result = CliRunner().invoke(main, shlex.split(words))
    assert result.exit_code in (0, 1, 3), result.output
    assert not unseen(SGR.sub("", result.output), "\n" + IN_ORDER + AS_BEFORE + JOINERS)
    assert documents
    for document in documents:
        check_document(document.for_command_line(), folder)


def test_every_command_is_among_those_tested():
    silent = {"completion", "convert", "demo", "list", "serve"}  # these print nothing of a study
    assert {words.split()[0] for words in COMMANDS} | silent == set(main.list_commands(None))


@pytest.mark.parametrize(
    "words",
    [
        ["measure", "\x1b]52;c;aGk=\x07.csv"],
        ["measure", "labels.jsonl", "--value", "\x1b[31m"],
        ["measure", "labels.jsonl", "-m", "al\x1b[31mpha"],
        ["measure", "labels.jsonl", "-q", "label\u202e"],
        ["measure", "labels.jsonl", "-o", "\x1b[2J/report.md"],
        ["measure", "labels.jsonl", "--lev\x1b[2Jel", "3"],
        ["measure", "labels.jsonl", "--level", "\x1b[2J"],
        ["\x1b[2J"],
        ["--\x1b[2J"],
        ["judge", "labels.jsonl", "--model", "\x9b2J"],
        ["shuffle", "labels.jsonl"],
        ["convert", "labels.jsonl", "out.\x1b[2J"],
    ],
)
def test_errors_show_what_they_name(words, folder):
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert result.stderr.strip()
    assert not unseen(result.output)


def test_file_names_are_shown(folder):
    (name,) = (file.name for file in folder.glob("hostile*"))
    for words in (["measure", name], ["report", name, "gold.jsonl", "--annotator", "{file}"], ["doctor", name]):
        result = CliRunner().invoke(main, words)
        assert result.exit_code in (0, 2, 3)
        assert not unseen(result.output)
    assert "written: out\\x1b.json" in CliRunner().invoke(main, ["convert", name, "out\x1b.json"]).stderr


def test_csv_on_a_terminal_is_shown_and_in_a_pipe_it_is_whole(folder, monkeypatch):
    words = ["measure", "labels.jsonl", "--by", "value", "--csv"]
    assert "\x1b]52" in CliRunner().invoke(main, words).stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert not unseen(CliRunner().invoke(main, words).stdout)


def test_the_live_view_takes_no_markup(folder, monkeypatch):
    """A label [/x] closes a tag that was never opened, and stopped the view."""
    from interagree.cli.watch import _view

    monkeypatch.setenv("FORCE_COLOR", "1")
    out = io.StringIO()
    with contextlib.redirect_stdout(out), _view(in_place=True) as update:
        from rich.table import Table as RichTable

        table = RichTable()
        table.add_column("[/x]")
        table.add_row("[bold]loud[/bold] :boom:")
        update(table)
    assert "[bold]loud[/bold] :boom:" in out.getvalue()
    assert "[/x]" in SGR.sub("", out.getvalue())


def test_progress_takes_no_markup(monkeypatch, capsys):
    from interagree.cli.progress import _drawn

    assert [*_drawn([1, 2], "[/x] of \x1b]52;c;aGk=\x07", 2)] == [1, 2]
    assert "\x1b]52" not in capsys.readouterr().err


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_pictures_hold_names_as_they_are(suffix, folder):
    study = ia.Annotations.of(
        [(row["document"], row["annotator"], [tuple(s) for s in row["label"]]) for row in spans()], kind="spans"
    )
    path = ia.spans.timeline(study, path=folder / f"lanes{suffix}")
    assert path.stat().st_size
    if suffix == ".svg":
        import xml.etree.ElementTree as ET

        ET.parse(path)


def test_dollars_in_a_picture_are_not_formulas(folder):
    study = ia.Annotations.of(
        [("d", name, [(0, 3, "$\\frac$"), (5, 9, "$x$")]) for name in ("$a$", "$\\b$")], kind="spans"
    )
    assert ia.spans.timeline(study, path=folder / "lanes.svg").read_text().count("frac")


def test_what_python_prints_is_shown(folder):
    table = Table({"\x1b[2Jhead": LABELS}, title="\x1b[2J", foot="\x1b[2J")
    for text in (str(table), aligned(table), as_html(table), table._repr_html_()):
        assert not unseen(text)
    check_fragment(as_html(table))
    study = ia.Annotations.of([(row["item"], row["annotator"], row["label"]) for row in records()])
    for answer in (
        ia.report(study),
        ia.disagreements(study),
        ia.crowd.usual_consensus(study),
        ia.annotators(study),
        ia.alpha(study),
    ):
        for text in (str(answer), repr(answer), answer._repr_html_()):
            assert not unseen(text)
        check_fragment(answer._repr_html_())


# -- one place for each language ----------------------------------------------------------------------------


def test_letters_without_a_shape_are_spelled_out():
    assert visible("a\x1b[31m\x9b\u202e\u200b\x00\n\t\r") == "a\\x1b[31m\\x9b\\u202e\\u200b\\x00\\n\\t\\r"
    assert visible("\ud800\U000e0041") == "\\ud800\\U000e0041"
    assert visible("a\nb", keep="\n") == "a\nb"
    plain = "Ünïcödé 漢字 עברית ½ ⚑ α"
    assert visible(plain) is plain or visible(plain) == plain


def test_joiners_stay_where_words_are_spelled_with_them():
    for word in ("می\u200cخواهم", "क्\u200dष", "👩\u200d🔬", "❤\ufe0f\u200d🔥"):
        assert visible(word) == word
    for word in ("yes\u200d", "\u200dyes", "y\u200des", "no\u200cno"):
        assert "\\u200" in visible(word)


def test_a_word_of_a_command_can_be_pasted(need):
    word = "a\x1b[31m'\\ \n\u202eb"
    pasted = shell(["printf", "%s", word])
    assert not unseen(pasted)
    printed = subprocess.run(["bash", "-c", f"LC_ALL=C.UTF-8; {pasted}"], capture_output=True, check=True).stdout
    assert printed.decode() == word


def test_markdown_has_neither_lists_nor_fences_of_others():
    assert paragraph("- a") == "\\- a"
    assert paragraph("1. a") == "1\\. a"
    assert paragraph("=== a") == "\\=== a"
    assert escaped("&amp; ~~a~~ $x$ <b>") == "\\&amp; \\~\\~a\\~\\~ \\$x\\$ \\<b\\>"
    assert fenced("text", "a\n````\nb").startswith("`````text\n")


def test_json_on_a_terminal_is_safe_and_loses_nothing():
    text = json_text(LABELS, indent=2)
    assert not unseen(text)
    assert json.loads(text) == LABELS
    assert json.loads(json_text("\ud800\U000e0041\u2028")) == "\ud800\U000e0041\u2028"
