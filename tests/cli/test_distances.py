"""`interagree distances`, and the progress that it shows."""

import csv
import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from interagree import progress
from interagree.cli.options import listed_distances
from interagree.cli.progress import shown
from interagree.readers import read
from interagree.studies.choose_distance import compare_distances


@pytest.fixture
def boxes(tmp_path: Path) -> Path:
    """Thirty images with one or two boxes each, by three annotators who are off by some pixels."""
    rng = np.random.default_rng(5)
    lines = []
    for item in range(30):
        corners = [rng.uniform(0, 300, 2) for _ in range(1 + item % 2)]
        for who in "abc":
            marked = [(corner + rng.normal(0, 6, 2)).round(1).tolist() for corner in corners]
            value = [[x, y, x + 60, y + 40] for x, y in marked]
            lines.append(json.dumps({"item": f"i{item}", "annotator": who, "value": value}))
    path = tmp_path / "boxes.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("iou,giou,l2",), ["iou", "giou", "l2"]),
        (("giou:matching=pooled,clip=1,iou",), ["giou:matching=pooled,clip=1", "iou"]),
        (("iou:pixel=1,giou:clip=1,pixel=1", "l2"), ["iou:pixel=1", "giou:clip=1,pixel=1", "l2"]),
        ((" iou , l2 ,",), ["iou", "l2"]),
        ((), []),
    ],
)
def test_commas_separate_distances_and_not_their_parameters(words, found):
    assert listed_distances(None, None, words) == found


def test_the_table_ranks_distances(boxes, run):
    text = run("distances", boxes, "--distance", "count_diff,iou,l2", "--resamples", 100).stdout
    table = text.splitlines()
    assert table[0].split()[:4] == ["distance", "auc", "low", "high"]
    assert [line.split()[0] for line in table[1:4]][-1] == "count_diff"
    assert "Take " in text
    assert "tiny response space: count_diff" in text
    assert "█" in text
    assert max(map(len, table)) <= 100


def test_by_default_all_distances_of_the_kind(boxes, run):
    found = json.loads(run("distances", boxes, "--resamples", 20, "--json").stdout)
    assert found["command"] == "distances"
    assert found["kind"] == "boxes"
    assert {"iou", "giou", "count_diff"} <= {one["distance"] for one in found["distances"]}


def test_json_is_what_the_library_says(boxes, run):
    words = ("distances", boxes, "--distance", "iou", "--distance", "giou:clip=1,pixel=1", "--by", "ks")
    found = json.loads(run(*words, "--resamples", 50, "--seed", 2, "--json").stdout)
    wanted = compare_distances(read(boxes), ["iou", "giou:clip=1,pixel=1"], by="ks", resamples=50, seed=2)
    assert {name: found[name] for name in wanted.to_dict()} == json.loads(json.dumps(wanted.to_dict()))


def test_csv_has_every_interval(boxes, run):
    text = run("distances", boxes, "--distance", "iou,l2", "--resamples", 20, "--csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 2
    assert float(rows[0]["alpha low"]) < float(rows[0]["alpha"]) < float(rows[0]["alpha high"])


@pytest.mark.parametrize("suffix", ["md", "tex", "json", "csv", "txt"])
def test_files_of_all_suffixes(boxes, run, suffix):
    result = run("distances", boxes, "--distance", "iou,l2", "--resamples", 20, "-o", f"out.{suffix}")
    assert result.stderr == f"written: out.{suffix}\n"
    assert Path(f"out.{suffix}").read_text(encoding="utf-8").strip()


def test_numbers_as_published(boxes, run):
    text = run("distances", boxes, "--distance", "iou,l2", "--compat", "braylan2022").stdout
    assert text.splitlines()[0].split() == ["distance", "alpha", "ks", "sigma"]
    assert "Table 1" in text


def test_pictures_are_written(boxes, run, need):
    need("matplotlib")
    words = ("--distance", "iou,l2", "--resamples", 20, "--plot", "d.png", "--heatmap", "h.svg", "--items", 4)
    result = run("distances", boxes, *words)
    assert result.stderr == "written: d.png\nwritten: h.svg\n"
    assert Path("d.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in Path("h.svg").read_text(encoding="utf-8")


def test_a_distance_that_cannot_take_the_values_is_listed(boxes, run):
    text = run("distances", boxes, "--distance", "iou,gleu", "--resamples", 20).stdout
    assert "Not measured" in text
    assert "gleu: " in text.partition("Not measured")[2]


def test_nothing_to_choose_from_exits_with_3(boxes, run):
    assert "no distance could be measured" in run("distances", boxes, "--distance", "gleu", code=3).stdout
    run("distances", "one_value.csv", code=3)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("boxes.jsonl", "--distance", "iuo"), "no distance is called 'iuo'"),
        (("boxes.jsonl", "--distance", "iou:clip=1"), "does not take"),
        (("nowhere.jsonl",), "nowhere.jsonl"),
        (("boxes.jsonl", "--kind", "boxen"), "boxen"),
    ],
)
@pytest.mark.usefixtures("boxes")
def test_what_is_wrong_is_one_sentence_and_2(words, said, run):
    result = run("distances", *words, code=2)
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_several_questions_are_too_many(run):
    Path("two.csv").write_text("item,annotator,colour,size\n1,a,r,2\n1,b,r,3\n2,a,g,1\n2,b,r,1\n", encoding="utf-8")
    words = ("distances", "two.csv", "--value", "colour", "--value", "size")
    assert "--question" in run(*words, code=2).stderr
    run(*words, "--question", "size")


def test_a_terminal_gets_the_same_in_colour(boxes, run):
    words = ("distances", boxes, "--distance", "iou,l2", "--resamples", 20)
    text = run(*words, env={"FORCE_COLOR": "1", "COLUMNS": "100"}).stdout
    assert "\x1b[" in text
    assert "▁" in text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_alone(monkeypatch):
    with shown():
        assert progress.show.get() is None
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with shown():
        assert list(progress.steps(range(3), "some work")) == [0, 1, 2]
        assert list(progress.steps(iter("ab"), "other work", total=2)) == ["a", "b"]
    assert progress.show.get() is None
    assert "some work" in stream.getvalue()
