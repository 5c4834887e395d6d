"""Options that several commands share: each field of a group is an option."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias, TypeVar

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from interagree.results.agreement import IntervalOptions

F = TypeVar("F", bound="Callable[..., object] | click.Command")
T = TypeVar("T")


class Decorator(Protocol):
    """Adds an option to a command."""

    def __call__(self, function: F, /) -> F: ...


def once_each(ctx: click.Context, param: click.Parameter, value: tuple[T, ...]) -> tuple[T, ...]:  # noqa: ARG001 -- click's
    """Values of an option that may be repeated, without those that are."""
    return tuple(dict.fromkeys(value))


def listed(ctx: click.Context, param: click.Parameter, value: object) -> list[str | float] | None:  # noqa: ARG001 -- click's
    """Several values in one option, separated by commas; a list in a configuration file is taken as it is.

    A value that holds a comma stands in double quotes, as in a CSV file.
    """
    if value is None or isinstance(value, list | tuple):
        return None if value is None else [*value]
    return [*separated(str(value))]


def separated(text: str) -> list[str]:
    """The words of a list with commas."""
    words = next(csv.reader([re.sub(r"\s*\n\s*", " ", text)], skipinitialspace=True), [])
    return [word.strip() for word in words if word.strip()]


def listed_distances(ctx: click.Context, param: click.Parameter, value: Any) -> list[str] | None:  # noqa: ARG001 -- click's
    """Several distances in one option; a comma before a parameter, as in polar:low=1,high=7, separates none."""
    if value is None:
        return None
    words = value if isinstance(value, list | tuple) else [value]
    parts = [part.strip() for word in words for part in re.split(r",(?![^,:]*=)", str(word))]
    return [part for part in parts if part]


def numbers(ctx: click.Context, param: click.Parameter, value: Any) -> list[float] | None:
    """Several numbers in one option, separated by commas."""
    parts = listed(ctx, param, value)
    try:
        return None if parts is None else [float(part) for part in parts]
    except ValueError:
        raise click.BadParameter(f"expected numbers separated by commas, got {value!r}") from None


def completed(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """The names that a shell may complete a word to."""
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _names_in(registry: str) -> Callable[..., list[CompletionItem]]:
    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
        return completed(getattr(import_module("interagree.plugins"), registry), incomplete)

    return complete


measure_names, distance_names = map(_names_in, ("MEASURES", "DISTANCES"))


def level_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001 -- click's
    """The levels that a word, or what stands behind the name of a question, may be completed to."""
    from interagree.data.levels import LEVELS

    name, equals, _ = incomplete.rpartition("=")
    return completed((f"{name}{equals}{level}" for level in LEVELS), incomplete)


Kind: TypeAlias = str | tuple[str, ...] | Callable[..., object] | None
"""What an option takes: the name of a value in the help, the words to choose from, or a type."""


def opt(flags: str, text: str, kind: Kind = None, default: object = None, **more: object) -> Decorator:
    """An option of a command.

    Args:
        flags: Its flags, and the name of its parameter where that differs: ``"-m --measure measures"``.
        text: Its help.
        kind: What it takes.
        default: What it is where it is not given, shown in the help; False for a flag, () for what may be repeated.
        more: Further arguments of `click.option`.
    """
    attributes: dict[str, object] = {"help": text}
    if kind is not None:
        name = "metavar" if isinstance(kind, str) else "type"
        attributes[name] = click.Choice(kind) if isinstance(kind, tuple) else kind
    if isinstance(default, bool):
        attributes |= {"is_flag": True, "default": default}
    elif default == ():
        attributes["multiple"] = True
    elif default is not None:
        attributes |= {"default": default, "show_default": True}
    elif "is_flag" in more or "/" in flags:
        attributes["default"] = None  # neither given nor denied
    make: Callable[..., Decorator] = click.option
    return make(*flags.split(), **attributes | more)


def measure_option(text: str, flags: str = "-m --measure measures", default: object = ()) -> Decorator:
    """An option that names a coefficient."""
    return opt(flags, text, "NAME[:OPTION=…]", default, shell_complete=measure_names)


def several(flags: str, text: str, metavar: str, callback: Callable[..., object], **more: object) -> Decorator:
    """An option that takes several values with commas between them."""
    return opt(flags, text, click.UNPROCESSED, metavar=metavar, callback=callback, **more)


def picture(text: str, flag: str = "--plot") -> Decorator:
    """An option that names the file of a picture."""
    return opt(flag, text, WRITTEN, metavar="FILE")


def output_option(text: str) -> Decorator:
    """Where a command writes something of its own, instead of what it shows."""
    return opt("-o --output", f"{text} May be repeated.", WRITTEN, (), callback=once_each)


def option(default: T, text: str, kind: Kind = None, flags: str = "", **more: object) -> T:
    """A field of a group, and the option that sets it (see `opt`); it is called as the field unless flags are given."""
    return field(default=default, metadata={"flags": flags, "text": text, "kind": kind, "more": more})


FILE = click.Path(allow_dash=True, path_type=str)
WRITTEN = click.Path(dir_okay=False, path_type=Path)
ABOVE_ZERO = click.FloatRange(0, min_open=True)
SHARE = click.FloatRange(0, 1)
INSIDE = click.FloatRange(0, 1, min_open=True, max_open=True)


@dataclass(frozen=True, slots=True)
class Group:
    """A group of options as one thing."""

    @classmethod
    def take(cls, given: dict[str, object]) -> Self:
        """The options of this group, out of all that a command was given."""
        make: Callable[..., Self] = cls
        return make(**{entry.name: given.pop(entry.name) for entry in fields(cls) if entry.name in given})

    @classmethod
    def options(cls, *names: str) -> tuple[Decorator, ...]:
        """The options of the group, or some of them."""
        return tuple(
            opt(
                f"{entry.metadata['flags'] or '--' + entry.name.replace('_', '-')} {entry.name}",
                entry.metadata["text"],
                entry.metadata["kind"],
                entry.default,
                **entry.metadata["more"],
            )
            for entry in fields(cls)
            if entry.metadata and (not names or entry.name in names)
        )


@dataclass(frozen=True, slots=True)
class ReadingGroup(Group):
    """How files are read."""

    item: tuple[str, ...] = option(
        (), "The column that holds the item; repeated, the columns that name it together.", "COLUMN"
    )
    annotator: tuple[str, ...] = option(
        (),
        "The column that holds the annotator; in a wide table, repeated, the columns that are annotators; "
        "{file} takes the name of the file.",
        "COLUMN",
    )
    value: tuple[str, ...] = option((), "The column that holds the value; repeated, one question for each.", "COLUMN")
    values: list[str] | None = option(
        None,
        "All possible values, from lowest to highest; also those that nobody gave.",
        "A,B,…",
        type=click.UNPROCESSED,
        callback=listed,
    )
    ordered: bool | None = option(
        None,
        "Whether the order of the values matters; where it does, ordinal measures are the usual ones.",
        flags="--ordered/--not-ordered",
    )
    duplicates: str | None = option(
        None,
        "What to do when an annotator gave one item two values.  [default: error]",
        ("error", "first", "last", "keep"),
    )
    layout: str | None = option(
        None,
        "The layout of the table: a row for each annotation (long) or for each item (wide), or counts. "
        " [default: auto]",
        ("auto", "long", "wide", "transposed", "counts", "contingency"),
    )
    split: str | None = option(None, "What separates the labels where one cell holds several.", "SEPARATOR")
    kind: str | None = option(
        None, "What the values are, where it is not plain to see: boxes, spans, text, rankings, sets …", "KIND"
    )
    levels: tuple[str, ...] = option(
        (),
        "The level on which a question is measured: nominal, ordinal, interval, ratio, circular:period=24, sets or "
        "text; it decides how far apart values are. One word says it of all questions. May be repeated, and written "
        "--level.",
        "NAME=LEVEL",
        callback=once_each,
        shell_complete=level_names,
    )
    codebook: str | None = option(
        None,
        "A codebook: a file with a row for each question, its level, what its values stand for, codes for no answer.  "
        "[default: the one in the workbook or beside the file]",
        FILE,
        metavar="FILE",
    )
    missing: tuple[str, ...] = option((), "A value that means: no annotation. May be repeated.", "VALUE")
    trim: bool | None = option(
        None,
        "Whether blanks around values and names are removed.  [default: in text files and sheets]",
        flags="--trim/--no-trim",
    )
    fold_case: bool | None = option(None, "Take values that differ only in case as one.", is_flag=True)
    attributes: tuple[str, ...] = option((), "A column to keep that is not an annotator.", "COLUMN", "--attribute")
    times: str | None = option(None, "In a wide table, the column that says how many items a row stands for.", "COLUMN")
    only: tuple[str, ...] = option(
        (), "Annotators to keep, by name or pattern: ann,bo or 'expert_*'. May be repeated.", "NAME,…"
    )
    without: tuple[str, ...] = option((), "Annotators to leave out, by name or pattern. May be repeated.", "NAME,…")
    merge_labels: tuple[str, ...] = option((), "Labels to take as one, called as the first. May be repeated.", "A,B,…")
    pseudonyms: bool | None = option(None, "Call the annotators A1, A2, …; no name of theirs is shown.", is_flag=True)
    no_text: bool | None = option(None, "Show and write nothing of the texts that were annotated.", is_flag=True)
    questions: tuple[str, ...] = option((), "Which question; all by default.", "NAME", "-q --question")
    reader: str | None = option(None, "How to read the file, if its name does not say.", "READER", "--format")
    delimiter: str | None = option(
        None, "What separates the cells of a text file, if it is not plain to see.", "CHARACTER"
    )
    sheet: str | None = option(None, "The sheet of an Excel file; the first by default.", "NAME")
    from_table: str | None = option(None, "The table of a database to read; the only one by default.", "NAME")
    query: str | None = option(None, "What to select from a database.", "SQL")
    start: str | None = option(None, "In a table of units, the column that holds where a unit starts.", "COLUMN")
    end: str | None = option(None, "In a table of units, the column that holds where a unit ends.", "COLUMN")
    label: str | None = option(None, "In a table of units, the column that holds the category.", "COLUMN")
    tiers: tuple[str, ...] = option(
        (), "A tier of a TextGrid or an ELAN file to read; all by default. May be repeated.", "NAME", "--tier"
    )
    looked: str | None = option(
        None,
        "Who looked at every document, also where they marked no unit.  [default: who marked something]",
        "all|NAME,…",
    )
    reader_options: tuple[str, ...] = option(
        (),
        "A further option of the reader, such as scheme=iob1, predictions=true or columns=2,3. May be repeated.",
        "NAME=VALUE",
        "-O --option",
    )

    def keywords(self) -> dict[str, Any]:
        """What was given, as keywords of `interagree.read`; what was not given is left to it."""
        given: dict[str, Any] = {
            name: [*entry] if isinstance(entry, tuple) else entry
            for name, entry in asdict(self).items()
            if name not in ("questions", "reader", "reader_options") and entry not in (None, ())
        }
        for name, entry in (("item", self.item), ("annotator", self.annotator), ("value", self.value)):
            if len(entry) == 1:
                given[name] = entry[0]
        if self.delimiter is not None:
            given["delimiter"] = separator(self.delimiter)
        if "from_table" in given:
            given["table"] = given.pop("from_table")
        if self.looked is not None and self.looked not in ("all", "marked"):
            given["looked"] = separated(self.looked)
        if self.reader is not None:
            given["format"] = self.reader
        if self.levels:
            given["levels"] = stated_levels(self.levels)
        return given | dict(map(_spelled_out, self.reader_options))


def stated_levels(stated: Sequence[str]) -> str | dict[str, str]:
    """Levels by question; a word alone is the level of all."""
    from interagree.data.levels import level_word

    pairs = [("", one) if level_word(one) else one.partition("=")[::2] for one in stated]
    bare = [level for name, level in pairs if not name]
    if (bare and len(pairs) > 1) or not all(level for _, level in pairs):
        raise click.UsageError(f"--levels takes NAME=LEVEL, as in --levels tone=ordinal; got {' and '.join(stated)}")
    return bare[0] if bare else dict(pairs)


def separator(spelled: str | None) -> str | None:
    """What separates cells; a tab is hard to type into a shell."""
    return "\t" if spelled in ("tab", "\\t") else spelled


def _spelled_out(option: str) -> tuple[str, object]:
    """An option of a reader as a keyword: true and false, whole numbers, lists with commas, or words."""
    name, equals, spelled = option.partition("=")
    if not equals or not name.strip().isidentifier():
        raise click.UsageError(f"-O takes NAME=VALUE, as in -O scheme=iob1; got {option!r}")
    whole = name == "query" or "{" in spelled  # the commas of a query, or of a pattern, are its own
    parts = [spelled] if whole else spelled.split(",")
    entries = [_entry(part.strip()) for part in parts]
    return name.strip(), entries[0] if len(entries) == 1 else entries


def _entry(spelled: str) -> bool | int | str | None:
    from interagree.data.values import spelled_integer

    words = {"true": True, "false": False, "none": None}
    if spelled.lower() in words:
        return words[spelled.lower()]
    return spelled if (whole := spelled_integer(spelled)) is None else whole


@dataclass(frozen=True, slots=True)
class Intervals(Group):
    """How intervals are found."""

    level: float = option(0.95, "The level of the intervals.", INSIDE)
    method: str = option(
        "auto",
        "How intervals are found; auto is adjusted, or the interval that a measure publishes.",
        ("auto", "adjusted", "analytic", "jackknife", "bootstrap", "bca"),
    )
    random: str = option("items", "What another study would have others of.", ("items", "annotators", "both"))
    cluster: str | None = option(None, "A column that groups items which are not independent.", "COLUMN")
    seed: int = option(0, "Where random numbers start.", int)
    resamples: int = option(2000, "How many resamples a bootstrap draws.", click.IntRange(2))

    def for_library(self) -> IntervalOptions:
        """The same for the library."""
        from interagree.results.agreement import IntervalOptions

        return IntervalOptions(**asdict(self))


@dataclass(frozen=True, slots=True)
class MeasureGroup(Group):
    """What is measured: coefficients of files."""

    files: tuple[str, ...] = ()
    measures: tuple[str, ...] = option(
        (),
        "A coefficient, such as alpha, alpha:distance=ordinal or 'icc:form=ICC(3,k)'. May be repeated. By default "
        "the usual ones for the kind of value.",
        "NAME[:OPTION=…]",
        "-m --measure",
        shell_complete=measure_names,
    )
    distance: str | None = option(
        None,
        "How far apart values are: nominal, ordinal, interval, ratio, circular:period=24, …",
        "NAME",
        shell_complete=distance_names,
    )
    weights: str | None = option(
        None, "Gwet's agreement weights: linear, quadratic, …; the other way to give a distance.", "NAME"
    )
    together: bool = option(False, "Take several files as one study; by default each is a study of its own.")


@dataclass(frozen=True, slots=True)
class Output(Group):
    """Where results go, and how they look there."""

    as_json: bool = option(False, "Print JSON: unrounded, with a version number.", flags="--json")
    as_csv: bool = option(False, "Print one tidy table as CSV.", flags="--csv")
    output: tuple[Path, ...] = option(
        (),
        "Write to a file instead; its suffix says how: .html, .docx, .xlsx, .md, .tex, .json, .csv, .txt. May be "
        "repeated.",
        WRITTEN,
        "-o --output",
        callback=once_each,
    )


def limited(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Hold the command to a bound on memory."""
    from interagree.data.memory import memory_limit

    try:
        ctx.with_resource(memory_limit(value)) if value is not None else None
    except ValueError as error:
        raise click.BadParameter(f"it {str(error).removeprefix('size= ')}.", ctx, param) from None


ONE_FILE: Decorator = click.argument("file", type=FILE, metavar="FILE")
FILES: Decorator = click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE…")
READING = ReadingGroup.options()
INTERVALS = Intervals.options()
OUTPUT = Output.options()
MEASURES = MeasureGroup.options("measures")
DISTANCES = MeasureGroup.options("distance", "weights")
TOGETHER = MeasureGroup.options("together")
(VALUES,), (MISSING,), (DELIMITER,) = map(ReadingGroup.options, ("values", "missing", "delimiter"))
SENTENCE = opt("--sentence", "Print a sentence for a paper: coefficient, interval, how much data.", default=False)
DISTANCE = opt(
    "--distance",
    "How far apart values are: nominal, interval, giou, …  [default: the usual one for the kind of value]",
    "NAME",
    shell_complete=distance_names,
)
TO = opt("--to", "With -o: write for a tool: label_studio, prodigy, doccano, brat, excel, …", "TOOL[:OPTION=…]")
GOLD = opt(
    "--gold", "A file of right answers, with an item and a value in each row, or an annotator.", FILE, metavar="GOLD"
)
OF_PROCESS = {"callback": limited, "expose_value": False, "envvar": "INTERAGREE_MEMORY"}
MEMORY_HELP = "Refuse what would need more memory: 500MB, 4GB, 2GiB; or INTERAGREE_MEMORY.  [default: what is free]"
MEMORY = opt("--memory", MEMORY_HELP, "SIZE", **OF_PROCESS)
(LEVEL,), (SEED,) = map(Intervals.options, ("level", "seed"))

# What --help explains; the rest of READING and INTERVALS is named there, and --help-all explains it.
EVERYDAY = frozenset({"item", "annotator", "value", "values", "levels", "missing", "questions", "level", "cluster"})


def top(text: str, default: int = 20, *, least: int = 1) -> Decorator:
    """How many rows of a table are shown."""
    return opt("--top", text, click.IntRange(least), default)


@cache
def params_of(group: tuple[Decorator, ...]) -> list[click.Option]:
    """The options that a group of decorators makes."""

    def command() -> None: ...

    for add in group:
        command = add(command)
    return [*reversed(command.__click_params__)]  # type: ignore[attr-defined]  # click leaves them there


def among(param: click.Parameter, group: tuple[Decorator, ...]) -> bool:
    """Whether an option is one of a group: called the same, and with the same words to choose from."""
    return any(
        param.name == other.name and getattr(param.type, "choices", None) == getattr(other.type, "choices", None)
        for other in params_of(group)
    )


def options(*groups: Decorator | Sequence[Decorator]) -> Decorator:
    """Options and groups of options, in the order they are to be listed."""

    def add(function: F, /) -> F:
        each = [decorator for group in groups for decorator in (group if isinstance(group, Sequence) else (group,))]
        for decorator in reversed(each):
            function = decorator(function)
        return function

    return add


def define(
    name: str, python: str, *groups: Decorator | Sequence[Decorator]
) -> Callable[[Callable[..., None]], click.Command]:
    """A command: its name, the same in Python for the end of its help, its arguments and its options."""

    def made(function: Callable[..., None]) -> click.Command:
        bounded = () if name in ("completion", "list") else (MEMORY,)  # which neither read nor compute
        return click.command(name, epilog=in_python(python))(options(*groups, bounded)(function))

    return made


def measuring(*own: Decorator) -> tuple[Decorator, ...]:
    """The files and options of a command that measures, with its own ones."""
    return (FILES, *MEASURES, *DISTANCES, *own, *INTERVALS, *READING, *TOGETHER, *OUTPUT)


def in_python(code: str) -> str:
    """The end of a command's help: the same in Python."""
    lines = "\n".join(f"  {line}" for line in code.splitlines())
    return f"\b\nIn Python:\n{lines}"
