"""Tags of CoNLL files in, spans of tokens out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interagree.errors import DataError, FormatError, KindError, UnknownName
from interagree.readers import read
from interagree.readers.conll import recognised

ANN = "Ana B-PER\nEk I-PER\nran O\n\nto O\nRome B-LOC\n"
BO = "Ana B-PER\nEk O\nran O\n\nto O\nRome B-LOC\n"
COLUMNS = "Ana NNP B-PER B-PER\nEk NNP I-PER O\nran VBD O O\n\nto IN O O\nRome NNP B-LOC B-LOC\n"
PART = "-DOCSTART- -X- O O\n\n"
PARTS = f"{PART}Ana NNP B-NP B-PER\n\nran VBD O O\n\n{PART}to IN O O\nRome NNP B-NP B-LOC\n"
LABEL_STUDIO = "-DOCSTART- -X- O\nAna -X- _ B-PER\nran -X- _ O\n\nAna -X- _ O\nran -X- _ O\n"
TREE = "1\tAna\tana\tN\tN\t_\t2\tsubj\t_\t_\n2\tran\trun\tV\tV\t_\t0\troot\t_\t_\n"


def rows(study: Any) -> dict[tuple[Any, Any], Any]:
    return {(item, who): value for item, who, value in study.single().rows()}


# -- layouts ------------------------------------------------------------------------------------------------


def test_a_folder_for_each_annotator(folder: Any) -> None:
    study = read(folder({"ann/d.txt": ANN, "bo/d.txt": BO, "bo/e.txt": ANN}))
    assert rows(study) == {
        ("d", "ann"): ((0, 2, "PER"), (4, 5, "LOC")),
        ("d", "bo"): ((0, 1, "PER"), (4, 5, "LOC")),
        ("e", "bo"): ((0, 2, "PER"), (4, 5, "LOC")),
    }
    spans = study["spans"]
    assert spans.attributes["text"].tolist() == ["Ana Ek ran\nto Rome"] * 3
    assert spans.attributes["tokens"].tolist()[0] == ((0, 3), (4, 6), (7, 10), (11, 13), (14, 18))
    assert spans.attributes["positions"].tolist() == ["tokens"] * 3
    assert "documents are files; tags read as IOB2" in study.policy()


def test_a_file_for_each_annotator(folder: Any) -> None:
    root = folder({"ann.conll": ANN, "bo.conll": BO})
    assert rows(read(root)) == {
        ("1", "ann"): ((0, 2, "PER"),),
        ("1", "bo"): ((0, 1, "PER"),),
        ("2", "ann"): ((1, 2, "LOC"),),
        ("2", "bo"): ((1, 2, "LOC"),),
    }
    assert set(rows(read(root, document="file"))) == {("text", "ann"), ("text", "bo")}
    assert rows(read([root / "ann.conll", root / "bo.conll"])) == rows(read(root))


def test_a_column_for_each_annotator(folder: Any) -> None:
    path = folder({"all.conll": COLUMNS}) / "all.conll"
    expected = {
        ("1", "ann"): ((0, 2, "PER"),),
        ("1", "bo"): ((0, 1, "PER"),),
        ("2", "ann"): ((1, 2, "LOC"),),
        ("2", "bo"): ((1, 2, "LOC"),),
    }
    assert rows(read(path, annotators=["ann", "bo"])) == expected
    assert rows(read(path, columns=[2, 3], annotators=["ann", "bo"])) == expected
    assert set(rows(read(path, columns=[2, 3]))) == {(d, f"column {c}") for d in "12" for c in (2, 3)}
    alone = read(path)
    assert set(rows(alone)) == {("1", "all"), ("2", "all")}
    assert (
        "column 2 also looks like tags and is left aside (columns=[2, 3] takes each as an annotator)" in alone.policy()
    )
    with pytest.raises(KindError, match="names 1 column and annotators= 2 annotators; name one"):
        read(path, columns=[2], annotators=["ann", "bo"])
    with pytest.raises(FormatError, match="has 4 columns, and columns 7, 0 are wanted"):
        read(path, tag=7)


def test_columns_are_numbers_and_have_as_many_annotators(folder: Any) -> None:
    path = folder({"all.conll": COLUMNS}) / "all.conll"
    assert rows(read(path, annotator=["ann", "bo"])) == rows(read(path, annotators=["ann", "bo"]))
    assert set(rows(read(path, columns=2, annotators="ann"))) == {("1", "ann"), ("2", "ann")}
    for wrong in ("one", ["2", "3"], [True], 2.0):
        with pytest.raises(KindError, match=r"columns.* whole numbers"):
            read(path, columns=wrong)
    with pytest.raises(KindError, match="columns= names 0 columns and annotators= 0 annotators; name one"):
        read(path, columns=[])
    for many in (3, 7):
        said = f"all.conll: {many} annotators were named, and the file has 2 columns of tags; name one"
        with pytest.raises(FormatError, match=said):
            read(path, annotators=list("abcdefg")[:many])
    for wrong in ({"columns": [2, 2]}, {"annotators": ["ann", "ann"]}):
        with pytest.raises(KindError, match="is named twice; every column is of one annotator"):
            read(path, **wrong)


def test_documents_are_parts_files_or_sentences(folder: Any) -> None:
    path = folder({"ann.conll": PARTS}) / "ann.conll"
    assert rows(read(path)) == {("1", "ann"): ((0, 1, "PER"),), ("2", "ann"): ((1, 2, "LOC"),)}
    assert rows(read(path, document="file")) == {("text", "ann"): ((0, 1, "PER"), (3, 4, "LOC"))}
    assert set(rows(read(path, document="sentence"))) == {(number, "ann") for number in "123"}
    root = folder({"by/ann/d.conll": PARTS, "by/bo/d.conll": PARTS}) / "by"
    assert set(rows(read(root, document="docstart"))) == {(f"d:{n}", who) for n in (1, 2) for who in ("ann", "bo")}
    with pytest.raises(KindError, match="document= takes one of 'file', 'docstart', 'sentence', not 'page'"):
        read(path, document="page")


def test_files_with_different_numbers_of_sentences_are_compared_as_wholes(folder: Any) -> None:
    root = folder({"ann.conll": ANN, "bo.conll": BO.replace("\n\n", "\n")})
    with pytest.raises(DataError, match="different numbers of sentences"):
        read(root)
    found = rows(read(root, document="file"))
    assert found["text", "ann"] == ((0, 2, "PER"), (4, 5, "LOC"))
    assert found["text", "bo"] == ((0, 1, "PER"), (4, 5, "LOC"))


def test_gold_is_kept_apart_and_said(folder: Any) -> None:
    root = folder({"_gold/d.txt": ANN, "ann/d.txt": BO, "bo/d.txt": ANN, "bo/e.txt": ANN})
    study = read(root)
    assert study["spans"].annotators == ("ann", "bo")
    assert study["spans"].attributes["gold"].tolist() == [((0, 2, "PER"), (4, 5, "LOC"))] * 2 + [None]
    assert "'_gold' is not an annotator: what it marked in 1 document is the attribute 'gold'" in study.policy()
    assert read(root, gold=None)["spans"].annotators == ("_gold", "ann", "bo")


# -- lines --------------------------------------------------------------------------------------------------


def test_tabs_carriage_returns_marks_and_comments(folder: Any) -> None:
    lines = "\ufeff# by hand, in June\nNew York\tB-LOC\r\n#\tO\r\n1\tO\r\n\r\n \t\r\nx\tO\n"
    study = read(folder({"ann.iob": lines}) / "ann.iob", document="file")
    assert rows(study) == {("text", "ann"): ((0, 1, "LOC"),)}
    assert study["spans"].attributes["text"].tolist() == ["New York # 1\nx"]
    assert "1 comment left out" in study.policy()


def test_a_tag_without_a_token_has_no_place(folder: Any) -> None:
    study = read(folder({"ann/d.txt": "Ana B-PER\n I-PER\nran O\n", "bo/d.txt": "Ana B-PER\nran O\n"}))
    assert set(rows(study).values()) == {((0, 1, "PER"),)}
    assert "1 tag without a token" in study.policy()
    assert "1 token could not be placed" in study.policy()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("Ana B-PER\nran\nto O\n", r"ann.conll, line 2: expected 2 columns as in most lines, found 1: 'ran'"),
        ("Ana\nran\n", r"ann.conll has 1 column, and columns -1, 0 are wanted"),
        ("\n\n", r"there is no token to read"),
        ("Ana B-PER\nran PER\n", r"document '1' by 'ann', token 2: 'PER' is not a tag"),
        (LABEL_STUDIO, r"a CoNLL export of Label Studio, .* export the project as JSON"),
    ],
)
def test_a_file_that_is_none_of_tags_is_refused(folder: Any, content: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read(folder({"ann.conll": content}) / "ann.conll")


@pytest.mark.parametrize("content", [TREE, "# sent_id = 1\n" + TREE])
def test_trees_are_not_read_as_tags(folder: Any, content: str) -> None:
    path = folder({"ann.conll": content}) / "ann.conll"
    with pytest.raises(FormatError, match=r"10 columns that begin with the number of the token: a dependency tree"):
        read(path, format="conll")


def test_schemes_and_strictness(folder: Any) -> None:
    root = folder({"ann/d.txt": "Ana I-PER\nEk B-PER\n", "bo/d.txt": "Ana I-PER\nEk I-PER\n"})
    assert rows(read(root))["d", "ann"] == ((0, 1, "PER"), (1, 2, "PER"))
    assert "tags read as IOB1" in read(root).policy()
    strict = read(root, scheme="iob2", strict=True)
    assert rows(strict) == {("d", "ann"): ((1, 2, "PER"),), ("d", "bo"): ()}
    assert "2 spans against the rules of IOB2 left out" in strict.policy()


# -- recognising --------------------------------------------------------------------------------------------


def test_a_table_of_tags_is_recognised_and_other_tables_are_not(folder: Any) -> None:
    root = folder({"tags.tsv": ANN.replace(" ", "\t"), "labels.tsv": "item\tannotator\tvalue\n1\tann\tO\n1\tbo\tB-x\n"})
    assert rows(read(root / "tags.tsv"))["1", "tags"] == ((0, 2, "PER"),)
    assert list(read(root / "labels.tsv")) == ["value"]


def test_a_text_file_of_tags_is_recognised(folder: Any) -> None:
    root = folder({"ann.txt": ANN, "bo.txt": "Ana O\nEk O\nran O\n\nto O\nRome O\n"})
    assert rows(read(root / "ann.txt")) == {("1", "ann"): ((0, 2, "PER"),), ("2", "ann"): ((1, 2, "LOC"),)}
    assert rows(read(root))["1", "bo"] == ()
    table = folder({"t/labels.txt": "item,annotator,value\n1,ann,O\n1,bo,B-x\n"}) / "t/labels.txt"
    assert list(read(table)) == ["value"]
    closed = folder({"c/x.txt": "1 B-x\n2 B-y\n"}) / "c/x.txt"  # without an O it may be anything
    assert not recognised(closed)


def test_other_folders_are_not_taken_for_tags(folder: Any) -> None:
    root = folder({"a/notes.txt": "Some words of prose\nand more of them.\n"})
    with pytest.raises(FormatError, match=r"a folder without a file that can be read; .*format='conll'"):
        read(root)
    with pytest.raises(FormatError, match="expected a file for each annotator"):
        read(folder({"empty/x.md": ""}) / "empty", format="conll")


def test_options_are_checked_and_names_are_made_by_patterns(folder: Any) -> None:
    path = folder({"ann.conll": ANN}) / "ann.conll"
    with pytest.raises(UnknownName, match=r"the reader 'conll' has no option 'shceme'\. Did you mean 'scheme'"):
        read(path, shceme="bio")
    assert set(rows(read(path, annotator="{folder}"))) == {("1", "round"), ("2", "round")}
    root = folder({"twice/a/d.txt": ANN, "twice/b/d.txt": ANN}) / "twice"
    with pytest.raises(DataError, match="'me' has document 'd' twice"):
        read(root, annotator="me")


# -- the real files -----------------------------------------------------------------------------------------


def test_the_files_of_the_crowd(shared: Path) -> None:
    study = read(shared / "data/formats/conll_iob/one_folder_per_worker")
    spans = study.single()
    assert (len(spans), len(spans.items), len(spans.annotators)) == (14, 3, 12)
    lengths = dict(zip((spans.items[at] for at in spans.item), spans.attributes["length"].tolist(), strict=True))
    assert sorted(lengths.values()) == [84, 129, 157]  # token counts were 129/173/129/130, 151/156, 83/84
    assert "tokens of 3 of 3 documents differ, aligned by characters, 39 tokens could not be placed" in study.policy()
    gold = dict(zip((spans.items[at] for at in spans.item), spans.attributes["gold"].tolist(), strict=True))
    assert sorted(len(value) for value in gold.values()) == [10, 11, 18]


def test_what_label_studio_and_treebanks_write_is_refused(shared: Path) -> None:
    formats = shared / "data/formats"
    with pytest.raises(FormatError, match="export the project as JSON"):
        read(formats / "label_studio_converted/text_conll2003.conll")
    with pytest.raises(FormatError, match="a dependency tree"):
        read(formats / "conll_trees/cdt-es/henrik/0104-es-henrik.conll", format="conll")
