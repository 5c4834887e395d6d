"""A command: its help in sections, and what it took from a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import copy
from pathlib import Path

import click
from click.core import ParameterSource

from interagree.cli.defaults import applied
from interagree.cli.options import EVERYDAY, FILE, INTERVALS, OUTPUT, READING, WRITTEN, among
from interagree.data.writing import check_outputs
from interagree.results.text import wrapped


class Command(click.Command):
    """A command whose help shows the everyday options and names the others, which --help-all explains."""

    @classmethod
    def of(cls, command: click.Command) -> click.Command:
        """A command with such help; a group of commands stays as it is."""
        if isinstance(command, click.Group | Command):
            return command
        return cls(
            command.name,
            context_settings=command.context_settings,
            callback=command.callback,
            params=[*command.params, *([_help_all()] if _special(command.params) else [])],
            help=command.help,
            epilog=command.epilog,
            short_help=command.short_help,
            add_help_option=command.add_help_option,
            no_args_is_help=command.no_args_is_help,
            hidden=command.hidden,
            deprecated=command.deprecated,
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the options; where a wrong one comes from a file, the error says so."""
        typed = [*_levels_apart(args)]
        try:
            rest = super().parse_args(ctx, [*typed])  # which takes the words out of its list
        except click.BadParameter as error:
            name = error.param.name if error.param is not None else None
            defaults = applied(ctx)
            from_file = name and ctx.get_parameter_source(name) is ParameterSource.DEFAULT_MAP
            if from_file and defaults is not None:
                message = f"{error.message} It comes from {defaults.defaults.where()}."
                raise click.BadParameter(message, ctx, error.param) from error
            raise
        if not ctx.resilient_parsing:
            refuse_repeated(self, ctx, typed)
        return rest

    def invoke(self, ctx: click.Context) -> object:
        """Run; what was taken from a file is said on standard error where no result said it."""
        check_outputs(*_files(self, ctx))
        defaults = applied(ctx)
        if defaults is None:
            return super().invoke(ctx)
        defaults.compare(ctx)
        try:
            result = super().invoke(ctx)
        except click.exceptions.Exit:
            defaults.report()
            raise
        defaults.report()
        return result

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Options in sections, what is used every day first."""
        explain_all = bool(ctx.meta.get("interagree.help_all"))
        params = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        special = _special(params)
        for title, group in _sections(params) if explain_all else _fewer(_sections(params)):
            records = [
                record
                for param in group
                if explain_all or (param.name not in special and not _asks_for_help(param))
                if (record := param.get_help_record(ctx) if explain_all else _short(param, ctx)) is not None
            ]
            if records:
                with formatter.section(title):
                    formatter.write_dl(
                        records if explain_all else _one_line_each(records, formatter.width), col_max=COLUMN
                    )
        if special and not explain_all:
            flags = [flag for param in params if param.name in special for flag in param.opts[-1:]]
            with formatter.section(f"Special cases ({ctx.command_path} --help-all explains them)"):
                formatter.write_text("\b\n" + "\n".join(wrapped([" ".join(flags)], formatter.width - 2)))


def _levels_apart(args: Sequence[str]) -> Iterator[str]:
    """Words as they were typed, with ``--level tone=ordinal`` as ``--levels``: a level of confidence is a number."""
    for place, word in enumerate(args):
        flag, equals, entry = word.partition("=")
        following = entry if equals else next(iter(args[place + 1 :]), "")
        measured = flag == "--level" and re.match(r"[^\W\d]", following)
        yield f"--levels{equals}{entry}" if measured else word


def refuse_repeated(command: click.Command, ctx: click.Context, typed: list[str]) -> None:
    """Refuse an option that takes one value and was typed with two; click would take the last without a word."""
    all_kept = copy(command)
    all_kept.params = [copy(param) for param in command.params]
    for param in all_kept.params:
        if isinstance(param, click.Option):
            param.multiple = True
    given, _, _ = all_kept.make_parser(ctx).parse_args([*typed])
    for option in command.params:
        if not isinstance(option, click.Option) or option.multiple or option.count:
            continue
        entries = given.get(option.name or "")
        different = [*dict.fromkeys(map(str, entries))] if isinstance(entries, list) else []
        if len(different) > 1:
            raise click.UsageError(_repeated(option, different), ctx)


def _repeated(option: click.Option, entries: Sequence[str]) -> str:
    if option.secondary_opts:
        return f"{option.opts[-1]} and {option.secondary_opts[-1]} contradict each other; give one of them"
    several = f"{', '.join(map(repr, entries[:-1]))} and {entries[-1]!r}"
    return f"{option.opts[-1]} takes one value and was given {len(entries)}, {several}; give it once"


def _files(command: click.Command, ctx: click.Context) -> tuple[dict[str, Path], list[str]]:
    """What a command is to write, by option, and what it is to read."""
    given = [(param, ctx.params.get(param.name or "")) for param in command.params]
    several = [
        (param.get_error_hint(ctx), entry if isinstance(entry, tuple) else (entry,))
        for param, entry in given
        if param.type is WRITTEN and entry
    ]
    written = {hint if len(entries) == 1 else f"{hint} {path}": path for hint, entries in several for path in entries}
    read = [entry for param, entry in given if param.type is FILE or isinstance(param, click.Argument)]
    files = (entry if isinstance(entry, tuple) else (entry,) for entry in read)
    return written, [file for entry in files for file in entry if isinstance(file, str)]


OWN = "Options"
COLUMN = 34  # letters of an option's name and value that stand beside its help
SHORT = 10  # letters of a default that are always shown


def _sections(params: list[click.Option]) -> list[tuple[str, list[click.Option]]]:
    """The options of a command by what they are about."""
    groups = {"Reading the file": READING, "Intervals": INTERVALS, "Output": OUTPUT}
    sections: dict[str, list[click.Option]] = {OWN: [], **{title: [] for title in groups}}
    for param in params:
        titles = (title for title, group in groups.items() if among(param, group))
        sections["Output" if _asks_for_help(param) else next(titles, OWN)].append(param)
    return [*sections.items()]


def _fewer(sections: list[tuple[str, list[click.Option]]]) -> list[tuple[str, list[click.Option]]]:
    """The sections, with what is shown of the intervals among the options of the command."""
    (own, options), reading, (_, intervals), output = sections
    return [(own, [*options, *intervals]), reading, output]


def _asks_for_help(param: click.Parameter) -> bool:
    return bool({"--help", "--help-all"} & {*param.opts})


def _special(params: Sequence[click.Parameter]) -> set[str | None]:
    """The shared options that few need, where a command has enough of them to hide any."""
    special: set[str | None] = {
        param.name
        for param in params
        if param.name not in EVERYDAY and (among(param, READING) or among(param, INTERVALS))
    }
    return special if len(special) > 5 else set()


def _short(param: click.Option, ctx: click.Context) -> tuple[str, str] | None:
    """An option with the first sentence of its help and its default; --help-all has the rest."""
    record = param.get_help_record(ctx)
    if record is None:
        return None
    names = re.sub(r" (INTEGER|FLOAT)( RANGE)?$", " N", record[0]).replace("[:OPTION=…]", "")
    if len(names) > COLUMN:
        names = re.sub(r"\[.*\]$", "…", names)
    text, _, default = record[1].partition("  [")
    for end in ("; ", ". "):
        text = text.partition(end)[0]
    default = re.sub(r"; [^\]]*|\]$", "", default)
    default = "" if re.search(r"[<>]|^required", default) else default.removeprefix("default: ")
    return names, text.removesuffix(".") + (f" [{default}]" if default else "")


def _one_line_each(records: list[tuple[str, str]], width: int) -> list[tuple[str, str]]:
    """Options on one line each, cut at a word where they are longer."""
    room = width - 4 - min(max(len(names) for names, _ in records), COLUMN)
    return [(names, _cut(text, room)) for names, text in records]


def _cut(text: str, room: int) -> str:
    words, bracket, default = text.partition(" [")
    default = bracket + default if len(default) <= SHORT else ""
    room -= len(default)
    if len(words) > room:
        words = words[: room - 2].rpartition(" ")[0].rstrip(" ,:…") + " …"
    return words + default


def _help_all() -> click.Option:
    def show(ctx: click.Context, param: click.Parameter, value: object) -> None:  # noqa: ARG001 -- click's
        if value and not ctx.resilient_parsing:
            ctx.meta["interagree.help_all"] = True
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()

    return click.Option(
        ["--help-all"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="Show all options and exit.",
    )
