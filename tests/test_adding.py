"""Adding a measure, a distance, a reader, a kind of value or a command is writing one file.

One toy of each is put into a copy of the tree, alone, and everything that should follow from it is looked for there:
the name in Python, the listing, the page of the documentation, the command line, configuration, completion, and the
property tests, which must run for it and pass.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

MEASURE = '''
r"""Toy agreement.

$$T = 1 - D_o$$

$D_o$ is the observed disagreement.

Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20, 37-46.
"""

from typing import Unpack

from interagree.data import ReadingOptions
from interagree.data.types import IntoAnnotations, Values
from interagree.declare import measure
from interagree.distances import on_values
from interagree.results.agreement import Agreement, Parts
from interagree.stats.engine.estimate import estimate
from interagree.stats.labels.chance import observed
from interagree.stats.labels.labelled import LabelCounts


@measure("Toy agreement", symbol="T", reference="cohen1960", chance="none", range=(0.0, 1.0))
def toy_measure(data: IntoAnnotations, *others: Values, **reading: Unpack[ReadingOptions]) -> Agreement:
    """Toy agreement.

    Args:
        data: A study, or anything `Annotations.of` takes.
    """
    return estimate(toy_measure, LabelCounts.under(data, on_values(None, None), least=2), parts)


def parts(counts: LabelCounts) -> Parts:
    return Parts(observed(counts, counts.distances))
'''

DISTANCE = '''
r"""Toy distance: half of what it would be if only equality counted.

$$\\delta(a, b) = [a \\ne b] / 2$$

Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20, 37-46.
"""

from interagree.declare import distance


@distance(bounded=True, metric=True)
def toy_distance(a: object, b: object) -> float:
    """Half where two values differ."""
    return 0.0 if a == b else 0.5
'''

READER = '''
"""Toy files: one annotation on each line, as item/annotator/value."""

from pathlib import Path

from interagree.data import Annotations, Study
from interagree.data.files import Source
from interagree.declare import reader


@reader("toy files", suffixes=(".toy",))
def toy_reader(path: str | Path | Source, **options: object) -> Study:
    """The annotations of a file."""
    source = path if isinstance(path, Source) else Source.of(path)
    rows = [line.split("/") for line in source.text().splitlines() if line]
    return Study({"value": Annotations.of([tuple(row) for row in rows])})
'''

WRITER = '''
"""Toy files: one decision on each line, as item/value."""

from interagree.declare import writer
from interagree.people.decisions import Decisions


@writer("toy files", suffix=".toy", kinds=("labels",))
def toy_writer(decisions: Decisions) -> str:
    """A line for each item."""
    return "".join(f"{row.item}/{row.value}\\n" for row in decisions.rows)
'''

KIND = '''
"""Toys: a pair of the word "toy" and a whole number."""

from collections.abc import Sequence

from interagree.kinds import Kind


def _why_not(value: object) -> str | None:
    toy = isinstance(value, tuple) and len(value) == 2 and value[0] == "toy" and isinstance(value[1], int)
    return None if toy else "it is not a toy"


def _likely(values: Sequence[object]) -> bool:
    return True


toy_kind = Kind(
    name="toy_kind",
    title="toys",
    form="['toy', number]",
    why_not=_why_not,
    likely=_likely,
    distance="nominal",
    distances=("nominal",),
    measures=("alpha",),
    group="Toys",
    examples=(("toy", 1), ("toy", 2), ("toy", 3)),
)
'''

COMMAND = '''
"""`interagree toy` (Other, 99)."""

from __future__ import annotations

import click

from interagree.cli.options import FILE, READING, ReadingGroup, options


@click.command("toy")
@click.argument("file", type=FILE, metavar="FILE")
@click.option("--toys", type=int, default=1, show_default=True, help="How many toys there are.")
@options(READING)
def command(file: str, toys: int, **given: object) -> None:
    """Count toys."""
    from interagree.cli.load import read_file

    study = read_file(file, ReadingGroup.take(given))
    click.echo(f"{toys} toys, {sum(map(len, study.values()))} annotations")
'''


class Copy:
    """A copy of the tree with one file more."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignored = shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc")
        shutil.copytree(ROOT / "src", folder / "src", ignore=ignored)
        shutil.copytree(ROOT / "tests", folder / "tests", ignore=ignored)
        shutil.copytree(ROOT / "docs", folder / "docs", ignore=ignored)
        for name in ("pyproject.toml", "list_names.py"):
            shutil.copy(ROOT / name, folder)

    def add(self, place: str, text: str) -> None:
        """The one file, listed by `make names`."""
        (self.folder / "src/interagree" / place).write_text(text.lstrip("\n"), encoding="utf-8")
        self.run("list_names.py")

    def run(self, *words: str, code: int = 0) -> str:
        """What a Python process prints that sees the copy and not this tree."""
        environment = os.environ | {"PYTHONPATH": str(self.folder / "src"), "NO_COLOR": "1", "COLUMNS": "200"}
        done = subprocess.run(
            [sys.executable, *words], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def interagree(self, *words: str) -> str:
        """What a command prints."""
        return self.run("-m", "interagree", *words)

    def page(self, path: str) -> str:
        """A generated page of the documentation."""
        return self.run(
            "-c", f"import sys; sys.path.insert(0, 'docs'); import build_site; print(build_site.pages()[{path!r}][1])"
        )

    def properties(self, name: str) -> int:
        """How many property tests run for a name; they must pass."""
        printed = self.run(
            "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests/test_properties.py", "-k", name
        )
        found = re.search(r"(\d+) passed", printed)
        return int(found[1]) if found else 0


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """A fresh copy for each thing that is added."""
    return Copy(tmp_path)


@pytest.fixture
def labels(copy: Copy) -> str:
    """A small file of labels."""
    rows = [
        "item,annotator,value",
        *(f"{i},{who},{'xy'[(i + (i == 3 and who == 'b')) % 2]}" for i in range(8) for who in "ab"),
    ]
    (copy.folder / "labels.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return "labels.csv"


def test_a_measure_is_one_file(copy: Copy, labels: str) -> None:
    copy.add("measures/toy_measure.py", MEASURE)
    assert "toy_measure" in copy.interagree("list", "measures")
    assert "0.875" in copy.interagree("measure", labels, "-m", "toy_measure")
    assert "Toy agreement" in copy.interagree("explain", "toy_measure")
    assert "0.875" in copy.run("-c", f"import interagree as ia; print(ia.measures.toy_measure(ia.read({labels!r})))")
    assert copy.page("measures/toy_measure.md").startswith("# Toy agreement")
    assert "toy_measure" in copy.page("measures/index.md")
    assert "toy_measure" in copy.page("reference/api.md")
    assert copy.properties("toy_measure") > 20


def test_a_distance_is_one_file(copy: Copy, labels: str) -> None:
    copy.add("distances/toy_distance.py", DISTANCE)
    assert "toy_distance" in copy.interagree("list", "distances")
    assert "alpha" in copy.interagree("measure", labels, "-m", "alpha:distance=toy_distance")
    assert "toy_distance" in copy.page("reference/distances.md")
    assert copy.properties("toy_distance") >= 3


def test_a_reader_is_one_file(copy: Copy) -> None:
    copy.add("readers/toy_reader.py", READER)
    (copy.folder / "labels.toy").write_text("1/a/x\n1/b/x\n2/a/y\n2/b/x\n", encoding="utf-8")
    assert "toy_reader" in copy.interagree("list", "readers")
    assert "2 items" in copy.interagree("doctor", "labels.toy").replace("\n", " ")
    assert "0.500" in copy.interagree("measure", "labels.toy", "-m", "percent")
    assert "toy_reader" in copy.page("reference/readers.md")


def test_a_writer_is_one_file(copy: Copy, labels: str) -> None:
    copy.add("writers/toy_writer.py", WRITER)
    assert "toy_writer" in copy.interagree("list", "writers")
    copy.interagree("consensus", labels, "-o", "back.toy", "--to", "toy_writer")
    assert "/" in (copy.folder / "back.toy").read_text(encoding="utf-8")
    assert "toy_writer" in copy.page("reference/writers.md")


def test_a_kind_is_one_file(copy: Copy) -> None:
    copy.add("kinds/toy_kind.py", KIND)
    rows = '[("i1", "a", ("toy", 1)), ("i1", "b", ("toy", 1)), ("i2", "a", ("toy", 2)), ("i2", "b", ("toy", 3))]'
    study = f"import interagree as ia; study = ia.Annotations.of({rows})"
    assert copy.run("-c", f"{study}; print(study.kind)").strip() == "toy_kind"
    assert "α" in copy.run("-c", f"{study}; print(ia.alpha(study))")
    assert "0.400" in copy.run("-c", f"{study}; print(ia.report(study, full=True))")
    assert "toy_kind" in copy.interagree("list", "kinds")
    assert "toy_kind" in copy.page("reference/kinds.md")


def test_a_command_is_one_file(copy: Copy, labels: str) -> None:
    copy.add("cli/toy.py", COMMAND)
    assert "Count toys." in copy.interagree("--help")
    assert "1 toys, 16 annotations" in copy.interagree("toy", labels)
    (copy.folder / "interagree.toml").write_text("[toy]\ntoys = 7\n", encoding="utf-8")
    assert "7 toys" in copy.interagree("toy", labels)
    assert "--toys" in copy.page("reference/cli.md")
