r"""WebAnno TSV 3.3, which INCEpTION imports: a file for each item, a sentence for each line of its text.

Spans are of the layer of named entities, which every project has; ``layer`` and ``feature`` name another one.  Offsets
are UTF-16 units, as WebAnno counts.  Spans that begin or end inside a token are refused; white space at their ends is
not written.
"""

from __future__ import annotations

import re
from itertools import groupby

from interagree.declare.writers import writer
from interagree.people.decisions import Decision, Decisions, PlacedSpan

LAYER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
ESCAPED = re.compile(r"([\\\[\]|_>*;-])")
TEXT = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


@writer("WebAnno TSV", suffix="/", kinds=("spans",))
def webanno(decisions: Decisions, *, layer: str = LAYER, feature: str = "value") -> dict[str, str]:
    """A ``.tsv`` for each item, by file name.

    Args:
        decisions: The items.
        layer: The layer of the spans, with its package.
        feature: The feature that holds the label.
    """
    decisions.texts("WebAnno")
    head = f"#FORMAT=WebAnno TSV 3.3\n#T_SP={layer}|{feature}\n\n\n"
    names = decisions.names(".tsv")
    return {names[row.item]: head + _sentences(decisions, row) for row in decisions.rows}


def _sentences(decisions: Decisions, row: Decision) -> str:
    text, tokens = row.text or "", decisions.tokens(row)
    spans = decisions.spans(row, "WebAnno")
    inside = [decisions.tokens_of(row, span, tokens) for span in spans]
    units = [0]
    for sign in text:
        units.append(units[-1] + 1 + (ord(sign) > 0xFFFF))
    blocks = []
    places = enumerate(tokens)
    for number, (_, line) in enumerate(groupby(places, key=lambda one: text.count("\n", 0, one[1][0])), start=1):
        words = list(line)
        shown = text[words[0][1][0] : words[-1][1][1]]  # a sentence begins with its first token
        rows = [f"#Text={''.join(TEXT.get(sign, sign) for sign in shown)}\n"]
        for n, (at, (start, end)) in enumerate(words, start=1):
            labels = [_label(decisions, spans, k, inside) for k, places_ in enumerate(inside) if at in places_]
            rows.append(f"{number}-{n}\t{units[start]}-{units[end]}\t{text[start:end]}\t{'|'.join(labels) or '_'}\t\n")
        blocks.append("".join(rows))
    return "\n".join(blocks)


def _label(decisions: Decisions, spans: list[PlacedSpan], number: int, inside: list[list[int]]) -> str:
    """The label of a span on one of its tokens; a number tells it from others where that is not plain."""
    label = ESCAPED.sub(r"\\\1", spans[number].label or decisions.question)
    stacked = any(set(inside[number]) & set(places) for n, places in enumerate(inside) if n != number)
    return f"{label}[{number + 1}]" if stacked or len(inside[number]) > 1 else label
