"""Simulated studies with one flaw that is known, and studies without any, for the tests of what a report advises.

Items differ in difficulty (a beta distribution), labels in how common they are, and some annotations are missing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import interagree as ia

KINDS = ("labels", "ordered", "numbers", "spans")
FLAWS = (
    *("guesser", "one label", "confused labels", "merged label", "merged by half", "boundary habit"),
    *("drift", "gradual drift", "drift of ratings", "biased pair", "shared bias", "higher pair"),
)
SOUND = ("uneven", "hard items", "scale in words", "ratings")  # … beside the kinds
START = 1_760_000_000  # when annotation began, in seconds since 1970
MISSING = 0.15  # share of annotations that are missing


def _people(number: int) -> list[str]:
    return [f"a{place}" for place in range(1, number + 1)]


def _shares(rng: np.random.Generator, labels: int) -> np.ndarray:
    """How common labels are: from even to one three times as common as the next."""
    shares = rng.dirichlet(np.full(labels, 4.0))
    return np.maximum(shares, 0.05) / np.maximum(shares, 0.05).sum()


def _kept(rng: np.random.Generator, items: int, people: int) -> np.ndarray:
    kept = rng.random((items, people)) >= MISSING * rng.integers(0, 2)
    kept[:, :2] |= kept.sum(axis=1, keepdims=True) < 2
    return kept


def _labels(rng: np.random.Generator, items: int, people: int, labels: int) -> tuple[np.ndarray, np.ndarray]:
    """The true label of each item, and the labels of all; errors are drawn evenly, or by how common labels are."""
    shares = _shares(rng, labels)
    truth = rng.choice(labels, items, p=shares)
    hard = rng.beta(1.0, rng.uniform(2.0, 8.0), items)[:, None]
    even = rng.random() < 0.5
    wrong = rng.choice(labels, (items, people), p=None if even else shares)
    return truth, np.where(rng.random((items, people)) < hard, wrong, truth[:, None])


def _study(table: np.ndarray, kept: np.ndarray, names: list[str], **options: object) -> ia.Annotations:
    item, who = np.nonzero(kept)
    times = options.pop("times", None)
    further = {} if times is None else {"attributes": {"timestamp": (START + 60 * times[item, who]).tolist()}}
    return ia.Annotations.from_columns(
        [f"i{place:04d}" for place in item.tolist()],
        [names[place] for place in who.tolist()],
        table[item, who].tolist(),
        **further,
        **options,
    )


def clean(kind: str, seed: int) -> ia.Annotations:
    """A study without a flaw: annotators are alike, and labels are mixed up without regard to which they are."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    items, people = int(rng.integers(60, 400)), int(rng.integers(2, 9))
    names = _people(people)
    kept = _kept(rng, items, people)
    if kind == "labels":
        count = int(rng.integers(2, 8))
        _, given = _labels(rng, items, people, count)
        times = rng.permuted(np.tile(np.arange(items)[:, None], people), axis=0)
        return _study(np.array(list("pqrstuvw"))[given], kept, names, times=times)
    if kind == "ordered":
        truth = rng.normal(0, 1, items)[:, None]
        noise = rng.normal(0, 1, (items, people)) * rng.gamma(2.0, rng.uniform(0.15, 0.4), items)[:, None]
        steps = np.digitize(truth + noise, np.sort(rng.normal(0, 1, 4)))
        return _study(steps, kept, names, values=[0, 1, 2, 3, 4], ordered=True)
    if kind == "numbers":
        truth = rng.normal(50, 10, items)[:, None]
        noise = rng.normal(0, 1, (items, people)) * rng.gamma(2.0, rng.uniform(1.0, 4.0), items)[:, None]
        return _study(np.round(truth + noise, 3), kept, names)
    return spans(rng, int(rng.integers(15, 60)), min(people, 5))


def spans(rng: np.random.Generator, documents: int, people: int, *, longer: float = 0.0) -> ia.Annotations:
    """Spans in documents that annotators miss, invent, cut or label otherwise; the last may mark longer ones."""
    rows = []
    for document in range(documents):
        begins = np.cumsum(rng.integers(15, 40, 8))
        lengths = rng.integers(3, 9, 8)
        kinds = rng.choice(3, 8, p=[0.5, 0.3, 0.2])
        for who in range(people):
            marked = []
            for begin, length, label in zip(begins.tolist(), lengths.tolist(), kinds.tolist(), strict=True):
                if rng.random() < 0.12:
                    continue
                start, end = begin, begin + length
                if rng.random() < 0.15:
                    start += int(rng.integers(-2, 3))
                if rng.random() < 0.15:
                    end += int(rng.choice([1, 2, 3, -1]))
                if who == people - 1 and rng.random() < longer:
                    end += 2
                name = "XYZ"[label if rng.random() < 0.92 else int(rng.integers(0, 3))]
                marked.append((start, max(end, start + 1), name))
            if rng.random() < 0.3:
                marked.append((int(begins[-1]) + 20, int(begins[-1]) + 24, "X"))
            rows.append((f"d{document:03d}", f"a{who + 1}", tuple(marked)))
    return ia.Annotations.of(rows, kind="spans")


def guesser(seed: int) -> ia.Annotations:
    """The last of three to eight annotators draws labels by how common they are, whatever the item."""
    rng = np.random.default_rng([seed, 101])
    items, people, count = int(rng.integers(100, 300)), int(rng.integers(3, 9)), int(rng.integers(2, 6))
    _, given = _labels(rng, items, people, count)
    given[:, -1] = rng.permutation(given[:, 0])
    return _study(np.array(list("pqrstuvw"))[given], _kept(rng, items, people), _people(people))


def confused_labels(seed: int) -> ia.Annotations:
    """Of three to six labels all annotators take p for q, or q for p, four times in ten."""
    rng = np.random.default_rng([seed, 102])
    items, people, count = int(rng.integers(150, 400)), int(rng.integers(2, 7)), int(rng.integers(3, 7))
    truth, given = _labels(rng, items, people, count)
    mixed = (truth < 2)[:, None] & (given < 2) & (rng.random(given.shape) < 0.4)
    return _study(
        np.array(list("pqrstuvw"))[np.where(mixed, 1 - given, given)], _kept(rng, items, people), _people(people)
    )


def boundary_habit(seed: int) -> ia.Annotations:
    """The last annotator ends half of their spans two letters later."""
    rng = np.random.default_rng([seed, 103])
    return spans(rng, int(rng.integers(15, 50)), int(rng.integers(2, 6)), longer=0.5)


def drift(seed: int) -> ia.Annotations:
    """The last annotator guesses from the middle of their time on."""
    rng = np.random.default_rng([seed, 104])
    items, people, count = int(rng.integers(150, 400)), int(rng.integers(3, 7)), int(rng.integers(2, 6))
    _, given = _labels(rng, items, people, count)
    times = rng.permuted(np.tile(np.arange(items)[:, None], people), axis=0)
    tired = times[:, -1] >= items // 2
    given[:, -1] = np.where(tired, rng.integers(0, count, items), given[:, -1])
    return _study(np.array(list("pqrstuvw"))[given], _kept(rng, items, people), _people(people), times=times)


def biased_pair(seed: int) -> ia.Annotations:
    """The last of five to eight annotators copies from the one before on two items of three."""
    rng = np.random.default_rng([seed, 105])
    items, people, count = int(rng.integers(150, 400)), int(rng.integers(5, 9)), int(rng.integers(3, 6))
    _, given = _labels(rng, items, people, count)
    hard = rng.random((items, people)) < 0.25
    given = np.where(hard, rng.integers(0, count, (items, people)), given)
    given[:, -1] = np.where(rng.random(items) < 0.67, given[:, -2], given[:, -1])
    return _study(np.array(list("pqrstuvw"))[given], _kept(rng, items, people), _people(people))


def _plain(
    rng: np.random.Generator, items: int, people: int, count: int, right: float
) -> tuple[np.ndarray, np.ndarray]:
    """The true label of each item, and those of annotators who are right so often and else give any other label."""
    truth = rng.integers(0, count, items)
    wrong = (truth[:, None] + rng.integers(1, count, (items, people))) % count
    return truth, np.where(rng.random((items, people)) < right, truth[:, None], wrong)


def _named(given: np.ndarray, kept: np.ndarray, **options: object) -> ia.Annotations:
    return _study(np.array(list("pqrstuvw"))[given], kept, _people(given.shape[1]), **options)


def _size(rng: np.random.Generator, fewest: int = 3) -> tuple[int, int, int]:
    return int(rng.integers(150, 400)), int(rng.integers(fewest, 9)), int(rng.integers(3, 6))


def one_label(seed: int) -> ia.Annotations:
    """The last annotator gives p to every item."""
    rng = np.random.default_rng([seed, 106])
    items, people, count = _size(rng)
    _, given = _plain(rng, items, people, count, rng.uniform(0.75, 0.95))
    given[:, -1] = 0
    return _named(given, _kept(rng, items, people))


def merged_label(seed: int) -> ia.Annotations:
    """The last annotator gives p for q, which they never use."""
    rng = np.random.default_rng([seed, 107])
    items, people, count = _size(rng)
    _, given = _plain(rng, items, people, count, rng.uniform(0.8, 0.95))
    given[given[:, -1] == 1, -1] = 0
    return _named(given, _kept(rng, items, people))


def merged_by_half(seed: int) -> ia.Annotations:
    """Two annotators of five, or three of seven, give p for q, which they never use."""
    rng = np.random.default_rng([seed, 108])
    items, _, count = _size(rng)
    people = int(rng.choice([5, 7]))
    _, given = _plain(rng, items, people, count, rng.uniform(0.8, 0.95))
    last = given[:, people // 2 + 1 :]
    last[last == 1] = 0
    return _named(given, _kept(rng, items, people))


def gradual_drift(seed: int) -> ia.Annotations:
    """The last annotator is right nineteen times in twenty at first, and less and less often to seven in twenty."""
    rng = np.random.default_rng([seed, 109])
    items, people, count = _size(rng)
    truth, given = _plain(rng, items, people, count, rng.uniform(0.85, 0.95))
    times = rng.permuted(np.tile(np.arange(items)[:, None], people), axis=0)
    wrong = rng.random(items) < 0.05 + 0.6 * times[:, -1] / items
    given[:, -1] = np.where(wrong, (truth + rng.integers(1, count, items)) % count, truth)
    return _named(given, _kept(rng, items, people), times=times)


def _ratings(rng: np.random.Generator, items: int, people: int, higher: np.ndarray) -> np.ndarray:
    """Whole numbers from 1 to 5; ``higher`` is added before they are rounded."""
    quality = rng.normal(3, 1.1, items)[:, None]
    return np.clip(np.round(quality + higher + rng.normal(0, 0.5, (items, people))), 1, 5).astype(int)


def drift_of_ratings(seed: int) -> ia.Annotations:
    """The last annotator rates higher and higher, in the end by a step and a half."""
    rng = np.random.default_rng([seed, 110])
    items, people, _ = _size(rng)
    times = rng.permuted(np.tile(np.arange(items)[:, None], people), axis=0)
    higher = np.zeros((items, people))
    higher[:, -1] = 1.5 * times[:, -1] / items
    return _study(_ratings(rng, items, people, higher), _kept(rng, items, people), _people(people), times=times)


def shared_bias(seed: int) -> ia.Annotations:
    """The last two of five to eight annotators give p for what they take for q, half of the time."""
    rng = np.random.default_rng([seed, 111])
    items, people, count = _size(rng, 5)
    items = max(items, 60 * count)
    _, given = _plain(rng, items, people, count, rng.uniform(0.85, 0.95))
    last = given[:, -2:]
    last[(last == 1) & (rng.random((items, 2)) < 0.5)] = 0
    return _named(given, _kept(rng, items, people))


def higher_pair(seed: int) -> ia.Annotations:
    """The last two of five to eight annotators rate higher by half a step to a step."""
    rng = np.random.default_rng([seed, 112])
    items, people, _ = _size(rng, 5)
    higher = np.where(np.arange(people) >= people - 2, rng.uniform(0.5, 1.0), 0.0)
    return _study(_ratings(rng, items, people, higher), _kept(rng, items, people), _people(people))


def sound(kind: str, seed: int) -> ia.Annotations:
    """Studies that differ from those with equal annotators and labels, but have no flaw that should be named."""
    rng = np.random.default_rng([seed, 200 + SOUND.index(kind)])
    items, people, count = _size(rng)
    kept = _kept(rng, items, people)
    if kind == "uneven":  # annotators are right 80 to 95 times in 100
        _, given = _plain(rng, items, people, count, rng.uniform(0.8, 0.95, people))
        return _named(given, kept)
    if kind == "hard items":  # of each item one wrong label is tempting, of some more than of others
        truth = rng.integers(0, count, items)
        tempting = (truth + rng.integers(1, count, items)) % count
        hard = np.minimum(rng.beta(0.6, 2.4, items), 0.6)[:, None]
        return _named(np.where(rng.random((items, people)) < hard, tempting[:, None], truth[:, None]), kept)
    given = _ratings(rng, items, people, np.zeros(people))
    if kind == "ratings":
        return _study(given, kept, _people(people))
    return _study(np.array(["terrible", "bad", "okay", "good", "great"])[given - 1], kept, _people(people))


MAKERS: dict[str, Callable[[int], ia.Annotations]] = {
    "guesser": guesser,
    "one label": one_label,
    "confused labels": confused_labels,
    "merged label": merged_label,
    "merged by half": merged_by_half,
    "boundary habit": boundary_habit,
    "drift": drift,
    "gradual drift": gradual_drift,
    "drift of ratings": drift_of_ratings,
    "biased pair": biased_pair,
    "shared bias": shared_bias,
    "higher pair": higher_pair,
}


# -- designs drawn anew -----------------------------------------------------------------------------------------------

ANIMALS = np.array(["cat", "dog", "bird", "fish", "horse", "cow", "sheep", "goat"], dtype=object)


class Design:
    """A study of 3 to 10 annotators and 60 to 500 items; labels, an ordered scale or numbers; with gaps or without."""

    def __init__(self, seed: int, *, kinds: tuple[str, ...] = KINDS[:3], fewest: int = 3, items: int = 60) -> None:
        self.rng = rng = np.random.default_rng([seed, 300])
        self.kind = str(rng.choice(kinds))
        self.people, self.items = int(rng.integers(fewest, 11)), int(rng.integers(items, 500))
        self.labels = int(rng.integers(3, 8)) if self.kind == "labels" else int(rng.choice([4, 5, 7]))
        self.declared = bool(rng.random() < 0.5)
        self.kept = rng.random((self.items, self.people)) >= rng.choice([0.0, 0.15, 0.4])
        rows = np.flatnonzero(self.kept.sum(axis=1) < 2)
        self.kept[rows[:, None], rng.permuted(np.tile(np.arange(self.people), (len(rows), 1)), axis=1)[:, :2]] = True
        shape = (self.items, self.people)
        if self.kind == "labels":
            shares = _shares(rng, self.labels)
            self.truth = rng.choice(self.labels, self.items, p=shares)
            hard = rng.beta(1.0, rng.uniform(2.0, 8.0), self.items)[:, None]
            worse = rng.uniform(0, 0.15, self.people) * (rng.random() < 0.5)  # people are not alike
            wrong = rng.choice(self.labels, shape, p=shares)
            self.given = np.where((rng.random(shape) < hard) | (rng.random(shape) < worse), wrong, self.truth[:, None])
        else:
            self.truth = rng.normal(0, 1, self.items)
            noisy = self.truth[:, None] + rng.normal(0, 1, shape) * rng.uniform(0.2, 0.7)
            cuts = np.linspace(-1.4, 1.4, self.labels - 1)
            ordered = self.kind == "ordered"
            self.given = np.digitize(noisy, cuts) + 1 if ordered else np.round(50 + 10 * noisy, 2)

    def study(self, **columns: np.ndarray) -> ia.Annotations:
        """The study, with further columns for items, or for items and annotators."""
        item, who = np.nonzero(self.kept)
        given = self.given[item, who]
        named = ANIMALS[given] if self.given.dtype.kind in "iu" and self.kind == "labels" else given
        scale = self.kind == "ordered" and self.declared
        return ia.Annotations.from_columns(
            [f"i{place}" for place in item.tolist()],
            [f"a{place}" for place in who.tolist()],
            named.tolist(),
            values=[*range(1, self.labels + 1)] if scale else None,
            ordered=True if scale else None,
            attributes={
                name: (column[item, who] if column.ndim == 2 else column[item]).tolist()
                for name, column in columns.items()
            },
        )

    def last(self, number: int = 1) -> set[str]:
        """The names of the last annotators."""
        return {f"a{place}" for place in range(self.people - number, self.people)}

    def swap(self, who: int, where: np.ndarray) -> None:
        """Let somebody swap the first two labels of some items."""
        column = self.given[:, who]
        self.given[:, who] = np.where(where & (column < 2), 1 - column, column)


Designed = tuple[ia.Annotations, set[str], str]  # the study, who has the flaw, and its code


def designed(flaw: str, seed: int) -> Designed:
    """A study with a slip that can be undone, or none, who made it, and what it is called."""
    return SLIPS[flaw](seed) if flaw in SLIPS else CLEAN[flaw](seed)


def reversed_scale(seed: int) -> Designed:
    """The last annotator reads the scale from the other end."""
    design = Design(seed, kinds=("ordered", "numbers"))
    ends = design.labels + 1 if design.kind == "ordered" else 100
    design.given[:, -1] = ends - design.given[:, -1]
    return design.study(), design.last(), "annotator.reversed"


def shifted_rows(seed: int) -> Designed:
    """The answers of the last annotator stand a row or two too low, or too high."""
    design = Design(seed)
    design.given[:, -1] = np.roll(design.given[:, -1], int(design.rng.choice([1, -1, 2])))
    return design.study(), design.last(), "annotator.rows"


def swapped(seed: int) -> Designed:
    """The last annotator swaps two labels."""
    design = Design(seed, kinds=("labels",))
    design.swap(-1, np.ones(design.items, dtype=bool))
    return design.study(), design.last(), "annotator.recoded"


def in_a_circle(seed: int) -> Designed:
    """The last annotator gives each label for the one before it."""
    design = Design(seed, kinds=("labels",))
    design.given[:, -1] = (design.given[:, -1] + 1) % design.labels
    return design.study(), design.last(), "annotator.recoded"


def spelled(seed: int) -> Designed:
    """The last annotator spells labels in another way, always or half of the time."""
    design = Design(seed, kinds=("labels",))
    spell = [str.capitalize, str.upper, lambda label: f"{label}."][int(design.rng.integers(3))]
    words = ANIMALS[design.given]
    often = design.rng.random(design.items) < design.rng.choice([0.5, 1.0])
    words[often, -1] = [spell(label) for label in words[often, -1]]
    design.given = words
    return design.study(), design.last(), "spelling"


def mixed_up(seed: int) -> Designed:
    """The last two of five to ten annotators swap two labels half of the time."""
    design = Design(seed, kinds=("labels",), fewest=5, items=200)
    design.kept[:, -2:] = True
    for who in (-1, -2):
        design.swap(who, design.rng.random(design.items) < 0.5)
    return design.study(), design.last(2), "annotator.mixes"


def narrow(seed: int) -> Designed:
    """The last annotator never gives the ends of the scale, or numbers half as far from the middle."""
    design = Design(seed, kinds=("ordered", "numbers"), items=120)
    if design.kind == "ordered":
        design.given[:, -1] = np.clip(design.given[:, -1], 2, design.labels - 1)
    else:
        design.given[:, -1] = 50 + 0.5 * (design.given[:, -1] - 50)
    return design.study(), design.last(), "annotator.narrow"


def guessing(seed: int) -> Designed:
    """The answers of the last annotator are dealt to other items."""
    design = Design(seed, items=100)
    design.given[:, -1] = design.rng.permutation(design.given[:, -1])
    return design.study(), design.last(), "annotator.guess"


def nothing(seed: int) -> Designed:
    """Nobody made a slip."""
    return Design(seed).study(), set(), ""


def nothing_of_few(seed: int) -> Designed:
    """Nobody made a slip, and there are two or three annotators."""
    design = Design(seed)
    people = 2 + seed % 2
    design.kept[:, people:] = False
    design.kept[:, :2] = True
    return design.study(), set(), ""


SLIPS: dict[str, Callable[[int], Designed]] = {
    "reversed scale": reversed_scale,
    "shifted rows": shifted_rows,
    "swapped labels": swapped,
    "labels in a circle": in_a_circle,
    "spelling": spelled,
    "mixed up by two": mixed_up,
    "narrow scale": narrow,
    "guessing": guessing,
}
CLEAN: dict[str, Callable[[int], Designed]] = {"any design": nothing, "two or three": nothing_of_few}
