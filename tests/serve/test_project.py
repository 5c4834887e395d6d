"""The log of decisions: nothing is overwritten, nothing counts twice, and all of it can be made again from its text."""

import json
import sqlite3
import threading

import pytest

from interagree.errors import DataError, KindError
from interagree.serve.project import STEPS, VERSION, ConflictError, Event, NotSavedError, Project, SourceFile


def event(op, kind="decide", item='"p1"', base=0, **more):
    return Event(f"operation {op}", "tone", item, base, kind, value='"rude"' if kind == "decide" else None, **more)


@pytest.fixture
def project(tmp_path):
    with Project(tmp_path / "work.interagree") as opened:
        yield opened


def test_a_decision_that_comes_again_is_answered_with_the_first(project):
    first, new = project.write(event(1, comment="as it was"))
    again, second = project.write(event(1, comment="something else"))
    assert (new, second) == (True, False)
    assert again == first
    assert [one.comment for one in project.events()] == ["as it was"]


def test_of_twenty_at_once_one_decides_and_the_others_see_what(project):
    outcomes = []
    ready = threading.Barrier(20)

    def decide(number):
        ready.wait()
        try:
            outcomes.append(project.write(event(number, who=f"w{number}"))[0].who)
        except ConflictError as error:
            outcomes.append(error)

    threads = [threading.Thread(target=decide, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (winner,) = [one for one in outcomes if isinstance(one, str)]
    refused = [one for one in outcomes if isinstance(one, ConflictError)]
    assert len(refused) == 19
    assert {one.theirs.who for one in refused} == {winner}
    assert len([*project.events()]) == 1


def test_other_items_do_not_stand_in_the_way(project):
    project.write(event(1))
    made, _ = project.write(event(2, item='"p2"', base=0))
    assert made.seq == 2


def test_undo_takes_one_decision_away_and_stays_in_the_log(project):
    project.write(event(1))
    project.write(event(2, kind="cannot", base=1))
    project.write(event(3, kind="undo", base=2))
    assert project.standing("tone", '"p1"').kind == "decide"
    project.write(event(4, kind="undo", base=3))
    assert project.standing("tone", '"p1"') is None
    with pytest.raises(KindError, match="no decision on this item to take back"):
        project.write(event(5, kind="undo", base=4))
    assert [one.kind for one in project.events()] == ["decide", "cannot", "undo", "undo"]
    # Somebody who saw the decision and not that it was taken back is told so.
    with pytest.raises(ConflictError, match="taken back after you opened it"):
        project.write(event(6, base=2))


def test_what_stands_is_the_fold_of_the_log(project, tmp_path):
    for number, kind in enumerate(["decide", "skip", "nothing", "undo", "cannot", "cannot", "undo", "undo"]):
        project.write(event(number, kind=kind, base=number, item=f'"p{number % 2}"'))
    project.write(Event("the reasons", "", "", 0, "reasons", value='["Typo", "Unclear"]'))
    stands, last = dict(project.decisions), project.last
    project.close()
    with Project(tmp_path / "work.interagree") as again:
        assert again.decisions == stands
        assert again.last == last
        assert again.reasons == ["Typo", "Unclear"]


def test_a_log_makes_the_same_project_anew(project, tmp_path):
    project.open_files([SourceFile("a.csv", "/tmp/a.csv", "12ab", {"item": "id"})])
    for number, kind in enumerate(["decide", "undo", "nothing"]):
        project.write(event(number, kind=kind, base=number, who="zoë", comment="why\nnot \u202e"))
    lines = [*project.lines()]
    with Project.rebuilt(tmp_path / "again.interagree", lines) as again:
        assert [*again.events()] == [*project.events()]
        assert again.decisions == project.decisions
        assert again.files() == project.files()
        assert [*again.lines()] == lines
    with pytest.raises(DataError, match="exists already"):
        Project.rebuilt(tmp_path / "again.interagree", lines)


def damaged(**more):
    """A log whose event is another one than what a project holds."""
    made = event(1)._replace(seq=1, time="2026-01-01T00:00:00.000Z")._asdict() | more
    return ['{"interagree log": 1}', json.dumps({"event": made})]


TWICE = damaged()[1]
OTHER = damaged(op="another operation")[1]
FILE = '{"source": {"opening": null, "time": "", "name": "", "path": "", "sha256": "", "options": "{}"}}'


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["{}"], "does not begin"),
        (["no json"], "Expecting value"),
        ([], "does not begin"),
        (['{"interagree log": 1}', '{"event": {"op": 1}}'], "missing"),
        (["[1]"], "no attribute"),
        (damaged(kind="delete"), "an event is one of"),
        (damaged(op="short"), "op names the event"),
        (damaged(value="no json"), "is not what an event"),
        (damaged(kind="rule", value="5"), "is not what an event"),
        (damaged(kind="reasons", value="5"), "is not what an event"),
        (damaged(kind="audit", value="{}"), "is not what an event"),
        (damaged(value=None), "needs a value"),
        (damaged(seq="1"), "seq is '1'"),
        (damaged(who=None), "who is None"),
        ([*damaged(), TWICE], "several events have the seq 1"),
        ([*damaged(), TWICE.replace('"seq": 1', '"seq": 2')], "several events have the op"),
        ([*damaged(), OTHER], "several events have the seq 1"),
        (['{"interagree log": 1}', FILE], "opening is None"),
    ],
)
def test_what_is_not_a_log_is_refused(tmp_path, lines, why):
    assert Project.rebuilt(tmp_path / "right.interagree", damaged()).last == 1
    with pytest.raises(DataError, match="not a log of a project") as refused:
        Project.rebuilt(tmp_path / "x.interagree", lines)
    assert why in str(refused.value)
    assert not [*tmp_path.glob("x.*")]


def test_what_cannot_be_written_leaves_no_project_behind(tmp_path, monkeypatch):
    def full(*_):
        raise NotSavedError("not saved: the disk is full")

    monkeypatch.setattr(Project, "_commit_together", full)
    with pytest.raises(NotSavedError):
        Project.rebuilt(tmp_path / "x.interagree", damaged())
    assert not [*tmp_path.iterdir()]


def test_an_older_project_is_copied_before_it_becomes_a_newer_one(tmp_path):
    path = tmp_path / "old.interagree"
    with sqlite3.connect(path) as rows:
        for statement in filter(str.strip, STEPS[0].split(";")):
            rows.execute(statement)
        rows.execute("PRAGMA user_version=1")
        rows.execute("INSERT INTO session (cookie, secret, time) VALUES ('cookie', 'secret', 'now')")
    rows.close()
    with Project(path) as opened:
        opened.write(event(1))
        known = opened.id
    with Project(path) as again:
        assert again.id == known
        assert again.standing("tone", '"p1"').kind == "decide"
    with sqlite3.connect(tmp_path / "old.interagree.version-1") as kept:
        assert kept.execute("PRAGMA user_version").fetchone() == (1,)
        assert kept.execute("SELECT cookie FROM session").fetchall() == [("cookie",)]
        assert not kept.execute("SELECT * FROM event").fetchall()
    kept.close()
    assert len([*tmp_path.iterdir()]) == 2


def test_every_project_has_an_id_of_its_own(tmp_path):
    with Project(tmp_path / "a") as one, Project(tmp_path / "b") as other:
        assert len(one.id) == 16
        assert one.id != other.id


def test_a_project_has_one_server(project):
    with pytest.raises(DataError, match="in use by another server"):
        Project(project.path)


def test_other_files_are_not_taken_for_projects(tmp_path):
    (tmp_path / "text").write_text("these are notes, and long enough to be no database" * 30)
    with pytest.raises(DataError, match="cannot be opened as a project"):
        Project(tmp_path / "text")
    with sqlite3.connect(tmp_path / "other") as rows:
        rows.execute("CREATE TABLE mine (x)")
    rows.close()
    with pytest.raises(DataError, match="not a project of interagree"):
        Project(tmp_path / "other")
    with pytest.raises(DataError, match="is a folder"):
        Project(tmp_path)
    with pytest.raises(DataError, match="there is no folder"):
        Project(tmp_path / "none" / "x")


def test_a_newer_project_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "new.interagree"
    Project(path).close()
    with sqlite3.connect(path) as rows:
        rows.execute(f"PRAGMA user_version={VERSION + 1}")
    rows.close()
    before = path.read_bytes()
    with pytest.raises(DataError, match="newer interagree"):
        Project(path)
    assert path.read_bytes() == before


def test_what_the_disk_does_not_take_is_said_and_not_counted(project):
    project._rows.execute("PRAGMA query_only=1")
    with pytest.raises(NotSavedError, match="not saved"):
        project.write(event(1))
    assert project.standing("tone", '"p1"') is None
    project._rows.execute("PRAGMA query_only=0")
    assert project.write(event(1))[1]


def test_commits_wait_for_the_disk(project):
    assert project._rows.execute("PRAGMA synchronous").fetchone() == (2,)
    assert project._rows.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (event(1)._replace(kind="delete"), "an event is one of"),
        (event(1)._replace(op="short"), "op names the event"),
        (event(1)._replace(value=None), "needs a value"),
        (event(1, kind="skip")._replace(value="1"), "has no value"),
        (event(1, comment="x" * 20_001), "at most 20,000 letters"),
    ],
)
def test_what_cannot_be_an_event_is_refused(project, wrong, why):
    with pytest.raises(KindError, match=why):
        project.write(wrong)
    assert not [*project.events()]
