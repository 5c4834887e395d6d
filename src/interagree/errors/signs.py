"""Signs that standard output cannot write, spelled with others: α as alpha where a redirected Windows writes cp1252."""

from __future__ import annotations

import codecs
import sys
import unicodedata
from collections.abc import Callable
from functools import wraps

SPELLED_OUT = "interagree.spelled_out"  # the name of the handler, for `codecs` and for streams
TABLE = """
α alpha β beta γ gamma δ delta ζ zeta κ kappa π pi ρ rho σ sigma χ chi Σ sum ∞ infinity √ sqrt ≥ >= ≤ <= ≠ != ≈ ~ ± +-
→ -> ← <- − - – - — - … ... × x · . ● o “ " ” " ‘ ' ’ ' ↵ / █ # ━ = ─ - ┆ : ┇ : │ | ┃ | ┊ : ├ + └ + ┼ + ┿ = ╂ | ╋ +
"""
SIGNS = dict(zip(TABLE.split()[::2], TABLE.split()[1::2], strict=True))


def _spelled_out(error: UnicodeError) -> tuple[str, int]:
    """What stands for signs that an encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_spelled, error.object[error.start : error.end])), error.end


def _spelled(sign: str) -> str:
    simple = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return SIGNS.get(sign) or simple or "?"


codecs.register_error(SPELLED_OUT, _spelled_out)


def writable(text: str) -> str:
    """Text as standard output can write it: as it is wherever that writes Unicode."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if encoding.lower().startswith("utf"):
        return text
    return text.encode(encoding, SPELLED_OUT).decode(encoding)


def printable(function: Callable[..., str]) -> Callable[..., str]:
    """A ``__str__`` whose text standard output can write."""

    @wraps(function)
    def as_written(shown: object) -> str:
        return writable(function(shown))

    return as_written
