"""Outputs are written whole or not at all: what was there stays where writing fails, is interrupted or is killed."""

import ast
import errno
import os
import random
import re
import resource
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main
from interagree.data.writing import UNFINISHED, check_outputs, write_file
from interagree.errors import InteragreeError, MissingExtra, OutputError

from . import writers

WRITERS = writers.writers()
DRAWN = (".png", ".svg", ".pdf")
SOURCE = Path(ia.__file__).parent
OLD = b"what was there before"


class SmallDisk:
    """While it lasts, no file may grow beyond some bytes: the rest of a write is refused, as on a full disk."""

    def __init__(self, most: int) -> None:
        self.most = most

    def __enter__(self) -> None:
        self.before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.most, self.before[1]))

    def __exit__(self, *_: object) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, self.before)


def only(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_cannot_be_finished_leaves_the_old_one(name, tmp_path):
    place = tmp_path / name
    WRITERS[name](place)
    size = place.stat().st_size
    place.write_bytes(OLD)
    rng = random.Random(name)
    cuts = [size // 2] if place.suffix in DRAWN else [0, 1, size - 1, *(rng.randrange(size) for _ in range(6))]
    for most in cuts:
        with pytest.raises(OutputError, match="cannot be written: File too large") as failure, SmallDisk(most):
            WRITERS[name](place)
        assert str(place) in str(failure.value)
        assert "is unchanged" in str(failure.value)
        assert place.read_bytes() == OLD
        assert only(tmp_path) == [name]


@pytest.mark.parametrize("name", [name for name in WRITERS if not name.endswith(DRAWN)])
@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_and_says_so(name, step, tmp_path, monkeypatch):
    place = tmp_path / name
    place.write_bytes(OLD)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(*((os, "fsync", full) if step == "fsync" else (Path, "replace", full)))
    with pytest.raises(OutputError, match="No space left on device; free some, or write elsewhere") as failure:
        WRITERS[name](place)
    assert failure.value.errno == errno.ENOSPC
    assert place.read_bytes() == OLD
    assert only(tmp_path) == [name]


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, SystemExit])
def test_an_interruption_in_the_middle_leaves_the_old_file(error, tmp_path, monkeypatch):
    place = tmp_path / "report.md"
    place.write_bytes(OLD)

    def interrupted(_: int) -> None:
        assert len(only(tmp_path)) == 2  # the new file is written already
        raise error

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(error):
        writers.report().write(place)
    assert place.read_bytes() == OLD
    assert only(tmp_path) == ["report.md"]


KILLED = """
import sys
from interagree.data.writing import write_file
contents = [bytes([letter]) * size for letter, size in ((65, 300_000), (66, 1), (67, 700_000))]
print("begun", flush=True)
while True:
    for content in contents:
        write_file(sys.argv[1], content)
        print("written", flush=True)
"""


def killed(place: Path, rounds: int) -> None:
    """Write in a process of its own that is killed while it works, after some rounds."""
    with subprocess.Popen([sys.executable, "-c", KILLED, str(place)], stdout=subprocess.PIPE) as process:
        for _ in range(rounds):
            assert process.stdout.readline()
        process.kill()
    content = place.read_bytes() if place.exists() else b""
    assert (len(set(content)), content[:1], len(content)) in {
        (0, b"", 0) if not place.exists() else (1, OLD[:1], len(OLD)),
        (1, b"A", 300_000),
        (1, b"B", 1),
        (1, b"C", 700_000),
    }
    left = [name for name in only(place.parent) if name != place.name]
    assert all(name.startswith(f".{place.name}.") and name.endswith(UNFINISHED) for name in left)


@pytest.mark.parametrize("seed", [*range(15), *(pytest.param(k, marks=pytest.mark.slow) for k in range(15, 215))])
def test_a_killed_process_leaves_the_old_file_or_the_new_one(seed, tmp_path):
    killed(tmp_path / "report.md", 1 + random.Random(seed).randrange(9))


def test_a_link_stays_a_link_and_its_file_gets_the_content(tmp_path):
    (tmp_path / "kept").mkdir()
    file, link = tmp_path / "kept" / "report.txt", tmp_path / "latest.txt"
    link.symlink_to(file)
    for content in (b"first", b"second"):
        write_file(link, content)
        assert link.is_symlink()
        assert file.read_bytes() == content


def test_permissions_are_kept_and_those_of_a_new_file_follow_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "a.txt", "text")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640
    (tmp_path / "a.txt").chmod(0o604)
    write_file(tmp_path / "a.txt", "other")
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o604


def test_a_name_as_long_as_names_may_be(tmp_path):
    place = tmp_path / ("é" * 125 + ".txt")
    write_file(place, "text")
    assert place.read_text() == "text"


def test_a_pipe_and_standard_output_are_written_to_as_they_are(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    taken: list[bytes] = []
    reader = threading.Thread(target=lambda: taken.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, "text")
    reader.join()
    assert taken == [b"text"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    code = "from interagree.data.writing import write_file; print('a'); write_file('/dev/stdout', 'b\\n'); print('c')"
    with (tmp_path / "out.txt").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out.txt").read_text() == "a\nb\nc\n"


def test_a_device_that_is_full_is_one_sentence(tmp_path):
    (tmp_path / "report.md").symlink_to("/dev/full")
    with pytest.raises(OutputError, match="No space left"):
        write_file(tmp_path / "report.md", "text")


def test_a_write_protected_file_and_folder_are_left_alone(tmp_path, monkeypatch):
    place = tmp_path / "report.md"
    place.write_bytes(OLD)
    monkeypatch.setattr(os, "access", lambda *_: False)  # whoever runs the tests may be allowed everything
    with pytest.raises(OutputError, match="write-protected"):
        write_file(place, "text")
    with pytest.raises(OutputError, match="the file is write-protected"):
        check_outputs({"-o": place})
    with pytest.raises(OutputError, match="its folder is write-protected"):
        check_outputs({"-o": tmp_path / "new.md"})
    assert place.read_bytes() == OLD


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("none/report.md", "no such folder"),
        (".", "a folder"),
        ("a.txt/b.txt", "no such folder"),
        ("loop.md", "leads back to itself"),
    ],
)
def test_a_place_where_nothing_can_be_written_is_refused_beforehand(name, reason, tmp_path):
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "loop.md").symlink_to("loop.md")
    with pytest.raises(OutputError, match=reason):
        check_outputs({"-o": tmp_path / name})
    with pytest.raises(OutputError):
        write_file(tmp_path / name, "text")


@pytest.mark.parametrize(("name", "library"), [("a.xlsx", "xlsxwriter"), ("a.docx", "docx"), ("a.png", "matplotlib")])
def test_a_library_that_is_lacking_is_named_beforehand(name, library, tmp_path, monkeypatch):
    check_outputs({"-o": tmp_path / name})
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match="pip install"):
        check_outputs({"-o": tmp_path / name})


# -- inputs and outputs -------------------------------------------------------------------------------------

ROWS = "item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n3,a,y\n3,b,y\n"
UNITS = "document,annotator,start,end,label\n1,a,0,3,x\n1,b,0,4,x\n1,a,6,8,y\n1,b,6,8,y\n"
COMMANDS = {
    "measure labels.csv": "-o",
    "report labels.csv": "--plot",
    "check labels.csv --at-least 0": "-o",
    "compare labels.csv labels.csv": "-o",
    "compare labels.csv -m alpha -m ac1": "-o",
    "consensus labels.csv": "-o",
    "consensus labels.csv --gold other.csv": "-o",
    "disagreements labels.csv": "-o",
    "annotators labels.csv": "-o",
    "judge labels.csv --model a": "-o",
    "doctor labels.csv": "-o",
    "explain alpha labels.csv": "-o",
    "distances labels.csv": "--heatmap",
    "shuffle labels.csv --reference a": "--plot",
    "plan labels.csv --budget 100": "--plot",
    "timeline labels.csv": "-o",
    "spans labels.csv": "-o",
    "watch labels.csv --once": "--state",
    "convert labels.csv": "",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels.csv").write_text(ROWS)
    (tmp_path / "other.csv").write_text(ROWS)
    (tmp_path / "hard.csv").hardlink_to(tmp_path / "labels.csv")
    (tmp_path / "soft.csv").symlink_to("labels.csv")
    (tmp_path / "sub").mkdir()
    return tmp_path


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, words)
    assert not isinstance(result.exception, Exception) or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@pytest.mark.parametrize("words", COMMANDS)
@pytest.mark.parametrize("output", ["labels.csv", "sub/../labels.csv", "hard.csv", "soft.csv"])
def test_an_output_that_is_an_input_is_refused_before_any_work(words, output, folder, monkeypatch):
    monkeypatch.setattr("interagree.readers.read", lambda *_, **__: pytest.fail("something was read"))
    flag = COMMANDS[words]
    code, printed = run(*words.split(), *([flag] if flag else []), output)
    assert code == 2
    assert "which is an input; write to another file" in printed
    assert (folder / "labels.csv").read_text() == ROWS


def test_every_command_that_writes_is_among_those_tested():
    from interagree.cli.options import WRITTEN

    names = main.list_commands(None)
    writing = {name for name in names if any(param.type is WRITTEN for param in main.get_command(None, name).params)}
    taking_files = {name for name in writing if any(p.name in ("file", "files", "source") for p in
                    main.get_command(None, name).params)}  # fmt: skip
    assert taking_files == {words.split()[0] for words in COMMANDS}


def test_a_second_input_and_gold_are_not_overwritten(folder):
    assert run("compare", "labels.csv", "other.csv", "-o", "other.csv")[0] == 2
    assert run("consensus", "labels.csv", "--gold", "other.csv", "-o", "other.csv")[0] == 2
    assert run("measure", "*.csv", "-o", "labels.csv")[0] == 2
    assert (folder / "other.csv").read_text() == ROWS


def test_a_file_of_a_folder_that_is_read_is_not_overwritten(folder):
    (folder / "sub" / "a.csv").write_text(ROWS)
    code, printed = run("measure", "sub", "-o", "sub/a.csv")
    assert (code, "sub/a.csv in sub, which is an input" in printed) == (2, True)
    assert (folder / "sub" / "a.csv").read_text() == ROWS
    for _ in range(2):  # a report beside the data may be written again
        assert run("measure", "sub", "-o", "sub/report.md")[0] == 0


def test_two_outputs_are_two_files(folder):
    (folder / "a.svg").write_bytes(OLD)
    (folder / "b.svg").hardlink_to(folder / "a.svg")
    for one, other in (("new.svg", "new.svg"), ("new.svg", "sub/../new.svg"), ("a.svg", "b.svg")):
        code, printed = run("distances", "labels.csv", "--plot", one, "--heatmap", other)
        assert (code, "give each a file of its own" in printed) == (2, True)
    assert (folder / "a.svg").read_bytes() == OLD


def test_a_study_is_not_written_over_its_own_file(folder):
    study = ia.read("labels.csv")
    for name in ("labels.csv", "hard.csv"):
        with pytest.raises(OutputError, match="which is an input"):
            ia.write(study, name)
    ia.write(study, "new.csv")
    assert (folder / "labels.csv").read_text() == ROWS


@pytest.mark.parametrize(
    "words",
    [
        "measure labels.csv -o out.md",
        "report labels.csv -o out.html",
        "consensus labels.csv -o out.jsonl",
        "disagreements labels.csv -o out.xlsx",
        "convert labels.csv out.parquet",
        "report labels.csv --plot out.svg",
    ],
)
def test_a_command_on_a_full_disk_is_one_sentence_and_exit_code_2(words, folder, monkeypatch):
    place = folder / words.split()[-1]
    place.write_bytes(OLD)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    code, printed = run(*words.split())
    assert code == 2
    line = f"Error: {place.name} cannot be written: No space left on device; free some, or write elsewhere; "
    assert line in printed
    assert "Traceback" not in printed
    assert place.read_bytes() == OLD


@pytest.mark.parametrize(
    "words", ["measure labels.csv", "check labels.csv --at-least 0 --json", "convert labels.csv -", "--help"]
)
def test_standard_output_that_is_full_is_one_sentence_and_exit_code_2(words, folder):
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "interagree", *words.split()]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, text=True)
    assert result.returncode == 2
    assert result.stderr == "Error: standard output cannot be written: No space left on device\n"


def test_an_error_of_writing_is_one_of_ours_and_one_of_the_system():
    assert issubclass(OutputError, InteragreeError)
    assert issubclass(OutputError, OSError)


# -- every writer goes through one function -----------------------------------------------------------------

WRITING = {  # calls that write a file by its name
    *("write_text", "write_bytes", "mkstemp", "mktemp", "NamedTemporaryFile", "TemporaryFile", "copyfile", "copy2"),
    *("copytree", "rename", "truncate", "mkdtemp", "sink_csv", "sink_parquet", "write_parquet", "write_csv"),
    *("to_excel", "to_parquet", "to_feather", "dump", "tofile", "savetxt", "symlink_to", "hardlink_to"),
}
INTO = {
    "savefig",
    "save",
    "savez",
    "savez_compressed",
    "write_table",
    "new_file",
}  # … and those that take a stream, too
OPENING = {"open", "fdopen", "ZipFile"}
ALLOWED = {
    "data/writing.py": "the one place",
    "monitor/saved.py": "the state of a monitor, which is moved into place in its own way",
    "monitor/watching.py": "has the monitor save itself",
    "cli/command.py": "write_text is that of the help",
    "cli/__init__.py": "what is left to write into a closed pipe goes nowhere",
    "readers/__init__.py": "what came through a pipe is put into a temporary folder, to be recognised like a file",
    "data/coding.py": "DuckDB spills into a temporary folder",
    "data/archives.py": "what lies in an archive is unpacked into a temporary folder",
}


def writes(call: ast.Call, streams: set[str]) -> bool:
    """Whether a call writes a file in a way of its own."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if name in WRITING:
        return True
    into = call.args[-1 if name == "write_table" else 0] if call.args else None
    if isinstance(into, ast.Name) and into.id in streams:
        return False
    if name in INTO and isinstance(call.func, ast.Attribute):
        return into is not None and not (
            name == "write_table" and len(call.args) == 1
        )  # a method of a stream of tables
    if name in OPENING:
        modes = [part.value for part in given if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        flags = [part.attr for value in given for part in ast.walk(value) if isinstance(part, ast.Attribute)]
        return any(set(mode) & set("wax+") and set(mode) <= set("wax+bt") for mode in modes) or "O_WRONLY" in flags
    # Path.replace(target) has one argument, str.replace(old, new) two, and dataclasses.replace is a function.
    return name == "replace" and isinstance(call.func, ast.Attribute) and len(call.args) == len(given) == 1


def bypassing(source: str) -> list[int]:
    """The lines of a module that write a file in a way of their own."""
    if not re.search(rf"\b({'|'.join([*WRITING, *INTO, *OPENING, 'replace'])})\(", source):
        return []
    tree = ast.parse(source)
    streams = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and "BytesIO" in ast.dump(node.value)
        for name in node.targets
        for target in ast.walk(name)
        if isinstance(target, ast.Name)
    }
    return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Call) and writes(node, streams)]


def test_no_module_writes_files_in_a_way_of_its_own():
    found = {}
    for file in sorted(SOURCE.rglob("*.py")):
        name = file.relative_to(SOURCE).as_posix()
        if name not in ALLOWED and (lines := bypassing(file.read_text(encoding="utf-8"))):
            found[name] = lines
    assert not found, "write files through interagree.data.writing.write_file"


@pytest.mark.parametrize(
    "line",
    [
        "open(path, 'w')",
        "Path(path).open('ab')",
        "path.write_text(text)",
        "os.open(path, os.O_CREAT | os.O_WRONLY)",
        "figure.savefig(path)",
        "gzip.open(path, mode='wb')",
        "beside.replace(target)",
        "json.dump(data, stream)",
        "book.save(path)",
        "arrow_parquet.write_table(table, path)",
    ],
)
def test_another_way_to_write_would_be_noticed(line):
    assert bypassing(line) == [1]


def test_reading_and_writing_into_memory_are_not_taken_for_it():
    fine = "out = io.BytesIO()\nbook.save(out)\nopen(path, 'rb')\npath.open()\ntext.replace('a', 'b')\nopen(path)\n"
    assert bypassing(fine) == []


def test_ctrl_c_of_a_command_leaves_the_old_output(folder):
    """A signal that comes while the new file is written: the old one stays, and nothing lies beside it."""
    place = folder / "out.md"
    place.write_bytes(OLD)
    code = (
        "import os, signal, sys\n"
        "import interagree.data.writing\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # ignored where the tests run in the background
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGINT)\n"
        "from interagree.cli import main\n"
        "main(['measure', 'labels.csv', '-o', 'out.md'])\n"
    )
    result = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (result.returncode, result.stderr.strip()) == (130, "Interrupted.")  # on a line of its own
    assert signal.SIGINT == 2
    assert place.read_bytes() == OLD
    assert not [name for name in only(folder) if name.endswith(UNFINISHED)]
