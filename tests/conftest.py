"""What every test may ask for: the folder of shared data, optional tools by name, and Hypothesis' settings."""

import importlib
import importlib.util
import inspect
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings

ROOT = Path(__file__).parents[1]
CI = "INTERAGREE_CI" in os.environ
COMMANDS = {"chromium", "java", "make", "openssl", "pdflatex", "strace"}

# Modin needs an older pandas than the other tests; `make modin` runs this file in an environment of its own.
collect_ignore = [] if importlib.util.find_spec("modin") else ["test_modin.py"]

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if CI else "here")

# Before Click 8.2, a runner mixed standard error into standard output unless told otherwise, and `output` was what
# is `stdout` now.
if "mix_stderr" in inspect.signature(CliRunner).parameters:
    CliRunner.__init__ = partialmethod(CliRunner.__init__, mix_stderr=False)
    Result.output = property(lambda result: result.stdout + result.stderr)


def need(name: str) -> Any:
    """The module called ``name``, the path of a command such as java or of a LaTeX package such as tikz.sty, or the
    folder of the commands of postgresql.

    A test that needs what is not installed is skipped and says so.  With INTERAGREE_CI set it fails instead, so that
    nothing goes untested for want of a tool.
    """
    if name == "postgresql":  # Debian keeps the commands of the server apart; their folder
        found: Any = next((path.parent for path in sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))), None)
    elif name in COMMANDS:
        found = shutil.which(name)
    elif name.endswith(".sty"):
        finder = shutil.which("kpsewhich")
        found = finder and subprocess.run([finder, name], capture_output=True, text=True, check=False).stdout.strip()
    else:
        found = importlib.import_module(name) if importlib.util.find_spec(name.partition(".")[0]) else None
    if not found:
        (pytest.fail if CI else pytest.skip)(f"this test needs {name}, which is not installed")
    return found


@pytest.fixture(scope="session", name="need")
def need_fixture() -> Any:
    """`need` for tests that would rather not import from here."""
    return need


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with published examples and real data; a clone has none, and the tests that use it are skipped."""
    folder = Path(os.environ.get("INTERAGREE_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"the data in {folder} are not part of the project; set INTERAGREE_SHARED to where they are")
    return folder


@pytest.fixture
def serve() -> Iterator[Any]:
    """Starts `interagree serve` with some words in a process of its own, which ends with the test."""
    need("starlette")
    need("uvicorn")
    from serving import Server

    made: list[Any] = []

    def started(*words: object, enter: bool = True, program: Sequence[object] = ()) -> Any:
        made.append(Server(*words, enter=enter, program=program))
        return made[-1]

    yield started
    for server in made:
        if server.process.poll() is None:
            server.process.kill()
            server.process.communicate()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a PostgreSQL server of our own, on a socket in a folder of its own."""
    commands = need("postgresql")
    need("pg8000")
    folder = Path(tempfile.mkdtemp(prefix="interagree-pg-"))
    as_whom: dict[str, Any] = {}
    if os.getuid() == 0:  # which the server refuses to run as
        shutil.chown(folder, "postgres")
        as_whom = {"user": "postgres", "group": "postgres", "extra_groups": []}

    def call(*words: str) -> None:
        done = subprocess.run(
            words, **as_whom, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + (log.read_text() if log.exists() else "")

    data, log = folder / "data", folder / "log"
    try:
        call(str(commands / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust", "--no-sync")
        flags = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        control = str(commands / "pg_ctl")
        # The server must not inherit our pipe, or reading from it would never end.
        call("bash", "-c", f"{control} -D {data} -w -l {log} -o '{flags}' start >{folder}/out 2>&1 </dev/null")
        yield f"postgresql://postgres@/postgres?host={folder}"
    finally:
        if (data / "postmaster.pid").exists():
            call(str(commands / "pg_ctl"), "-D", str(data), "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Long bytes go by their argument: packed files hold the time, and workers must collect the same names."""
    return argname if isinstance(val, bytes) and len(val) > 40 else None
