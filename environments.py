"""Make an environment for a target of the Makefile, or say in a sentence why that cannot be done.

    python environments.py FOLDER WORD…

The words are those of ``pip install``.  An environment that was interrupted while it was made is made anew, and of two
that are made at once the second waits for the first.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

NO_INDEX = ("NewConnectionError", "ConnectTimeout", "Connection refused", "No matching distribution", "ProxyError")


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """While one process makes an environment, others wait."""
    with folder.with_name(f"{folder.name}.lock").open("w", encoding="utf-8") as lock:
        try:
            import fcntl
        except ImportError:  # on Windows
            yield
        else:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def python_of(folder: Path) -> Path:
    """The Python of an environment."""
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def ready(folder: Path) -> bool:
    """Whether there is an environment that can install."""
    try:
        done = subprocess.run([python_of(folder), "-m", "pip", "--version"], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def make(folder: Path, words: Sequence[str]) -> str:
    """Make an environment, and install; what went wrong, as sentences, else nothing."""
    with alone(folder):
        if not ready(folder):
            try:
                venv.create(folder, with_pip=True, clear=True)
            except (OSError, subprocess.CalledProcessError) as error:
                return f"{folder} cannot be made: {error}. On Debian and Ubuntu, install python3-venv first."
        command = [python_of(folder), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *words]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        return ""
    if any(sign in done.stderr for sign in NO_INDEX):
        sentence = (
            f"{folder} cannot be filled: the package index cannot be reached, or lacks a package. Connect to the "
            "network and run make again, or name an index of your own: PIP_INDEX_URL=… make"
        )
        errors = [line.strip() for line in done.stderr.splitlines() if "ERROR" in line]
        return "\n".join([sentence, *errors[-1:]])
    return f"{folder} cannot be filled; pip says:\n{done.stderr.strip()}"


def main() -> None:
    """Make the environment that the command line names."""
    if len(sys.argv) < 2:
        raise SystemExit("expected a folder and what to install, as in: python environments.py .venv -e .")
    wrong = make(Path(sys.argv[1]), sys.argv[2:])
    if wrong:
        raise SystemExit(wrong)


if __name__ == "__main__":
    main()
