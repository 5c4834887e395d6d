"""JSON lists read element by element."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from interagree import progress
from interagree.data import streaming
from interagree.data.files import Source
from interagree.data.streaming import json_elements
from interagree.errors import FormatError

VALUES: list[Any] = [
    {"text": 'He said "no" \\ 😀 é\n', "n": [1, -2.5, 1e3, True, None]},
    12345678901234567890,
    "x" * 50,
    [],
    {},
    [[[{"a": {"b": []}}]]],
    -0.25,
    None,
]


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def made(content: str | bytes, name: str = "a.json") -> Source:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return Source.of(path)

    return made


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1 << 20])
@pytest.mark.parametrize("written", [{}, {"indent": 2}, {"ensure_ascii": False}])
def test_elements_are_those_of_the_list_wherever_the_window_ends(
    file: Any, size: int, written: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "CHUNK", size)
    assert [*json_elements(file(json.dumps(VALUES, **written)))] == VALUES
    assert [*json_elements(file("\ufeff \n[ ]\n"))] == []


def test_what_is_no_list_is_one_element(file: Any) -> None:
    assert [*json_elements(file('{"a": [1]}'))] == [{"a": [1]}]
    assert [*json_elements(file("3"))] == [3]


def test_a_packed_list_is_unpacked_on_the_way(file: Any) -> None:
    assert [*json_elements(file(gzip.compress(json.dumps(VALUES).encode()), "a.json.gz"))] == VALUES


WRONG = [
    "",
    "[",
    "[1",
    "[1,",
    "[1,]",
    "[1 2]",
    "[1}",
    "[1] 2",
    '["a',
    '[{"a": 1, "b"}]',
    '[{"a": tru}]',
    "[1,\n2,\n  {'a': 1}]",
    '[{"a":\n1}\n,\n{"b": 0x1}]',
    '["\x01"]',
    '["\\ud8"]',
]


@pytest.mark.parametrize("content", WRONG)
@pytest.mark.parametrize("size", [1, 5, 1 << 20])
def test_what_is_not_json_is_said_with_its_line_as_of_a_file_read_at_once(
    file: Any, content: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "CHUNK", size)
    source = file(content)
    with pytest.raises(FormatError, match="this is not JSON") as at_once:
        source.json()
    with pytest.raises(FormatError, match="this is not JSON") as streamed:
        [*json_elements(source)]
    assert str(streamed.value).partition(":")[0] == str(at_once.value).partition(":")[0]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'[{"a": 1, "a": 2}]', "the key 'a' occurs twice in one object"),
        (b"[1,\n\n\xff]", "line 3: expected text in utf-8, found the byte 0xff"),
        (b"[1,\n2\0]", "line 2: expected text, found a zero byte"),
        (b"[" * 100_000, "too deeply"),
        (b"[" + b"1" * 6000 + b"]", "fewer digits"),
        (b'["\xe2\x82', "line 1: expected text in utf-8"),
    ],
)
@pytest.mark.parametrize("size", [1, 1000, 1 << 20])
def test_what_no_computer_could_use_is_refused(
    file: Any, content: bytes, said: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if len(content) > 10_000 and size < 1000:
        pytest.skip("a window of one byte over a long file takes its square")
    monkeypatch.setattr(streaming, "CHUNK", size)
    source = file(content)
    for read in (source.json, lambda: [*json_elements(source)]):
        with pytest.raises(FormatError, match=said):
            read()


def test_a_mistake_at_the_start_is_told_without_the_rest_of_the_file(
    file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "CHUNK", 64)
    source = file("[{'a': 1}, " + ", ".join(["1"] * 5000) + "]")
    window = streaming._Window(source)
    assert window.next() == "["
    window.at += 1
    with pytest.raises(FormatError, match=r"a\.json, line 1: this is not JSON \(Expecting property name"):
        window.element()
    assert len(window.text) <= 64


def test_progress_is_told_part_by_part(file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "CHUNK", 10)
    told: list[tuple[str, int, int]] = []

    def show(work: Any, what: str, total: int) -> Any:
        parts = 0
        for step in work:
            parts += 1
            yield step
        told.append((what, total, parts))

    token = progress.show.set(show)
    try:
        source = file(json.dumps(VALUES))
        assert [*json_elements(source)] == VALUES
    finally:
        progress.show.reset(token)
    parts = -(-source.size // 10)
    assert told == [(f"reading {source.name}", parts, parts)]
