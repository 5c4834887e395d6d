"""`interagree serve` (Annotators and answers, 25)."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import click

from interagree.cli.options import ABOVE_ZERO, FILE, SHARE, ReadingGroup, define, opt

OWN = (
    opt(
        "--project",
        "Where decisions are kept.  [default: FILE.interagree beside the first file]",
        click.Path(dir_okay=False, path_type=Path),
    ),
    opt("--port", "The port to listen on.  [default: 8417, or a free one]", click.IntRange(0, 65535)),
    opt("--no-browser", "Print the address, and do not open it.", default=False),
    opt("--max-upload", "How large a file that is dropped on the page may be.", click.IntRange(1), 200, metavar="MB"),
    opt(
        "--image-folder",
        "Show the images that the data name from this folder, found by the names of the files.",
        click.Path(exists=True, file_okay=False, path_type=Path),
    ),
    opt(
        "--watch",
        "Follow a source as interagree watch does: a growing file, a table, or - for standard input.",
        "SOURCE",
    ),
    opt("--every", "How often to look at it.", ABOVE_ZERO, 2.0, metavar="SECONDS"),
    opt("--at-least", "The agreement of first two labels that is wanted of it.", SHARE),
    opt(
        "--users",
        "The file of those who may sign in, with names, roles and passwords.",
        click.Path(dir_okay=False, path_type=Path),
    ),
    opt("--add-user", "Add somebody to that file, or change them, by a password that is asked for; and end.", "NAME"),
    opt("--role", "What they may do: look, decide on items, or lead.", ("look", "decide", "lead"), "decide"),
    opt("--host", "The name that a proxy with TLS answers to and passes on from; needs --users.", "NAME"),
    opt("--bind", "The address of this machine to listen on, such as 0.0.0.0 in a container.", "ADDRESS", "127.0.0.1"),
    opt("--from-log", "Make the project anew from a log that was exported.", FILE),
)
FILES = click.argument("files", nargs=-1, type=FILE, metavar="[FILE…]")
# The page shows all questions, and what was annotated is what is decided on.
READ = ReadingGroup.options(*(one.name for one in fields(ReadingGroup) if one.name not in ("questions", "no_text")))
PYTHON = """queue = interagree.people.disagreements(interagree.read("labels.csv"))
interagree.export(queue, "queue.xlsx", to="excel")"""


@define("serve", PYTHON, FILES, OWN, READ)
def command(
    files: tuple[str, ...],
    *,
    project: Path | None,
    port: int | None,
    no_browser: bool,
    max_upload: int,
    image_folder: Path | None,
    watch: str | None,
    every: float,
    at_least: float | None,
    users: Path | None,
    add_user: str | None,
    role: str,
    host: str | None,
    bind: str,
    from_log: str | None,
    **given: object,
) -> None:
    """Decide disagreements in the browser, and take home gold that says who decided what, and why.

    Several files are one study. Without a file, the page goes on with the project, or takes a file that is dropped on
    it. It is served on this machine alone, to whoever opens the address that is printed. Every decision is one more
    row of the project, so that all can be undone and nothing is overwritten; Ctrl-C ends the server, and the same
    command goes on.
    """
    from interagree.cli.show import say
    from interagree.serve.project import Project
    from interagree.serve.running import Team, Watched, project_of, serve
    from interagree.serve.users import Users, add

    if users is None and (add_user is not None or host is not None):
        raise click.UsageError("--add-user and --host need the file of --users")
    if users is not None and add_user is not None:
        password = click.prompt(f"Password of {add_user}", hide_input=True, confirmation_prompt=True, err=True)
        done = "added to" if add(users, add_user, password, role) else "changed in"
        say(f"{add_user} ({role}) was {done} {users}")
        return
    team = Team(None if users is None else Users(users), host, bind)
    if watch is not None and files:
        raise click.UsageError("name files, or a source to --watch, and not both")
    watched = None if watch is None else Watched(watch, every, at_least)
    reading = ReadingGroup.take(given)
    options = reading.keywords()
    path = project_of(files if watch in (None, "-") else (watch,), project)
    if from_log is not None:
        Project.rebuilt(path, Path(from_log).read_text(encoding="utf-8").splitlines()).close()

    def started(addresses: list[str], where: str) -> None:
        say(f"decisions are kept in {path}")
        if users is None:
            say("the page is at one of these addresses, which opens once; Ctrl-C ends the server")
        else:
            passed = "" if host is None else f", through a proxy that passes on to {where}"
            say(f"the page is here, for those in {users}{passed}; Ctrl-C ends the server")
        for address in addresses:
            click.echo(address)
        if not no_browser and host is None:
            click.launch(addresses[0])

    with Project(path) as opened:
        serve(
            opened,
            files,
            options,
            port=port,
            largest=max_upload * 1_000_000,
            started=started,
            watched=watched,
            team=team,
            images=image_folder,
        )
    say(f"ended; {path} holds every decision")
