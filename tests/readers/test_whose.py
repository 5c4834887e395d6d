"""Whose files are, told by where they lie: one rule for formats with a file for each annotator and document."""

from __future__ import annotations

from typing import Any

import pytest

import interagree as ia
from interagree.errors import DuplicateAnnotation, FormatError
from interagree.gather.whose import shared, told_apart

FILES = {
    ".conllu": "1\tGo\tgo\tA\tB\t_\t0\troot\t_\t_\n\n",
    ".ptb": "(S (V Go))\n",
    ".tsv": "#FORMAT=WebAnno TSV 3.3\n#T_SP=a.b.Entity|value\n\n\n#Text={name}\n1-1\t0-1\t{name}\tPER\t\n",
    ".xml": "<annotation><filename>a.jpg</filename><size/><object><name>cat</name>"
    "<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>3</xmax><ymax>3</ymax>"
    "</bndbox></object></annotation>",
    ".ann": "T1\tPER 0 1\tx\n",
    ".conll": "x B-PER\ny O\n",
}
LAYERED = [".conllu", ".ptb", ".tsv", ".xml"]  # of these every folder may be that of an annotator
ALL = [*LAYERED, ".ann", ".conll"]


def people(folder: Any, ending: str, *paths: str) -> list[str]:
    """The annotators of a folder of such files; a document is the letter it is called."""
    files = {f"{path}{ending}": FILES[ending].replace("{name}", path.rpartition("/")[2]) for path in paths}
    study = ia.read(folder(files))
    return list(next(iter(study.values())).annotators)


@pytest.mark.parametrize("ending", ALL)
def test_folders_are_annotators(folder: Any, ending: str) -> None:
    assert people(folder, ending, "ann/a", "ann/b", "bo/a", "bo/b") == ["ann", "bo"]


@pytest.mark.parametrize("ending", LAYERED)
def test_a_folder_around_them_is_not_an_annotator(folder: Any, ending: str) -> None:
    assert people(folder, ending, "first/ann/a", "first/ann/b", "first/bo/a", "first/bo/b") == ["ann", "bo"]


@pytest.mark.parametrize("ending", LAYERED)
def test_a_folder_inside_of_them_is_not_an_annotator(folder: Any, ending: str) -> None:
    assert people(folder, ending, "ann/first/a", "ann/first/b", "bo/first/a", "bo/first/b") == ["ann", "bo"]


@pytest.mark.parametrize("ending", [".conllu", ".ptb", ".xml"])
@pytest.mark.parametrize(
    "names",
    [
        ("train/ann/a", "train/bo/a", "train/ann/b", "train/bo/b", "test/ann/a", "test/bo/a"),
        ("Train/ann/a", "Train/bo/a", "Val/ann/a", "Val/bo/a"),
        ("ann/train/a", "ann/train/b", "ann/test/a", "ann/test/b", "bo/train/a"),
        ("ann/one/a", "ann/one/b", "ann/two/a", "ann/two/b", "bo/one/a"),
    ],
)
def test_parts_of_a_dataset_and_inner_folders_are_not_annotators(folder: Any, ending: str, names: Any) -> None:
    assert people(folder, ending, *names) == ["ann", "bo"]


@pytest.mark.parametrize("ending", ALL)
def test_hidden_folders_hold_nobodys_files(folder: Any, ending: str) -> None:
    names = ("ann/a", "bo/a", ".ipynb_checkpoints/a", "__MACOSX/ann/a", "ann/.old/a", "bo/._a")
    assert people(folder, ending, *names) == ["ann", "bo"]


@pytest.mark.parametrize("ending", LAYERED)
def test_a_folder_without_files_is_named_though_others_have_some(folder: Any, ending: str) -> None:
    path = folder({f"ann/a{ending}": FILES[ending], f"bo/a{ending}": FILES[ending], "cy/notes.txt": "none"})
    name = {".tsv": "webanno_tsv", ".xml": "pascal_voc"}.get(ending, ending[1:])
    with pytest.raises(FormatError, match=r"cy is a folder without a file that ends in"):
        ia.read([path / "ann", path / "bo", path / "cy"], format=name)


def test_one_document_in_two_folders_of_a_person_is_asked_about(folder: Any) -> None:
    with pytest.raises(DuplicateAnnotation, match=r"'ann' has document 'a' twice.*annotator='\{folder\}' with item="):
        ia.read(folder({f"{path}.tsv": FILES[".tsv"] for path in ("one/a/ann", "one/a/bo", "two/a/ann", "two/a/bo")}))


def test_pairs_of_items_that_others_have_too() -> None:
    assert shared([]) == 0
    assert shared([("a", 1), ("b", 2)]) == 0
    assert shared([("a", 1), ("a", 2), ("a", 3), ("b", 1)]) == 3
    assert shared([("a", 1), ("a", 1)]) == -1


def test_the_first_of_several_names_that_tell_or_that_by_which_most_files_meet() -> None:
    places = [("ann", "x", "a"), ("ann", "y", "a"), ("bo", "x", "a"), ("bo", "y", "a")]

    def level(*levels: int, most: bool = False) -> int | None:
        told = told_apart(places, levels, lambda _, inner: ["/".join(part) for part in inner], most=most)
        return None if told is None else told.level

    assert [level(0, 1), level(1, 0), level(2)] == [0, 1, None]
    places = [("ann", "x", "a"), ("ann", "y", "a"), ("ann", "x", "b"), ("ann", "y", "b"), ("bo", "x", "a")]
    assert [level(0, 1), level(0, 1, most=True)] == [0, 1]
