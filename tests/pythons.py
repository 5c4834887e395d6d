"""The wheel, with nothing but what it needs, on every supported Python that is on this machine.

    python tests/pythons.py FOLDER

Builds the wheel, installs it into an environment for each Python in FOLDER, and runs `tests/smoke.py` there.  Pythons
are looked for on the path, among those of pyenv, and by uv; a machine without any but this one tries this one.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
OLDEST = (3, 11)
PROGRAM = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
ASK = "import sys, sysconfig; print(*sys.version_info[:2], sys.executable, sep='\\n')"


def candidates() -> Iterator[str]:
    """Programs that may be a Python."""
    yield sys.executable
    for minor in range(OLDEST[1], 30):
        found = shutil.which(f"python3.{minor}")
        if found is not None:
            yield found
    yield from map(str, sorted(Path.home().glob(".pyenv/versions/3.*/bin/python3")))
    if shutil.which("uv") is not None:
        told = subprocess.run(
            ["uv", "python", "list", "--only-installed", "--output-format", "json"],
            capture_output=True,
            text=True,
            check=False,
        )
        try:
            yield from (str(one["path"]) for one in json.loads(told.stdout or "[]"))
        except (ValueError, KeyError, TypeError):  # another uv, which says it in other words
            return


def pythons() -> dict[tuple[int, int], str]:
    """One Python of each version."""
    found: dict[tuple[int, int], str] = {}
    for program in candidates():
        try:
            told = subprocess.run([program, "-c", ASK], capture_output=True, text=True, check=True, timeout=60)
            major, minor, path = told.stdout.splitlines()
        except (OSError, ValueError, subprocess.SubprocessError):  # a link to a version that is not there
            continue
        if (int(major), int(minor)) >= OLDEST:
            found.setdefault((int(major), int(minor)), path)
    return dict(sorted(found.items()))


def main(folder: Path) -> None:
    """Try the wheel on each Python."""
    folder.mkdir(exist_ok=True)
    wheels = folder / "wheel"
    shutil.rmtree(wheels, ignore_errors=True)
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels, ROOT]
    subprocess.run([*map(str, build)], check=True)
    (wheel,) = wheels.glob("*.whl")
    failed = []
    for (major, minor), program in pythons().items():
        name = f"{major}.{minor}"
        place = folder / name
        make = [program, ROOT / "environments.py", place, "--only-binary=:all:", "--force-reinstall", wheel]
        smoke = [
            place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"),
            "-I",
            "-W",
            "error",
            ROOT / "tests" / "smoke.py",
        ]
        steps = (("not installed", make), ("FAILED", smoke))
        wrong = next((word for word, step in steps if subprocess.run([*map(str, step)], check=False).returncode), "")
        sys.stdout.write(f"Python {name}: {wrong or 'works'}\n")
        failed += [name] if wrong else []
    if failed:
        raise SystemExit(f"The wheel does not work on Python {', '.join(failed)}; what it said stands above.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
