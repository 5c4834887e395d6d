"""Options that readers share: declared and described once, and keywords like any other for whoever calls a reader."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Annotated, Literal, TypedDict, Unpack

import pytest

import interagree as ia
from interagree.declare import SharedOption, reader
from interagree.errors import OptionError, UnknownName
from interagree.plugins import READERS

OWN = [name for name in READERS if READERS.origin(name) == "interagree"]


class Words(TypedDict, total=False):
    """Options of the reader below."""

    empty: Annotated[Literal["keep", "drop"], SharedOption("keep", "What is done with empty lines.")]
    most: Annotated[int, SharedOption(7, "How many words to read.")]


@reader("Words", suffixes=(".words",))
def words(path: Path, *, sign: str = " ", **options: Unpack[Words]) -> tuple[Path, str, Words]:
    """The words of a file.

    Args:
        path: The file.
        sign: What stands between words.
        most: How many of them.
    """
    return path, sign, options


def test_a_reader_gets_all_of_them_and_shows_them_as_its_own() -> None:
    assert words(Path("a")) == (Path("a"), " ", {"empty": "keep", "most": 7})
    assert words(Path("a"), most=3, sign="-") == (Path("a"), "-", {"empty": "keep", "most": 3})
    shown = inspect.signature(words).parameters
    assert {name: shown[name].default for name in list(shown)[1:]} == {"sign": " ", "empty": "keep", "most": 7}
    assert "    most: How many of them.\n    empty: What is done with empty lines.\n" in str(words.__doc__)


def test_they_are_checked_by_their_types_and_an_unknown_one_is_named() -> None:
    with pytest.raises(
        OptionError, match=r"empty= takes one of 'keep', 'drop', not 'kept'\. Did you mean empty='keep'"
    ):
        words(Path("a"), empty="kept")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="most= takes a whole number"):
        words(Path("a"), most="many")  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match=r"the reader 'words' has no option 'emtpy'\. Did you mean 'empty'\?"):
        words(Path("a"), emtpy="keep")  # type: ignore[call-arg]


@pytest.mark.parametrize("name", OWN)
def test_every_option_of_a_reader_is_described_in_its_help(name: str) -> None:
    shown = inspect.signature(READERS[name]).parameters.values()
    options = [one.name for one in shown if one.kind is one.KEYWORD_ONLY]
    described = inspect.getdoc(READERS[name]) or ""
    ways = ("\n    {}: ", "``{}``")
    assert [option for option in options if not any(way.format(option) in described for way in ways)] == []


def test_what_reading_several_files_needs_is_let_through(tmp_path: Path) -> None:
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "a.ann").write_text("T1\tPER 0 1\tx\n", encoding="utf-8")
    assert ia.read(tmp_path, format="brat", duplicates="first").single().annotators == ["ann"]
