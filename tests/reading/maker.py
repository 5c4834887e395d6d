"""What tables are made of, drawn at random: studies, ids, texts, comments, metadata, gold, models."""

from __future__ import annotations

import collections
import itertools
import random
import statistics
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reading.sheets import WORDS, Column, Truth

LANGUAGES = {"en": 10, "de": 1.2, "fr": 0.8, "es": 0.8, "it": 0.3, "pt": 0.3, "nl": 0.3, "pl": 0.3}


class Maker:
    """Draws tables; everything random comes from one source."""

    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.made_of: list[str] = []
        self.taken: set[str] = set()
        self.language = source.choices(list(LANGUAGES), list(LANGUAGES.values()))[0]

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def words(self, group: str, what: str) -> Any:
        """A list of words, in tables of another language mostly that of the language."""
        own = WORDS[group].get(f"{what}_{self.language}")
        return own if own and self.chance(0.85) else WORDS[group][what]

    def word(self, group: str, what: str) -> Any:
        return self.random.choice(self.words(group, what))

    def name(self, group: str, what: str) -> str:
        """A name for a column that no other column of the table has."""
        for _ in range(30):
            name: str = self.word(group, what)
            if name.lower() not in self.taken:
                break
        else:
            name = f"{name}_{self.random.randrange(10, 99)}"
        self.taken.add(name.lower())
        return name

    # -- studies

    def truth(self, items: int | None = None, people: int | None = None, questions: int = 1) -> Truth:
        """A study of annotators who agree more or less, some of them odd."""
        sizes = {3: 0.5, 5: 2, 8: 2, 12: 2, 20: 4, 30: 4, 40: 2, 60: 2, 90: 2, 150: 2, 1000: 0.15, 5000: 0.03}
        n = items or self.random.choices(list(sizes), list(sizes.values()))[0]
        k = people or self.random.choice([2, 2, 2, 3, 3, 3, 4, 5, 6, 8, 12])
        names = [f"i{i}" for i in range(n)]
        whole = self.people(k)
        asked = self.questions(questions)
        sparse = self.chance(0.15) and k >= 4
        per_item = {
            name: self.random.sample(whole, self.random.choice([2, 2, 3])) if sparse else whole for name in names
        }
        if sparse:
            self.made_of.append("sparse")
        scale = self.scale()
        found = {}
        for question in asked:
            found[question] = self.answers(names, whole, per_item, scale)
            scale = self.scale() if self.chance(0.4) else scale
        return Truth(names, whole, found)

    def scale(self) -> list[Any]:
        values = list(self.word("labels", "sets") if self.chance(0.55) else self.word("labels", "scales"))
        if self.chance(0.02):
            values = list(range(0, 101, self.random.choice([1, 5, 10])))
        return values

    def answers(
        self, items: list[str], people: list[str], per_item: Mapping[str, list[str]], scale: list[Any]
    ) -> dict[tuple[str, str], Any]:
        skew = [self.random.random() ** self.random.choice([1, 1, 3]) + 0.02 for _ in scale]
        care = {who: self.random.choice([0.5, 0.7, 0.8, 0.9, 0.95]) for who in people}
        constant = self.random.choice(people) if self.chance(0.04) else None
        gaps = self.random.choice([0, 0, 0, 0.05, 0.2])
        found = {}
        for item in items:
            right = self.random.choices(range(len(scale)), skew)[0]
            for who in per_item[item]:
                if self.chance(gaps):
                    continue
                if who == constant:
                    place = 0
                elif self.chance(care[who]):
                    place = right
                else:
                    place = self.random.choices(range(len(scale)), skew)[0]
                found[item, who] = scale[place]
        for who in people:  # everybody has annotated something
            if not any((item, who) in found for item in items):
                found[self.random.choice(items), who] = scale[0]
        return found

    def people(self, k: int) -> list[str]:
        """Names of annotators, as the heads of columns or as the cells of one."""
        style = self.random.choices(
            ["numbered", "lettered", "first", "rare", "initials", "email", "countries", "full", "numbers"],
            [10, 3, 4, 2, 2, 1, 0.6, 1, 0.8],
        )[0]
        self.made_of.append(f"people: {style}")
        if style == "numbered":
            pattern, start = self.word("people", "numbered"), self.random.choice([1, 1, 1, 0])
            names = [pattern.format(i + start) for i in range(k)]
        elif style == "lettered":
            pattern, upper = self.word("people", "lettered"), self.chance(0.6)
            names = [pattern.format(chr((65 if upper else 97) + i)) for i in range(k)]
        elif style == "email":
            names = [
                f"{name.lower()}@example.org"
                for name in self.random.sample([n for n in WORDS["people"]["first"] if n.isascii()], k)
            ]
        elif style == "full":
            firsts, lasts = (self.random.sample(WORDS["people"][part], k) for part in ("first", "last"))
            names = [f"{first.title()} {last.title()}" for first, last in zip(firsts, lasts, strict=True)]
        elif style == "rare":  # names that no list has
            made = ["".join(pair).title() for pair in itertools.product(WORDS["people"]["syllables"], repeat=2)]
            names = self.random.sample(made, k)
        elif style == "numbers":
            names = [str(number) for number in self.random.sample(range(1, 400), k)]
        else:
            words = WORDS["people"][style]
            names = self.random.sample(words if len(words) >= k else WORDS["people"]["first"], k)
        if style in ("first", "rare") and self.chance(0.4):
            names = [name.lower() for name in names]
        return names

    def questions(self, k: int) -> list[str]:
        if k == 1:
            return [self.word("value", "names")]
        if self.chance(0.2):
            stem = self.random.choice(["q{}", "Q{}", "C{}", "item{}", "Frage {}", "var{}"])
            return [stem.format(i + 1) for i in range(k)]
        own = self.words("question", "names")
        return self.random.sample(own if len(own) >= k else WORDS["question"]["names"], k)

    # -- columns beside

    def item_cells(self, n: int) -> list[Any]:
        style = self.random.choice(["one", "zero", "code", "code", "file", "uuid", "hex", "random", "long"])
        self.made_of.append(f"ids: {style}")
        if style in ("one", "zero"):
            first = 1 if style == "one" else 0
            return list(range(first, n + first))
        if style == "code":
            pattern = self.word("item", "codes")
            return [pattern.format(i + 1) for i in range(n)]
        if style == "file":
            pattern = self.word("item", "files")
            return [pattern.format(i + 7, (i * 13) % 90) for i in range(n)]
        if style == "uuid":
            return [str(uuid.UUID(int=self.random.getrandbits(128), version=4)) for _ in range(n)]
        if style == "hex":
            return [f"{self.random.getrandbits(64):016x}" for _ in range(n)]
        if style == "long":
            return [str(self.random.randrange(10**18, 2 * 10**18)) for _ in range(n)]
        return self.random.sample(range(1, 60 * n + 100), n)

    def sentence(self, least: int = 4, most: int = 18) -> str:
        text = " ".join(self.random.choices(self.words("text", "words"), k=self.random.randint(least, most)))
        text = text[:1].upper() + text[1:] + self.random.choice([".", ".", "!", "?", ""])
        return text.replace(" ", ", ", 1) if self.chance(0.2) else text

    def texts(self, n: int) -> list[str]:
        style = self.random.choice(["unique", "unique", "unique", "long", "repeated", "short"])
        if style == "repeated":
            pool = [self.sentence() for _ in range(max(2, n // 3))]
            return [self.random.choice(pool) for _ in range(n)]
        if style == "short":
            return [self.word("text", "single") for _ in range(n)]
        return [self.sentence(25, 60) if style == "long" else self.sentence() for _ in range(n)]

    def text_column(self, n: int) -> Column:
        if self.chance(0.2):
            return Column(self.name("text", "short"), [self.word("text", "single") for _ in range(n)], "text")
        return Column(self.name("text", "names"), self.texts(n), "text")

    def comments(self, n: int) -> Column:
        share = self.random.choice([0.02, 0.1, 0.3, 0.6])
        cells = [self.word("comment", "cells") if self.chance(share) else None for _ in range(n)]
        if self.chance(0.3):
            cells = [cell and self.sentence(3, 12) for cell in cells]
        return Column(self.name("comment", "names"), cells, "comment")

    def metadata(self, n: int, labels: Sequence[Any]) -> Column:
        """A column that tells something about the items."""
        kinds = [*METADATA, "category", "shared"]
        kind = self.random.choice(kinds)
        if kind == "shared":  # a category that has some of its words from the labels
            few = [label for label in labels if isinstance(label, str)][:2]
            pool = [*few, "other", "politics", "sports"]
            return Column(self.name("metadata", "category"), [self.random.choice(pool) for _ in range(n)], "metadata")
        return Column(self.name("metadata", kind), METADATA[kind](self, n), "metadata")

    def derived(self, truth: Truth, question: str) -> list[Column]:
        """Columns that follow from the annotations: gold, majority, mean, agreement."""
        given = [truth.given(question, item) for item in truth.items]
        parts = self.random.sample(list(DERIVED), self.random.choice([1, 1, 2, 3]))
        if not all(isinstance(value, int | float) for values in given for value in values):
            parts = [part for part in parts if part != "mean"]
        found = []
        for part in parts:
            name = self.name(part, "names")
            found.append(Column(name, DERIVED[part](self, name, given), part))
        return found

    def model(self, truth: Truth, question: str) -> Column:
        given = [truth.given(question, item) for item in truth.items]
        labels = sorted({value for values in given for value in values}, key=str)
        cells = [
            self.random.choice(values) if values and self.chance(0.8) else self.random.choice(labels)
            for values in given
        ]
        return Column(self.name("model", "names"), cells, "model")

    def beside(self, n: int, labels: Sequence[Any]) -> list[Column]:
        """What stands beside the annotations of items: texts, comments, metadata."""
        found = []
        if self.chance(0.55):
            found.append(self.text_column(n))
        if self.chance(0.12):
            found.append(self.text_column(n))
        if self.chance(0.25):
            found.append(self.comments(n))
        found += [self.metadata(n, labels) for _ in range(self.random.choices([0, 1, 2, 3, 5], [5, 3, 2, 1, 0.5])[0])]
        return found

    def item_column(self, n: int) -> Column | None:
        """A column that tells the items apart, or none."""
        where = self.random.random()
        if where < 0.12:
            return None
        if where < 0.27:
            first = self.random.choice([0, 0, 1])
            return Column(self.word("item", "nameless"), list(range(first, n + first)), "row number")
        return Column(self.name("item", "names"), self.item_cells(n), "item")


# -- what metadata are made of -----------------------------------------------------------------------------


def drawn_from(*pools: Sequence[Any]) -> Callable[[Maker, int], list[Any]]:
    """Cells out of one of some sets of words."""

    def draw(maker: Maker, n: int) -> list[Any]:
        pool = maker.random.choice(pools)
        return [maker.random.choice(pool) for _ in range(n)]

    return draw


def some_of(group: str) -> Callable[[Maker, int], list[Any]]:
    """Cells out of some of the words of a group."""

    def draw(maker: Maker, n: int) -> list[Any]:
        words = WORDS["metadata"][group]
        pool = maker.random.sample(words, maker.random.randint(2, len(words) - 1))
        return [maker.random.choice(pool) for _ in range(n)]

    return draw


def dates(maker: Maker, n: int) -> list[Any]:
    form = maker.random.choice(["2021-03-{:02}", "{:02}.11.2022", "3/{}/2020", "{} mai 2019"])
    return [form.format(maker.random.randint(1, 28)) for _ in range(n)]


def stamps(maker: Maker, n: int) -> list[Any]:
    """Times that go on from row to row."""
    form = maker.random.choice(["2024-02-{:02}T{:02}:{:02}:{:02}", "2023-05-{:02} {:02}:{:02}:{:02}"])
    return [
        form.format(1 + i * 27 // n, maker.random.randint(8, 19), maker.random.randint(0, 59), i % 60) for i in range(n)
    ]


def numbers(maker: Maker, n: int) -> list[Any]:
    draw = maker.random.choice(
        [
            lambda: round(maker.random.random(), 4),
            lambda: maker.random.randint(3, 300),
            lambda: maker.random.randint(1990, 2024),
            lambda: maker.random.randint(0, 9),
        ]
    )
    return [draw() for _ in range(n)]


def groups(maker: Maker, n: int) -> list[Any]:
    cells = drawn_from(["A", "B"], ["A", "B", "C", "D"], [1, 2], [1, 2, 3], ["G1", "G2"], ["pilot", "main"])(maker, n)
    return sorted(cells, key=str) if maker.chance(0.5) else cells


def durations(maker: Maker, n: int) -> list[Any]:
    digits = maker.random.choice([0, 2])
    return [round(maker.random.expovariate(1 / 20), digits) for _ in range(n)]


METADATA: dict[str, Callable[[Maker, int], list[Any]]] = {
    "split": drawn_from(["train", "train", "train", "dev", "test"], ["train", "test"]),
    "url": lambda maker, n: [f"https://example.org/{maker.random.randrange(10**6)}" for _ in range(n)],
    "date": dates,
    "time": stamps,
    "language": drawn_from(["en"], ["en", "de"], ["en", "fr", "es", "de"]),
    "source": some_of("sources"),
    "status": some_of("statuses"),
    "category": some_of("categories"),
    "group": groups,
    "number": numbers,
    "duration": durations,
}


# -- what follows from the annotations ---------------------------------------------------------------------


def gold(maker: Maker, _: str, given: list[list[Any]]) -> list[Any]:
    """What the annotators agreed upon: mostly what most of them said, now and then only where they differed."""
    labels = sorted({value for values in given for value in values}, key=str)

    def agreed(values: list[Any]) -> Any:
        if values and maker.chance(0.9):
            return collections.Counter(values).most_common(1)[0][0]
        return maker.random.choice(labels)

    cells = [agreed(values) for values in given]
    if maker.chance(0.15):
        cells = [cell if len(set(values)) > 1 else None for cell, values in zip(cells, given, strict=True)]
    return cells


def majority(maker: Maker, _: str, given: list[list[Any]]) -> list[Any]:
    tie = maker.random.choice([None, "tie", "no majority"])
    votes = [collections.Counter(values).most_common() for values in given]
    return [None if not vote else tie if len(vote) > 1 and vote[0][1] == vote[1][1] else vote[0][0] for vote in votes]


def mean(_: Maker, name: str, given: list[list[Any]]) -> list[Any]:
    """The mean, or what the name says instead."""
    low = name.lower()
    if low in ("sum", "summe", "total"):
        return [sum(values) for values in given]
    if low == "median":
        return [statistics.median(values) if values else None for values in given]
    if low == "std":
        return [round(statistics.pstdev(values), 3) if values else None for values in given]
    return [round(statistics.fmean(values), 3) if values else None for values in given]


def flag(maker: Maker, name: str, given: list[list[Any]]) -> list[Any]:
    """Whether all said the same; the other way round where the name says so."""
    true, false = maker.random.choice(
        [(1, 0), (True, False), ("yes", "no"), ("x", None), ("agree", "disagree"), (100, 0)]
    )
    if name.lower() in ("disagreement", "diff", "conflict", "needs_review"):
        true, false = (0, 1) if true == "agree" else (false, true)
    return [true if len(set(values)) < 2 else false for values in given]


DERIVED: dict[str, Callable[[Maker, str, list[list[Any]]], list[Any]]] = {
    "gold": gold,
    "majority": majority,
    "mean": mean,
    "flag": flag,
}
