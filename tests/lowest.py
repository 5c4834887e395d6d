"""The lower bounds of pyproject.toml as pins: what `make lowest` installs and tests with."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

BOUND = re.compile(r"^([\w.-]+)(?:\[[^\]]*\])?>=([\w.]+)")


def pins(project: Path) -> list[str]:
    """A line ``name==bound`` for each requirement of users that has a lower bound."""
    settings = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    extras = settings["optional-dependencies"].values()
    requirements = [*settings["dependencies"], *(requirement for extra in extras for requirement in extra)]
    matches = (BOUND.match(requirement) for requirement in requirements)
    return sorted({f"{match[1]}=={match[2]}" for match in matches if match})


if __name__ == "__main__":
    print("\n".join(pins(Path(__file__).parents[1] / "pyproject.toml")))  # noqa: T201 -- a script
