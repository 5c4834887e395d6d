"""The sentences of a file: the words of each, their heads and relations, and what else is said of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from interagree.data.files import Source, lines_of
from interagree.data.provenance import counted
from interagree.errors import FormatError, KindError, ReaderHint, listing
from interagree.gather.whose import OwnedFile
from interagree.readers._sentences import Sentence
from interagree.readers._token_columns import FEWEST, TOKEN, cells_of

STANDARD = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
OTHER_NAMES = {"cpostag": "upos", "cpos": "upos", "postag": "xpos", "pos": "xpos", "xpostag": "xpos", "upostag": "upos"}
NOTHING = "_"
NEEDED = ("id", "form", "head", "deprel")


@dataclass(slots=True)
class ParsedSentence(Sentence):
    """A sentence with the cells and the heads of its words."""

    text: str | None = None  # as the file states it
    words: list[list[str]] = field(default_factory=list)  # their cells, in the order of the columns of CoNLL-U
    heads: list[int | None] = field(default_factory=list)

    def column(self, name: str) -> list[str]:
        """What the words have in a column."""
        at = STANDARD.index(name)
        return [cells[at] if at < len(cells) else NOTHING for cells in self.words]

    def forms(self) -> tuple[str, ...]:
        """The words."""
        return tuple(self.column("form"))

    def shown(self) -> str:
        """The sentence as it is read: as the file states it, else its words."""
        return self.text if self.text is not None else " ".join(self.forms())


class Treebank:
    """All sentences of some files; what was left out on the way is counted."""

    def __init__(self, columns: Sequence[str] | None, encoding: str) -> None:
        self.columns = None if columns is None else _column_names(columns)
        self.encoding = encoding
        self.counts: Counter[str] = Counter()
        self.sentences: list[ParsedSentence] = []

    def read(self, file: OwnedFile) -> None:
        """Add the sentences of a file."""
        lines = lines_of(file.source.text(self.encoding))
        columns = self.columns
        before = len(self.sentences)
        here = ParsedSentence(file, 1)
        for number, line in enumerate([*lines, ""], start=1):
            if not line.strip():
                if here.words:
                    self._end(here, columns or STANDARD)
                    here = ParsedSentence(file, here.number + 1)
                else:  # comments that no sentence follows
                    here = ParsedSentence(file, here.number)
            elif line[0] == "#" and not here.words and not line.startswith("#\t"):
                stated = self._comment(here, line)
                columns = stated if self.columns is None and stated is not None else columns
            else:
                columns = columns or self._standard(file.source, number, line)
                self._word(here, columns, number, line)
        self.counts["empty files"] += len(self.sentences) == before

    def _comment(self, here: ParsedSentence, line: str) -> tuple[str, ...] | None:
        """What a comment says; the columns of the file where it states them."""
        key, _, stated = (part.strip() for part in line[1:].partition("="))
        if key == "global.columns":
            return _column_names(stated.split())
        if key == "sent_id":
            here.sent_id = stated or None
        elif key == "text":
            here.text = stated
        return None

    @staticmethod
    def _standard(source: Source, number: int, line: str) -> tuple[str, ...]:
        width = len(cells_of(line))
        if FEWEST <= width <= len(STANDARD):
            return STANDARD[:width]
        example = ReaderHint("columns", ["ID", "FORM", "LEMMA", "UPOS", "HEAD", "DEPREL"])
        raise FormatError(
            f"{source.name}, line {number}: expected the {FEWEST} to {len(STANDARD)} columns of CoNLL-X or CoNLL-U, "
            f"found {counted(width, 'column')}: {line[:60]!r}; where columns are others, say which, as in {example}",
            hints=[example],
        )

    def _word(self, here: ParsedSentence, columns: tuple[str, ...], number: int, line: str) -> None:
        cells = cells_of(line)
        where = f"{here.file.source.name}, line {number}"
        at = columns.index("id")
        if len(cells) != len(columns):
            raise FormatError(
                f"{where}: expected {counted(len(columns), 'column')}, {listing(columns, quote=False)}, found "
                f"{len(cells)}: {line.rstrip()[:60]!r}"
            )
        number_of = cells[at].strip()
        if not TOKEN.fullmatch(number_of) or not number_of.isascii():
            raise FormatError(f"{where}: expected the number of a token, found {number_of[:60]!r}")
        if "-" in number_of or "." in number_of:
            self.counts["several words" if "-" in number_of else "empty nodes"] += 1
            return
        if number_of != str(len(here.words) + 1):
            missing = "; is a blank line between two sentences missing?" if int(number_of[:9]) == 1 else ""
            raise FormatError(f"{where}: expected token {len(here.words) + 1}, found token {number_of[:20]}{missing}")
        here.words.append(cells)
        here.lines.append(number)

    def _end(self, here: ParsedSentence, columns: tuple[str, ...]) -> None:
        """Check the heads of a sentence, and keep its cells by the names that they have everywhere."""
        place = columns.index("head")
        for cells, line in zip(here.words, here.lines, strict=True):
            head = cells[place].strip()
            where = f"{here.file.source.name}, line {line}"
            if head == NOTHING:
                here.heads.append(None)
                continue
            if not (head.isascii() and head.isdigit()):
                raise FormatError(f"{where}: expected the number of a token as head, or 0, found {head[:60]!r}")
            if len(head) > 9 or int(head) > len(here.words):
                raise FormatError(
                    f"{where}: the head is token {head[:20]}, and the sentence has {counted(len(here.words), 'token')}"
                )
            here.heads.append(int(head))
        if columns[: len(STANDARD)] != STANDARD:
            order = [columns.index(name) if name in columns else None for name in STANDARD]
            here.words = [[NOTHING if at is None else cells[at] for at in order] for cells in here.words]
        self.sentences.append(here)


def _column_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names of columns in one spelling."""
    plain = [name.rpartition(":")[2].lower() if name.lower().startswith("ud:") else name.lower() for name in names]
    columns = tuple(name if name in STANDARD else OTHER_NAMES.get(name, name) for name in plain)
    lacking = [name for name in NEEDED if name not in columns]
    if lacking or len(set(columns)) < len(columns):
        wrong = f"{listing(lacking)} lacking" if lacking else "one of them twice"
        raise KindError(
            f"columns must name each column once, among them {listing(NEEDED)}; got {listing(names)}, {wrong}"
        )
    return columns
