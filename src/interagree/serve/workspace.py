"""What is worked on: the files of a project, read and measured, and the items of each question.

Reading and measuring take place in a thread of their own, so that the page answers at once and says what it waits
for.  A file that can be read in several ways is not read until somebody chose one.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from interagree.arrays import Booleans, Indices, Integers
from interagree.data import Annotations, Study
from interagree.data.sql import is_sqlite
from interagree.data.types import Json, Value
from interagree.data.writing import write_file
from interagree.declare.readers import ReaderFacts
from interagree.errors import QUESTIONS, DataError, DoubtfulReading, InteragreeError, OptionError, UnknownName, listing
from interagree.kinds._views import without_halves
from interagree.people.texts import REMARKED, worded
from interagree.readers import read, reader_of
from interagree.reading.offers import FIRST, first_annotations
from interagree.reports.browser.items import DisputedItems
from interagree.reports.measured import parts_of
from interagree.reports.parts import Part
from interagree.reports.story import told
from interagree.results.agreement import IntervalOptions
from interagree.results.document import policy_sentence
from interagree.serve.edited import Values, stored
from interagree.serve.project import Event, Project, SourceFile, hashed
from interagree.spans.shown_text import ShownText
from interagree.tables import json_text

if TYPE_CHECKING:
    from interagree.serve.live import Live

State = Literal["empty", "reading", "doubtful", "failed", "ready"]
LETTERS = "abcdfghijklmpqtvwyz"  # keys of the answers to an item, which are not those of what else can be done
BY_RULE = "by rule"
STATUS = {"decide": "decided", "nothing": "nothing right", "cannot": "cannot be decided", "skip": "skipped"}
OPEN = ("open", "changed")  # what waits for a decision


MOST_REMARKS = 100
# Options that say which column is what.
STATES_COLUMNS = ("item", "annotator", "value", "question", "columns", "layout", "times", "attributes", "at")
NO_COLUMN = "\0"


def _for_read(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a reading that `read` takes: a question is picked out of what was read."""
    return {name: to for name, to in options.items() if name != QUESTIONS}


def _said(entry: object) -> bool:
    return isinstance(entry, str) and bool(entry.strip())


class NotReadError(DataError):
    """The files are not read, or not yet: what is sent now may be sent again."""


@dataclass(frozen=True)
class Asked:
    """A question with its items and what can be decided on them."""

    name: str
    part: Part
    items: DisputedItems | None  # those with disagreement; None where nobody differs, or nobody knows who said what
    audit: bool = False  # whether these are a sample of the items on which all agree
    tried: dict[str, str] = field(
        default_factory=dict
    )  # by tool, why answers cannot be written for it; empty: they can

    @property
    def study(self) -> Annotations:
        """The annotations that decisions are on."""
        return self.part.study if self.items is None else self.items.study

    @property
    def why_not(self) -> str:
        """Why nothing can be decided; empty where something can."""
        if self.items is not None:
            return ""
        if self.part.study.anonymous:
            return "The data say how often each answer was given, and not by whom; decisions need the annotations."
        return "Annotators agree on every item that several of them answered: there is nothing to decide."

    @cached_property
    def values(self) -> Values:
        """The values, as they are stored and edited."""
        return Values(self.study)

    @cached_property
    def codes(self) -> list[int]:
        """The numbers of these items in the study."""
        return [] if self.items is None else [int(code) for code in self.items.chosen.codes]

    @cached_property
    def keys(self) -> list[str]:
        """The items with disagreement as the log names them, those to look at first in front."""
        return [stored(self.study.items[code]) for code in self.codes]

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each item stands in that order."""
        return {key: place for place, key in enumerate(self.keys)}

    @cached_property
    def _made(self) -> dict[int, dict[str, Json]]:
        return {}

    def place(self, key: str) -> int:
        """Where an item stands; an error where it is not among those with disagreement."""
        if key not in self.places:
            raise UnknownName(f"there is no item {key:.60} on which annotators differ, or in the sample of the others")
        return self.places[key]

    def rows(self, place: int) -> list[int]:
        """The annotations of an item."""
        return [] if self.items is None else self.items.rows[place]

    def code(self, place: int) -> int:
        """The number of an item in the study."""
        return self.codes[place]

    def type(self, place: int) -> str:
        """How annotators differ."""
        if self.audit:
            return "all agree"
        return "" if self.items is None else str(self.items.chosen.columns["type"][self.code(place)])

    def item(self, place: int) -> dict[str, Json]:
        """An item as it is drawn."""
        if self.items is None:
            raise UnknownName(self.why_not)
        if place not in self._made:
            self._made[place] = self.items.item(place)
        return self._made[place]

    def about(self, item: dict[str, Json]) -> dict[str, Json]:
        """What a drawing needs to know besides the item."""
        made: dict[str, Json] = {} if self.items is None else self.items.about([item])
        if self.study.kind == "numbers":
            numbers = [float(value) for value in self.study.values]
            made["range"] = [min(numbers), max(numbers)]
        return made

    def shown_text(self, place: int) -> ShownText | None:
        """The text in which positions of an item lie."""
        return None if self.items is None else self.items.shown_text(self.code(place))

    def answers(self, place: int) -> list[tuple[int, Value]]:
        """Who said what of an item."""
        who, value, values = self.study.annotator, self.study.value, self.study.values
        return [(int(who[row]), values[int(value[row])]) for row in self.rows(place)]

    def in_words(self, value: Value, text: object) -> str:
        """A value as people read it."""
        return worded(value, self.study.kind, text if isinstance(text, str) else None)

    def decided(self, event: Event) -> str:
        """A decision as people read it."""
        if event.kind != "decide":
            return STATUS[event.kind]
        text = None
        if event.item in self.places and self.study.kind == "spans":
            shown = self.shown_text(self.places[event.item])
            text = None if shown is None or shown.tokens is not None else shown.shown
        return without_halves(self.in_words(self.values.restored(event.value or "null"), text))

    def remarks(self, place: int) -> list[tuple[int, str, str]]:
        """What annotators remarked on an item: who, in which column, what."""
        study = self.study
        made: list[tuple[int, str, str]] = []
        for name in study.attributes:
            if REMARKED.search(str(name)):
                column = study.attributes[name]
                told_by = [(int(study.annotator[row]), column[row]) for row in self.rows(place)]
                made += [(who, str(name), without_halves(said)) for who, said in told_by if _said(said)]
        return made[:MOST_REMARKS]

    def fingerprint(self, place: int) -> str:
        """What the answers to an item are known by: other answers, or another text, have another one."""
        shown = self.shown_text(place)
        answers = sorted((str(self.study.annotators[who]), stored(value)) for who, value in self.answers(place))
        return hashed(json_text([None if shown is None else shown.shown, answers]))[:24]

    # -- many at once ---------------------------------------------------------------------------------------------

    def by_rule(self, rule: str) -> Integers:
        """The number of the value that a rule gives each item with disagreement; -1 where it gives none."""
        if rule not in self._by_rule and self.items is not None:
            wanted, rest = json.loads(rule), self.items.ranking.rest
            made = np.full(len(rest.study.items), -1, dtype=np.intp)
            if "agree" in wanted:
                cells, front = rest.cells, rest.front
                alone = (cells.votes == front.votes[cells.item]) & (front.shared[cells.item] == 1)
                taken = alone & (cells.votes >= wanted["agree"])
                made[cells.item[taken]] = cells.value[taken]
            else:
                names = [str(name) for name in rest.study.annotators]
                rows = rest.who == (names.index(wanted["annotator"]) if wanted["annotator"] in names else -1)
                made[rest.item[rows]] = rest.value[rows]
            self._by_rule[rule] = made[self.items.chosen.codes]
        return self._by_rule.get(rule, np.zeros(0, dtype=np.intp))

    @cached_property
    def _by_rule(self) -> dict[str, Integers]:
        return {}

    def rule_of(self, project: Project, place: int) -> tuple[Event, Value] | None:
        """The first rule that decided on an item, and its value: a later one decides on what still waited."""
        if self.audit:  # on which somebody looks one by one
            return None
        for event in reversed(project.rules(self.name)):
            code = int(self.by_rule(event.value or "{}")[place])
            if code >= 0:
                return event, self.study.values[code]
        return None

    def ruled(self, rules: Sequence[Event]) -> Booleans:
        """Which items some rule decides on."""
        made = np.zeros(len(self.keys), dtype=bool)
        for event in () if self.audit else rules:
            made |= self.by_rule(event.value or "{}") >= 0
        return made

    @cached_property
    def _fingerprints(self) -> dict[int, str]:
        return {}

    def status(self, project: Project, place: int) -> str:
        """What became of an item: open, decided, …, or changed since."""
        standing = project.standing(self.name, self.keys[place])
        if standing is None:
            return "open" if self.rule_of(project, place) is None else BY_RULE
        if place not in self._fingerprints:
            self._fingerprints[place] = self.fingerprint(place)
        return STATUS[standing.kind] if standing.fingerprint == self._fingerprints[place] else "changed"


def _noted(files: Sequence[SourceFile]) -> list[tuple[str | None, str, str]]:
    """What a project keeps of files, by which the same are known again."""
    return [(file.path, file.sha256, json_text(dict(file.options))) for file in files]


class Workspace:
    """A project with its files, read."""

    def __init__(self, project: Project, images: Path | None = None) -> None:
        self.project = project
        self.images = images  # the folder that images of items are shown from
        self.lock = threading.RLock()  # items are drawn one at a time
        self.state: State = "empty"
        self.error = ""
        self.doubt: DoubtfulReading | None = None
        self.study: Study | None = None
        self.asked: dict[str, Asked] = {}
        self._audits: dict[tuple[str, str, int], Asked] = {}  # by question, what the sample is drawn by, and its size
        self.parts: tuple[Part, ...] = ()
        self.intervals = IntervalOptions()
        self.reader: ReaderFacts | None = None
        self.live: Live | None = None  # where a source is watched
        self.bell: Callable[[], None] = lambda: None  # is rung when something is new
        self._started, self._readings = secrets.token_hex(4), count()
        self.reading = f"{self._started}.{next(self._readings)}"  # which reading of the files this is
        self.name = ""
        self._folder = TemporaryDirectory(prefix="interagree-serve-", ignore_cleanup_errors=True)
        self._folders = count()
        self._options: dict[str, Any] = {}
        self._files: list[SourceFile] = []
        self._paths: list[str] = []
        self._heads: Sequence[tuple[str, Sequence[str]]] | None = None  # not looked for yet
        self._trying = threading.Lock()  # files are tried one at a time
        self._thread: threading.Thread | None = None

    def close(self) -> None:
        """Leave nothing behind but the project."""
        self._folder.cleanup()

    def folder(self) -> Path:
        """A new folder, which is gone with the server."""
        made = Path(self._folder.name, str(next(self._folders)))
        made.mkdir()
        return made

    def open(self, files: Sequence[SourceFile], options: Mapping[str, Any], *, wait: bool = False) -> None:
        """Read files, in a thread of its own."""
        with self.lock:
            if self.state == "reading":
                raise DataError("files are being read; wait until that is done")
            self.state, self.error, self.doubt, self._heads = "reading", "", None, None
            self.asked, self._audits, self.study, self.parts = {}, {}, None, ()
            self._options, self._files = {**options}, [*files]
            self._thread = threading.Thread(target=self._open, args=(self._files,), daemon=True)
            self._thread.start()
        if wait:
            self._thread.join()

    def _open(self, files: list[SourceFile]) -> None:
        try:
            self._read(files)
        except DoubtfulReading as error:
            self.doubt, self._heads = self._with_previews(error), error.heads
            self.state = "doubtful"
        except (InteragreeError, OSError) as error:
            self._heads = error.heads if isinstance(error, DataError) else ()
            self._fail(error.for_command_line() if isinstance(error, InteragreeError) else f"{error}")
        except MemoryError:
            self._fail("there is not enough memory to read this; read fewer questions or items at once")
        except Exception as error:  # noqa: BLE001 -- the page says it, and the server goes on
            self._fail(f"this was not foreseen: {type(error).__name__}: {error}"[:500])

    def _fail(self, sentence: str) -> None:
        self.error, self.state = sentence, "failed"

    def _read(self, files: list[SourceFile]) -> None:
        self.name = " + ".join(file.name for file in files)
        paths = self._paths = [self._path(file) for file in files]
        study = read(paths if len(paths) > 1 else paths[0], **self._options)
        self.reader = reader_of(paths if len(paths) > 1 else paths[0], self._options.get("format"))
        parts, asked = self._measured(study)
        known = [file._replace(sha256=self._digest(path)) for file, path in zip(files, map(Path, paths), strict=True)]
        kept = [file._replace(options=self._options) for file in known]
        if _noted(kept) != _noted(self.project.files()):
            self.project.open_files(kept)
        self._take(study, parts, asked)

    def _measured(self, study: Study) -> tuple[tuple[Part, ...], dict[str, Asked]]:
        parts, _ = parts_of(study, (), {})
        for part in parts:
            told(part, self.intervals)
        names = [*study] if len(study) > 1 else [part.name or next(iter(study)) for part in parts]
        items = [DisputedItems.of(part, texts=True, images=self.images or False) for part in parts]
        return parts, {name: Asked(name, part, of) for name, part, of in zip(names, parts, items, strict=True)}

    def _take(self, study: Study, parts: tuple[Part, ...], asked: dict[str, Asked]) -> None:
        with self.lock:
            self.study, self.parts, self.asked, self._audits = study, parts, asked, {}
            self.state = "ready"

    def renew(self, study: Study, name: str) -> None:
        """Go on with what a source that is watched holds by now; what was decided stays."""
        self._take(study, *self._measured(study))
        self.name, self.error = self.name or name, ""

    def renewed(self) -> None:
        """Tell those who listen that there is something new beside the log."""
        self.reading = f"{self._started}.{next(self._readings)}"
        self.bell()

    @property
    def files(self) -> list[SourceFile]:
        """The files that are read."""
        return self._files

    @property
    def options(self) -> dict[str, Any]:
        """How they are read."""
        return self._options

    def paths(self) -> list[str]:
        """Where the files are."""
        return [self._path(file) for file in self._files]

    def _whole_lines(self, path: Path) -> str:
        """A copy of a growing file up to the end of its last whole line; the rest may be on its way."""
        copy, content = Path(self._folder.name, path.name), path.read_bytes()
        write_file(copy, content[: content.rfind(b"\n") + 1])
        return str(copy)

    def _path(self, file: SourceFile) -> str:
        if file.content is None and file.path is None:
            raise DataError(f"the project does not hold {file.name}, which was dropped on it; name it in the command")
        if file.content is None:
            path = Path(file.path or "")
            beside = self.project.path.with_name(path.name)  # where both were moved together
            if self.live is not None and path.is_file() and not is_sqlite(path):
                return self._whole_lines(path)
            return str(beside) if not path.exists() and beside.exists() else file.path or ""
        written = self.folder() / (Path(file.name).name or "data")
        write_file(written, file.content)
        return str(written)

    @staticmethod
    def _digest(path: Path) -> str:
        return hashed(path.read_bytes()) if path.is_file() else ""

    def choose(self, chosen: int | Mapping[str, Any]) -> None:
        """Read the files in one of the ways that were offered, or by options that state the part of each column."""
        with self.lock:
            if isinstance(chosen, Mapping):
                options = self._stating(chosen)
            elif self.doubt is None or not 0 <= chosen < len(self.doubt.readings):
                raise OptionError("there is no such reading to choose; load the page again")
            else:
                options = {**self._options, **_for_read(self.doubt.readings[chosen].options)}
        self.open(self._files, options)

    def _stating(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options of the files with others that state the parts of columns."""
        return {**{name: to for name, to in self._options.items() if name not in STATES_COLUMNS}, **options}

    def tried(self, options: Mapping[str, Any]) -> Study:
        """The files as they would be read by these options; nothing else is done with them."""
        if self.state in ("empty", "reading"):
            raise NotReadError("no file is read yet")
        with self._trying:
            return read(self._paths if len(self._paths) > 1 else self._paths[0], **self._stating(options))

    def heads(self) -> Sequence[tuple[str, Sequence[str]]]:
        """The columns of the table that the files are, each with its first cells; none where they are not a table."""
        if self._heads is None and self.state == "ready":
            self._heads = ()
            try:
                self.tried({"annotator": NO_COLUMN})
            except DataError as error:  # which says what columns there are
                self._heads = error.heads
            except InteragreeError:
                pass
        return self._heads or ()

    def named(self) -> list[str]:
        """The files as a command names them."""
        return [file.name for file in self._files]

    def _with_previews(self, doubt: DoubtfulReading) -> DoubtfulReading:
        """The same doubt; every reading that can be taken with its first rows."""
        readings = []
        for reading in doubt.readings:
            if not reading.rows:
                with suppress(InteragreeError, OSError):
                    one = self._paths if len(self._paths) > 1 else self._paths[0]
                    made = read(one, **{**self._options, **_for_read(reading.options)})
                    heads, rows = first_annotations(made, FIRST)
                    reading = reading._replace(header=heads, rows=rows)  # noqa: PLW2901
            readings.append(reading)
        doubt.readings = (*readings,)
        return doubt

    def question(self, name: str) -> Asked:
        """A question by its name."""
        if self.state != "ready":
            raise NotReadError(f"no file is read yet: {self.error or self.state}")
        if name not in self.asked:
            raise UnknownName(f"there is no question {name!r:.60}; there are {listing(self.asked)}")
        return self.asked[name]

    def audit(self, name: str) -> Asked | None:
        """The sample of the items of a question on which all agree; None where none was drawn."""
        asked, sample = self.question(name), self.project.samples.get(name)
        if sample is None or asked.study.anonymous:
            return None
        drawn_by, size = sample
        if (name, drawn_by, size) not in self._audits:

            def draw(study: Annotations, codes: Indices) -> Indices:
                # By their names, so that a larger sample holds the smaller one, also after the files changed.
                ranks = {code: hashed(f"{drawn_by} {stored(study.items[code])}") for code in codes.tolist()}
                return np.array(sorted(ranks, key=lambda code: ranks[code])[:size], dtype=np.intp)

            with self.lock:
                items = DisputedItems.of_agreed(asked.part, asked.items, draw, images=self.images or False)
            self._audits[name, drawn_by, size] = Asked(name, asked.part, items, audit=True)
        return self._audits[name, drawn_by, size]

    def around(self, name: str, key: str | None, *, audit: bool = False) -> Asked:
        """A question by its name and an item: with its items on which annotators differ, or with the sample of others.

        Args:
            name: The name of the question.
            key: An item; None where ``audit`` says what is meant.
            audit: Whether the sample is meant.
        """
        asked = self.question(name)
        if audit or (key is not None and key not in asked.places):
            sample = self.audit(name)
            if sample is not None and (audit or key in sample.places):
                return sample
            if audit:
                raise UnknownName("no sample of the items on which all agree was drawn; draw one on the page After")
        return asked

    def policy(self) -> str:
        """What was dropped, merged or assumed."""
        return "" if self.study is None else str(policy_sentence(self.study.policy()))
