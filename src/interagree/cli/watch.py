"""`interagree watch` (Designing and monitoring a study, 42)."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interagree.cli.options import DELIMITER, MISSING, OUTPUT, VALUES, Output, in_python, options
from interagree.errors import DataError, InteragreeError

if TYPE_CHECKING:
    from rich.console import Group

    from interagree.monitor.chart import Alert
    from interagree.monitor.standing import Standing
    from interagree.monitor.watching import Watch

BATCHES = 12  # of a chart that are shown while it runs

COLUMNS = (
    click.option("--item", metavar="COLUMN", help="The column that holds the item."),
    click.option("--annotator", metavar="COLUMN", help="The column that holds the annotator."),
    click.option("--value", metavar="COLUMN", help="The column that holds the value."),
    click.option("--at", metavar="COLUMN", help="The column that says when; a column called at is taken."),
    click.option("--batch", metavar="COLUMN", help="The column that holds the batch; a column called batch is taken."),
    VALUES,
    click.option(
        "--duplicates",
        type=click.Choice(["error", "first", "last", "keep"]),
        help="What to do when an annotator labels an item again.  [default: error]",
    ),
    MISSING,
    DELIMITER,
)

DATABASE = (
    click.option("--table", metavar="NAME", help="The table of a database; needed where there are several."),
    click.option(
        "--by",
        metavar="COLUMN",
        help="The column of a table that increases with every row: its number, or its time.  [default: id]",
    ),
    click.option(
        "--overlap",
        type=click.FloatRange(0),
        metavar="SECONDS",
        help="Where --by is a time, how far back rows may still appear.  [default: 300]",
    ),
)

RUNNING = (
    click.option(
        "--state",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Where to keep what was counted, so as to go on after a restart.",
    ),
    click.option("--once", is_flag=True, help="Take in what is new, say where things stand, and end: for cron."),
    click.option(
        "--every",
        type=click.FloatRange(0, min_open=True),
        default=2.0,
        show_default=True,
        metavar="SECONDS",
        help="How often to look.",
    ),
    click.option("--at-least", type=click.FloatRange(0, 1), help="The agreement of first two labels that is wanted."),
    click.option("--fail", is_flag=True, help="End with exit code 1 as soon as there is an alert."),
    click.option(
        "--level",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help="The level of the intervals.",
    ),
)  # fmt: skip


@click.command(
    "watch",
    epilog=in_python('monitor = interagree.Monitor(); monitor.add("item 1", "ann", "yes"); print(monitor.spa())'),
)
@click.argument("source", metavar="SOURCE")
@options(RUNNING, COLUMNS, DATABASE, OUTPUT)
@click.pass_context
def command(ctx: click.Context, /, source: str, **given: Any) -> None:
    """Follow agreement while annotation runs.

    SOURCE is a growing file of JSON lines or CSV, - for standard input, an SQLite file (or sqlite:///path?table=…),
    or postgresql://user@host/database?table=… with a column that increases (--by). On a terminal the view is live;
    piped, there is a line whenever labels came. Ctrl-C ends it and, with --state, nothing is lost or counted twice
    when it is started again.

    An alert says that the agreement of first two labels is below --at-least for sure (however often one looks),
    that it fell, or that a batch, a day or an annotator lies below its limit.

    \b
    Exits with  0  ended, or nothing to alert to
                1  an alert, with --fail
                2  the command or the source is wrong
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.monitor.watching import Watch, open_source

    output = Output.take(given)
    if not given["once"] and (output.output is not None or output.as_csv):
        raise click.UsageError("-o and --csv are for one answer; add --once")
    opened = open_source(
        source,
        table=given["table"],
        by=given["by"],
        overlap=given["overlap"],
        delimiter={"tab": "\t", "\\t": "\t"}.get(given["delimiter"], given["delimiter"]),
    )
    failures = getattr(opened, "failures", ())
    try:
        watch = Watch(
            opened,
            state=given["state"],
            columns={role: given[role] for role in ("item", "annotator", "value", "at", "batch")},
            missing=given["missing"],
            values=given["values"],
            duplicates=given["duplicates"],
        )
        code = _once(watch, given, output) if given["once"] else _follow(watch, given, output)
    except failures as error:
        raise DataError(f"{opened.name} cannot be read: {_reason(error)}") from error
    finally:
        opened.close()
    ctx.exit(code)


def _once(watch: Watch, given: dict[str, Any], output: Output) -> int:
    from interagree.cli.show import show

    # Without a state nobody comes back for the rest of the last line.
    watch.step(whole=watch.state is None or watch.source.name == "standard input")
    watch.save()
    standing = _standing(watch, given)
    code = int(bool(standing.alerts) and given["fail"])
    document = standing.document(watch.source.name, _policy(watch))
    show(standing, output, replace(document, data=_data(watch, standing, code)))
    return code


def _follow(watch: Watch, given: dict[str, Any], output: Output) -> int:
    from interagree.cli.defaults import applied
    from interagree.cli.show import on_terminal, say

    defaults = applied()
    if defaults is not None:
        defaults.report()
    live = not output.as_json and on_terminal()
    told: set[str] = set()
    new: int | None = None
    limits = {name: given[name] for name in ("at_least", "level")}
    with _stopping() as stop, _view(live=live) as update:
        while True:
            first = new is None
            new = _tried(watch, given, told)
            for remark in watch.source.remarks:
                say(remark)
            watch.source.remarks.clear()
            ending = watch.source.ended or stop.is_set()
            alerts = watch.monitor.alerts(**limits) if new or first or ending else []
            if new or (first and len(watch.monitor)):
                update(_seen(watch, given, output, live=live))
            if not live and not output.as_json:
                _announce(alerts, told)
            if ending or (alerts and given["fail"]):
                break
            stop.wait(given["every"])
        watch.save()
    if stop.is_set():
        kept = f"; {watch.state} holds all of it" if watch.state is not None else ""
        say(f"stopped after {len(watch.monitor):,} labels{kept}")
    return int(bool(alerts) and given["fail"])


def _tried(watch: Watch, given: dict[str, Any], told: set[str]) -> int:
    """Take in what is new; a database that does not answer for a while is asked again."""
    from interagree.cli.show import say

    try:
        return watch.step()
    except getattr(watch.source, "failures", ()) as error:
        watch.source.close()
        if not watch.resumed and not len(watch.monitor):
            raise
        trouble = f"{watch.source.name} cannot be read now ({_reason(error)}); trying again every {given['every']:g} s"
        if trouble not in told:
            say(trouble)
            told.add(trouble)
        return 0


def _announce(alerts: list[Alert], told: set[str]) -> None:
    for alert in alerts:
        if str(alert) not in told:
            click.echo(f"alert: {alert}")
            told.add(str(alert))


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set, so that what was begun is finished."""
    stop = threading.Event()
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, lambda *_: stop.set())
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _view(*, live: bool) -> Iterator[Callable[[Any], None]]:
    """How to show something new: in place on a terminal, else as one more line."""
    if not live:

        def line(text: str) -> None:
            click.echo(text)
            sys.stdout.flush()

        yield line
        return
    from rich.live import Live

    with Live(auto_refresh=False) as screen:
        yield lambda drawn: screen.update(drawn, refresh=True)


def _standing(watch: Watch, given: dict[str, Any]) -> Standing:
    return watch.monitor.standing(at_least=given["at_least"], level=given["level"])


def _seen(watch: Watch, given: dict[str, Any], output: Output, *, live: bool) -> Group | str:
    if output.as_json:
        import json

        from interagree.tables import plain

        return json.dumps(plain(_data(watch, _standing(watch, given), 0)), ensure_ascii=False, allow_nan=False)
    return _drawn(watch, _standing(watch, given)) if live else _line(watch, given)


def _line(watch: Watch, given: dict[str, Any]) -> str:
    monitor = watch.monitor
    n, parts = monitor.n, [time.strftime("%H:%M:%S")]
    parts.append(f"{n.annotations:,} labels, {n}")
    first = monitor.first_two(given["level"])
    if first.items:
        spa, alpha = monitor.spa(), monitor.measure("alpha")
        interval = spa.interval(given["level"])
        sure = f" ({interval.low:.3f} to {interval.high:.3f})" if interval is not None else ""
        parts.append(f"SPA {spa.value:.3f}{sure}")
        parts.append("α undefined" if alpha.undefined else f"α {alpha.value:.3f}")
        parts.append(f"first two {first.value:.3f} (at all times {first.low:.3f} to {first.high:.3f})")
    return "  ".join(parts)


def _policy(watch: Watch) -> list[str]:
    parts = [f"columns taken: {watch.taken}"] if watch.taken else []
    if watch.monitor.skipped:
        parts.append(f"{watch.monitor.skipped:,} without a value left out")
    waiting = getattr(watch.source, "waiting", lambda: 0)()
    if waiting:
        parts.append("the last line has no end yet and waits")
    parts += watch.source.remarks
    return ["Policy: " + "; ".join(parts)] if parts else []


def _data(watch: Watch, standing: Standing, code: int) -> dict[str, object]:
    return {
        "command": "watch",
        "exit_code": code,
        "source": watch.source.name,
        **standing.to_dict(),
        "columns": watch.taken,
    }


def _drawn(watch: Watch, standing: Standing) -> Group:
    """The live view: where things stand, the latest batches or days, and what to look at."""
    from rich import box
    from rich.console import Group, RenderableType
    from rich.table import Table as RichTable
    from rich.text import Text

    from interagree.tables import Table, cell

    def drawn(table: Table) -> RichTable:
        made = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
        for place, name in enumerate(table.columns):
            made.add_column(name, justify="right" if place else "left")
        for row in table.rows():
            made.add_row(*(cell(entry) for entry in row.values()), style="yellow" if row.get("out") == "below" else "")
        return made

    n = standing.n
    parts: list[RenderableType] = [
        Text.assemble(
            (watch.source.name, "bold"),
            f"  {n.annotations:,} labels, {n}  ",
            (time.strftime("%H:%M:%S"), "dim"),
        ),
        drawn(standing.measures),
        Text(f"First two labels: {standing.first_two}"),
    ]
    by = next((by for by, chart in standing.charts.items() if len(chart) > 1), None)
    if by is not None:
        chart = standing.charts[by]
        # Annotators stand with the lowest first, batches and days with the latest last.
        latest = chart if by == "annotator" else Table.of(chart.rows()[-BATCHES:])
        parts.append(drawn(latest.head(BATCHES)))
    alerts = [Text(str(alert), style="bold red") for alert in standing.alerts]
    return Group(*parts, *(alerts or [Text("no alerts", style="green")]))


def _reason(error: BaseException) -> str:
    if isinstance(error, InteragreeError):
        return str(error)
    told = error.args[0] if error.args else error
    return str(told.get("M", told)) if isinstance(told, dict) else str(told)
