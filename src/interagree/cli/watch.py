"""`interagree watch` (Designing and monitoring a study, 42)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import (
    ABOVE_ZERO,
    DELIMITER,
    LEVEL,
    OUTPUT,
    SHARE,
    VALUES,
    WRITTEN,
    Output,
    ReadingGroup,
    define,
    opt,
    separator,
    stated_levels,
)
from interagree.errors import DataError

if TYPE_CHECKING:
    from interagree.monitor.watching import Watch

RUNNING = (
    opt("--state", "Where to keep what was counted, so as to go on after a restart.", WRITTEN),
    opt("--once", "Count what is new, report, and exit: for cron.", default=False),
    opt("--every", "How often to look.", ABOVE_ZERO, 2.0, metavar="SECONDS"),
    opt("--at-least", "The agreement of first two labels that is wanted.", SHARE),
    opt(
        "--changed",
        "What to do when counted labels are gone from the source: stop, count its content anew, or add it.",
        ("stop", "recount", "add"),
        "stop",
    ),
    opt("--fail", "End with exit code 1 as soon as there is an alert.", default=False),
    LEVEL,
)
COLUMNS = (
    opt("--item", "The column that holds the item.", "COLUMN"),
    opt("--annotator", "The column that holds the annotator.", "COLUMN"),
    opt("--value", "The column that holds the value.", "COLUMN"),
    opt("--at", "The column that says when; a column called at is taken.", "COLUMN"),
    opt("--batch", "The column that holds the batch; a column called batch is taken.", "COLUMN"),
    VALUES,
    opt(
        "--duplicates",
        "What to do when an annotator labels an item again.  [default: error]",
        ("error", "first", "last", "keep"),
    ),
    *ReadingGroup.options("levels", "split", "missing", "trim", "fold_case"),
    DELIMITER,
    opt("--table", "The table of a database; needed where there are several.", "NAME"),
    opt("--by", "The column of a table that increases with every row; SQLite needs none.  [default: id]", "COLUMN"),
    opt(
        "--overlap",
        "Where --by is a time, how far back rows may still appear.  [default: 300]",
        click.FloatRange(0),
        metavar="SECONDS",
    ),
)
SOURCE = click.argument("source", metavar="SOURCE")
PYTHON = 'monitor = interagree.Monitor(); monitor.add("item 1", "ann", "yes"); print(monitor.spa())'


@define("watch", PYTHON, SOURCE, RUNNING, COLUMNS, OUTPUT)
@click.pass_context
def command(ctx: click.Context, /, source: str, **given: Any) -> None:
    """Follow agreement while annotation runs.

    SOURCE is a growing file of JSON lines or CSV, - for standard input, an SQLite file (or sqlite:///path?table=…),
    or postgresql://user@host/database?table=… with a column that increases (--by). On a terminal the view is live;
    piped, there is a line whenever labels came. Ctrl-C ends it and, with --state, nothing is lost or counted twice
    when it is started again. If labels that were counted are no longer in the source, it stops (see --changed).

    An alert says that the agreement of first two labels is below --at-least for sure (however often one looks),
    that it fell, or that a batch, a day or an annotator lies below its limit.

    \b
    Exits with  0  ended, or nothing to alert to
                1  an alert, with --fail
                2  the command or the source is wrong
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.monitor import live
    from interagree.monitor.watching import Watch, open_source

    output = Output.take(given)
    if not given["once"] and (output.output or output.as_csv):
        raise click.UsageError("-o and --csv are for one answer; add --once")
    sought = {name: given[name] for name in ("table", "by", "overlap")}
    opened = open_source(source, **sought, delimiter=separator(given["delimiter"]))
    try:
        watch = Watch(
            opened,
            columns={role: given[role] for role in ("item", "annotator", "value", "at", "batch")},
            levels=stated_levels(given["levels"]) if given["levels"] else None,
            cells={name: given[name] for name in ("split", "missing", "trim", "fold_case")},
            **{name: given[name] for name in ("state", "values", "duplicates", "changed")},
            patient=not given["once"],
        )
        with closing(watch):
            code = _once(watch, given, output) if given["once"] else _follow(watch, given, output)
    except opened.failures as error:
        raise DataError(f"{opened.name} cannot be read: {live.reason(error)}") from error
    ctx.exit(code)


def _once(watch: Watch, given: dict[str, Any], output: Output) -> int:
    from interagree.cli.show import show
    from interagree.monitor import live
    from interagree.results.document import policy_sentence

    # Without a state nobody comes back for the rest of the last line.
    watch.step(whole=watch.state is None or watch.source.name == "standard input")
    watch.save()
    standing = watch.monitor.standing(at_least=given["at_least"], level=given["level"])
    code = int(bool(standing.alerts) and given["fail"])
    document = standing.document(watch.source.name, [policy_sentence(watch.policy())])
    show(standing, output, replace(document, data=live.data(watch, standing, code)))
    return code


def _follow(watch: Watch, given: dict[str, Any], output: Output) -> int:
    from interagree.cli.defaults import applied
    from interagree.cli.show import on_terminal, say
    from interagree.monitor import live

    if (defaults := applied()) is not None:
        defaults.report()
    in_place = not output.as_json and on_terminal()
    told: set[str] = set()
    new: int | None = None
    limits: live.Limits = {"at_least": given["at_least"], "level": given["level"]}
    tries = live.Tries(given["every"], say)
    with live.stopping() as stop, _view(in_place=in_place) as update:
        while True:
            first = new is None
            new = tries.step(watch)
            ending = watch.source.ended or stop.is_set()
            alerts = watch.monitor.alerts(**limits) if new or first or ending else []
            if new or (first and len(watch.monitor)):
                update(live.seen(watch, limits, json=output.as_json, in_place=in_place))
            if not in_place and not output.as_json:
                for text in [text for text in map(str, alerts) if text not in told]:
                    click.echo(f"alert: {live.shown(text)}")
                    told.add(text)
            if ending or (alerts and given["fail"]):
                break
            stop.wait(tries.wait)
        watch.save()
    if stop.is_set():
        kept = f"; {watch.state} holds all of it" if watch.state is not None else ""
        say(f"stopped after {len(watch.monitor):,} labels{kept}")
    return int(bool(alerts) and given["fail"])


@contextmanager
def _view(*, in_place: bool) -> Iterator[Callable[[Any], None]]:
    """How to show something new: in place on a terminal, else as one more line."""
    if not in_place:

        def line(text: str) -> None:
            click.echo(text)
            sys.stdout.flush()

        yield line
        return
    from rich.console import Console
    from rich.live import Live

    with Live(auto_refresh=False, console=Console(markup=False, highlight=False, emoji=False)) as screen:
        yield lambda drawn: screen.update(drawn, refresh=True)
