r"""Formulas for the terminal: LaTeX such as $\frac{P_o - P_e}{1 - P_e}$ as Unicode, (Pₒ - Pₑ) / (1 - Pₑ)."""

from __future__ import annotations

import re

SYMBOLS = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "kappa": "κ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "chi": "χ",
    "sum": "Σ",
    "prod": "Π",
    "cdot": "·",
    "times": "×",
    "ne": "≠",
    "neq": "≠",
    "le": "≤",
    "leq": "≤",
    "ge": "≥",
    "geq": "≥",
    "pm": "±",
    "to": "→",
    "infty": "∞",
    "cap": "∩",
    "cup": "∪",
    "in": "∈",
    "ldots": "…",
    "dots": "…",
    "min": "min",
    "max": "max",
    "sin": "sin",
    "log": "log",
    "ln": "ln",
    "quad": "  ",
    "qquad": "    ",
    "approx": "≈",
}
NOTHING = {
    "left",
    "right",
    "big",
    "Big",
    "bigg",
    "Bigg",
    "displaystyle",
    "limits",
    "mathrm",
    "text",
    "mathit",
    "operatorname",
}
ACCENTS = {"bar": "\u0304", "hat": "\u0302", "tilde": "\u0303", "overline": "\u0304"}
BELOW = dict(zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
ABOVE = dict(zip("0123456789+-=()niN", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᴺ", strict=True))

REFERENCE = re.compile(
    r"\n(?=(?:[A-Z][a-z ]+: )?[A-Za-z' -]+, [A-Z]\. [^\n]*\(\d{4}\))"
)  # a line that begins a reference
TOKEN = re.compile(
    r"\\begin\{cases\}(?P<cases>.*?)\\end\{cases\}|\\(?P<command>[A-Za-z]+)\s*|\\(?P<sign>.)|(?P<other>.)", re.DOTALL
)


def readable(formula: str) -> str:
    """A formula as Unicode."""
    words, _ = _read(formula.replace("\n", " "), 0, "")
    words = re.sub(r"(?<=[^\s=<>≤≥≠])=(?= )", " =", words)
    return re.sub(r"(?<=\S) (?=[,)\]])", "", re.sub(r"(?<=\S) {5,}", "    ", words)).strip()


def _read(source: str, at: int, until: str) -> tuple[str, int]:
    made: list[str] = []
    while at < len(source):
        if until and source[at] == until:
            return "".join(made), at + 1
        piece, at = _piece(source, at)
        made.append(piece)
    return "".join(made), at


def _piece(source: str, at: int) -> tuple[str, int]:
    letter = source[at]
    if letter == "{":
        return _read(source, at + 1, "}")
    if letter in "_^":
        inner, end = _group(source, at + 1)
        return _script(inner, below=letter == "_"), end
    if letter in "~&":
        return " ", at + 1
    token = TOKEN.match(source, at) if letter == "\\" else None
    if token is None:
        return letter, at + 1
    if token["cases"] is not None:
        return _cases(token["cases"]), token.end()
    if token["command"] is None:
        sign = token["sign"]
        return {",": "", ";": " ", "\\": "; ", "!": ""}.get(sign, sign), token.end()
    return _command(token["command"], source, token.end())


def _command(command: str, source: str, end: int) -> tuple[str, int]:
    spaced = source[end - 1 : end] == " "
    if command in {"frac", "tfrac", "dfrac"}:
        above, end = _group(source, end)
        below, end = _group(source, end)
        return _fraction(above, below), end
    if command == "sqrt":
        inner, end = _group(source, end)
        return f"√({inner})", end
    if command in ACCENTS:
        inner, end = _group(source, end)
        return inner[:1] + ACCENTS[command] + inner[1:], end
    if command in NOTHING:
        return "", end
    # The space after a command only ends its name, but beside a word it reads better with one.
    return SYMBOLS.get(command, command) + (" " if spaced else ""), end


def _group(source: str, at: int) -> tuple[str, int]:
    """What a command applies to: a group in braces, a command, or one letter."""
    while at < len(source) and source[at] == " ":
        at += 1
    if at >= len(source):
        return "", at
    piece, at = _piece(source, at)
    return piece.strip(), at


def _fraction(above: str, below: str) -> str:
    def enclosed(part: str) -> str:
        return f"({part})" if re.search(r"[ +\-/·×]", part.strip()) else part

    return f"{enclosed(above)} / {enclosed(below)}" if len(above + below) > 2 else f"{above}/{below}"


def _script(inner: str, *, below: bool) -> str:
    letters = BELOW if below else ABOVE
    if inner and all(letter in letters for letter in inner):
        return "".join(letters[letter] for letter in inner)
    mark = "_" if below else "^"
    return f"{mark}{inner}" if re.fullmatch(r"\w+", inner) else f"{mark}({inner})"


def _cases(inside: str) -> str:
    rows = [row.partition("&") for row in re.split(r"\\\\", inside)]
    return "; ".join(f"{readable(value)} if {readable(when)}" for value, _, when in rows if value.strip())


def paragraphs(text: str) -> list[tuple[list[str], bool]]:
    """A docstring as paragraphs: their lines, and whether these stand as they are, as formulas and tables do."""
    blocks: list[tuple[list[str], bool]] = []
    for block in re.split(r"\n\s*\n", text.strip()):
        formula = re.fullmatch(r"\s*\$\$(.*)\$\$\s*", block, re.DOTALL)
        if formula is not None:
            blocks.append(([f"    {readable(formula[1])}"], True))
        elif block.lstrip().startswith("|"):
            rows = [
                [inline(cell.strip()) for cell in line.strip().strip("|").split("|")] for line in block.splitlines()
            ]
            blocks.append((_aligned([row for row in rows if not all(set(cell) <= {"-", ":"} for cell in row)]), True))
        else:
            blocks.append(([inline(" ".join(part.split())) for part in re.split(REFERENCE, block)], False))
    return blocks


def inline(text: str) -> str:
    """A sentence with its formulas readable and its marks of emphasis gone."""
    text = re.sub(r"\$([^$]+)\$", lambda formula: readable(formula[1]), text)
    text = re.sub(r"``(.+?)``", r"\1", text)
    text = re.sub(r"`(.+?)`", r"\1", text)
    return re.sub(r"(?<![\w*])\*([^*]+)\*(?!\w)", r"\1", text)


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[k]) for row in rows if k < len(row)) for k in range(max(map(len, rows)))]
    return [
        "    " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows
    ]
