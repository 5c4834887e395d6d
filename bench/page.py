"""Put what the benchmarks print into docs/speed.md; only the summary at its top is written by hand.

    python bench/page.py alpha_nominal startup     runs these two
    python bench/page.py                           runs all that the page has a place for
    python bench/page.py --from FOLDER             takes what they printed before from FOLDER/bench_NAME.txt

The place of a benchmark on the page is between two comments that carry its name.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "speed.md"
PLACE = re.compile(r"(<!-- bench_(?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def printed(name: str, folder: Path | None) -> str:
    """What a benchmark prints, now or before."""
    if folder is not None:
        return (folder / f"bench_{name}.txt").read_text(encoding="utf-8")
    command = [sys.executable, str(HERE / f"bench_{name}.py")]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def folded(text: str, name: str) -> str:
    """What was printed as a part of the page that opens on a click."""
    first, _, rest = text.strip().partition("\n")
    lines = [f'??? note "bench/bench_{name}.py: {first}"', *(f"    {line}".rstrip() for line in rest.splitlines())]
    return "\n" + "\n".join(lines) + "\n\n"


def main() -> None:
    """Fill the places that were asked for."""
    arguments = sys.argv[1:]
    folder = Path(arguments.pop(arguments.index("--from") + 1)) if "--from" in arguments else None
    wanted = [name for name in arguments if name != "--from"]
    page = PAGE.read_text(encoding="utf-8")

    def filled(place: re.Match[str]) -> str:
        name = place["name"]
        if wanted and name not in wanted:
            return place[0]
        return place[1] + folded(printed(name, folder), name) + place[3]

    PAGE.write_text(PLACE.sub(filled, page), encoding="utf-8")


if __name__ == "__main__":
    main()
