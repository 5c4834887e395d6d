r"""Text: strings that are read as sentences and not as labels.

A text is cut into tokens in one of three ways.  ``tokens="spaces"``, the usual one, cuts at any stretch of white space,
so that *end.* is one token.  ``"words"`` also cuts off marks of punctuation, each a token (``\w+|[^\w\s]``).
``"blanks"`` cuts at every single blank, so that two blanks in a row, or one at the end, leave a token of no characters;
that is what the published figures of Braylan, Alonso and Lease (2022) rest on.  Upper and lower case stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from interagree.errors import KindError, listing
from interagree.kernels.edits import Strings
from interagree.kernels.ngrams import Sequences
from interagree.kinds._kind import Kind, stored_noise, told_by, written
from interagree.kinds._parts import numbered, starts
from interagree.kinds._views import without_halves

TOKENS: dict[str, Callable[[str], list[str]]] = {
    "spaces": str.split,
    "words": re.compile(r"\w+|[^\w\s]").findall,
    "blanks": lambda text: text.split(" "),
}


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts, cut into tokens or characters when a distance asks for them."""

    texts: tuple[str, ...]

    def tokens(self, how: str) -> Sequences:
        """The tokens of every text, numbered over all texts."""
        if how not in TOKENS:
            raise KindError(f"texts are cut into tokens by {listing(TOKENS)}, got tokens={how!r}")
        cut = list(map(TOKENS[how], self.texts))
        symbols = numbered([token for tokens in cut for token in tokens])
        return Sequences(starts(list(map(len, cut))), symbols.astype(np.int64))

    def spelled(self, *, tokens: str) -> Strings:
        """The tokens of every text as a string of one character each, for edit distances."""
        return Strings.spelling(self.tokens(tokens))

    def strings(self) -> Strings:
        """The texts as they are, for edit distances of characters."""
        return Strings.of(self.texts)

    def characters(self) -> Sequences:
        """The characters of every text without its white space."""
        bare = ["".join(text.split()) for text in self.texts]
        codes = np.frombuffer("".join(bare).encode("utf-32-le", "surrogatepass"), dtype="<u4")
        return Sequences(starts(list(map(len, bare))), codes.astype(np.int64))


def order_of(given: float, *, who: str) -> int:
    """The longest n-gram that is asked for, which must be a whole number."""
    if given < 1 or given != int(given):
        raise KindError(f"{who} counts n-grams up to a whole number of 1 or more, got order={given:g}")
    return int(given)


NAMES = {tuple: "a list", bool: "true or false", int: "a number", float: "a number"}


def _why_not(value: object) -> str | None:
    if isinstance(value, str):
        return None
    return f"it is {NAMES.get(type(value), 'a ' + type(value).__name__)}, not a string"


def _likely(values: Sequence[str]) -> bool:
    words = np.array([len(value.split()) for value in values])
    return len(set(values)) >= 10 and float(np.median(words)) >= 4 and float(np.mean(words >= 3)) > 0.5


text = Kind(
    **written("text", "a string", title="texts"),
    **told_by(_why_not, _likely, lambda values: Texts(tuple(values)), rank=330, certainty="fallback"),
    ambiguous=True,
    distance="gleu",
    distances=("text_dice", "levenshtein", "rouge_l", "bleu", "chrf", "gleu"),
    noise=stored_noise("text"),
    view="text",
    drawn=lambda value, _: without_halves(value),
    group="Text",
    examples=("the cat sees the dog", "the dog sees a cat", "a cat", "nobody is there at all"),
)
