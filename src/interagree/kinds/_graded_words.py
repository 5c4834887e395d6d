"""Words that grade, such as "very bad", "bad", "good": the order they seem to have, where nobody stated one.

A value is read as a degree before a word ("slightly", "very", "not at all" before "important"), as one side of a pair
("disagree" and "agree", "unlikely" and "likely"), or as a step of a family of words ("none", "mild", "severe").  All
values must be read in one family and stand at different places, else nothing is said: an order that is only likely is
not one to report.  Two values need none.  Case, punctuation, articles, and words that all values share at either end
("low risk", "high risk") make no difference.  English only.

Values that begin with numbers ("1 - poor", "2 - fair") are taken in the order of the numbers, which says less: numbers
may be codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import NamedTuple

LEAST, MOST = 3, 12  # values that a scale of words has
Words = tuple[str, ...]


class Order(NamedTuple):
    """The order that values seem to have, lowest first, and what tells."""

    values: tuple[object, ...]
    graded: bool  # whether the words tell it; else only the numbers that they begin with do

    @property
    def because(self) -> str:
        """What the values look like, after "the values"."""
        if self.graded:
            return "look like an ordered scale"
        return "begin with numbers, which may be the steps of a scale or codes of labels"


def seeming_order(values: Sequence[object]) -> Order | None:
    """The order that words seem to have; None where that is not plain."""
    if not LEAST <= len(values) <= MOST:
        return None
    written = [value for value in values if isinstance(value, str)]
    if len(written) < len(values):
        return None
    codes = _codes(written)
    if codes is None:
        places = _headed_numbers(written) or _placed([_words(value) for value in written])
        return None if places is None else Order(_sorted(values, places), graded=True)
    numbers, rests = codes
    if all(rest in (("star",), ("stars",), ("point",), ("points",)) for rest in rests):
        return Order(_sorted(values, numbers), graded=True)
    places = _placed(rests)
    if places is None:
        return Order(_sorted(values, numbers), graded=False)
    in_turn = [place for _, place in sorted(zip(numbers, places, strict=True))]
    alike = in_turn in (sorted(places), sorted(places, reverse=True))
    return Order(_sorted(values, numbers), graded=True) if alike else None


def _sorted(values: Sequence[object], places: Sequence[float]) -> tuple[object, ...]:
    return tuple(value for _, value in sorted(zip(places, values, strict=True), key=lambda pair: pair[0]))


# -- words ---------------------------------------------------------------------------------------------------------

LETTERS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+")
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")  # between the words of "StronglyAgree"
SKIPPED = {"a", "an", "the", "of", "is"}


def _words(value: str) -> Words:
    words = LETTERS.findall(HUMP.sub(" ", value).replace("’", "'").casefold())
    return tuple(word for word in words if word not in SKIPPED)


# -- numbers -------------------------------------------------------------------------------------------------------

BETWEEN = r"\s.:=|_,–—-"  # a code and its words
CODE = re.compile(
    rf"\s*[(\[]?\s*(-?\d{{1,2}})\s*(?:[)\]]|(?=[{BETWEEN}])|$)[{BETWEEN}]*(?![\d%{BETWEEN}])(.*)", re.DOTALL
)
FIRST = 1  # codes of a scale begin with it or below
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
GRADES = ("grade", "stage", "level", "tier", "step", "score", "rating", "severity", "priority", "ecog")


def _codes(values: Sequence[str]) -> tuple[list[float], list[Words]] | None:
    """The numbers that all values begin with, one after the other, and the words behind them."""
    found = [CODE.fullmatch(value) for value in values]
    numbers = [int(match[1]) for match in found if match is not None]
    rests = [_words(match[2]) for match in found if match is not None]
    if len(numbers) < len(values) or not any(rests) or min(numbers) > FIRST:
        return None
    return (list(map(float, numbers)), rests) if _one_after_the_other(numbers) else None


def _headed_numbers(values: Sequence[str]) -> list[float] | None:
    """The numbers behind a word that counts grades, as in "grade 2" and "stage IV"."""
    words = [_words(value) for value in values]
    heads = {word[:-1] for word in words}
    if len(heads) > 1 or not (head := next(iter(heads))) or head[-1] not in GRADES:
        return None
    last = [word[-1] for word in words]
    if all(word.isdecimal() for word in last):
        numbers = [int(word) for word in last]
    elif all(word in ROMAN for word in last):
        numbers = [ROMAN.index(word) + 1 for word in last]
    else:
        return None
    return list(map(float, numbers)) if len({*numbers}) == len(numbers) else None


def _one_after_the_other(numbers: Sequence[int]) -> bool:
    return all(second - first == 1 for first, second in pairwise(sorted(numbers)))


# -- degrees -------------------------------------------------------------------------------------------------------


def _table(**steps: str) -> dict[Words, float]:
    """Phrases by place: ``_table(_4="very, highly")`` puts both at 4; ``n`` stands for minus and ``p`` for a point."""
    return {
        _words(phrase): float(name[1:].replace("n", "-").replace("p", "."))
        for name, phrases in steps.items()
        for phrase in phrases.split(",")
    }


BARE = 4.0  # where a word without a degree stands
DEGREES = _table(
    _1="slightly, a little, a little bit, a bit, barely, marginally, minimally, very slightly, weakly",
    _2="somewhat, partly, partially, mildly, to some extent, some extent, tend to, lean, leaning, kind of, sort of",
    _3="moderately, fairly, rather, reasonably, probably",
    _3p5="mostly, largely, mainly, usually, generally",
    _4="quite",
    _4p5="quite a bit",
    _5="very, highly, strongly, much, considerably, substantially, greatly, a lot, extra, certainly, seriously",
    _5p2="very much, very strongly, very highly",
    _6="extremely, completely, totally, entirely, fully, absolutely, exceptionally, definitely, perfectly, utterly, "
    "a great deal, very very, vastly, overwhelmingly, wholly",
)
# "Not very" says as little as "slightly": where both occur, neither is lower for sure.
DENIALS = _table(_n6="not at all", _n5="not, non, no", _1="not very, not so, not too, not particularly, not really")
BARE_DENIALS = DENIALS | _table(_n6="none, none at all, not in the least, never")
HALF = _table(_0="half, half way")


@dataclass(frozen=True, slots=True)
class Family:
    """Words that can stand on one scale: those of its two sides, which take a degree, and steps of their own."""

    above: Mapping[Words, float] = field(default_factory=dict)  # by how far a word is from the middle
    below: Mapping[Words, float] = field(default_factory=dict)
    steps: Mapping[Words, float] = field(default_factory=dict)

    def places(self, values: Sequence[Words]) -> list[float] | None:
        """The places of all values, each its own; None where one has none."""
        found = [self._place(value) for value in values]
        read = [place for place in found if place is not None]
        if len(read) < len(values) or len({place.where for place in read}) < len(read):
            return None
        for side in (1, -1):
            heads = {place.head for place in read if place.side == side}
            if len(heads) > 1 and any(place.degree for place in read if place.side == side):
                return None  # "very poor" and "bad": which is worse?
        if any(place.denied for place in read) and any(place.side < 0 or place.where == 0 for place in read):
            return None  # "not important" and "unimportant", or "neutral": which is lower?
        return [place.where for place in read]

    def _place(self, value: Words) -> _Place | None:
        if value in self.steps:
            return _Place(self.steps[value])
        for degree, head in _split(value):
            if not degree:
                for side, heads in ((1, self.above), (-1, self.below)):
                    if head in heads:
                        return _Place(side * heads[head], side, head)
            elif degree in DEGREES:
                side = 1 if head in self.above else -1 if head in self.below else 0
                if side:
                    return _Place(side * DEGREES[degree], side, head, degree)
            elif degree in HALF and head in self.above:
                return _Place(0.0)
            elif degree in DENIALS and head in self.above:
                return _Place(DENIALS[degree], 0, head, denied=True)
        return None


class _Place(NamedTuple):
    where: float
    side: int = 0
    head: Words = ()
    degree: Words = ()
    denied: bool = False


def _split(value: Words) -> Iterator[tuple[Words, Words]]:
    """A degree and what it is of: "strongly agree", and "agree strongly"."""
    for cut in range(len(value)):
        yield value[:cut], value[cut:]
    for cut in range(1, len(value)):
        yield value[cut:], value[:cut]


# -- families ------------------------------------------------------------------------------------------------------


def _heads(words: str, far: float = BARE) -> dict[Words, float]:
    return {_words(word): far for word in words.split(",")}


NEUTRAL = "neutral, neither, undecided"
OPEN = f"{NEUTRAL}, unsure, not sure, uncertain, unsure neutral"
PAIRS = (  # of attitudes, with what stands between them
    ("agree", "disagree", f"{OPEN}, neither agree nor disagree, neither agree or disagree"),
    ("approve", "disapprove", OPEN),
    ("support, favor, favour", "oppose", OPEN),
    ("satisfied", "dissatisfied, unsatisfied", f"{NEUTRAL}, neither satisfied nor dissatisfied"),
    ("likely", "unlikely", f"{OPEN}, neither likely nor unlikely, possible"),
    ("probable", "improbable", f"{OPEN}, possible"),
    ("important", "unimportant", NEUTRAL),
    ("positive", "negative", "neutral, mixed, neither"),
    ("favorable", "unfavorable", f"{NEUTRAL}, mixed"),
    ("favourable", "unfavourable", f"{NEUTRAL}, mixed"),
    ("acceptable", "unacceptable", NEUTRAL),
    ("appropriate", "inappropriate", NEUTRAL),
    ("desirable", "undesirable", NEUTRAL),
    ("comfortable", "uncomfortable", NEUTRAL),
    ("happy", "unhappy", NEUTRAL),
    ("pleasant", "unpleasant", NEUTRAL),
    ("like", "dislike", NEUTRAL),
    ("easy", "hard, difficult", "neutral, neither, medium, moderate, intermediate, normal, average"),
    ("better", "worse", "same, about same, equal, unchanged, no change, no difference, neutral, neither"),
    ("more", "less", "same, about same, equal, no difference, neither"),
    ("higher", "lower", "same, about same, equal, no difference, unchanged"),
    ("increase, increased", "decrease, decreased", "no change, unchanged, same, stable, neutral"),
    ("improved", "worsened", "no change, unchanged, same, stable"),
    ("yes", "no, not", "maybe, perhaps, possibly, partly, partially, somewhat, to some extent, might or might not"),
    ("true", "false, untrue", "mixture, half half"),
    ("correct", "incorrect, wrong", ""),
)
MIDDLE = "medium, moderate, mid, middle, intermediate, average, normal, neutral"
FAMILIES = (
    *(Family(_heads(above), _heads(below), _table(_0=between)) for above, below, between in PAIRS),
    Family(
        _heads("high"),
        _heads("low"),
        _table(_n9="none, no, zero, nil, absent, not", _n8="minimal, negligible", _0=MIDDLE, _8="critical, extreme"),
    ),
    Family(
        _heads("strong"),
        _heads("weak"),
        _table(_n9="none, no, absent", _0="moderate, medium, neutral, average, intermediate"),
    ),
    Family(
        _heads("large, big"),
        _heads("small"),
        _table(_n9="none, no", _n8="tiny", _0="medium, moderate, average, middle, normal", _8="huge, enormous"),
    ),
    Family(
        _heads("good"),
        {("bad",): BARE, ("poor",): BARE - 0.1},
        _table(
            _n9="unacceptable",
            _n8="terrible, awful, horrible, dreadful, abysmal",
            _n4="inadequate, unsatisfactory",
            _n3="below average, needs improvement",
            _0="fair, average, mixed, ok, okay, neutral, mediocre, acceptable, adequate, satisfactory, so so, passable",
            _4="above average",
            _5="great",
            _8="excellent, outstanding, superb, exceptional",
            _9="perfect",
        ),
    ),
    Family(  # how severe
        steps=_table(
            _0="none, no, absent, normal, not, not at all",
            _1="minimal, trivial, negligible, insignificant, trace, very mild, very slight, very minor",
            _3="slight, minor, mild",
            _4="mild to moderate",
            _5="moderate",
            _6="moderate to severe, moderately severe",
            _7="serious, major",
            _7p5="severe",
            _8="very severe, very serious",
            _9="extreme, critical, catastrophic, profound, life threatening, extremely severe",
            _9p5="blocker",
            _10="fatal, death, lethal",
        )
    ),
    Family(  # how often
        steps=_table(
            _0="never, not at all",
            _1="almost never, hardly ever, very rarely, very seldom, very infrequently",
            _2="rarely, seldom, infrequently",
            _3="sometimes, occasionally, once in a while, now and then",
            _4="about half time, half time",
            _5="often, frequently, regularly",
            _6="usually, mostly, most time, very often, very frequently, generally",
            _7="almost always, nearly always, almost every time",
            _8="always, every time, all time, constantly",
        )
    ),
    Family(
        steps=_table(_0="never", _1="yearly, annually, every year", _2="monthly, every month", _3="weekly, every week")
        | _table(_4="daily, every day", _5="hourly, every hour")
    ),
    Family(  # how many
        steps=_table(
            _0="none, no, nobody, nothing",
            _1="almost none, very few",
            _2="few",
            _3="some, several",
            _4="half, about half",
            _5="many",
            _6="most",
            _7="almost all, nearly all",
            _8="all, everybody, everything",
        )
    ),
    Family(  # how much: degrees by themselves
        steps=BARE_DENIALS
        | DEGREES
        | _table(_0p5="very little", _2="some", _3="a moderate amount, moderate amount", _5="lot", _5p2="very much")
    ),
    Family(  # how skilled
        steps=_table(_0="none", _1="novice, beginner, basic, elementary", _3="intermediate", _4="advanced", _5="expert")
    ),
)


# -- values that share words -----------------------------------------------------------------------------------------

# What stands by itself beside values that share a word: "none" beside "mild pain" and "severe pain".
ALONE = {*map(_words, f"{OPEN}, none, no, normal, never, not at all, same, absent, mixed".split(","))}
PREFIXES = ("un", "in", "im", "ir", "il", "dis")


def _placed(values: Sequence[Words]) -> list[float] | None:
    """The places of values in a family that takes them all."""
    if not all(values):
        return None
    for rests in _without_shared(values):
        orders = [places for family in (*FAMILIES, *_own(rests)) if (places := family.places(rests)) is not None]
        if orders:
            return orders[0] if len({*map(_ranks, orders)}) == 1 else None
    return None


def _ranks(places: Sequence[float]) -> tuple[int, ...]:
    return tuple(sorted(range(len(places)), key=lambda value: places[value]))


def _without_shared(values: Sequence[Words]) -> Iterator[list[Words]]:
    """The values, and without the words that all of them begin or end with, the fewest taken away first."""
    sharing = [value for value in values if value not in ALONE and value[0] != "neither"]
    before = _shared(sharing)
    before = before if not any(word in degree for word in before for degree in (*DEGREES, *DENIALS)) else ()
    behind = _shared([value[::-1] for value in sharing])[::-1]
    for start, end in sorted(product(range(len(before) + 1), range(len(behind) + 1)), key=sum):
        if start + end <= min(map(len, sharing), default=0):
            yield [value[start : len(value) - end] if value in sharing else value for value in values]


def _shared(values: Sequence[Words]) -> Words:
    """The words that all values begin with."""
    words = []
    for column in zip(*values, strict=False):
        if len({*column}) > 1:
            break
        words.append(column[0])
    return tuple(words) if len(values) > 1 else ()


def _own(values: Sequence[Words]) -> Iterable[Family]:
    """The family of a word that all values are about, whatever it is: "toxic", "slightly toxic", "not toxic".

    Where nothing is left of a value but its degree, what all were about has been taken away.
    """
    if () in values:
        above = {(): BARE}
        degrees = {degree: place for degree, place in DEGREES.items() if degree}
        return [Family(steps=above | degrees | DENIALS)]
    last = {value[-1] for value in values}
    pairs = [(word, prefix + word) for word in last for prefix in PREFIXES if prefix + word in last]
    if len(last) > 2 or (len(last) == 2 and len(pairs) != 1):
        return []
    word, opposite = pairs[0] if pairs else (next(iter(last)), "")
    return [Family({(word,): BARE}, {(opposite,): BARE} if opposite else {})]
