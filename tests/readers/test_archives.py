"""Archives and folders of folders are read as the folders that they are, as a whole or not at all."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

import interagree as ia
from interagree.errors import DataError, FormatError

ANN = "item,label\n" + "".join(f"t{n},{'xy'[n % 2]}\n" for n in range(8))
BO = ANN.replace("t3,y", "t3,x")
LONG = "item,annotator,label\n1,ann,yes\n1,bo,no\n2,ann,no\n2,bo,no\n"


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def tarred(files: Mapping[str, str]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content.encode()))
    return made.getvalue()


def saved(tmp_path: Path, name: str, content: bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(content)
    return path


def people(study: ia.Study) -> set[object]:
    return {str(who) for who in study.single().annotators}


@pytest.mark.parametrize("files", [{"ann.csv": ANN, "bo.csv": BO}, {"study/ann.csv": ANN, "study/bo.csv": BO}])
def test_the_files_of_an_archive_are_one_study(tmp_path: Path, files: dict[str, str]) -> None:
    for path in (saved(tmp_path, "a.zip", zipped(files)), saved(tmp_path, "a.tgz", tarred(files))):
        study = ia.read(path)
        assert people(study) == {"ann", "bo"}
        assert float(ia.percent(study)) == 7 / 8
        assert study.provenance.sources[0].startswith(str(path))


def test_a_packed_table_alone_is_that_table(tmp_path: Path) -> None:
    study = ia.read(saved(tmp_path, "a.zip", zipped({"labels.csv": LONG, "__MACOSX/._labels.csv": "junk"})))
    assert len(study.single()) == 4
    assert study.provenance.sources == (f"{tmp_path}/a.zip/labels.csv",)


def test_an_archive_comes_through_a_pipe() -> None:
    code = "import interagree as ia; print(len(ia.read('-').single()))"
    told = subprocess.run(
        [sys.executable, "-c", code], input=zipped({"labels.csv": LONG}), capture_output=True, check=True
    )
    assert told.stdout == b"4\n"


def test_an_archive_in_an_archive_is_read(tmp_path: Path) -> None:
    inner = zipped({"ann.csv": ANN, "bo.csv": BO})
    assert people(ia.read(saved(tmp_path, "a.zip", zipped({"inner.zip": inner})))) == {"ann", "bo"}


def test_archives_in_archives_end_somewhere(tmp_path: Path) -> None:
    content = zipped({"labels.csv": LONG})
    for _ in range(8):
        content = zipped({"inner.zip": content})
    with pytest.raises(FormatError, match="archives lie inside each other more than 4 deep"):
        ia.read(saved(tmp_path, "a.zip", content))


def test_a_folder_for_each_annotator_names_them(tmp_path: Path) -> None:
    for who, content in (("ann", ANN), ("bo", BO)):
        (tmp_path / "study" / who).mkdir(parents=True)
        (tmp_path / "study" / who / "labels.csv").write_text(content)
    study = ia.read(tmp_path / "study")
    assert people(study) == {"ann", "bo"}
    assert float(ia.percent(study)) == 7 / 8


def test_names_that_tell_nothing_are_refused(tmp_path: Path) -> None:
    files = {f"{who}/{part}.csv": content for who, content in (("ann", ANN), ("bo", BO)) for part in ("p1", "p2")}
    with pytest.raises(DataError, match="several are called 'p1'"):
        ia.read(saved(tmp_path, "a.zip", zipped(files)))


def test_what_lies_beside_the_files_that_are_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "study" / "old").mkdir(parents=True)
    (tmp_path / "study" / "labels.csv").write_text(LONG)
    (tmp_path / "study" / "old" / "labels.csv").write_text(LONG)
    assert "nothing read from the folder 'old'" in ia.read(tmp_path / "study").policy()


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"../a.csv": LONG}, "named '../a.csv', which would lie outside of it"),
        ({"/etc/a.csv": LONG}, "named '/etc/a.csv', which would lie outside of it"),
        ({"C:\\a.csv": LONG}, "which would lie outside of it"),
        ({"a.doc": "x"}, "is a folder without a file that can be read"),
        ({}, "is a folder without a file that can be read"),
        ({"a.csv": b"0" * (300 << 20)}, "unpacks to more than"),
    ],
)
def test_what_is_wrong_with_an_archive_is_said(tmp_path: Path, files: dict[str, str], sentence: str) -> None:
    with pytest.raises(FormatError) as error:
        ia.read(saved(tmp_path, "a.zip", zipped(files)))
    assert sentence in str(error.value)
    assert str(tmp_path / "a.zip") in str(error.value)


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("a.csv", LONG)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.csv", LONG.replace("yes", "no"))
    with pytest.raises(FormatError, match=r"two files named 'a\.csv', of which one would be lost"):
        ia.read(saved(tmp_path, "a.zip", made.getvalue()))


def test_links_are_refused(tmp_path: Path) -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        info = tarfile.TarInfo("a.csv")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(info)
    with pytest.raises(FormatError, match=r"holds the link 'a\.csv'"):
        ia.read(saved(tmp_path, "a.tar", made.getvalue()))


@pytest.mark.parametrize("cut", [10, 60, 200])
def test_an_archive_that_ends_early_is_damaged(tmp_path: Path, cut: int) -> None:
    content = zipped({"ann.csv": ANN, "bo.csv": BO})
    with pytest.raises(FormatError, match="damaged or not complete"):
        ia.read(saved(tmp_path, "a.zip", content[:-cut]))


def test_damage_inside_an_archive_is_found(tmp_path: Path) -> None:
    content = bytearray(zipped({"ann.csv": ANN * 50, "bo.csv": BO}))
    content[60] ^= 0xFF
    with pytest.raises(FormatError, match="damaged or not complete"):
        ia.read(saved(tmp_path, "a.zip", bytes(content)))


@pytest.mark.parametrize("packing", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED])
def test_damage_is_found_however_a_file_is_packed(tmp_path: Path, packing: int) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", packing) as archive:
        archive.writestr("ann.csv", ANN * 50)
    for at in range(38, 100, 3):
        content = bytearray(made.getvalue())
        content[at] ^= 0xFF
        with pytest.raises(DataError):  # where the damage is not in the packed bytes, the file lacks annotators
            ia.read(saved(tmp_path, "a.zip", bytes(content)))


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    ia.read(saved(tmp_path, "a.zip", zipped({"labels.csv": LONG})))
    with pytest.raises(FormatError):
        ia.read(saved(tmp_path, "b.zip", zipped({"a.json": json.dumps({"a": 1})})))
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.parametrize(
    ("content", "looks", "advice"),
    [
        (b'[{"a": 1, "b": 2}]', "a JSON list with the entries 'a', 'b'", "format='json'"),
        (b'{"a": 1}\n{"a": 2}\n', "JSON lines with the entries 'a'", "format='jsonl'"),
        (b"a;b;c\n1;2;3\n1;2;3\n", "a table whose cells are separated by semicolons", "format='csv'"),
        (b"<corpus><a/></corpus>", "XML whose outermost element is 'corpus'", ""),
        (b"%PDF-1.7 \xff\xfe\x00", "a PDF document; export the table", ""),
        (b"\x80\x05\x95", "a pickled Python object, which is not read", ""),
        (b"\x00\x01\x02\xff", "not text", ""),
    ],
)
def test_a_file_that_no_reader_takes_is_described(tmp_path: Path, content: bytes, looks: str, advice: str) -> None:
    with pytest.raises(FormatError) as error:
        ia.read(saved(tmp_path, "labels.xyz", content))
    assert looks in str(error.value)
    assert advice in str(error.value)
    assert advice or "format=" not in str(error.value)


def test_a_slash_after_the_name_of_a_folder_means_nothing(tmp_path: Path) -> None:
    for who in ("ann", "bo"):
        line = '{"id": 1, "text": "Ann met Bo.", "label": [[0, 3, "PER"]], "Comments": []}\n'
        (tmp_path / f"{who}.jsonl").write_text(line, encoding="utf-8")
    study = ia.read(f"{tmp_path}/")  # of a reader that takes a folder as a whole
    assert study.single().rows() == ia.read(tmp_path).single().rows()
    assert study.policy() == ia.read(tmp_path).policy()
