"""Everything that can go wrong, drawn as a tree, and how errors spell the options they advise.

    InteragreeError
    ├── DataError (ValueError)              the data cannot be used as they are
    │   ├── ColumnNotFound (KeyError)       a column that was asked for is not there
    │   ├── DoubtfulReading                 a table can be read in several ways, and nothing tells which is meant
    │   ├── DuplicateAnnotation             one annotator, one item, two values
    │   └── FormatError                     a file is not what its name says
    ├── KindError (TypeError)               the values are of a kind that was not expected
    │   └── OptionError (ValueError)        an option was given what it does not take
    │       └── UnknownWord (UnknownName)   … a word that is not among those it takes
    ├── OutputError (OSError)               a file cannot be written, or would take the place of one that is read
    ├── UnknownName (KeyError)              no measure, distance, reader or scale has this name
    ├── TooLarge (MemoryError)              what was asked for would need more memory than there is
    └── MissingExtra (ImportError)          an optional library is needed and not installed

Every message says what was found, what was wanted, and what to do.  What to do is an option, and an option is written
one way in Python (``item='ID'``) and another way on the command line (``--item ID``).  A message is written in Python,
with a `Hint` wherever it names an option; the command line has each hint spelled anew.
"""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, pairwise
from typing import NamedTuple, Self

# Keywords of Python whose option on the command line is called differently …
FLAGS = {
    "attributes": "--attribute",
    "humans": "--human",
    "measures": "--measure",
    "models": "--model",
    "questions": "--question",
    "scales": "--scale",
    "table": "--from-table",
    "tiers": "--tier",
}
# … and those that take a list as one word, with commas.
WITH_COMMAS = ("looked", "magnitudes", "noise", "per_item", "shares", "values")
QUESTIONS = "questions"  # not a keyword of `read`: a study has them by name
LONGEST = 40  # letters of a cell that are shown
LONGEST_NAME, MOST_NAMES = 200, 1_000  # letters of a name, and names, among which a likely one is looked for
SHORT = {"--measure": "-m", "--option": "-O", "--question": "-q"}
# Letters without a shape: they move the cursor, ring, colour, turn the direction, join or hide others, or end a line.
CONTROLS = "\x00-\x1f\x7f-\x9f\ud800-\udfff"
HIDDEN = "\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
UNSEEN = re.compile(f"[{CONTROLS}{HIDDEN}\U000e0000-\U000e007f]")
JOINERS = "\u200c\u200d"  # part of the spelling of many words and of pictures of people
IN_ORDER, AS_BEFORE = "\u202d", "\u202c"  # left to right whatever follows, and no longer
# In an address: user:password@, and password=… behind the question mark.
PASSWORD = re.compile(r"(?<=://)([^:/@\s?]*):[^\s]*(?=@)|([?&]password=)[^&\s]*")
SPELLED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


class OneOf(tuple[object, ...]):
    """Several values of which one is to be given."""

    __slots__ = ()


class Hint(NamedTuple):
    """An option to give, and what to give it; ``...`` stands for what only the reader can know."""

    option: str
    value: object = ...

    def __str__(self) -> str:
        if isinstance(self.value, OneOf):
            first, last = ", ".join(map(repr, self.value[:-1])), repr(self.value[-1])
            return f"{self.option}={first} or {last}" if first else f"{self.option}={last}"
        return f"{self.option}={_in_python(self.value)}"

    def words(self) -> list[str]:
        """The same as words of a command, before a shell sees them."""
        name, value = self
        flag = FLAGS.get(name, f"--{name.replace('_', '-')}")
        if isinstance(value, bool):
            return [flag if value else f"--no-{flag[2:]}" if name == "trim" else f"--not-{flag[2:]}"]
        if isinstance(value, OneOf):
            return [flag, "|".join(map(_plain, value))]
        if name in WITH_COMMAS and isinstance(value, list | tuple):
            return _given(flag, ",".join(_between_commas(_plain(entry)) for entry in value))
        several = value if isinstance(value, list | tuple) else [value]
        return [word for entry in several for word in _given(flag, _plain(entry))]

    def for_command_line(self) -> str:
        """The same as it is typed into a shell."""
        return shell(self.words())


class ReaderHint(Hint):
    """An option that single readers take, which is given as -O name=value."""

    __slots__ = ()

    def words(self) -> list[str]:
        """The same as words of a command, before a shell sees them."""
        name, value = self
        given = ",".join(map(_plain, value)) if isinstance(value, list | tuple) else _plain(value)
        return ["-O", f"{name}={given}"]


class Wording(NamedTuple):
    """What Python and the command line say differently without it being an option, such as .table() and --csv."""

    python: str
    command: str

    def __str__(self) -> str:
        return self.python

    def for_command_line(self) -> str:
        """The words of the command line."""
        return self.command


def asked_again(files: Sequence[str], options: Mapping[str, object], question: str | None) -> str:
    """Files and the options that they were read with, as a further command takes them; of one question where named."""
    words = [*files, *(["--together"] if len(files) > 1 else [])]
    for name, value in ({**options, "questions": (question,)} if question is not None else options).items():
        if name == "reader_options" and isinstance(value, tuple):
            words += [word for option in value for word in ("-O", str(option))]
        elif value is not None and value != ():
            words += Hint("format" if name == "reader" else name, value).words()
    return shell(words)


def only(*annotators: object) -> Wording:
    """The study of some annotators alone, as advice; ``...`` stands for those that the reader chooses."""
    named = [*annotators]
    return Wording(f"study.only(annotators={_in_python(named)})", Hint("only", named).for_command_line())


class Advice(str):
    """A sentence, in the words of Python, that names options; the command line spells its hints anew.

    An f-string around it is a plain string again: `around` keeps the hints.
    """

    __slots__ = ("hints",)

    hints: tuple[Hint | Wording, ...]

    def __new__(cls, sentence: str = "", hints: Iterable[Hint | Wording] = ()) -> Self:
        advice = super().__new__(cls, sentence)
        advice.hints = tuple(hints)
        return advice

    @classmethod
    def of(cls, *parts: str | Hint | Wording) -> Self:
        """A sentence out of parts, some of which are hints."""
        hints = [part for part in parts if isinstance(part, Hint | Wording)]
        return cls("".join(map(str, parts)), [*hints, *hints_of(*(part for part in parts if isinstance(part, str)))])

    @classmethod
    def around(cls, sentence: str, *parts: str) -> Self:
        """A sentence made from others, with their hints."""
        return cls(sentence, hints_of(*parts))


def hints_of(*sentences: str) -> tuple[Hint | Wording, ...]:
    """The hints that some sentences carry."""
    return tuple(hint for sentence in sentences if isinstance(sentence, Advice) for hint in sentence.hints)


def for_command_line(sentence: str, hints: Iterable[Hint | Wording]) -> str:
    """A sentence with each of its hints in the words of the command line."""
    spelled = {str(hint): hint.for_command_line() for hint in hints}
    if not spelled:
        return sentence
    longest_first = sorted(spelled, key=len, reverse=True)
    made = re.sub("|".join(map(re.escape, longest_first)), lambda found: spelled[found[0]], sentence)
    return Advice(made, [Wording(words, words) for words in spelled.values() if words in made])


def _in_python(value: object) -> str:
    if value is ...:
        return "…"
    if isinstance(value, list):
        return "[" + ", ".join(map(_in_python, value)) + "]"
    return repr(value)


def _plain(value: object) -> str:
    """A value as the command line takes it."""
    if value is ...:
        return "…"
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return "tab" if value == "\t" else str(value)


def _between_commas(word: str) -> str:
    """A value of an option that takes several with commas; in double quotes where it holds one, as in a CSV file."""
    return '"' + word.replace('"', '""') + '"' if "," in word or word.startswith('"') else word


def _given(flag: str, word: str) -> list[str]:
    """An option and its value; one that begins with a dash would be taken for another option."""
    return [f"{flag}={word}"] if word.startswith("-") else [flag, word]


def visible(text: str, *, keep: str = "") -> str:
    r"""Text with every letter that has no shape spelled out, such as ``\x1b``, so that it is shown and not obeyed.

    A terminal would follow it, and two labels that differ in it look the same.  Joiners stay between letters of scripts
    that are written with them.

    Args:
        text: Names, labels or sentences of whatever origin.
        keep: Letters to leave alone, such as line ends.
    """
    return UNSEEN.sub(lambda sign: sign[0] if sign[0] in keep or _joins(sign) else spelled(sign[0]), text)


def drawn(text: str) -> str:
    """A line of a drawing, such as a text with marks below it; joiners and the signs that keep it in order stay."""
    return visible(text, keep=IN_ORDER + AS_BEFORE + JOINERS)


def spelled(sign: str) -> str:
    """A letter as Python spells it in a string."""
    code = ord(sign)
    if code < 0x100:
        return SPELLED.get(sign, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _joins(sign: re.Match[str]) -> bool:
    """Whether a letter joins two others of scripts that need it: Persian, Hindi, emoji, …, and no Latin ones."""
    text, place = sign.string, sign.start()
    beside = text[max(place - 1, 0) : place], text[place + 1 : place + 2]
    return sign[0] in JOINERS and all(letter >= "\u0300" and not UNSEEN.match(letter) for letter in beside)


def without_password(text: str) -> str:
    """A text in which addresses of databases show no password."""
    return PASSWORD.sub(lambda found: found[1] or found[2] or "", text)


def shell(words: Iterable[str]) -> str:
    """Words of a command as they are typed into a shell, without passwords."""
    words = map(without_password, words)
    # An ellipsis stands for what the reader puts there, and bars for a choice; neither is meant to be typed.
    return " ".join(visible(word) if set(word) & {"…"} or _choice(word) else _quoted(word) for word in words)


def _quoted(word: str) -> str:
    """A word in quotes where it needs them; letters without a shape are spelled, as bash, zsh and ksh read them."""
    if not UNSEEN.search(word):
        return shlex.quote(word)
    plain = word.replace("\\", "\\\\").replace("'", "\\'")
    return "$'" + UNSEEN.sub(lambda sign: SPELLED.get(sign[0]) or f"\\U{ord(sign[0]):08x}", plain) + "'"


def _choice(word: str) -> bool:
    return "|" in word and all(part.isidentifier() for part in word.split("|"))


class InteragreeError(Exception):
    """The root of all errors raised on purpose by interagree.

    Args:
        message: What was found, what was wanted and what to do, in the words of Python.
        hints: The options that the message names, each written into it as ``str(hint)``.
    """

    hints: Sequence[Hint | Wording] = ()

    def __init__(self, message: str = "", *, hints: Iterable[Hint | Wording] = ()) -> None:
        super().__init__(message)
        self.hints = (*hints, *hints_of(message))

    def __str__(self) -> str:
        # KeyError prints the repr of its argument; a sentence should be printed as a sentence.
        return str(self.args[0]) if self.args else ""

    def reworded(self, message: str) -> Self:
        """The same error with another message, which names the same options."""
        made = type(self)(message)
        made.__dict__.update(self.__dict__)
        return made

    def at(self, where: str) -> Self:
        """The same error with the file, or the place in it, where it was met."""
        return self.reworded(f"{where}: {self.args[0] if self.args else ''}")

    def for_command_line(self, argv: Sequence[str] = ()) -> str:  # noqa: ARG002 -- errors that give whole commands use it
        """The message with each hint as an option of a command; ``argv`` is the command that was given."""
        return for_command_line(str(self), self.hints)


class DataError(InteragreeError, ValueError):
    """The data cannot be used as they are.

    Attributes:
        heads: The columns of the table that it is about, each with its first cells; none where it is not about one.
    """

    heads: Sequence[tuple[str, Sequence[str]]] = ()


class ColumnNotFound(DataError, KeyError):
    """A column that was asked for is not in the table."""


class ReadingAdvice(NamedTuple):
    """One way to read a table, and the options that choose it."""

    sentence: str
    rows: Sequence[Sequence[str]] = ()  # the first annotations as they would be taken
    header: Sequence[str] = ()
    options: Mapping[str, object] = {}
    of_reader: Sequence[str] = ()  # the options that only the reader takes

    def hints(self) -> list[Hint]:
        """The options one by one."""
        return [(ReaderHint if name in self.of_reader else Hint)(name, value) for name, value in self.options.items()]

    def call(self, source: str | Sequence[str] | None = None) -> str:
        """The call that reads the table this way; a question is picked out of the study that was read."""
        start = "interagree.Annotations.of(data" if source is None else f"interagree.read({source!r}"
        keywords = [str(hint) for hint in self.hints() if hint.option != QUESTIONS]
        asked = [hint.value for hint in self.hints() if hint.option == QUESTIONS]
        names = asked[0] if asked and isinstance(asked[0], list | tuple) else asked
        return f"{', '.join([start, *keywords])})" + (f"[{names[0]!r}]" if len(names) == 1 else "")

    def command(self, argv: Sequence[str]) -> str:
        """The command that was given, with the options that read the table this way."""
        added = [word for hint in self.hints() for word in hint.words()]
        return shell([*_without(argv, added), *added])

    def lines(self) -> list[str]:
        """The first annotations as a small table, long cells cut."""
        table = [[_cut(cell) for cell in row] for row in (self.header, *self.rows) if row]
        widths = [max(map(len, column)) for column in zip(*table, strict=False)]
        return [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in table
        ]


def _cut(cell: str) -> str:
    words = " ".join(str(cell).split())
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"


class DoubtfulReading(DataError):
    """A table can be read in several ways, and nothing tells which is meant.

    Args:
        message: What is in doubt.
        readings: The likely ways to read the table.
        source: The file that was read, where there is one.
        closing: What to do where it is none of them.
    """

    def __init__(
        self,
        message: str = "",
        readings: Sequence[ReadingAdvice] = (),
        *,
        source: str | Sequence[str] | None = None,
        closing: Advice | None = None,
    ) -> None:
        super().__init__(message)
        self.readings = tuple(readings)
        self.closing = closing
        self.source = source

    def __str__(self) -> str:
        return self._told(lambda reading: reading.call(self.source), self.closing)

    def for_command_line(self, argv: Sequence[str] = ()) -> str:
        """The readings with the command that chooses each; ``argv`` is the command that was given."""
        files = [self.source or "FILE"] if isinstance(self.source, str | None) else [*self.source, "--together"]
        given = argv or ("interagree", "measure", *files)
        closing = None if self.closing is None else for_command_line(self.closing, self.closing.hints)
        return self._told(lambda reading: reading.command(given), closing)

    def at(self, where: str) -> Self:
        """The same error with the file it was met in, which the calls then name."""
        made = super().at(where)
        made.source = self.source or where
        return made

    def _told(self, chosen: Callable[[ReadingAdvice], str], closing: str | None) -> str:
        parts = [super().__str__()]
        for number, reading in enumerate(self.readings, start=1):
            rows = "".join(f"       {line}\n" for line in reading.lines())
            parts.append(f"  {number}. {reading.sentence}\n{rows}     {chosen(reading)}")
        return "\n".join([*parts, *([closing] if closing else [])])


def _without(argv: Sequence[str], added: Sequence[str]) -> list[str]:
    """A command without the options that are now given anew; all of these take a value, or are flags as now given."""
    flags = {word.partition("=")[0]: place for place, word in enumerate(added) if word.startswith("-")}
    flags |= {SHORT[flag]: place for flag, place in flags.items() if flag in SHORT}
    kept: list[str] = []
    words = iter(argv)
    options = {word.partition("=")[0] for before, word in pairwise(added) if before == "-O"}
    for word in words:
        flag, equals, _ = word.partition("=")
        if flag == SHORT["--option"] and not equals:
            given = next(words, "")
            kept += [] if given.partition("=")[0] in options else [word, given]
        elif flag not in flags or flag == SHORT["--option"]:
            kept.append(word)
        elif not equals and _takes_value(added, flags[flag]):
            next(words, None)
    return kept


def _takes_value(added: Sequence[str], place: int) -> bool:
    return "=" in added[place] or (place + 1 < len(added) and not added[place + 1].startswith("-"))


class DuplicateAnnotation(DataError):
    """One annotator gave one item more than one value."""


class FormatError(DataError):
    """A file is not in the format it was read as."""


def expected(where: str, wanted: str, found: object) -> FormatError:
    """The error for an entry of a file that is not what it should be, by its place."""
    return FormatError(f"{where}: expected {wanted}, found {found!r:.60}")


class KindError(InteragreeError, TypeError):
    """The values are of a kind that the measure or the distance cannot take."""


class OutputError(InteragreeError, OSError):
    """A file cannot be written, or would take the place of one that is read."""


class UnknownName(InteragreeError, KeyError):
    """Nothing in the registry has this name."""


class OptionError(KindError, ValueError):
    """An option was given what it does not take: something of another type, or a number out of its range."""


class UnknownWord(OptionError, UnknownName):
    """An option that takes one of several words was given another one."""


class TooLarge(InteragreeError, MemoryError):
    """What was asked for would need more memory than there is."""


class RowsFetched(UserWarning):
    """A call on a table in a database needs the annotations themselves, and fetches them."""


class MissingExtra(InteragreeError, ImportError):
    """An optional library is needed for what was asked."""


def listing(names: Iterable[object], *, most: int = 12, quote: bool = True) -> str:
    """Names as a readable list, cut when there are too many to read."""
    shown = [repr(name) if quote else str(name) for name in names]
    return ", ".join(shown) if len(shown) <= most else ", ".join([*shown[:most], f"… ({len(shown)} in all)"])


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like another, where one is close."""
    close = difflib.get_close_matches(name[:LONGEST_NAME], islice(known, MOST_NAMES), n=1, cutoff=0.6)
    return close[0] if close else None


def suggestion(name: str, known: Iterable[str], *, form: str = "{!r}") -> str:
    """A ' Did you mean …?' when one of the known names is close, else nothing."""
    close = nearest(name, known)
    return "" if close is None else f" Did you mean {form.format(close)}?"


def extra(library: str, name: str, *, purpose: str) -> MissingExtra:
    """The error for an optional library that is not installed."""
    return MissingExtra(
        f"{purpose} needs {library}, which is not installed; install it with: pip install 'interagree[{name}]'"
    )


def no_memory(error: MemoryError, command: Sequence[str]) -> str:
    """What to say where there was not enough memory for a command."""
    why = f" ({error})" if str(error) else ""
    return (
        f"there is not enough memory for: {shell(command)}{why}. Read fewer rows, questions or columns, close other "
        "programs, or take a larger machine."
    )


def unforeseen(error: Exception, again: Sequence[str] | None) -> str:
    """What to say of an error in interagree itself; with where it happened, or the command that shows it."""
    import traceback

    name = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    met = f"interagree met an error that it did not foresee, {name}. Please report it."
    if again is None:
        return f"{met}\n{''.join(traceback.format_exception(error))}"
    return f"{met} To see where it happened: {shell(again)}"
