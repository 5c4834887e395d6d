"""Tables of WebAnno in, studies out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interagree as ia
from interagree.errors import DuplicateAnnotation, FormatError, OptionError, UnknownName
from interagree.readers import read
from interagree.readers._webanno import numbered, split, unescape
from interagree.readers.webanno_tsv import recognised

NE = "#T_SP=webanno.custom.Entity|value"
TEXT = "Ann Lee met Bo ."
TOKENS = ("Ann", "Lee", "met", "Bo", ".")


def table(*columns: str, text: str = TEXT, head: tuple[str, ...] = (NE,), more: tuple[str, ...] = ()) -> str:
    """A table of one sentence: a text for each column with its cells, parted by blanks."""
    lines = ["#FORMAT=WebAnno TSV 3.3", *head, "", "", f"#Text={text}"]
    cells = [column.split(" ") for column in columns]
    at = 0
    for number, token in enumerate(text.split(" ")):
        end = at + len(token.encode("utf-16-le")) // 2
        here = "".join(f"{column[number]}\t" for column in cells)
        lines.append(f"1-{number + 1}\t{at}-{end}\t{token}\t{here}")
        lines += [line for line in more if line.startswith(f"1-{number + 1}.")]
        at = end + 1
    return "\n".join(lines) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    def made(**files: str) -> Path:
        for name, content in files.items():
            (tmp_path / "letter.txt").mkdir(exist_ok=True)
            (tmp_path / "letter.txt" / f"{name}.tsv").write_text(content, encoding="utf-8")
        return tmp_path / "letter.txt"

    return made


def value(study: Any, question: str | None = None, who: str = "ann") -> Any:
    annotations = study.single() if question is None else study[question]
    return {(item, annotator): given for item, annotator, given in annotations.rows()}["letter.txt", who]


def test_a_file_is_an_annotator_and_a_folder_a_document(folder: Any) -> None:
    path = folder(ann=table("PER[1] PER[1] _ PER _"), bo=table("PER[1] PER[1] _ _ _"), CURATION_USER=table("A _ _ _ _"))
    study = read(path)
    assert list(study) == ["Entity"]
    assert study.single().annotators == ["ann", "bo"]
    assert value(study) == ((0, 7, "PER"), (12, 14, "PER"))
    assert value(study, who="bo") == ((0, 7, "PER"),)
    assert set(study.single().attributes["text"]) == {TEXT + "\n"}
    assert set(study.single().attributes["tokens"]) == {((0, 3), (4, 7), (8, 11), (12, 14), (15, 16))}
    assert "1 curated document left out" in study.policy()
    assert value(read(path, gold="apart"), who="ground truth") == ((0, 3, "A"),)


def test_what_nobody_annotated_is_left_out(folder: Any) -> None:
    study = read(folder(ann=table("PER _ _ _ _"), INITIAL_CAS=table("_ _ _ _ _")))
    assert study.single().annotators == ["ann"]
    assert "1 document before annotation left out" in study.policy()


def test_folders_are_annotators_where_files_of_a_name_have_one_text(tmp_path: Path) -> None:
    for who in ("ann", "bo"):
        for number, text in enumerate(("Ann came .", "Bo went .")):
            (tmp_path / who).mkdir(exist_ok=True)
            (tmp_path / who / f"letter{number}.tsv").write_text(table("PER _ _", text=text), encoding="utf-8")
    study = read(tmp_path)
    assert study.single().annotators == ["ann", "bo"]
    assert study.single().items == ["letter0", "letter1"]
    assert "documents from {file}, annotators from {folder}" in study.policy()
    with pytest.raises(DuplicateAnnotation, match=r"'x' has document 'ann' twice.*annotator='\{folder\}'"):
        read(tmp_path, annotator="x")


def test_two_texts_of_one_document_are_an_error(folder: Any) -> None:
    with pytest.raises(FormatError, match="it is not the same item"):
        read(folder(ann=table("PER _ _ _ _"), bo=table("PER _ _", text="Bo went .")))


def test_stacked_and_nested_spans(folder: Any) -> None:
    study = read(folder(ann=table("A[1]|B[2]|C[3] A[1]|C[3] C[3] _ _")))
    assert value(study) == ((0, 3, "B"), (0, 7, "A"), (0, 11, "C"))


def test_parts_of_tokens_and_places_between_them(folder: Any) -> None:
    parts = ("1-2.1\t5-7\tee\tX[7]\t", "1-3.1\t8-9\tm\tX[7]\t", "1-4.1\t12-12\t\tP\t")
    path = folder(ann=table("_ _ _ _ _", more=parts))
    assert value(read(path)) == ((5, 9, "X"),)
    assert value(read(path, points="keep")) == ((5, 9, "X"), (12, 12, "P"))


def test_no_value_no_feature_and_signs_that_mean_something(folder: Any) -> None:
    study = read(folder(ann=table(r"* \* a\|b\[1\]\_\->\;\\ \_ x\[2\]")))
    assert value(study) == ((0, 3, None), (4, 7, "*"), (8, 11, r"a|b[1]_->;" + "\\"), (12, 14, "_"), (15, 16, "x[2]"))
    study = read(folder(ann=table("*[1] *[1] _ _ _", head=("#T_SP=webanno.custom.Plain|",))))
    assert value(study, "Plain") == ((0, 7, None),)


def test_features_that_are_used_are_questions(folder: Any) -> None:
    head = ("#T_SP=webanno.custom.Entity|certain|note|value",)
    study = read(
        folder(
            ann=table("true[1] * _ _ _".replace("*", "true[1]"), "*[1] *[1] _ _ _", "PER[1] PER[1] _ _ _", head=head)
        )
    )
    assert list(study) == ["Entity.certain", "Entity.value"]
    assert value(study, "Entity.certain") == ((0, 7, "true"),)
    assert value(study, "Entity.value") == ((0, 7, "PER"),)


def test_layers_of_one_name_are_called_by_all_of_it(folder: Any) -> None:
    head = (NE, "#T_SP=other.Entity|value")
    assert list(read(folder(ann=table("A _ _ _ _", "B _ _ _ _", head=head)))) == [
        "webanno.custom.Entity",
        "other.Entity",
    ]


def test_relations_go_from_the_governor_to_the_dependent(folder: Any) -> None:
    head = (NE, "#T_RL=webanno.custom.Knows|how|BT_webanno.custom.Entity")
    study = read(folder(ann=table("PER[1]|X[2] PER[1] _ PER _", "_ _ _ well _", "_ _ _ 1-1[1_0] _", head=head)))
    assert value(study, "Knows") == (((0, 7, "PER"), (12, 14, "PER"), "well"),)
    study = read(folder(ann=table("PER[1]|X[2] PER[1] _ PER _", "_ _ _ a|b _", "_ _ _ 1-1[2_0]|1-2 _", head=head)))
    assert value(study, "Knows") == (((0, 3, "X"), (12, 14, "PER"), "a"), ((0, 7, "PER"), (12, 14, "PER"), "b"))


def test_dependencies_join_tokens(folder: Any) -> None:
    layer = "de.tudarmstadt.ukp.dkpro.core.api.syntax.type.dependency.Dependency"
    head = (f"#T_RL={layer}|DependencyType|BT_de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS",)
    study = read(folder(ann=table("_ nsubj root _ _", "_ 1-3 1-3 _ _", head=head)))
    assert value(study, "Dependency") == (
        ((8, 11, None), (4, 7, None), "nsubj"),
        ((8, 11, None), (8, 11, None), "root"),
    )


def test_slots_are_relations_by_their_role(folder: Any) -> None:
    slots = "|ROLE_webanno.custom.Frame:roles_webanno.custom.FrameRolesLink|webanno.custom.Entity"
    head = (NE, f"#T_SP=webanno.custom.Frame|name{slots}")
    path = folder(
        ann=table("A[1] A[1] _ B _", "_ _ meet _ _", "_ _ who;whom;* _ _", "_ _ 1-1[1];1-4;1-4 _ _", head=head)
    )
    study = read(path)
    assert list(study) == ["Entity", "Frame", "Frame.roles"]
    host = (8, 11, "meet")
    assert value(study, "Frame.roles") == (
        (host, (0, 7, "A"), "who"),
        (host, (12, 14, "B"), "whom"),
        (host, (12, 14, "B"), None),
    )
    study = read(folder(ann=table("_ _ _ _ _", "_ _ meet _ _", "_ _ _ _ _", "_ _ * _ _", head=head)))
    assert list(study) == ["Frame"]


def test_chains_are_clusters(folder: Any) -> None:
    head = ("#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType",)
    path = folder(ann=table("*->1-1 *->1-1 _ *->1-2 *->2-1", "nam[1] nam[1] _ *[1] *[2]", head=head))
    study = read(path)
    assert list(study) == ["Coreference.referenceType", "Coreference"]
    assert value(study, "Coreference") == (((0, 7), (12, 14)), ((15, 16),))
    assert value(study, "Coreference.referenceType") == ((0, 7, "nam"),)
    with pytest.raises(FormatError, match=r"line 6: expected a link of a chain as '\*->1-1', found 'x'"):
        read(folder(ann=table("x _ _ _ _", "_ _ _ _ _", head=head)))


def test_offsets_count_utf16_units_or_as_the_tokens_show(folder: Any) -> None:
    text = "\U0001f600 Ann \U0001f600 Bo"
    content = table("_ PER _ PER", text=text)
    assert "1-4\t10-12\tBo" in content
    assert value(read(folder(ann=content))) == ((2, 5, "PER"), (8, 10, "PER"))
    plain = content
    for wide, narrow in (("0-2", "0-1"), ("3-6", "2-5"), ("7-9", "6-7"), ("10-12", "8-10")):
        plain = plain.replace(f"\t{wide}\t", f"\t{narrow}\t")
    study = read(folder(ann=plain))
    assert value(study) == ((2, 5, "PER"), (8, 10, "PER"))
    assert "1 file whose offsets count characters" in study.policy()


def test_tokens_that_are_not_in_the_text_are_counted(folder: Any) -> None:
    study = read(folder(ann=table("PER _ _ _ _").replace("\tAnn\t", "\tEve\t")))
    assert "1 token unlike the text at its place" in study.policy()


def test_several_sentences_and_lines(folder: Any) -> None:
    lines = [
        "#FORMAT=WebAnno TSV 3.2",
        NE,
        "",
        "",
        "#Sentence.id=s1",
        "#Text=Ann",
        "#Text=came .",
        "1-1\t0-3\tAnn\tPER\t",
    ]
    lines += [
        "1-2\t4-8\tcame\t_\t",
        "1-3\t9-10\t.\t_\t",
        "",
        "#Text=Bo\\twent",
        "2-1\t13-15\tBo\tPER[1]\t",
        "2-2\t16-20\twent\tPER[1]\t",
    ]
    study = read(folder(ann="\n".join(lines)))
    assert value(study) == ((0, 3, "PER"), (13, 20, "PER"))
    assert set(study.single().attributes["text"]) == {"Ann\ncame .\n  Bo\twent\n"}
    lines[-2] = "2-1\t0-2\tBo\t_\t"
    with pytest.raises(FormatError, match="line 13: a sentence starts at 0, where the one before it goes on to 11"):
        read(folder(ann="\n".join(lines)))


def test_a_file_without_annotations(folder: Any) -> None:
    path = folder(ann=table("PER _ _ _ _"), bo=table(head=()))
    study = read(path)
    assert value(study, who="bo") == ()
    assert "1 document without any annotation taken as looked at" in study.policy()
    assert "'bo' marked nothing of 'Entity' in any document, taken as having looked for it" in study.policy()
    assert read(path, empty="unseen").single().annotators == ["ann"]


def test_a_layer_that_somebody_was_not_asked_for(folder: Any) -> None:
    head = (NE, "#T_SP=webanno.custom.Other|value")
    path = folder(ann=table("PER _ _ _ _", "X _ _ _ _", head=head), bo=table("PER _ _ _ _"))
    assert value(read(path), "Other", "bo") == ()
    assert read(path, asked="marked")["Other"].annotators == ["ann"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            " # de.tud.POS | PosValue # de.tud.Dep | Type | AttachTo=de.tud.POS\n#id=1\n#text=x\n1-1\tx\tB-DT\n",
            "version 1 or 2",
        ),
        ("#id=1\n#text=x y\n1-1\tx\tO\n", "version 1 or 2"),
        ("#FORMAT=WebAnno TSV 3.3\n#T_SP=\n\n\n#Text=x\n", "line 2: expected the name of a layer"),
        (table("A _ _ _ _").replace("1-1\t0-3", "1-1\t0-x"), "line 6: expected a token as"),
        (table("A _ _ _ _").replace("1-2\t4-7", "1-1\t4-7"), "line 7: the token 1-1 stands in an earlier line"),
        (
            table("A _ _ _ _").replace("1-5\t15-16", "1-5\t15-99"),
            "line 10: a token from 15 to 99 does not lie in the text",
        ),
        (table("A _ _ _ _").replace("Ann\tA\t", "Ann\tA\tB\t"), "line 6: expected 1 column of layers"),
        (table("A _ _ _ _").replace("Lee\t_\t", "Lee"), "line 7: expected 1 column of layers"),
        (table("A[1] B[1] _ _ _"), "line 7: an annotation of 'webanno.custom.Entity' has value 'B' here and 'A'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(folder: Any, content: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(folder(ann=content) / "ann.tsv")


def test_a_relation_with_a_token_that_is_not_there(folder: Any) -> None:
    head = (NE, "#T_RL=webanno.custom.Knows|BT_webanno.custom.Entity")
    with pytest.raises(FormatError, match="line 10: there is no token '9-9' to refer to"):
        read(folder(ann=table("A _ _ B _", "_ _ _ 9-9 _", head=head)))


def test_options_are_checked(folder: Any) -> None:
    path = folder(ann=table("A _ _ _ _"))
    for option in ("gold", "empty", "asked"):
        with pytest.raises(OptionError, match=f"{option}= takes one of .*, not 'x'"):
            read(path, **{option: "x"})
    with pytest.raises(UnknownName, match="the reader 'webanno_tsv' has no option 'rejected'"):
        read(path, rejected=1)


def test_other_tables_are_not_recognised(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("# item | annotator\n1\tann\tx\n", encoding="utf-8")
    assert not recognised(path)


def test_cells() -> None:
    assert split(r"a|b\|c|d\\|e", "|") == ["a", r"b\|c", r"d\\", "e"]
    assert numbered("x[12]") == ("x", 12)
    assert numbered(r"x\[12\]") == (r"x\[12\]", 0)
    assert unescape(r"a\tb\nc\\d") == "a\tb\nc\\d"


def test_what_is_written_for_webanno_is_read_back(tmp_path: Path) -> None:
    texts = {"letter": "Ann Lee saw Paris in May.", "note": "Bo slept \U0001f600 in A_B[1] * |x, Italy."}
    spans = {
        "letter": [(0, 7, "PER"), (12, 17, "LOC[2]"), (12, 24, "X|_->*")],
        "note": [(0, 2, "PER"), (14, 32, "LOC")],
    }
    rows = [{"item": item, "annotator": "ann", "value": spans[item], "text": texts[item]} for item in texts]
    back = read(
        ia.export(ia.crowd.medoid(ia.Annotations.of(rows, kind="spans")), tmp_path / "back", to="webanno"),
        item="{file}",
        annotator="ann",
    )
    found = {str(item): [tuple(span) for span in value] for item, _, value in back.single().rows()}
    assert found == {item: sorted(spans[item]) for item in spans}
    assert "unlike the text" not in back.policy()


def test_the_tables_of_inceptions_curation_tests(shared: Path) -> None:
    folder = shared / "data/formats/webanno_tsv"
    study = read(folder / "simpleRelGovDiffTest")
    assert {name: study[name].annotators for name in study} == {
        "POS": ["user1", "user2"],
        "Dependency": ["user1", "user2"],
    }
    assert [given for *_, given in study["POS"].rows()] == [
        ((5, 7, "VAFIN"), (17, 25, "NN")),
        ((5, 7, "VAFIN"), (17, 25, "NE")),
    ]
    arc = (((5, 7, None), (17, 25, None), "OBJA"),)
    assert [given for *_, given in study["Dependency"].rows()] == [arc, arc]
    gold = read(folder / "simpleRelGovDiffTest", gold="apart")["POS"]
    assert [given for _, who, given in gold.rows() if who == "ground truth"] == [((5, 7, "VAFIN"),)]
    study = read(folder / "simpleSpanDiffMultiFeatureTest")
    assert [given for *_, given in study["NamedEntity.identifier"].rows()] == [((9, 17, "A"),), ((9, 17, "B"),)]
    assert [given for *_, given in study["NamedEntity.value"].rows()] == [((9, 17, "false"),)] * 2
    study = read(folder / "simpleSpanDiffNoLabelTest")
    assert [given for *_, given in study.single().rows()] == [((17, 25, None),), ()]
    for name in ("kappatest", "kappaspandiff", "kappaarcdiff", "kappaspanarcdiff"):
        with pytest.raises(FormatError, match="version 1 or 2"):
            read(folder / f"agreement_{name}.tsv")
