"""Options that several commands share, said once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]


def listed(ctx: click.Context, param: click.Parameter, value: Any) -> list[Any] | None:  # noqa: ARG001 -- click's
    """Several values in one option, separated by commas; a list in a configuration file is taken as it is."""
    if value is None or isinstance(value, list | tuple):
        return None if value is None else [*value]
    return [part.strip() for part in str(value).split(",") if part.strip()]


def listed_distances(ctx: click.Context, param: click.Parameter, value: Any) -> list[str] | None:  # noqa: ARG001 -- click's
    """Several distances in one option; a comma before a parameter, as in polar:low=1,high=7, separates none."""
    if value is None:
        return None
    words = value if isinstance(value, list | tuple) else [value]
    parts = [part.strip() for word in words for part in re.split(r",(?![^,:]*=)", str(word))]
    return [part for part in parts if part]


def whole_number(flag: str, default: int, help: str, *, least: int = 1) -> Decorator[Any]:  # noqa: A002 -- click's word
    """An option that takes a whole number."""
    return click.option(flag, type=click.IntRange(least), default=default, show_default=True, help=help)


def measure_option(help: str, *names: str, **more: Any) -> Decorator[Any]:  # noqa: A002 -- click's word
    """An option that names a coefficient."""
    metavar = "NAME[:OPTION=…]"
    return click.option(
        "-m", "--measure", *names, metavar=metavar, shell_complete=measure_names, help=help, **more
    )


def picture(help: str, flag: str = "--plot") -> Decorator[Any]:  # noqa: A002 -- click's word
    """An option that names the file of a picture."""
    return click.option(flag, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help=help)


def measure_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """Names of measures for a shell to complete."""
    from interagree.plugins import MEASURES

    return [CompletionItem(name) for name in MEASURES if name.startswith(incomplete)]


def distance_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """Names of distances for a shell to complete."""
    from interagree.plugins import DISTANCES

    return [CompletionItem(name) for name in DISTANCES if name.startswith(incomplete)]


FILE = click.Path(allow_dash=True, path_type=str)

VALUES: Decorator[Any] = click.option(
    "--values",
    type=click.UNPROCESSED,
    callback=listed,
    metavar="A,B,…",
    help="All possible values, from lowest to highest; also those that nobody gave.",
)
MISSING: Decorator[Any] = click.option(
    "--missing",
    metavar="VALUE",
    multiple=True,
    help="A value that means: no annotation. May be repeated.",
)
DELIMITER: Decorator[Any] = click.option(
    "--delimiter",
    metavar="CHARACTER",
    help="What separates the cells of a text file, if it is not plain to see.",
)

READING: tuple[Decorator[Any], ...] = (
    click.option("--item", metavar="COLUMN", help="The column that holds the item."),
    click.option(
        "--annotator",
        metavar="COLUMN",
        multiple=True,
        help="The column that holds the annotator; in a wide table, repeated, the columns that are annotators; "
        "{file} takes the name of the file.",
    ),
    click.option(
        "--value",
        metavar="COLUMN",
        multiple=True,
        help="The column that holds the value; repeated, one question for each.",
    ),
    VALUES,
    click.option(
        "--ordered/--not-ordered",
        default=None,
        help="Whether the order of the values matters; where it does, ordinal measures are the usual ones.",
    ),
    click.option(
        "--duplicates",
        type=click.Choice(["error", "first", "last", "keep"]),
        help="What to do when an annotator gave one item two values.  [default: error]",
    ),
    click.option(
        "--layout",
        type=click.Choice(["auto", "long", "wide", "transposed", "counts", "contingency"]),
        help=(
            "How the table lies: a row for each annotation (long) or for each item (wide), or counts. "
            " [default: auto]"
        ),
    ),
    click.option(
        "--split", metavar="SEPARATOR", help="What separates the labels where one cell holds several."
    ),
    click.option(
        "--kind",
        metavar="KIND",
        help="What the values are, where it is not plain to see: boxes, spans, text, rankings, sets …",
    ),
    MISSING,
    click.option(
        "--trim/--no-trim",
        default=None,
        help="Whether blanks around values and names are removed.  [default: in text files and sheets]",
    ),
    click.option(
        "--fold-case",
        is_flag=True,
        default=None,
        help="Take values that differ only in case as one.",
    ),
    click.option(
        "--attribute",
        "attributes",
        metavar="COLUMN",
        multiple=True,
        help="A column that is no annotator, to be kept.",
    ),
    click.option(
        "--times",
        metavar="COLUMN",
        help="In a wide table, the column that says how many items a row stands for.",
    ),
    click.option(
        "--only",
        metavar="NAME,…",
        multiple=True,
        help="Annotators to keep, by name or pattern: ann,bo or 'expert_*'. May be repeated.",
    ),
    click.option(
        "--without",
        metavar="NAME,…",
        multiple=True,
        help="Annotators to leave out, by name or pattern. May be repeated.",
    ),
    click.option(
        "-q", "--question", "questions", metavar="NAME", multiple=True, help="Which question; all by default."
    ),
    click.option(
        "--format", "reader", metavar="READER", help="How to read the file, if its name does not tell."
    ),
    DELIMITER,
    click.option("--sheet", metavar="NAME", help="The sheet of an Excel file; the first by default."),
    click.option(
        "--start", metavar="COLUMN", help="In a table of units, the column that holds where a unit starts."
    ),
    click.option(
        "--end", metavar="COLUMN", help="In a table of units, the column that holds where a unit ends."
    ),
    click.option(
        "--label", metavar="COLUMN", help="In a table of units, the column that holds the category."
    ),
    click.option(
        "--tier",
        "tiers",
        metavar="NAME",
        multiple=True,
        help="A tier of a TextGrid or an ELAN file to read; all by default. May be repeated.",
    ),
    click.option(
        "--looked",
        metavar="all|NAME,…",
        help="Who looked at every document, also where they marked no unit.  [default: who marked something]",
    ),
    click.option(
        "-O",
        "--option",
        "reader_options",
        metavar="NAME=VALUE",
        multiple=True,
        help="A further option of the reader, such as scheme=iob1, predictions=true or columns=2,3. May be repeated.",
    ),
)

# What --help explains; the rest of READING and SURE is named there, and --help-all explains it.
EVERYDAY = frozenset(
    {"item", "annotator", "value", "values", "ordered", "missing", "questions", "level", "cluster"}
)

TOGETHER: tuple[Decorator[Any], ...] = (
    click.option(
        "--together",
        is_flag=True,
        help="Take several files as one study; by default each is a study of its own.",
    ),
)

MEASURES: tuple[Decorator[Any], ...] = (
    click.option(
        "-m",
        "--measure",
        "measures",
        metavar="NAME[:OPTION=…]",
        multiple=True,
        shell_complete=measure_names,
        help="A coefficient, such as alpha, alpha:distance=ordinal or 'icc:form=ICC(3,k)'. May be repeated. By default "
        "the usual ones for the kind of value.",
    ),
)

DISTANCES: tuple[Decorator[Any], ...] = (
    click.option(
        "--distance",
        metavar="NAME",
        shell_complete=distance_names,
        help="How far apart values are: nominal, ordinal, interval, ratio, circular:period=24, …",
    ),
    click.option(
        "--weights",
        metavar="NAME",
        help="Gwet's agreement weights: linear, quadratic, …; the other way to give a distance.",
    ),
)

LEVEL: Decorator[Any] = click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="The level of the intervals.",
)

SEED: Decorator[Any] = click.option(
    "--seed", type=int, default=0, show_default=True, help="Where random numbers start."
)

SURE: tuple[Decorator[Any], ...] = (
    LEVEL,
    click.option(
        "--method",
        type=click.Choice(["auto", "analytic", "jackknife", "bootstrap", "bca"]),
        default="auto",
        show_default=True,
        help="How intervals are found; auto is the published error where there is one, else the jackknife.",
    ),
    click.option(
        "--random",
        type=click.Choice(["items", "annotators", "both"]),
        default="items",
        show_default=True,
        help="What another study would have others of.",
    ),
    click.option("--cluster", metavar="COLUMN", help="A column that groups items which are not independent."),
    SEED,
    click.option(
        "--resamples",
        type=click.IntRange(2),
        default=2000,
        show_default=True,
        help="How many resamples a bootstrap draws.",
    ),
)

OUTPUT: tuple[Decorator[Any], ...] = (
    click.option("--json", "as_json", is_flag=True, help="Print JSON: unrounded, with a version number."),
    click.option("--csv", "as_csv", is_flag=True, help="Print one tidy table as CSV."),
    click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write to a file instead; its suffix says how: .md, .tex, .json, .csv or .txt.",
    ),
)


@cache
def params_of(group: tuple[Decorator[Any], ...]) -> list[click.Option]:
    """The options that a group of decorators makes."""

    def command() -> None: ...

    for add in group:
        command = add(command)
    return [*reversed(command.__click_params__)]  # type: ignore[attr-defined]  # click leaves them there


def among(param: click.Parameter, group: tuple[Decorator[Any], ...]) -> bool:
    """Whether an option is one of a group: called the same, and with the same words to choose from."""
    return any(
        param.name == one.name and getattr(param.type, "choices", None) == getattr(one.type, "choices", None)
        for one in params_of(group)
    )


def options(*groups: Sequence[Decorator[Any]]) -> Decorator[Any]:
    """Groups of options, in the order they are to be listed."""

    def add(function: Any) -> Any:
        for one in reversed([one for group in groups for one in group]):
            function = one(function)
        return function

    return add


def in_python(code: str) -> str:
    """The end of a command's help: the same in Python."""
    lines = "\n".join(f"  {line}" for line in code.splitlines())
    return f"\b\nIn Python:\n{lines}"


@dataclass(frozen=True, slots=True)
class Given:
    """A group of options as one thing."""

    @classmethod
    def take(cls, given: dict[str, Any]) -> Any:
        """The options of this group, out of all that a command was given."""
        return cls(**{one.name: given.pop(one.name) for one in fields(cls) if one.name in given})


@dataclass(frozen=True, slots=True)
class Reading(Given):
    """How files are read."""

    item: str | None = None
    annotator: tuple[str, ...] = ()
    value: tuple[str, ...] = ()
    values: list[str] | None = None
    ordered: bool | None = None
    duplicates: str | None = None
    layout: str | None = None
    split: str | None = None
    kind: str | None = None
    missing: tuple[str, ...] = ()
    trim: bool | None = None
    fold_case: bool | None = None
    attributes: tuple[str, ...] = ()
    times: str | None = None
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    reader: str | None = None
    delimiter: str | None = None
    sheet: str | None = None
    start: str | None = None
    end: str | None = None
    label: str | None = None
    tiers: tuple[str, ...] = ()
    looked: str | None = None
    reader_options: tuple[str, ...] = ()

    def keywords(self) -> dict[str, Any]:
        """What was said, as keywords of `interagree.read`; what was not said is left to it."""
        said: dict[str, Any] = {}
        for one in fields(self):
            entry = getattr(self, one.name)
            if one.name in ("questions", "reader", "reader_options") or entry is None or entry == ():
                continue
            said[one.name] = [*entry] if isinstance(entry, tuple) else entry
        for name, entry in (("annotator", self.annotator), ("value", self.value)):
            if len(entry) == 1:
                said[name] = entry[0]
        if self.delimiter is not None:
            said["delimiter"] = {"tab": "\t", "\\t": "\t"}.get(self.delimiter, self.delimiter)
        if self.looked is not None and self.looked not in ("all", "marked"):
            said["looked"] = [name.strip() for name in self.looked.split(",")]
        if self.reader is not None:
            said["format"] = self.reader
        return said | dict(map(_spelled_out, self.reader_options))


def _spelled_out(option: str) -> tuple[str, Any]:
    """An option of a reader as a keyword: true and false, whole numbers, lists with commas, or words."""
    name, equals, spelled = option.partition("=")
    if not equals or not name.strip().isidentifier():
        raise click.UsageError(f"-O takes NAME=VALUE, as in -O scheme=iob1; got {option!r}")
    entries = [_entry(one.strip()) for one in spelled.split(",")]
    return name.strip(), entries[0] if len(entries) == 1 else entries


def _entry(spelled: str) -> Any:
    words = {"true": True, "false": False, "none": None}
    if spelled.lower() in words:
        return words[spelled.lower()]
    return int(spelled) if spelled.lstrip("-").isdigit() else spelled


@dataclass(frozen=True, slots=True)
class Sure(Given):
    """How intervals are made."""

    level: float = 0.95
    method: str = "auto"
    random: str = "items"
    cluster: str | None = None
    seed: int = 0
    resamples: int = 2000

    def how(self) -> Any:
        """The same for the library."""
        from interagree.reports.parts import How

        return How(self.level, self.method, self.random, self.cluster, self.resamples, self.seed)  # type: ignore[arg-type]  # click has checked the words

    def keywords(self) -> dict[str, Any]:
        """The same as keywords."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(frozen=True, slots=True)
class Output(Given):
    """Where results go, and how they look there."""

    as_json: bool = False
    as_csv: bool = False
    output: Path | None = None
