"""Lists what is built in: src/interagree/_names.py and the parts of the stubs that say which measures there are.

    python list_names.py          writes all
    python list_names.py --check  exits with 1 where they are not as they would be written

A measure, a distance, a reader, a writer, a kind of value and a command are one file each; what is listed here is read
off these files.  So nothing is looked for when interagree runs, and it runs from a zip file or without its sources.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
PACKAGE = ROOT / "src" / "interagree"
NAMES, TOP = PACKAGE / "_names.py", PACKAGE / "__init__.pyi"
MEASURES = PACKAGE / "measures" / "__init__.pyi"
ROOMS = ("distances", "findings.causes", "kinds", "measures", "readers", "writers")
COMMAND = re.compile(r'r?"""`interagree ([\w-]+)` \(([^,()]+), (\d+)\)')
SUMMARY = re.compile(r'^def command\(.*?\) -> None:\n    r?"""(.+?)(?:"""|\n)', re.DOTALL | re.MULTILINE)
HOME = re.compile(r"^from (interagree\S*) import \(?\s*\w+ as (\w+)\b", re.MULTILINE)
MEASURE = re.compile(r"^from interagree\.measures\.\S+ import (?:\([^)]*\)|[^\n(]*)\n", re.MULTILINE)
ALIASES = "\n# What else measures are called\n"
LONGEST = 121  # characters of a line with its end
ABOUT = '"""What is built in, by name: written by `make names` from the files of each room, and never by hand."""\n'


def modules(room: str) -> list[str]:
    """The public modules of a room."""
    found = (
        path
        for path in (PACKAGE / room.replace(".", "/")).iterdir()
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    )
    return sorted(path.stem for path in found if not path.stem.startswith("_"))


def top() -> str:
    """The stub of the top level, with the other names of the measures that are there."""
    text = TOP.read_text(encoding="utf-8").partition(ALIASES)[0]
    public = {name for _, name in HOME.findall(text)}
    return _with_aliases(text, [name for name in modules("measures") if name in public])


def all_measures() -> str:
    """The stub of the room of measures, with a line for each and for each other name of one."""
    text = MEASURES.read_text(encoding="utf-8").partition(ALIASES)[0]
    stated = list(MEASURE.finditer(text))
    measures = modules("measures")
    return _with_aliases(text[: stated[0].start()] + "".join(map(_line, measures)) + text[stated[-1].end() :], measures)


def _with_aliases(text: str, measures: list[str]) -> str:
    aliases = [
        (alias, name)
        for name in modules("measures")
        for alias in _facts("measures", name).aliases
        if alias.isidentifier()
    ]
    times = Counter(alias for alias, _ in aliases)
    public = {name for _, name in HOME.findall(text)}
    lines = [
        f"{alias} = {name}\n"
        for alias, name in aliases
        if times[alias] == 1 and alias not in public and name in measures
    ]
    return f"{text.rstrip()}\n{ALIASES}{''.join(sorted(lines))}"


def _line(name: str) -> str:
    line = f"from interagree.measures.{name} import {name} as {name}\n"
    if len(line) <= LONGEST:
        return line
    return f"from interagree.measures.{name} import (\n    {name} as {name},\n)\n"


def _facts(room: str, name: str) -> Any:
    return getattr(import_module(f"interagree.{room}.{name}"), name).facts


def names(stubs: dict[Path, str]) -> str:
    """The module of names, given the stubs of the rooms."""
    homes = {}
    for path, text in stubs.items():
        room = ".".join(path.relative_to(PACKAGE.parent).parent.parts)
        homes[room] = {public: module for module, public in HOME.findall(text)}
    endings = {}
    for name in modules("readers"):
        endings[name] = _facts("readers", name).suffixes
    commands = []
    for module in modules("cli"):
        source = (PACKAGE / "cli" / f"{module}.py").read_text(encoding="utf-8") if _is_file(module) else ""
        first, summary = COMMAND.match(source), SUMMARY.search(source)
        if first is not None and summary is not None:
            commands.append((int(first[3]), first[1], first[2], summary[1], module))
    return "\n".join(
        [
            ABOUT,
            "# by room, the module of each of its public names",
            f"HOMES: dict[str, dict[str, str]] = {_dict(homes)}",
            "# the modules of each room",
            f"MODULES: dict[str, tuple[str, ...]] = {_dict({room: tuple(modules(room)) for room in ROOMS})}",
            "# the endings of the files that a reader takes",
            f"ENDINGS: dict[str, tuple[str, ...]] = {_dict(endings)}",
            "# place, name, heading, summary and module of each command",
            f"COMMANDS: tuple[tuple[int, str, str, str, str], ...] = {_tuple(sorted(commands))}",
            "",
        ]
    )


def _is_file(module: str) -> bool:
    return (PACKAGE / "cli" / f"{module}.py").is_file()


def _dict(table: dict[str, object], margin: str = "\n") -> str:
    inner = f"{margin}    "
    return "{" + "".join(f"{inner}{_text(key)}: {_text(table[key], inner)}," for key in sorted(table)) + margin + "}"


def _tuple(entries: list[tuple[object, ...]]) -> str:
    return "(" + "".join(f"\n    {_text(entry)}," for entry in entries) + "\n)"


def _text(thing: object, margin: str = "\n") -> str:
    if isinstance(thing, dict):
        return _dict(thing, margin)
    if isinstance(thing, str):
        return '"' + thing.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(thing, tuple | list):
        comma = "," if len(thing) == 1 else ""
        return f"({', '.join(map(_text, thing))}{comma})"
    return repr(thing)


def main() -> int:
    """Write both files, or say which of them is old."""
    sys.path.insert(0, str(PACKAGE.parent))
    stubs = {path: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.glob("*/__init__.pyi"))}
    stubs = {TOP: top(), **stubs, MEASURES: all_measures()}
    made = {**stubs, NAMES: names(stubs)}
    old = [path for path, text in made.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        if old:
            listed = ", ".join(str(path.relative_to(PACKAGE)) for path in old)
            print(f"not as the files of the rooms say: {listed}; write them: make names")  # noqa: T201 -- for the terminal
        return 1 if old else 0
    for path in old:
        path.write_text(made[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
