"""Formulas as MathML: an extension of Python-Markdown.

Browsers draw MathML themselves, so that no page loads a script or a font from elsewhere.  A formula that cannot be
converted stops the build and is named.
"""

from __future__ import annotations

import html
import re
from typing import Any

from latex2mathml.converter import convert
from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor

FORMULA = re.compile(r'<(div|span) class="arithmatex">\\[\[(](.*?)\\[\])]</\1>', re.DOTALL)


class Formulas(Postprocessor):
    """Replaces what pymdownx.arithmatex marks as a formula."""

    def run(self, text: str) -> str:
        """A page with its formulas as MathML."""
        return FORMULA.sub(lambda match: formula(match[2], display="block" if match[1] == "div" else "inline"), text)


def formula(escaped: str, *, display: str) -> str:
    """A formula as MathML."""
    latex = html.unescape(escaped).strip()
    try:
        result: str = convert(latex, display=display)
    except Exception as error:  # whatever the converter meets, the author must see the formula
        raise ValueError(f"the formula {latex!r} cannot be converted: {error!r}") from error
    # A command that the converter does not know comes out as its own name, a column of an unknown table as "&".
    unknown = re.search(r">(\\[A-Za-z]+|&)<", result)
    if unknown:
        raise ValueError(f"the formula {latex!r} uses {unknown[1]}, which the converter does not know")
    return result


class MathML(Extension):
    """The extension itself."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 -- what Python-Markdown calls
        """Add the replacement after all others."""
        md.postprocessors.register(Formulas(md), "mathml", 0)


def makeExtension(**settings: Any) -> MathML:  # noqa: N802 -- what Python-Markdown calls
    """What Python-Markdown asks a module for."""
    return MathML(**settings)
