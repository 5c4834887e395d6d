"""CoNLL: a token and its tag on each line, an empty line after each item.

Tags are those of IOB2: B- on the first token of a span, I- on its others, O elsewhere.  Tokens are those of the study,
or the words of the text.  Spans that overlap, or begin or end inside a token, cannot be written and are refused; white
space at their ends is not written.
"""

from __future__ import annotations

from interagree.declare.writers import writer
from interagree.errors import DataError
from interagree.people.decisions import Decision, Decisions


@writer("CoNLL", suffix=".conll", kinds=("spans",))
def conll(decisions: Decisions) -> str:
    """A token on each line.

    Args:
        decisions: The items.
    """
    decisions.texts("CoNLL")
    return "".join(f"# item = {row.item}\n{_lines(decisions, row)}\n" for row in decisions.rows)


def _lines(decisions: Decisions, row: Decision) -> str:
    tokens, text = decisions.tokens(row), row.text or ""
    tags = ["O"] * len(tokens)
    for span in decisions.spans(row, "CoNLL"):
        label = span.label or decisions.question
        inside = decisions.tokens_of(row, span, tokens)
        covered = text[span.start : span.end]
        if any(tags[at] != "O" for at in inside) or len(span.fragments) > 1:
            raise DataError(
                f"{row.item!r:.60}: the span {covered!r:.60} overlaps another or is in pieces, which tags cannot say; "
                "export to brat"
            )
        for at in inside:
            tags[at] = f"{'B' if at == inside[0] else 'I'}-{label}"
    return "".join(f"{text[start:end]}\t{tag}\n" for (start, end), tag in zip(tokens, tags, strict=True))
