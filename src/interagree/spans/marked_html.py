"""A text with the spans of all annotators as HTML that needs nothing else: no script, no other file."""

from __future__ import annotations

import html
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING
from zlib import crc32

from interagree.errors import visible as spell_out
from interagree.results.cells import visible, width_of
from interagree.results.charts.colours import COLOURS
from interagree.spans.shown_text import TEN, stacked

if TYPE_CHECKING:
    from interagree.spans.marked_text import MarkedText, ShownLine, ShownSpan

AGREED, DIFFERS = "agreed", "differs"
OF_STATUS = {  # the same on every page; what is alike has one colour, and the word tells it apart
    AGREED: COLOURS[2],
    DIFFERS: COLOURS[1],
    "boundary": COLOURS[1],
    "label": COLOURS[0],
    "both": COLOURS[3],
    **dict.fromkeys(("split", "merge", "nested"), COLOURS[4]),
    **dict.fromkeys(("extra", "missing"), COLOURS[5]),
}
WIDTH, NARROW, WIDE = 80, 40, 240  # cells of a line: usual, least and most
MOST_LINES = 400  # that a page shows
LONGEST_NAME = 16  # letters for the name of an annotator


def to_html(view: MarkedText, width: int) -> str:
    """The text with its marks as a piece of HTML that needs nothing else: no script, no other file."""
    lines = view.marked_lines(max(width, TEN))
    body = "".join(_line(view, line, here) for line, here in lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        left = len(view.shown) - lines[MOST_LINES][0].low
        body += f"<p>… and {left:,} further {'characters' if view.is_text else 'positions'}</p>"
    names = max((width_of(str(name)) for name in view.annotators), default=0)
    head = f"<p><b>{_safe(str(view.name))}</b></p>"
    foot = f"<p>{_safe('; '.join(view.summary()))}</p>"
    style = f'style="--ia-names:{min(names, LONGEST_NAME)}ch"'
    return f'<div class="ia-text" {style}>{_style(view)}{head}{body}{_key(view)}{foot}</div>'


def _style(view: MarkedText) -> str:
    rules = [
        ".ia-text{font-family:monospace;overflow-x:auto}",
        ".ia-text table{border-collapse:collapse;margin:0 0 .6em;border:0}",
        ".ia-text td,.ia-text th{padding:0;border:0;text-align:start;white-space:pre;background:none}",
        ".ia-text th{font-weight:normal;opacity:.7;padding-inline-end:1em;min-width:var(--ia-names)}",
        ".ia-text td.ia-m{max-width:0;overflow:hidden;text-overflow:ellipsis;font-size:75%}",
        ".ia-text td.ia-m{border-width:3px 1px 0;border-style:solid}",
        ".ia-text td.ia-g{border-width:1px 0 0;border-style:dotted}",
        ".ia-text .ia-k{border-width:3px 0 0;border-style:solid;margin-inline-end:1em;font-size:75%}",
    ]
    for word in dict.fromkeys((AGREED, *(span.status for span in view.spans))):
        name, weight = _class(word), "" if word == AGREED else ";font-weight:bold"
        rules.append(f".ia-text td.{name},.ia-text span.{name}{{border-color:{colour_of(word)}{weight}}}")
    return f"<style>{''.join(rules)}</style>"


def _key(view: MarkedText) -> str:
    used = dict.fromkeys(span.status for span in view.spans)
    keys = (f'<span class="ia-k {_class(word)}">{_safe(word)}</span>' for word in used)
    return f"<p>{''.join(keys)}</p>" if used else ""


def _line(view: MarkedText, line: ShownLine, here: Sequence[ShownSpan]) -> str:
    gap = "<p>…</p>" if line.gap else ""
    if line.low == line.high:
        return gap
    edges = {line.low, line.high}
    for span in here:
        for piece in span.pieces:
            edges |= {edge for edge in piece if line.low < edge < line.high}
    cuts = sorted(edges)
    text = "".join(f"<td>{html.escape(''.join(map(visible, view.shown[a:b])))}</td>" for a, b in pairwise(cuts))
    rows = [f"<tr><th></th>{text}</tr>"]
    for place, name in enumerate(view.annotators) if here else ():
        own = [span for span in here if span.annotator == place]
        rows_of_spans = stacked(own, lambda span: (span.pieces[0][0], span.pieces[-1][1]))
        for number, row in enumerate(rows_of_spans or [[]]):
            head = _safe(str(name)) if not number else ""
            rows.append(f"<tr><th>{head}</th>{_spans(row, line, cuts)}</tr>")
    way = ' dir="rtl"' if view.is_text and _from_right(view) else ""
    return f"{gap}<table{way}>{''.join(rows)}</table>"


def _from_right(view: MarkedText) -> bool:
    """Whether the first letter of the text is of a script that runs from right to left."""
    ways = (unicodedata.bidirectional(sign) for sign in view.shown)
    return next((way for way in ways if way in {"L", "R", "AL"}), "L") != "L"


def _spans(row: Sequence[ShownSpan], line: ShownLine, cuts: Sequence[int]) -> str:
    """The cells of one row: marks over as many parts of the line as they cover."""
    made, at = [], line.low

    def cell(to: int, inside: str = "", attributes: str = "") -> None:
        nonlocal at
        over = bisect_left(cuts, to) - bisect_left(cuts, at)
        if over:
            made.append(f"<td{f' colspan={over}' if over > 1 else ''}{attributes}>{inside}</td>")
        at = max(at, to)

    for span in row:
        name = _class(span.status)
        words = f"{span.begin}–{span.end} {span.name} ({span.status})"
        first = True
        for low, high in span.pieces:
            if high <= line.low or low >= line.high:
                continue
            cell(max(low, line.low), "", "" if first else f' class="ia-g {name}"')
            attributes_of_span = f' class="ia-m {name}" title="{_safe(words)}"'
            cell(min(high, line.high), _safe(span.name) if first else "", attributes_of_span)
            first = False
    return "".join(made)


def _safe(words: str) -> str:
    """Words that are neither markup nor hidden, in an element or in quotes."""
    return html.escape(spell_out(words), quote=True)


def colour_of(status: str) -> str:
    """The colour of a word for how annotators differ; green where they do not."""
    others = [colour for colour in COLOURS if colour != OF_STATUS[AGREED]]
    return OF_STATUS.get(status) or others[crc32(_class(status).encode()) % len(others)]


def _class(status: str) -> str:
    return "ia-" + "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in status.lower())
