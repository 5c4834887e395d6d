"""What every test may ask for: the folder of shared data, optional tools by name, and Hypothesis' settings."""

import importlib
import importlib.util
import inspect
import os
import shutil
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings

ROOT = Path(__file__).parents[1]
CI = "INTERAGREE_CI" in os.environ
COMMANDS = {"java", "make"}

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
    """The module called ``name``, the path of a command such as java, or the folder of the commands of postgresql.

    A test that needs what is not installed is skipped and says so.  With INTERAGREE_CI set it fails instead, so that
    nothing goes untested for want of a tool.
    """
    if name == "postgresql":  # Debian keeps the commands of the server apart; their folder
        found: Any = next((path.parent for path in sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))), None)
    elif name in COMMANDS:
        found = shutil.which(name)
    else:
        found = importlib.import_module(name) if importlib.util.find_spec(name.partition(".")[0]) else None
    if found is None:
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
