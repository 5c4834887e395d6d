"""`interagree demo` (Other, 53)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from interagree.cli.options import Output, define, opt

WRITTEN = ("report.md", "report.html", "report.tex", "report.json", "report.csv")
FOLDER = opt(
    "-o --output",
    "A folder to write the data and the report to, as Markdown, HTML, LaTeX, JSON and CSV.",
    click.Path(file_okay=False, path_type=Path),
)
PYTHON = """study = interagree.example("reviews")
interagree.report(study).write("report.md")"""


@define("demo", PYTHON, FOLDER)
def command(output: Path | None) -> None:
    """Show a report on a small study that comes with interagree.

    Sixty invented product reviews, rated by six annotators on a scale of five steps. Some ratings are missing, and one
    annotator guesses; see whether the report finds them.
    """
    from interagree.cli.show import program, say, show, written
    from interagree.data.writing import write_file
    from interagree.examples import example, file_of
    from interagree.reports.make import report

    answer = report(example("reviews"), title="Sixty product reviews, rated by six annotators")
    show(answer, Output())
    data = "reviews.csv"
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
        write_file(output / data, file_of("reviews").read_bytes())
        data = str(output / data)
        for name in WRITTEN:
            written(answer.write(output / name))
    say("")
    say("What to try next:")
    for line in tries(data, copied=output is not None):
        say(f"  {program()}{line.removeprefix('interagree')}")
    say("")
    first = "" if find_spec("uvicorn") else ", after pip install 'interagree[serve]'"
    served = page(data, copied=output is not None).removeprefix("interagree")
    say(f"Decide the disagreements on a page{first}: {program()}{served}")


def tries(data: str, *, copied: bool) -> list[str]:
    """Commands that go on from here."""
    scale = _scale()
    commands = (
        f"interagree doctor {data}",
        f"interagree measure {data} {scale} --by annotator",
        f"interagree explain alpha {data} {scale} --distance ordinal",
        f"interagree check {data} {scale} --distance ordinal --at-least 0.67",
        f"interagree compare {data} -m percent -m ac1",
    )
    first = commands if copied else ("interagree demo -o demo-report        (copies the data, too)",)
    return [*first, "interagree doctor YOUR_FILE"]


def page(data: str, *, copied: bool) -> str:
    """The command that opens the page to decide on; without a file, the sample is chosen there."""
    return f"interagree serve {data} {_scale()}" if copied else "interagree serve"


def _scale() -> str:
    from interagree.examples import SCALE

    return f"--values '{','.join(SCALE)}' --ordered"
