"""The server: started on 127.0.0.1, ended by Ctrl-C or SIGTERM."""

from __future__ import annotations

import getpass
import os
import signal
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from interagree.errors import DataError, extra, without_password
from interagree.serve.project import Project, SourceFile
from interagree.serve.workspace import Workspace

try:
    import uvicorn

    from interagree.serve.app import application
    from interagree.serve.guard import Guard
    from interagree.serve.live import Live
    from interagree.serve.news import Bell
    from interagree.serve.users import Users
except ModuleNotFoundError as error:  # pragma: no cover -- in an environment without the extra
    if error.name not in {"starlette", "uvicorn", "anyio", "h11"}:
        raise
    raise extra(error.name, "serve", purpose="the page to decide on") from None

PORT, HERE = 8417, "127.0.0.1"
SUFFIX = ".interagree"


def project_of(files: Sequence[str], project: Path | None) -> Path:
    """Where the work is kept: the file that was named, or one beside the first file; an error where no file is."""
    for file in files:
        if _is_address(file):
            if without_password(file) != file:
                raise DataError("a project would keep the password of this address; name it in PGPASSWORD instead")
        elif not Path(file).exists():
            raise DataError(f"there is no file {file}")
    if project is not None:
        return project
    if files and not _is_address(files[0]):
        first = Path(files[0])
        return first.with_name(f"{first.name.partition('.')[0] or first.name}{SUFFIX}")
    return Path(f"decisions{SUFFIX}")


def _is_address(file: str) -> bool:
    return "://" in file


def _source(file: str) -> SourceFile:
    if _is_address(file):
        return SourceFile(file, file, "", {})
    return SourceFile(Path(file).name, str(Path(file).resolve()), "", {})


class Team(NamedTuple):
    """Who may come in, and by which name."""

    users: Users | None = None
    host: str | None = None  # that a proxy with TLS answers to
    bind: str = HERE  # the address of this machine to listen on


class Watched(NamedTuple):
    """A source that is followed."""

    source: str
    every: float
    at_least: float | None


def serve(
    project: Project,
    files: Sequence[str],
    options: Mapping[str, Any],
    *,
    port: int | None,
    largest: int,
    started: Callable[[list[str], str], None],
    watched: Watched | None = None,
    team: Team | None = None,
    images: Path | None = None,
) -> None:
    """Serve a project until somebody ends it.

    Args:
        project: The project.
        files: The files that it is about from now on; none where it goes on with those it knows.
        options: How the files are read.
        port: Where to listen; by default one port, and a free one where that is taken.
        largest: How many bytes a file that is dropped on the page may have.
        started: Is told the addresses to open, and where the server listens.
        watched: The source that is followed in place of files.
        team: Who may come in, where it is not whoever opens the address.
        images: The folder that images of items are shown from.
    """
    team = team or Team()
    bell = Bell()
    with ExitStack() as closed:
        workspace = closed.enter_context(closing(Workspace(project, images)))
        listener = closed.enter_context(closing(_listening(port, team.bind)))
        where = int(listener.getsockname()[1])
        pages = application(workspace, who=_login(), largest=largest, bell=bell)
        guard = Guard(pages, project, where, users=team.users, host=team.host)
        if watched is not None:
            live = Live(workspace, watched.source, {**options}, every=watched.every, at_least=watched.at_least)
            closed.callback(live.close)
            live.start()
        elif files:
            workspace.open([*map(_source, files)], options)
        elif known := project.files():
            workspace.open(known, known[0].options)
        config = uvicorn.Config(
            guard,
            log_level="critical",  # what it logs may quote data
            access_log=False,
            lifespan="off",
            server_header=False,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=5,
        )
        # uvicorn sends itself the signal that ended it once more, which is not to end us before the files are closed.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)
        started(guard.addresses(), f"http://{team.bind}:{where}")
        _Server(config, bell).run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that lets those who listen go when it ends."""

    def __init__(self, config: uvicorn.Config, bell: Bell) -> None:
        super().__init__(config)
        self._bell = bell

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End."""
        self._bell.close()
        super().handle_exit(sig, frame)


def _listening(port: int | None, bind: str = HERE) -> socket.socket:
    """A socket on an address of this machine."""
    for number in (PORT, 0) if port is None else (port,):
        # With the protocol named, asyncio sends small answers at once instead of waiting 40 ms for an acknowledgement.
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name == "posix":  # the port of a server that just ended can be used again at once
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((bind, number))
            made.listen(128)  # before the address is told
        except OSError as error:
            made.close()
            if port is not None or bind != HERE:
                where = f"port {number} of {bind}"
                raise DataError(f"{where} cannot be used ({error.strerror}); name another one, or none") from None
        else:
            return made
    raise DataError("no port of this machine can be used")


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "somebody"
