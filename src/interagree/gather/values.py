"""The column of values: what is one value, what means that there is none, and what there is to notice.

Two spellings are one value where they are the same text in another Unicode form (NFC), and in text files where they
differ only by spaces around them (``trim``) or, in a column of numbers, by trailing zeros after the point.  Case
counts, unless ``fold_case`` says otherwise.  What a caller states (``missing``, ``values``) is matched by what it means
in the type of the column: "99" is 99, 99.0 and "99".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from interagree.arrays import Array, Integers
from interagree.data.annotations import Annotations
from interagree.data.codes import Coded, Names
from interagree.data.columns import Columns
from interagree.data.meeting import DECIMAL, spelled_number, written
from interagree.data.provenance import Step, counted, noted
from interagree.data.types import Value
from interagree.data.values import is_missing, key, number, plain, spelled_in_ways
from interagree.errors import Advice, Hint, listing
from interagree.gather.missing import CODES, MissingCodes, advice, doubt, missing_codes
from interagree.gather.rules import Rules

if TYPE_CHECKING:
    import pyarrow as pa

FEW = 100  # distinct numbers up to which codes are looked for among them


def present(column: Coded, rules: Rules, times: Integers | None = None) -> tuple[Coded, list[Step]]:
    """The column of values with everything that means "no annotation" taken out, and what there is to notice.

    Args:
        column: The values.
        rules: How they are to be read.
        times: How many cells hold each entry, where the column has each of them once.
    """
    names = column.names
    numbers = isinstance(names, range) or (isinstance(names, Names) and isinstance(names.array, np.ndarray))
    if numbers and rules.split is None and not _stated(rules):
        return column, _likely_numbers(column, rules)
    tally = _Tally(column, times)
    entries = [plain(name) for name in names]
    entries, steps = _tidied(entries, rules, tally)
    gone, more = _absent(entries, rules, tally)
    steps += more
    if rules.split is None:
        entries, more = _numbers(entries, gone, tally, sheet=rules.from_text)
        steps += more
        if all(isinstance(entry, str) for entry in entries):
            steps += _alike([str(entry) for entry in dict.fromkeys(entries) if key(entry) not in gone])
    kept = [None if is_missing(entry) or key(entry) in gone else _parted(entry, rules.split) for entry in entries]
    return column.renamed(kept), steps


class _Tally:
    """How many cells hold each entry of a column, counted when somebody asks."""

    def __init__(self, column: Coded, times: Integers | None = None) -> None:
        self._column = column
        self._times = times

    def __call__(self, places: Iterable[int]) -> int:
        wanted = list(places)
        if not wanted:
            return 0
        if self._times is None:
            codes = self._column.codes[self._column.codes >= 0] if self._column.gaps else self._column.codes
            self._times = np.bincount(codes, minlength=len(self._column.names))
        return int(sum(self._times[place] for place in wanted))


def _parted(entry: Value, separator: str | None) -> Value:
    if separator is None:
        return entry
    if isinstance(entry, str):
        return frozenset(part.strip() for part in entry.split(separator) if part.strip())
    return frozenset(entry) if isinstance(entry, tuple | frozenset) else frozenset({entry})


# -- spellings of one value ---------------------------------------------------------------------------------


def tidied(column: Coded, rules: Rules) -> Coded:
    """A column of items or annotators in one Unicode form, in text files without spaces around the entries."""
    names = column.names
    if isinstance(names, range) or (isinstance(names, Names) and _is_tidy(names.array, trim=_trims(rules))):
        return column
    trim = _trims(rules)
    if all(not isinstance(name, str) or (name.isascii() and not (trim and name != name.strip())) for name in names):
        return column
    return column.renamed([_spelling(name, trim=trim) for name in names])


def _is_tidy(array: Array | pa.Array, *, trim: bool) -> bool:
    """Whether an array of many names needs no change."""
    if isinstance(array, np.ndarray):
        return True  # numbers
    import pyarrow as pa
    import pyarrow.compute as pc

    if not (pa.types.is_string(array.type) or pa.types.is_large_string(array.type)):
        return not pa.types.is_string_view(array.type)
    ascii_only = pc.all(pc.string_is_ascii(array)).as_py() is not False
    return ascii_only and (not trim or pc.any(pc.not_equal(pc.utf8_trim_whitespace(array), array)).as_py() is not True)


def _trims(rules: Rules) -> bool:
    return rules.from_text if rules.trim is None else rules.trim


def _spelling(entry: Value, *, trim: bool) -> Value:
    if not isinstance(entry, str):
        return entry
    entry = entry if entry.isascii() else unicodedata.normalize("NFC", entry)
    return entry.strip() if trim else entry


def _tidied(entries: list[Value], rules: Rules, tally: _Tally) -> tuple[list[Value], list[Step]]:
    """Entries in one Unicode form, without spaces around them and in one case where that is asked for."""
    made = [_spelling(entry, trim=False) for entry in entries]
    several = _merged(entries, made)
    steps = noted("merged", f"values in two Unicode forms taken as one: {listing(several, most=3)}", len(several))
    if _trims(rules):
        trimmed = [entry.strip() if isinstance(entry, str) else entry for entry in made]
        times = tally(n for n, (a, b) in enumerate(zip(made, trimmed, strict=True)) if b not in ("", a))
        steps += noted("merged", f"spaces around the value removed in {counted(times, 'cell')}", times)
        made = trimmed
    if rules.fold_case:
        folded = [entry.casefold() if isinstance(entry, str) else entry for entry in made]
        times = tally(n for n, (a, b) in enumerate(zip(made, folded, strict=True)) if a != b)
        steps += noted("merged", f"upper and lower case taken as one, {counted(times, 'cell')} changed", times)
        made = folded
    return made, steps


def _merged(entries: Sequence[Value], made: Sequence[Value]) -> list[Value]:
    """The entries that several different ones became."""
    groups: dict[str, set[Value]] = {}
    for entry, spelled in zip(entries, made, strict=True):
        if isinstance(spelled, str) and entry != spelled:
            groups.setdefault(spelled, set()).add(entry)
    there = {entry for entry in entries if isinstance(entry, str)} if groups else set()
    return [spelled for spelled, before in groups.items() if len(before) > 1 or spelled in there]


def _numbers(entries: list[Value], gone: set[Value], tally: _Tally, *, sheet: bool) -> tuple[list[Value], list[Step]]:
    """Entries that all spell numbers, each number spelled in one way; a sheet may hold one as text beside numbers."""
    # Trailing zeros after the point do not count: pandas writes 1 as "1.0" where some cells of a column are empty.
    there = [n for n, entry in enumerate(entries) if not is_missing(entry) and key(entry) not in gone]
    texts = [entry for n in there if isinstance(entry := entries[n], str)]
    if not texts or any(DECIMAL.fullmatch(text) is None for text in texts):
        return entries, []
    mixed = len(texts) < len(there)
    if mixed and not (sheet and all(number(entries[n]) is not None for n in there)):
        return entries, []
    padded = _is_padded(texts)
    groups: dict[str, list[int]] = {}
    for n in there:
        groups.setdefault(_digits(entries[n], padded=padded), []).append(n)
    made = list(entries)
    merged = []
    changed = []
    for places in groups.values():
        spelled = list(dict.fromkeys(entries[n] for n in places))
        numeric = [entry for entry in spelled if not isinstance(entry, str)]
        written = [entry for entry in spelled if isinstance(entry, str)]
        if not mixed and len(spelled) == 1:
            continue
        entry = numeric[0] if numeric else _number(written[0]) if mixed else min(map(_short, written), key=len)
        for n in places:
            if isinstance(entries[n], str) and entries[n] != entry:
                made[n] = entry
                changed.append(n)
        if len(spelled) > 1:
            merged.append(spelled)
    if not changed:
        return made, []
    shown = "; ".join(listing(spelled, most=3) for spelled in merged[:3])
    sentence = f"spellings of one number taken as one: {shown}"
    return made, [Step("merged", sentence if merged else "numbers written as text taken as numbers", tally(changed))]


def _is_padded(texts: Sequence[str]) -> bool:
    """Whether codes have leading zeros throughout: all of one width, or most of them with a zero."""
    whole = [text.lstrip("+-").partition(".")[0] for text in texts]
    zeros = sum(len(digits) > 1 and digits.startswith("0") for digits in whole)
    return bool(zeros) and (len(set(map(len, whole))) == 1 or 2 * zeros > len(whole))


def _short(text: str) -> str:
    """A number without trailing zeros: "1" for "1.0" and "1.", "0.5" for "0.50"."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def _digits(entry: Value, *, padded: bool) -> str:
    """What makes two spellings one number, exactly; of codes that are padded, the digits as they stand."""
    return _short(str(written(entry))).removeprefix("+") if padded else str(spelled_number(entry))


def _written(value: Value) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _alike(entries: Sequence[str]) -> list[Step]:
    doubles = spelled_in_ways(entries)
    if not doubles:
        return []
    shown = "; ".join(listing(same, most=3) for same in doubles[:3])
    options = [
        option
        for option, form in ((Hint("trim", value=True), str.strip), (Hint("fold_case", value=True), str.casefold))
        if any(len(set(map(form, same))) < len(same) for same in doubles)
    ]
    remedy = f"; to take them as one, pass {' and '.join(map(str, options))}" if options else ""
    sentence = Advice(f"values that differ only in case or spaces, kept apart: {shown}{remedy}", options)
    return [Step("noticed", sentence, len(doubles))]


# -- what means that there is no value ----------------------------------------------------------------------


def _stated(rules: Rules) -> list[Value]:
    alone = isinstance(rules.missing, str | bytes) or not isinstance(rules.missing, Iterable)
    return [rules.missing] if alone else [code for code in rules.missing if not is_missing(code)]


def _meaning(value: Value, *, fold: bool = False) -> Value:
    """What a value means, whether it is written as text or as a number."""
    if isinstance(value, bool):
        return str(value).casefold()
    if isinstance(value, int | float):
        return _written(value)
    if not isinstance(value, str):
        return value
    text = unicodedata.normalize("NFC", value.strip())
    if DECIMAL.fullmatch(text):
        return _short(text)
    return text.casefold() if fold or text in ("True", "False", "TRUE", "FALSE") else text


def _absent(entries: Sequence[Value], rules: Rules, tally: _Tally) -> tuple[set[Value], list[Step]]:
    """The keys of the entries that mean "no annotation", and what to say about them."""
    means = partial(_meaning, fold=rules.fold_case)
    stated = _stated(rules)
    places: dict[Value, list[int]] = {}
    for n, entry in enumerate(entries):
        places.setdefault(means(entry), []).append(n)
    gone: set[Value] = {key("")} if rules.from_text else set()
    steps = []
    for code in stated:
        coded = places.get(means(code), [])
        if not coded and code != "":
            there = [entry for entry in dict.fromkeys(entries) if not is_missing(entry) and entry != ""]
            sentence = f"the missing code {code!r} is not among the values {listing(there, most=6)}"
            steps.append(Step("noticed", sentence))
        times = tally(n for n in coded if key(entries[n]) not in gone)
        steps += noted("dropped", f"{counted(times, 'cell')} with the missing code {code!r} left out", times)
        gone |= {key(entries[n]) for n in coded}
    if rules.split is not None:
        return gone, steps
    if key("") not in gone and "" in entries:
        sentence = Advice.of("the empty string is one of the values; if it means no annotation, pass ", advice([""]))
        steps.append(Step("noticed", sentence))
    more, likely = _likely(entries, gone, rules, tally, stated)
    return gone | more, [*steps, *likely]


def _likely(
    entries: Sequence[Value], gone: set[Value], rules: Rules, tally: _Tally, stated: Sequence[Value]
) -> tuple[set[Value], list[Step]]:
    """Entries that were not stated and may mean "no annotation"."""
    if rules.kind is not None or not all(isinstance(entry, str | int | float) for entry in entries):
        return set(), []
    declared = {_meaning(value, fold=rules.fold_case) for value in rules.values or ()}
    places: dict[Value, list[int]] = {}
    for n, entry in enumerate(entries):
        if key(entry) not in gone and not isinstance(entry, bool):
            places.setdefault(entry, []).append(n)
    labels = {entry for entry in places if _meaning(entry, fold=rules.fold_case) in declared}
    codes = missing_codes(dict.fromkeys(places, 1), text=rules.from_text, labels=labels)
    if not codes.certain and not codes.doubtful:
        return set(), []
    codes = missing_codes({entry: tally(where) for entry, where in places.items()}, text=rules.from_text, labels=labels)
    doubtful = codes.doubtful
    if stated:  # then nothing else is assumed
        doubtful = {code: doubt(code, tally(places[code])) for code in codes.certain} | doubtful
        codes = MissingCodes()
    steps = [
        Step("assumed", Advice.of(f"{sentence}; if it is a label, pass ", advice([""])), tally(places[code]))
        for code, sentence in codes.certain.items()
    ]
    steps += [
        Step("noticed", Advice.of(f"{sentence}; if so, pass ", advice([*stated, code])), tally(places[code]))
        for code, sentence in doubtful.items()
    ]
    return {key(code) for code in codes.certain}, steps


def _likely_numbers(column: Coded, rules: Rules) -> list[Step]:
    """What a column of numbers has to say about codes among them."""
    if isinstance(column.names, range) or len(column.names) > FEW:
        return []
    entries = [plain(name) for name in column.names]
    if CODES.isdisjoint(entries):
        return []
    return _likely(entries, set(), rules, _Tally(column), [])[1]


# -- the study ----------------------------------------------------------------------------------------------


def _declared(values: Sequence[Value], seen: Iterable[Value], rules: Rules) -> list[Value]:
    """Declared values in the type of the column: 1 for "1", and "1" for 1, where that is how the column has it."""
    declared = [plain(value) for value in values]
    entries = list(seen)
    exact = {key(entry): entry for entry in entries}
    if all(key(value) in exact for value in declared):
        return declared
    there = {_meaning(entry, fold=rules.fold_case): entry for entry in entries}
    means = [_meaning(value, fold=rules.fold_case) for value in declared]
    if there.keys().isdisjoint(means):
        return declared
    kind = _type_of(entries)
    return [
        exact[key(value)] if key(value) in exact else there[meaning] if meaning in there else kind(value)
        for value, meaning in zip(declared, means, strict=True)
    ]


def _type_of(entries: Sequence[Value]) -> Callable[[Value], Value]:
    """How a value that nobody gave is written among those that somebody gave."""
    if all(isinstance(entry, str) for entry in entries):
        return lambda value: _written(value) if isinstance(value, int | float) else value
    if all(isinstance(entry, int | float) and not isinstance(entry, bool) for entry in entries):
        return lambda value: value if not isinstance(value, str) or number(value) is None else _number(value)
    return lambda value: value


def _number(text: str) -> int | float:
    real = float(text)
    return int(real) if real.is_integer() else real


def _given(value: Coded, rules: Rules) -> tuple[Coded, list[Step]]:
    """The column without the categories that nobody gave, and what to say of them."""
    used = value.compact()
    if len(used.names) == len(value.names) or rules.values is not None:
        return used, []
    there = {key(name) for name in used.names}
    unused = [name for name in value.names if key(name) not in there]
    kind, them = ("is a category", "it") if len(unused) == 1 else ("are categories", "them")
    gone = f"{listing(unused, most=6)} {kind} that nobody gave, left out; to count {them}, declare "
    sentence = Advice.of(gone, Hint("values", [...]))
    return used, [Step("dropped", sentence, len(unused))]


def finished(
    item: Coded, annotator: Coded, value: Coded, rules: Rules, *, steps: Iterable[Step], attributes: Columns
) -> Annotations:
    """Annotations of three columns, under the values that the caller declares or the column states.

    An ordered column of categories states its scale, also the values that nobody gave.  Of an unordered one those that
    nobody gave are left out: frames keep categories of rows that are long gone.
    """
    value, unused = _given(value, rules)
    steps = (*steps, *unused)
    seen: Sequence[Value] = value.names
    if not isinstance(seen, range) and not (isinstance(seen, Names) and isinstance(seen.array, np.ndarray)):
        seen = list(seen)
    declared, ordered = rules.values, rules.ordered
    if declared is not None:
        declared = _declared(declared, seen, rules)
    elif value.ordered:
        declared, ordered = list(value.names), True if ordered is None else ordered
        steps = (*steps, Step("taken", f"values and their order as the column states them: {listing(declared)}"))
    return Annotations.from_codes(
        item.codes,
        annotator.codes,
        value.codes,
        item.names,
        annotator.names,
        seen,
        values=declared,
        ordered=ordered,
        duplicates=rules.duplicates,
        attributes=attributes,
        provenance=rules.provenance.then(*steps),
    )
