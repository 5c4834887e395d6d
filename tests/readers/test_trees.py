"""Treebanks: CoNLL-U and CoNLL-X dependency trees, and bracketed trees."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from readers.sample_files.trees import BRACKETS, CONLLU, PLUS

import interagree as ia
from interagree.errors import DataError, DoubtfulReading, DuplicateAnnotation, FormatError, KindError, UnknownName


def sentence(words: str, heads: str, labels: str = "", comment: str = "") -> str:
    """A sentence of CoNLL-U from its words, heads and relations."""
    relations = labels.split() or ["x"] * len(words.split())
    lines = [
        f"{at}\t{word}\t{word.lower()}\tA\tB\t_\t{head}\t{label}\t_\t_"
        for at, (word, head, label) in enumerate(zip(words.split(), heads.split(), relations, strict=True), start=1)
    ]
    return "\n".join([*([comment] if comment else []), *lines]) + "\n\n"


ANN = sentence("Ana ran home", "2 0 2", "nsubj root obl") + sentence("Stay !", "0 1", "root punct")
BO = sentence("Ana ran home", "2 0 1", "nsubj root nmod") + sentence("Stay !", "0 1", "root punct")


def values(study: Any, question: str) -> dict[tuple[str, str], Any]:
    return {(item, who): value for item, who, value in study[question].rows()}


# -- dependency trees ---------------------------------------------------------------------------------------


def test_heads_relations_and_labels_of_words(folder: Any) -> None:
    study = ia.read(folder({"ann.conllu": ANN, "bo.conllu": BO}))
    assert list(study) == ["dependencies", "deprel", "upos", "xpos", "lemma"]
    assert study["dependencies"].kind.name == "dependencies"
    assert values(study, "dependencies") == {
        ("1", "ann"): ((2, "nsubj"), (0, "root"), (2, "obl")),
        ("1", "bo"): ((2, "nsubj"), (0, "root"), (1, "nmod")),
        ("2", "ann"): ((0, "root"), (1, "punct")),
        ("2", "bo"): ((0, "root"), (1, "punct")),
    }
    assert values(study, "deprel")["1:3", "bo"] == "nmod"
    assert values(study, "lemma")["2:1", "ann"] == "stay"
    assert ia.measures.attachment(study["dependencies"]).value == pytest.approx(4 / 5)
    places = study["deprel"].attributes["where"].tolist()
    assert [Path(place).name for place in places][:2] == ["ann.conllu, line 1", "ann.conllu, line 2"]
    assert study["deprel"].attributes["text"].tolist()[0] == "Ana"
    assert study["dependencies"].attributes["text"].tolist()[0] == "Ana ran home"


def test_multiword_tokens_and_empty_nodes_are_counted_and_passed_over(folder: Any) -> None:
    study = ia.read(folder({"ann.conllu": CONLLU}) / "ann.conllu")
    assert values(study, "dependencies")["s1", "ann"] == (
        (4, "nsubj"), (4, "aux"), (4, "advmod"), (0, "root"), (4, "punct"),
    )  # fmt: skip
    assert "1 multiword token passed over" in study.policy()
    assert "1 empty node left out" in study.policy()
    assert study["dependencies"].attributes["text"].tolist() == ["It doesn't rain.", "Stay !"]


def test_features_are_read_where_they_are_asked_for(folder: Any) -> None:
    turned = CONLLU.replace("Mood=Ind|Tense=Pres", "Tense=Pres|Mood=Ind")
    root = folder({"ann.conllu": CONLLU, "bo.conllu": turned})
    assert "feats" not in ia.read(root)
    assert set(values(ia.read(root, questions="feats"), "feats").values()) == {"Mood=Ind|Tense=Pres"}
    assert list(ia.read(root, value=["upos", "dependencies"])) == ["upos", "dependencies"]
    with pytest.raises(UnknownName, match=r"no question 'pos'; it has 'dependencies'"):
        ia.read(root, questions="pos")


def test_folders_are_annotators_and_documents_lose_their_names(folder: Any) -> None:
    root = folder({"ann/d1-ann.conll": ANN, "ann/d2-ann.conll": ANN, "bo/d1-bo.conll": BO, "cy/d1.conll": BO})
    study = ia.read(root)
    assert (*study["dependencies"].items,) == ("d1:1", "d1:2", "d2:1", "d2:2")
    assert (*study["dependencies"].annotators,) == ("ann", "bo", "cy")
    assert "without the annotator in them, as in 'd1' of 'd1-ann' (3 files)" in study.policy()
    assert ("d2:1", "bo") not in values(study, "dependencies")  # a file that is missing was not seen


def test_a_name_that_only_looks_like_an_annotator_stays(folder: Any) -> None:
    root = folder({"es/news-es.conll": ANN, "ann/news-es.conll": BO})
    assert (*ia.read(root)["dependencies"].items,) == ("news-es:1", "news-es:2")


def test_one_annotators_folder_and_files_named_one_by_one(folder: Any) -> None:
    root = folder({"ann/d1-ann.conll": ANN, "ann/d2-ann.conll": ANN, "bo/d1-bo.conll": BO})
    alone = ia.read(root / "ann")["dependencies"]
    assert ((*alone.annotators,), len(alone.items)) == (("ann",), 4)
    again = ia.read([root / "ann/d1-ann.conll", root / "bo/d1-bo.conll"])["dependencies"]
    assert (*again.items,) == ("d1:1", "d1:2")
    assert (*again.annotators,) == ("ann", "bo")


def test_documents_and_annotators_in_the_names_of_files_are_asked_for(folder: Any) -> None:
    root = folder({"d1-ann.conll": ANN, "d1-bo.conll": BO, "d2-ann.conll": ANN})
    with pytest.raises(DoubtfulReading) as caught:
        ia.read(root)
    assert "names='{document}-{annotator}'" in str(caught.value)
    assert "annotator='{file}'" in str(caught.value)
    assert "-O 'names={document}-{annotator}'" in caught.value.for_command_line()
    read = ia.read(root, names="{document}-{annotator}")["dependencies"]
    assert ((*read.annotators,), (*read.items,)) == (("ann", "bo"), ("d1:1", "d1:2", "d2:1", "d2:2"))
    assert (*ia.read(root, names="{annotator}-{document}")["dependencies"].annotators,) == ("d1", "d2")
    assert len(ia.read(root, annotator="{file}")["dependencies"].annotators) == 3
    with pytest.raises(FormatError, match=r"'d1-ann' does not follow the pattern '\{document\}_\{annotator\}'"):
        ia.read(root, names="{document}_{annotator}")
    with pytest.raises(KindError, match="names must be a pattern"):
        ia.read(root, names="{who}")


def test_patterns_say_whose_files_are(folder: Any) -> None:
    root = folder({"ann/one.conllu": ANN, "bo/two.conllu": BO})
    assumed = ia.read(root)
    assert (*assumed["dependencies"].items,) == ("1", "2")
    assert "the files 'one', 'two' taken as one document, since every annotator has one" in assumed.policy()
    apart = ia.read(root, annotator="{folder}", document="{file}")
    assert (*apart["dependencies"].items,) == ("one:1", "one:2", "two:1", "two:2")
    root = folder({"x/ann/a.conllu": ANN, "x/ann/b.conllu": ANN, "x/bo/c.conllu": BO}) / "x"
    with pytest.raises(DoubtfulReading, match=r"no two annotators have a file of one document"):
        ia.read(root)
    with pytest.raises(DuplicateAnnotation, match="'me' has document 'one' twice"):
        ia.read(root, annotator="me", document="one")


def test_sentences_are_paired_by_id_wherever_they_stand(folder: Any) -> None:
    one = sentence("Ana ran", "2 0", comment="# sent_id = a") + sentence("Stay !", "0 1", comment="# sent_id = b")
    two = sentence("Stay !", "2 0", comment="# sent_id = b")
    study = ia.read(folder({"ann.conllu": one, "bo.conllu": two}))
    assert set(values(study, "dependencies")) == {("a", "ann"), ("b", "ann"), ("b", "bo")}
    assert "sentences by {sent_id}" in study.policy()


def test_ids_that_nobody_shares_are_asked_about(folder: Any) -> None:
    one = sentence("Ana ran", "2 0", comment="# sent_id = a1") + sentence("Stay !", "0 1", comment="# sent_id = a2")
    root = folder({"ann.conllu": one, "bo.conllu": one.replace("= a", "= b")})
    with pytest.raises(DoubtfulReading, match=r"no two annotators have a sentence of one sent_id") as caught:
        ia.read(root)
    assert "item='{document}:{number}'" in str(caught.value)
    assert set(ia.read(root, item="{document}:{number}")["dependencies"].items) == {"1", "2"}
    assert set(ia.read(root, item="{text}")["dependencies"].items) == {"Ana ran", "Stay !"}


def test_different_numbers_of_sentences_are_asked_about(folder: Any) -> None:
    root = folder({"ann.conllu": ANN + sentence("Stay !", "2 0"), "bo.conllu": BO})
    with pytest.raises(DoubtfulReading, match=r"there are different numbers of sentences \(3 by 'ann', 2 by 'bo'\)"):
        ia.read(root)
    by_text = ia.read(root, item="{text}")["dependencies"]
    assert (*by_text.items,) == ("Ana ran home", "Stay !", "Stay ! (2)")
    assert len(by_text) == 5
    assert len(ia.read(root, item="{document}:{number}")["dependencies"]) == 5


def test_sentences_of_other_words_are_left_out_and_counted(folder: Any) -> None:
    other = sentence("Ana ran ho me", "2 0 2 2") + sentence("Stay !", "0 1", "root punct")
    root = folder({"ann.conllu": ANN, "bo.conllu": BO, "cy.conllu": other})
    study = ia.read(root)
    assert (*study["dependencies"].items,) == ("2",)
    assert "1 sentence with different words by different annotators ('1') left out for all (3 parses" in study.policy()
    most = ia.read(root, unequal="majority")
    assert set(values(most, "dependencies")) == {("1", "ann"), ("1", "bo"), *(("2", w) for w in ("ann", "bo", "cy"))}
    with pytest.raises(DataError, match=r"has 3 words by 'ann' and 4 by 'cy', and word 3 is 'home' and 'ho'"):
        ia.read(root, unequal="error")
    with pytest.raises(DataError, match=r"so it is with all 1 sentence .*: these are not the same sentences"):
        ia.read(folder({"n/ann.conllu": sentence("a b", "0 1"), "n/bo.conllu": sentence("c d", "0 1")}) / "n")


def test_ways_to_write_a_letter_are_not_other_words(folder: Any) -> None:
    one, two = sentence("caf\u00e9 !", "0 1"), sentence("cafe\u0301 !", "0 1")
    assert len(ia.read(folder({"ann.conllu": one, "bo.conllu": two}))["dependencies"].items) == 1


def test_words_without_a_head_and_words_that_are_their_own(folder: Any) -> None:
    bare = "1\tAna\t_\tPROPN\t_\t_\t_\t_\t_\t_\n2\tran\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    looped = sentence("Stay !", "1 1", "root punct")
    study = ia.read(folder({"ann.conllu": bare + looped + sentence("Go !", "0 1")}) / "ann.conllu")
    assert (*study["dependencies"].items,) == ("3",)
    assert "1 parse in which a word has no head left out" in study.policy()
    assert "1 parse in which a word is its own head left out, as in" in study.policy()
    assert values(study, "upos")["1:1", "ann"] == "PROPN"
    tagged = bare.replace("\t0\troot", "\t_\t_")
    assert list(ia.read(folder({"t/ann.conllu": tagged}) / "t/ann.conllu")) == ["upos"]


def test_eight_columns_and_columns_by_name(folder: Any) -> None:
    eight = "".join("\t".join(line.split("\t")[:8]) + "\n" for line in ANN.splitlines())
    root = folder({"ann.conll": eight, "bo.conll": BO})
    assert len(ia.read(root)["dependencies"]) == 4
    plus = ia.read(folder({"p/a.conllup": PLUS}) / "p/a.conllup")
    assert values(plus, "dependencies") == {("1", "a"): ((0, "root"), (1, "punct"))}
    assert "lemma" not in plus
    wide = "1\tStay\tstay\tstay\tVB\tVB\t_\t_\t0\t0\troot\troot\tY\tstay.01\n\n"
    with pytest.raises(FormatError, match=r"found 14 columns: .* columns=\['ID', 'FORM'"):
        ia.read(folder({"w/a.conllu": wide}) / "w/a.conllu")
    names = "ID,FORM,LEMMA,PLEMMA,POS,PPOS,FEATS,PFEAT,HEAD,PHEAD,DEPREL,PDEPREL,FILLPRED,PRED"
    assert values(ia.read(folder({}) / "w/a.conllu", columns=names), "dependencies") == {("1", "a"): ((0, "root"),)}
    with pytest.raises(KindError, match="'head' lacking"):
        ia.read(folder({}) / "w/a.conllu", columns="ID,FORM,DEPREL")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (ANN.replace("\tobl\t_\t_", "\tobl"), r"line 3: expected 10 columns, .*, found 8"),
        (ANN.replace("3\thome", "5\thome"), r"line 3: expected token 3, found token 5"),
        (ANN.replace("\n\n", "\n", 1), r"line 4: expected token 4, found token 1; is a blank line .* missing\?"),
        (ANN.replace("\t0\troot", "\t9\troot", 1), r"line 2: the head is token 9, and the sentence has 3 tokens"),
        (
            ANN.replace("\t0\troot", "\tup\troot", 1),
            r"line 2: expected the number of a token as head, or 0, found 'up'",
        ),
        (ANN.replace("1\tAna", "x\tAna"), r"line 1: expected the number of a token, found 'x'"),
        ("# nothing\n\n", r"there is no sentence to read"),
    ],
)
def test_broken_trees_are_refused_with_their_place(folder: Any, content: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        ia.read(folder({"ann.conllu": content}) / "ann.conllu")


def test_trees_and_tags_are_told_apart_by_what_is_in_them(folder: Any) -> None:
    root = folder({"a.conll": ANN, "b.conll": "Ana B-PER\nran O\n\n", "c.txt": ANN})
    assert "dependencies" in ia.read(root / "a.conll")
    assert list(ia.read(root / "b.conll")) == ["spans"]
    assert "dependencies" in ia.read(root / "c.txt")
    with pytest.raises(FormatError, match=r"trees are read with format='conllu'"):
        ia.read(root / "a.conll", format="conll")


def test_the_copenhagen_treebank(shared: Path) -> None:
    root = shared / "data/formats/conll_trees/cdt-es"
    raw: dict[str, dict[str, list[list[str]]]] = {}
    for path in sorted(root.glob("*/*.conll")):
        for number, block in enumerate(path.read_text(encoding="utf-8").strip().split("\n\n"), start=1):
            cells = [line.split("\t") for line in block.splitlines()]
            raw.setdefault(f"{path.name[:7]}:{number}", {})[path.parent.name] = cells
    same = {item: by for item, by in raw.items() if len({tuple(row[1] for row in rows) for rows in by.values()}) == 1}
    assert (len(raw), len(same)) == (36, 34)
    study = ia.read(root)
    parses = study["dependencies"]
    assert (len(parses), len(parses.items), (*parses.annotators,)) == (114, 34, ("henrik", "jonas", "lotte", "soren"))
    assert len(study["deprel"].items) == 532
    assert values(study, "dependencies")["0104-es:1", "henrik"][:3] == ((13, "subj"), (1, "nobj"), (0, "ROOT"))
    assert "2 sentences with different words" in study.policy()
    assert "1 parse in which a word is its own head left out, as in" in study.policy()
    alike = count = 0
    for by in same.values():
        fine = {who: rows for who, rows in by.items() if all(row[0] != row[6] for row in rows)}
        for one, two in combinations(fine.values(), 2):
            alike += sum(p[6:8] == q[6:8] for p, q in zip(one, two, strict=True))
            count += len(one)
    assert ia.measures.attachment(parses).value == pytest.approx(alike / count)
    assert ia.measures.attachment(parses).value == pytest.approx(0.782, abs=5e-4)
    assert len(ia.read(root, unequal="majority")["dependencies"]) == 120
    assert ia.alpha(study["upos"]).value == 1  # tags were there before


def test_universal_dependencies(shared: Path) -> None:
    study = ia.read(shared / "data/formats/conll_trees/ud_english_pud_first20.conllu")
    assert {name: len(study[name]) for name in study} == {
        "dependencies": 20, "deprel": 450, "upos": 450, "xpos": 450, "lemma": 450,
    }  # fmt: skip
    assert study["dependencies"].items[0] == "n01001011"


# -- bracketed trees ----------------------------------------------------------------------------------------


def test_trees_over_several_lines_and_with_a_bracket_around_them(folder: Any) -> None:
    study = ia.read(folder({"ann.mrg": "*x*x* copyright\n" + BRACKETS}) / "ann.mrg")
    seems = "(S (NP-SBJ-1 (PRP It)) (VP (VBZ seems) (S (NP (-NONE- *-1)) (VP (TO to) (VP (VB rain))))) (. .))"
    assert values(study, "trees") == {("1", "ann"): seems, ("2", "ann"): "(TOP (S (VP (VB Stay)) (. !)))"}
    assert study.single().kind.name == "trees"
    assert [Path(place).name for place in study.single().attributes["where"]] == ["ann.mrg, line 2", "ann.mrg, line 4"]
    assert study.single().attributes["text"].tolist() == ["It seems to rain .", "Stay !"]
    assert "1 of 2 trees have a node 'ROOT', 'TOP', 'S1' around them (outer='drop' leaves it off)" in study.policy()


def test_functions_traces_and_outermost_nodes_are_left_out_on_request(folder: Any) -> None:
    path = folder({"ann.mrg": BRACKETS}) / "ann.mrg"
    study = ia.read(path, functions="drop", traces="drop", outer="drop")
    assert values(study, "trees") == {
        ("1", "ann"): "(S (NP (PRP It)) (VP (VBZ seems) (S (VP (TO to) (VP (VB rain))))) (. .))",
        ("2", "ann"): "(S (VP (VB Stay)) (. !))",
    }
    for said in ("functions and indices of 1 label left out", "2 empty elements left out", "1 outermost node left off"):
        assert said in study.policy()


def test_trees_of_other_words_are_left_out_and_traces_are_not_words(folder: Any) -> None:
    moved = BRACKETS.replace("(NP (-NONE- *-1)) ", "").replace("Stay", "Go")
    root = folder({"ann.ptb": BRACKETS, "bo.ptb": moved})
    study = ia.read(root)
    assert (*study.single().items,) == ("1",)
    assert "1 sentence with different words by different annotators ('2') left out" in study.policy()


def test_leaves_of_a_treebank_without_words_are_labels(folder: Any) -> None:
    root = folder(
        {"ann/1-ann.tree": "(S (NP d_the n_dog)\n (VP v_ran (AP a_far)))", "bo/1-bo.tree": "(S (NP d_the) v_ran)"}
    )
    study = ia.read(root)
    assert values(study, "trees")["1", "bo"] == "(S (NP (d_the)) (v_ran))"
    assert "leaves taken as labels, since 2 of 6 stand beside other nodes" in study.policy()
    few = "".join("(S (NP (D the) (N dog)) (VP (V ran)))\n" for _ in range(20)) + "(S (NP the (N dog)))\n"
    path = folder({"f/ann.tree": few}) / "f/ann.tree"
    with pytest.raises(DoubtfulReading, match=r"line 21: 1 of 62 leaves stand beside other nodes") as caught:
        ia.read(path)
    assert "leaves='words'" in str(caught.value)
    assert values(ia.read(path, leaves="words"), "trees")["21", "ann"] == "(S (NP the (N dog)))"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("(S (NP x)", r"line 1: 1 bracket of the tree that begins here is not closed"),
        ("(S (NP x)))\n", r"line 1: expected a tree in brackets, found '\)'"),
        ("(S (NP x))\nand so on", r"line 2: expected a tree in brackets, found 'and'"),
        ("(S () (NP x))", r"line 1: a node inside of the tree that ends here has no label"),
        ("()", r"line 1: there is nothing between two brackets"),
        ("\n\n", r"there is no sentence to read"),
    ],
)
def test_broken_brackets_are_refused_with_their_place(folder: Any, content: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        ia.read(folder({"ann.tree": content}) / "ann.tree")


def test_the_trees_of_three_runs(shared: Path) -> None:
    study = ia.read(shared / "data/formats/ptb_trees")
    trees = study.single()
    assert (len(trees), (*trees.items,), (*trees.annotators,)) == (
        12,
        ("10003", "10023", "10027", "10038"),
        ("ssd.emily2", "ssd.woodley", "ssd.woodley2"),
    )
    assert values(study, "trees")["10038", "ssd.woodley"] == values(study, "trees")["10038", "ssd.emily2"]
    assert 0.9 < ia.alpha(study).value < 1


def test_lemmas_are_text(folder: Any) -> None:
    root = folder({"ann.conllu": ANN, "bo.conllu": BO})
    assert [*ia.read(root, no_text=True)] == ["dependencies", "deprel", "upos", "xpos"]
