"""Names of the same things in several sources, matched by what they mean.

Two names are one where they are equal; else where they are the same text in another Unicode form, with other blanks, or
as a number in one source and as text in the other; else where they spell the same number, whatever zeros stand in front
of it or behind its point ("007", 7, "7.0").  Names that are told apart by such a form in one source, as "7" and "007"
are, meet nothing by it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from interagree.data.provenance import Step, counted, noted
from interagree.data.values import is_hashable, key
from interagree.errors import DataError, Hint, listing

if TYPE_CHECKING:
    from interagree.data.annotations import Annotations

ITEM = Hint("item", "id")
PLAIN = re.compile(r"[A-Za-z_][!-~]*")
DECIMAL = re.compile(r"([+-]?)(\d+)(?:\.(\d*))?")


def written(name: Hashable) -> Hashable:
    """A name as text: in one Unicode form, each blank a space; a whole number without a point."""
    if isinstance(name, str):
        if name.isascii() and name.isalnum():
            return name
        return " ".join((name if name.isascii() else unicodedata.normalize("NFC", name)).split())
    if isinstance(name, tuple):
        return tuple(map(written, name))
    if isinstance(name, frozenset):
        return frozenset(map(written, name))
    if isinstance(name, float) and name.is_integer():
        return str(int(name))
    return str(name)


def spelled_number(name: Hashable) -> Hashable:
    """A name as text; of a number that it spells only the digits that count."""
    text = written(name)
    if isinstance(text, str) and text[:1] in "123456789" and text.isdigit():
        return text
    if isinstance(text, tuple | frozenset):
        return type(text)(map(spelled_number, text))
    spelled = DECIMAL.fullmatch(str(text))
    if spelled is None:
        return text
    sign, whole, fraction = spelled.groups()
    digits = (whole.lstrip("0") or "0") + f".{fraction or ''}".rstrip("0").rstrip(".")
    return f"-{digits}" if sign == "-" and digits != "0" else digits


FORMS: tuple[Callable[[Hashable], Hashable], ...] = (written, spelled_number)


class _Form:
    """Known names by one form, with those that are told apart by another one."""

    def __init__(self, form: Callable[[Hashable], Hashable]) -> None:
        self.form = form
        self.names: dict[Hashable, Hashable] = {}
        self.times: Counter[Hashable] = Counter()

    def add(self, names: Sequence[Hashable]) -> None:
        """Further names."""
        forms = list(map(self.form, names))
        self.names |= zip(forms, names, strict=True)
        self.times.update(forms)


class Known:
    """Names that are known, to find those that another source spells otherwise."""

    def __init__(self, names: Iterable[Hashable] = ()) -> None:
        self._names: dict[Hashable, Hashable] = {}
        self._odd = False  # whether some may be spelled otherwise
        self._forms: list[_Form] = []
        self.add(names)

    def add(self, names: Iterable[Hashable]) -> None:
        """Further names, none of which is known."""
        fresh = list(names)
        self._names |= {key(name): name for name in fresh}
        self._odd = self._odd or _may_vary(fresh)
        for known in self._forms:
            known.add(fresh)

    def called(self, names: Sequence[Hashable]) -> list[Hashable | None]:
        """What the names of another source, all different, are here; None for those that are not known."""
        met = [self._names.get(key(name)) for name in names]
        if None not in met or not self._names or not (self._odd or _may_vary(names)):
            return met
        if {*map(type, names), *map(type, self._names.values())} == {int}:
            return met
        if not self._forms:
            self._forms = [_Form(form) for form in FORMS]
            for known in self._forms:
                known.add([*self._names.values()])
        taken = {key(name) for name in met if name is not None}
        for known in self._forms:
            forms = list(map(known.form, names))
            times = Counter(forms)
            for place, spelled in enumerate(forms):
                if met[place] is None and known.times.get(spelled) == 1 == times[spelled]:
                    name = known.names[spelled]
                    if key(name) not in taken:
                        met[place] = name
                        taken.add(key(name))
        return met


def _may_vary(names: Iterable[Hashable]) -> bool:
    """Whether some names could be spelled otherwise: all but texts of plain letters that begin with one."""
    return not all(isinstance(name, str) and PLAIN.fullmatch(name) for name in names)


def met(names: Iterable[Hashable], known: Iterable[Hashable]) -> int:
    """How many different names are also among those known."""
    return sum(name is not None for name in Known(dict.fromkeys(known)).called([*dict.fromkeys(names)]))


def spelled_alike(sources: Sequence[Sequence[Any]], noun: str) -> tuple[list[Sequence[Any]], list[Step]]:
    """The names of several sources, each thing called as in the first that has it, and what was taken as one."""
    known, merged = Known(), []
    made: list[Sequence[Any]] = []
    for names in sources:
        if isinstance(names, range):
            made.append(names)
            continue
        called = known.called(names)
        known.add(name for name, here in zip(names, called, strict=True) if here is None)
        made.append([name if here is None else here for name, here in zip(names, called, strict=True)])
        merged += [(here, name) for name, here in zip(names, called, strict=True) if here is not None and here != name]
    shown = "; ".join(listing(pair) for pair in dict.fromkeys(merged[:3]))
    return made, noted("merged", f"{counted(len(merged), noun)} spelled in two ways taken as one: {shown}", len(merged))


def likeliest(study: Annotations, other: Annotations) -> tuple[int, str | None, str | None]:
    """How many items of another study would be met by further columns of the two, and which; None for its items."""
    here, there = (
        {None: list(part.items)}
        | {name: [entry for entry in part.attributes[name].tolist() if is_hashable(entry)] for name in part.attributes}
        for part in (study, other)
    )
    pairs = [(None, name) for name in there] + [(name, None) for name in here] + [(name, name) for name in here]
    able = [(mine, theirs) for mine, theirs in pairs if theirs in there and (mine, theirs) != (None, None)]
    counts = [(met(there[theirs], here[mine]), mine, theirs) for mine, theirs in able]
    best = max(counts, key=lambda one: one[0], default=(0, None, None))
    return best if 2 * best[0] >= len(set(there[best[2]])) else (0, None, None)


def none_met(name: str, study: Annotations, other: str, further: Annotations) -> DataError:
    """The error for two sources without a common item, with the column of one that names the items of the other."""
    said = (
        f"0 of {counted(len(further.items), 'item')} of {other} are in {name}: {name} has "
        f"{listing(study.items, most=3)}, and {other} has {listing(further.items, most=3) or 'none'}"
    )
    count, mine, theirs = likeliest(study, further)
    if not count:
        return DataError(f"{said}. State the column that names the same items in both, as in {ITEM}", hints=[ITEM])
    hint = Hint("item", mine if theirs is None else theirs)
    whose = " of both" if mine == theirs else f" of {name if theirs is None else other}"
    return DataError(f"{said}; the column {hint.value!r}{whose} matches {count:,}: {hint}", hints=[hint])
