r"""Text for TeX: every character means itself, whatever engine compiles it.

pdfLaTeX stops at characters that it was not told of, and XeLaTeX and LuaLaTeX leave out in silence those that the font
does not have.  So the letters that every LaTeX has are written as they are, common symbols as commands, and every other
one within ``\ialetter``, or ``\iawide`` where a line may end after it, as in Japanese.  `LETTER` defines them: the
character itself where the engine and the font have it, and an empty box where they do not.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from interagree.results.cells import cells

GREEK = "αβγδεζηθικλμνξπρςστυφχψω"
NAMES = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "varsigma", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
)  # fmt: skip
COMMANDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",  # a German text takes the sign itself for the beginning of an umlaut
    "\n": " ",
    "\0": r"\allowbreak{}",
    "\u00a0": "~",
    **dict.fromkeys("\ufffd\ufffe\uffff", r"\iabox{}"),  # LuaLaTeX takes the first for a mistake in the file
    "–": "--",
    "—": "---",
    "−": "$-$",
    "…": r"\dots{}",
    "·": r"$\cdot$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "≠": r"$\neq$",
    "≈": r"$\approx$",
    "∞": r"$\infty$",
    "→": r"$\rightarrow$",
    "↵": r"$\hookleftarrow$",
    "¹": "$^1$",
    "²": "$^2$",
    "³": "$^3$",
    "°": r"$^\circ$",
    "Δ": r"$\Delta$",
    "Σ": r"$\Sigma$",
    **{letter: f"$\\{name}$" for letter, name in zip(GREEK, NAMES, strict=True)},
}
# What fonts would set as one sign: two hyphens, as before an option of a command, as a dash.
LIGATURES = frozenset(("--", "``", "''", "?`", "!`", ",,", "<<", ">>"))
APART = r"{\kern0pt}"
# Letters that pdfLaTeX has in all its font encodings: those without an accent, and accents on a letter of ASCII.
WHOLE = frozenset("ßæœøåÆŒØÅłŁ¡¿‘’“”")
ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327")
LAST = "\u017f"  # of the Latin letters that LaTeX knows from the start
LETTER = r"""\ifdefined\ialetter\else\protected\def\ialetter#1{\ifdefined\Umathchar
  \iffontchar\font`#1 #1\else\iabox\fi\else\ifcsname u8:\detokenize{#1}\endcsname
  \ifnum\pdfstrcmp{\csname f@encoding\endcsname}{OT1}=0 \iabox\else#1\fi\else\iabox\fi\fi}\fi
\providecommand\iawide[1]{\ialetter{#1}\allowbreak}"""
BOX = r"\providecommand\iabox{{\fboxsep0pt\fbox{\rule{0pt}{1.2ex}\rule{.8ex}{0pt}}}}"
# Where lines may end within paths, addresses and the like.
_LONG_WORD, _BREAK = re.compile(r"\S{20,}"), re.compile(r"([/\\_.:=>)\]](?=\w))")
SHOWN = 20  # characters that a comment names
_LETTERS = re.compile(r"\\ia(?:letter|wide)\{(.)\}")


def escaped(words: str) -> str:
    """Text whose characters mean themselves; long words may be broken after a sign."""
    words = words.replace("\0", "\ufffd")
    plain = _LONG_WORD.sub(lambda word: _BREAK.sub(r"\1\0", word[0]), unicodedata.normalize("NFC", words))
    pairs = pairwise(f" {plain}")
    return "".join(f"{APART * (before + sign in LIGATURES)}{_written(sign)}" for before, sign in pairs)


def _written(sign: str) -> str:
    if sign in COMMANDS:
        return COMMANDS[sign]
    if sign.isascii() or _known(sign):
        return sign
    return f"\\iawide{{{sign}}}" if cells(sign) > 1 else f"\\ialetter{{{sign}}}"


def _known(sign: str) -> bool:
    if sign in WHOLE:
        return True
    parts = unicodedata.normalize("NFD", sign)
    return sign <= LAST and len(parts) == 2 and parts[0].isascii() and parts[0].isalpha() and parts[1] in ACCENTS


def without(words: str) -> str:
    r"""Escaped text for lists of tables and figures, which stand before ``\ialetter`` is defined: ? in its place."""
    return _LETTERS.sub("?", words).replace(r"\iabox{}", "?")


def needed(text: str) -> str:
    r"""The definitions for a text that uses ``\ialetter``, with a comment on what its characters need."""
    signs = list(dict.fromkeys(_LETTERS.findall(text)))
    if not signs:
        return BOX if r"\iabox" in text else ""
    more = " ..." if len(signs) > SHOWN else ""
    return (
        f"% These characters are not in every font: {' '.join(signs[:SHOWN])}{more}\n"
        "% Latin letters need \\usepackage[T1]{fontenc}, others XeLaTeX or LuaLaTeX and a main font that has them.\n"
        "% A character that is missing is printed as an empty box.\n"
        f"{LETTER}\n{BOX}"
    )
