"""A project on a running server: read page by page, and written to when asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from readers.fake_label_studio import CONTROLS, TOKEN, Studio, running
from readers.test_label_studio import annotation, answer, rows, span, task

import interagree as ia
from interagree.cli import main
from interagree.errors import DataError, KindError
from interagree.readers import read
from interagree.readers.label_studio import live, server
from interagree.readers.label_studio.address import Address
from interagree.readers.label_studio.answers import result_of

PERSONAL = "eyJ0.eyJ1.c2ln"


def project(count: int) -> list[dict[str, Any]]:
    def one(number: int) -> dict[str, Any]:
        said = ["good", "good", "bad" if number % 3 == 0 else "good"]
        people = [annotation(who, answer("tone", "choices", [tone])) for who, tone in enumerate(said, start=1)]
        return task(number, *people, project=7, predictions=[])

    return [one(number) for number in range(1, count + 1)]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", TOKEN)
    monkeypatch.setattr(server, "PAUSE", 0.0)


@pytest.fixture
def studio() -> Iterator[Studio]:
    with running(project(250)) as made:
        yield made


# -- reading ------------------------------------------------------------------------------------------------


def test_a_project_reads_as_its_export_does(studio: Studio, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(studio.tasks))
    study = read(studio.address)
    assert rows(study["tone"]) == rows(read(path)["tone"])
    assert studio.calls == [("GET", "/api/tasks/")] * 3
    assert study.provenance.sources == (studio.address,)
    assert study["tone"].attributes["where"][0] == f"{studio.address}, /0/annotations/0"
    assert TOKEN not in repr(study.provenance)


def test_a_project_and_a_file_are_read_together(studio: Studio, tmp_path: Path) -> None:
    path = tmp_path / "more.json"
    path.write_text(json.dumps([task(1, annotation(9, answer("tone", "choices", ["bad"])))]))
    assert set(read([studio.address, path]).single().annotators) == {"1", "2", "3", "9"}


def test_an_empty_project_is_said(studio: Studio) -> None:
    studio.tasks.clear()
    with pytest.raises(DataError, match="found no annotation to read"):
        read(studio.address)


def test_a_personal_token_is_exchanged_and_renewed(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", PERSONAL)
    studio.failures = [None, None, 401]  # an exchange, a page, and then the short token is over
    assert len(read(studio.address)["tone"].items) == 250
    assert studio.access == 2
    assert studio.tokens[:3] == [None, "Bearer short-1", "Bearer short-1"]


@pytest.mark.parametrize("failure", [500, 502, 503, 429, "cut", {"status": "503", "Retry-After": "0"}])
def test_what_fails_for_a_moment_is_tried_again(studio: Studio, failure: Any) -> None:
    studio.failures = [failure, None, failure]
    assert len(read(studio.address)["tone"].items) == 250
    assert len(studio.calls) == 5


def test_pauses_grow_and_the_server_may_ask_for_one(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(server, "PAUSE", 0.5)
    monkeypatch.setattr(server.time, "sleep", slept.append)
    studio.failures = [500, {"status": "429", "Retry-After": "7"}, {"status": "503", "Retry-After": "9000"}]
    read(studio.address)
    assert slept == [0.5, 7.0, 30.0]


@pytest.mark.parametrize(
    ("failures", "said"),
    [
        ([401], r"/7: the server refuses the token in LABEL_STUDIO_API_KEY \(no: Token …\); make a new one"),
        ([403], "the server refuses the token"),
        ([404], "there is no project 7 on 127.0.0.1, or the owner of the token may not see it"),
        ([500] * 4, r"the server answers with error 500 \(no: Token …\)"),
        ([418], "the server answers with error 418"),
        (["cut"] * 4, "cannot be reached"),
        (["nonsense"], r"expected JSON from /api/tasks/, found '<html>Hello'; is this a Label Studio server"),
    ],
)
def test_what_a_server_refuses_is_said_without_the_token(studio: Studio, failures: Any, said: str) -> None:
    studio.failures = failures
    with pytest.raises(DataError, match=said) as error:
        read(studio.address)
    assert TOKEN not in str(error.value)


def test_another_project_is_not_found(studio: Studio) -> None:
    with pytest.raises(DataError, match=r"there is no project 8 on 127\.0\.0\.1"):
        read(studio.address.replace("/7", "/8"))


def test_a_redirect_is_not_followed(studio: Studio) -> None:
    with running([]) as other:
        studio.failures = [{"status": "302", "Location": f"http://127.0.0.1:{other.port}/api/tasks/"}]
        with pytest.raises(DataError, match=rf"sends on to http://127\.0\.0\.1:{other.port}; name the project"):
            read(studio.address)
        assert other.calls == []


def test_nobody_there_is_said() -> None:
    with running([]) as gone:
        address = gone.address
    with pytest.raises(DataError, match=r"http://127\.0\.0\.1:\d+ cannot be reached \(Connection refused\)"):
        read(address)


@pytest.mark.parametrize("token", [None, " ", "two words", "tökén"])
def test_a_token_is_needed(studio: Studio, monkeypatch: pytest.MonkeyPatch, token: str | None) -> None:
    monkeypatch.delenv("LABEL_STUDIO_API_KEY")
    if token is not None:
        monkeypatch.setenv("LABEL_STUDIO_API_KEY", token)
    with pytest.raises(DataError, match=r"LABEL_STUDIO_API_KEY (to an access token|is not a token)"):
        read(studio.address)
    assert studio.calls == []


def test_what_is_no_page_of_tasks_is_said(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Studio, "answer", lambda *_: (200, {"results": []}))
    with pytest.raises(DataError, match=r"expected a page of tasks, found \{'results': \[\]\}"):
        read(studio.address)


def test_a_task_without_a_number_is_said(studio: Studio) -> None:
    studio.tasks[3]["id"] = [4]
    with pytest.raises(DataError, match="expected a page of tasks"):
        read(studio.address)


def test_a_project_that_changes_meanwhile_is_read_again(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    answered = Studio.answer

    def shrinking(self: Studio, method: str, url: str, body: Any) -> tuple[int, Any]:
        told = answered(self, method, url, body)
        if len(self.tasks) == 250:
            del self.tasks[0]
        return told

    monkeypatch.setattr(Studio, "answer", shrinking)
    assert len(read(studio.address)["tone"].items) == 249

    def always(self: Studio, method: str, url: str, body: Any) -> tuple[int, Any]:
        told = answered(self, method, url, body)
        del self.tasks[0]
        return told

    monkeypatch.setattr(Studio, "answer", always)
    with pytest.raises(DataError, match="tasks came or went while they were read"):
        read(studio.address)


@pytest.mark.parametrize(
    ("text", "root", "number"),
    [
        ("label-studio://label.example.org/7", "https://label.example.org", 7),
        ("label-studio://label.example.org:8080/7/", "https://label.example.org:8080", 7),
        ("label-studio://localhost:8080/7", "http://localhost:8080", 7),
        ("label-studio://[::1]:8080/7", "http://[::1]:8080", 7),
        ("label-studio+http://label.example.org/7", "http://label.example.org", 7),
        ("label-studio+https://localhost/7", "https://localhost", 7),
        ("label-studio://host/studio/7", "https://host/studio", 7),
        ("label-studio://host/projects/7/data", "https://host", 7),
    ],
)
def test_addresses(text: str, root: str, number: int) -> None:
    place = Address.of(text)
    assert (place.root, place.project) == (root, number)


@pytest.mark.parametrize(
    "text", ["label-studio://host", "label-studio:///7", "label-studio://host/x", "label-studio://host:x/7"]
)
def test_what_is_no_address_is_said(text: str) -> None:
    with pytest.raises(DataError, match=r"label-studio://label\.example\.org/7"):
        read(text)


def test_a_token_in_an_address_is_refused_and_not_repeated() -> None:
    for text in ("label-studio://me:geheim@host/7", "label-studio://host/7?token=geheim"):
        with pytest.raises(DataError, match="a token belongs into the environment") as error:
            read(text)
        assert "geheim" not in str(error.value)


def test_predictions_that_are_only_numbers_are_said(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task(1, annotation(1, span(0, 3, "x")), predictions=[4, 5])]))
    assert "2 predictions of models left out" in read(path).policy()
    with pytest.raises(DataError, match="task 1: the file holds the numbers of predictions and not what they predict"):
        read(path, predictions=True)


# -- writing ------------------------------------------------------------------------------------------------


def pushed(studio: Studio) -> dict[int, Any]:
    return {task["id"]: task["predictions"] for task in studio.tasks if task["predictions"]}


def test_a_queue_is_pushed_as_predictions_and_replaced(studio: Studio) -> None:
    queue = ia.disagreements(read(studio.address))
    assert studio.writes() == []
    said = queue.push(studio.address, "tone")
    assert said == f"83 items written to {studio.address} as predictions of 'interagree: tone'"
    made = pushed(studio)
    assert sorted(made) == list(range(3, 250, 3))
    [first] = made[3]
    assert first["model_version"] == "interagree: tone"
    assert first["score"] == pytest.approx(queue.rows["worth"][0])
    assert first["result"] == [
        {"from_name": "tone", "to_name": "text", "type": "choices", "value": {"choices": ["good"]}}
    ]
    [view] = studio.views
    assert view["data"]["title"] == "interagree: tone"
    assert rows(read(studio.address)["tone"]) == rows(ia.read(studio.address)["tone"])

    studio.tasks[5]["annotations"][2]["result"] = studio.tasks[5]["annotations"][1]["result"]  # task 6 is settled
    before = {number: [one["id"] for one in made] for number, made in pushed(studio).items()}
    said = ia.disagreements(read(studio.address)).push(studio.address, "tone")
    assert "82 items written" in said
    assert "1 earlier prediction of it removed" in said
    after = {number: [one["id"] for one in made] for number, made in pushed(studio).items()}
    assert after == {number: ids for number, ids in before.items() if number != 6}
    assert len(studio.views) == 1
    assert len(read(studio.address)["tone"]) == 750


def test_predictions_of_others_stay(studio: Studio) -> None:
    studio.tasks[0]["predictions"] = [{"id": 5, "model_version": "bert", "result": []}]
    ia.disagreements(read(studio.address)).push(studio.address, "tone")
    assert pushed(studio)[1] == [{"id": 5, "model_version": "bert", "result": []}]


def test_a_queue_that_does_not_fit_the_project_is_refused_before_anything_is_written(studio: Studio) -> None:
    queue = ia.disagreements(read(studio.address))
    with pytest.raises(DataError, match=r"the project has no control 'topics' .*; it has 'tone', 'label'"):
        queue.push(studio.address, "topics")
    by_data = ia.disagreements({"ann": ["a"], "bo": ["b"]})
    with pytest.raises(DataError, match="there is no task 0 in the project; read the project with item='id'"):
        by_data.push(studio.address, "tone")
    with pytest.raises(KindError, match="a queue is pushed to a project on a server, such as label-studio://"):
        queue.push("labels.csv", "tone")
    assert studio.writes() == []


def test_a_write_that_may_have_been_done_is_not_done_twice(studio: Studio) -> None:
    queue = ia.disagreements(read(studio.address), top=1)
    studio.failures = [None, None, None, None, 500]  # the project, three pages, and the first write
    with pytest.raises(DataError, match="the server answers with error 500"):
        queue.push(studio.address, "tone")
    assert studio.writes() == [("POST", "/api/predictions/")]
    studio.failures = [None, None, None, None, 503]  # which says that nothing was done
    assert "1 item written" in queue.push(studio.address, "tone")
    assert [len(made) for made in pushed(studio).values()] == [1]


@pytest.mark.parametrize(
    ("tag", "value", "expected"),
    [
        ("Choices", "a", {"choices": ["a"]}),
        ("Choices", frozenset("ba"), {"choices": ["a", "b"]}),
        ("Taxonomy", frozenset({"Killed > By accident"}), {"taxonomy": [["Killed", "By accident"]]}),
        ("Rating", 4, {"rating": 4}),
        ("Number", 1.5, {"number": 1.5}),
        ("TextArea", "Hm.", {"text": ["Hm."]}),
        ("Pairwise", "left", {"selected": "left"}),
        ("DateTime", "2024-03-01", {"datetime": "2024-03-01"}),
    ],
)
def test_answers_become_results_that_read_back(tag: str, value: Any, expected: Any, tmp_path: Path) -> None:
    made = result_of("q", {**CONTROLS["tone"], "type": tag}, value)
    assert [result["value"] for result in made] == [expected]
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task(1, annotation(1, *made))]))
    multiple = ["q"] if isinstance(value, frozenset) else []
    assert rows(read(path, multiple=multiple).single()) == {(1, "1"): value}


def test_spans_become_results_and_other_regions_do_not(tmp_path: Path) -> None:
    spans = ((0, 3, "PER"), (("end", 7), ("features", (("sure", "no"),)), ("label", None), ("start", 4)))
    made = result_of("label", CONTROLS["label"], spans)
    assert [result["value"] for result in made] == [
        {"start": 0, "end": 3, "labels": ["PER"]},
        {"start": 4, "end": 7, "labels": []},
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task(1, annotation(1, *made))]))
    assert rows(read(path).single()) == {(1, "1"): ((0, 3, "PER"), (4, 7, None))}
    assert result_of("label", CONTROLS["label"], None) == []
    assert result_of("box", {"type": "RectangleLabels", "to_name": ["image"]}, ((0, 0, 1, 1, "x"),)) == []


def test_spans_are_written_in_the_units_of_label_studio_and_read_back_as_characters(tmp_path: Path) -> None:
    text = "😀 Ann met Bo."
    made = result_of("label", CONTROLS["label"], ((2, 5, "PER"),), text)
    assert [result["value"] for result in made] == [{"start": 3, "end": 6, "text": "Ann", "labels": ["PER"]}]
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task(1, annotation(1, *made), data={"text": text})]))
    assert rows(read(path).single()) == {(1, "1"): ((2, 5, "PER"),)}


# -- the command line ---------------------------------------------------------------------------------------


def test_commands_take_an_address_and_write_only_when_told_to(studio: Studio) -> None:
    for command in (["report"], ["measure", "-m", "alpha"], ["doctor"], ["disagreements"], ["disagreements", "--json"]):
        done = CliRunner().invoke(main, [*command, studio.address])
        assert done.exit_code == 0, done.output
        assert TOKEN not in done.output
    assert studio.writes() == []
    studio.calls.clear()
    done = CliRunner().invoke(main, ["disagreements", studio.address, "--push"])
    assert done.exit_code == 0, done.output
    assert "83 items written to" in done.stderr
    assert len(studio.writes()) == 84
    assert studio.calls[:3] == [("GET", "/api/tasks/")] * 3


def test_push_needs_a_project(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("item,annotator,label\n1,a,x\n1,b,y\n")
    done = CliRunner().invoke(main, ["disagreements", str(path), "--push"])
    assert (done.exit_code, "a queue is pushed to a project on a server" in done.output) == (2, True)


def test_other_addresses_are_refused() -> None:
    with pytest.raises(
        DataError, match="https:// is not what an address to read begins with; known are label-studio://"
    ):
        read("https://host/labels.csv")


def test_a_page_is_asked_for_again_within_a_command_only_once(studio: Studio) -> None:
    done = CliRunner().invoke(main, ["disagreements", studio.address, "--text", "lead_time"])
    assert done.exit_code == 0, done.output
    assert len(studio.calls) == 3
    assert live.PAGE == 100
