r"""Where disagreement stands: in a group of items, late in the work, or at texts that come twice.

All three compare items by their mean disagreement $d_i$, and say where it stands without a claim why.

* *Groups.*  For a column that is the same throughout each item (batch, source, language), the mean $d$ of the $n_g$
  items of a group among $n$ has variance $\frac{S^2}{n_g} \cdot \frac{n - n_g}{n - 1}$ if groups are drawn at random,
  $S^2$ being the variance of all $d_i$.
* *Time.*  An item stands where its annotators had it, on average, in the order of their own work, $x_i$ from 0 to 1.
  Under a random order $r(x, d) \sqrt{n - 1}$ is standard normal.
* *Texts.*  For a text that several items show, the share of pairs that differ *between* these items is compared with
  that *within* them, by a t-test over texts.

Annotators who stand out are left out before, so that one of them does not make a group or a time look odd.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from interagree.arrays import Booleans, Floats, Indices, Integers
from interagree.data import Annotations
from interagree.data.privacy import CALLED
from interagree.errors import DataError
from interagree.findings.case import Case
from interagree.findings.finding import Finding
from interagree.findings.leave_one_out import LeaveOneOut

LEVEL = 0.0025  # of each of the three tests
FEWEST = 30  # items with two annotations below which nothing is said
OF_A_GROUP = 10  # items that a group has at least
GROUPS = 20  # groups that a column makes at most
APART = 0.1  # how far the coefficient of a place is from that of the others at least
TEXTS = 8  # texts that come twice at least
LONG = 12  # letters that a text has on average, where its column is not called so
MOST_VALUES = 50  # distinct values, of which two are the same often enough to compare
PLAIN = ("labels", "ordered", "numbers", "sets")  # kinds of which two values are the same or not


class JudgedItems(NamedTuple):
    """The items of a study that several annotators judged."""

    study: Annotations
    item: Indices  # their codes
    far: Floats  # the mean disagreement of each


def findings(case: Case, rest: LeaveOneOut) -> list[Finding]:
    """Where disagreement stands, beside annotators who do not stand out."""
    compared = _compared(case, rest)
    if compared is None:
        return []
    lower = _groups(case, compared)
    column = lower[0].subject[0] if lower else None
    late = [] if column is not None else _time(case, rest, compared)
    return [*lower, *late, *_twice(case, compared, column)]


def _compared(case: Case, rest: LeaveOneOut) -> JudgedItems | None:
    """The disagreement of each item; None where it cannot be told, or only in a long time."""
    same = rest.study is case.tested and case.tested is case.study
    if not case.lead.engine.drillable or (not same and rest.study.kind.complex):
        return None
    table = case.lead.by_item() if same else case.choice.of(rest.study).by_item()
    if "disagreement" not in table.columns:
        return None
    code = {item: place for place, item in enumerate(rest.study.items)}
    item = np.array([code[name] for name in table["item"]], dtype=np.intp)
    far = np.array(table["disagreement"], dtype=np.float64)
    there = np.isfinite(far) & (rest.study.sizes()[item] > 1)
    if np.count_nonzero(there) < FEWEST or not far[there].std():
        return None
    return JudgedItems(rest.study, item[there], far[there])


# -- groups of items ------------------------------------------------------------------------------------------


def _groups(case: Case, items: JudgedItems) -> list[Finding]:
    """The group of items on which agreement is lowest, where chance does not make it so low."""
    tried = [
        (name, groups[code], inside, _p_of_group(items.far, inside))
        for name, group, groups in _columns(items.study)
        for code in _few(group[items.item], groups)
        if np.count_nonzero(inside := group[items.item] == code) >= OF_A_GROUP
    ]
    if not tried:
        return []
    name, called, inside, p = min(tried, key=lambda one: one[3])
    p = min(p * len(tried), 1.0)
    if p > LEVEL:
        return []
    here, elsewhere = _value(case, items, inside), _value(case, items, ~inside)
    if not elsewhere - here >= APART:
        return []
    about = {
        "group": called,
        "items": int(np.count_nonzero(inside)),
        "of": len(items.far),
        "here": here,
        "elsewhere": elsewhere,
        "p_value": p,
        "coefficient": case.coefficient,
    }
    calls = case.call("compare", groups=name, measure=case.lead.measure.name)
    return [Finding("place.group", (name, called), about, elsewhere - case.lead.value, calls)]


def _columns(study: Annotations) -> Iterator[tuple[str, Integers, tuple[Any, ...]]]:
    """Columns that are the same throughout each item: the code of each item's entry, and the entries."""
    for name in study.attributes:
        with suppress(DataError, TypeError):  # entries that differ within an item, or that have no hash
            yield str(name), *study.item_attribute(str(name))


def _few(group: Integers, groups: Sequence[Any]) -> list[int]:
    """The codes of the groups of a column that makes only a few of the items; none of other columns."""
    named = [code for code in np.unique(group).tolist() if isinstance(groups[code], str | int) and groups[code] != ""]
    return named if 2 <= len(named) <= min(GROUPS, len(group) // OF_A_GROUP) else []


def _p_of_group(far: Floats, inside: Booleans) -> float:
    """How often items drawn at random disagree as much as these."""
    n, inner = len(far), int(np.count_nonzero(inside))
    variance = far.var(ddof=1) / inner * (n - inner) / (n - 1)
    return float(special.ndtr((far.mean() - far[inside].mean()) / math.sqrt(variance))) if variance else 1.0


def _value(case: Case, items: JudgedItems, chosen: Booleans) -> float:
    """The leading coefficient on some of the items."""
    kept = np.zeros(len(items.study.items), dtype=bool)
    kept[items.item[chosen]] = True
    return case.value_of(items.study.items_where(kept))


# -- time -----------------------------------------------------------------------------------------------------


def _time(case: Case, rest: LeaveOneOut, items: JudgedItems) -> list[Finding]:
    """Agreement that falls, or rises, as the work of all goes on."""
    times = case.times(rest)
    if times is None:
        return []
    study = items.study
    position = np.full(len(study), np.nan)  # of each annotation in the work of its annotator, from 0 to 1
    who = study.annotator[times.order]
    begin = np.flatnonzero(np.r_[True, who[1:] != who[:-1]])
    length = np.diff(np.r_[begin, len(who)])
    place = np.arange(len(who)) - np.repeat(begin, length)
    position[times.order] = place / np.maximum(np.repeat(length, length) - 1, 1)
    known = np.flatnonzero(~np.isnan(position))
    total = np.bincount(study.item[known], position[known], len(study.items))
    count = np.bincount(study.item[known], minlength=len(study.items))
    timed = count[items.item] > 0
    when, far = total[items.item[timed]] / count[items.item[timed]], items.far[timed]
    if len(far) < FEWEST or not when.std() or not far.std():
        return []
    z = float(np.corrcoef(when, far)[0, 1]) * math.sqrt(len(far) - 1)
    p = float(2 * special.ndtr(-abs(z)))
    if p > LEVEL:
        return []
    early, late = np.zeros(len(items.far), dtype=bool), np.zeros(len(items.far), dtype=bool)
    early[timed], late[timed] = when <= np.quantile(when, 1 / 3), when >= np.quantile(when, 2 / 3)
    before, after = _value(case, items, early), _value(case, items, late)
    if not abs(after - before) >= APART or (after < before) != (z > 0):
        return []
    about = {"before": before, "after": after, "p_value": p, "coefficient": case.coefficient, "column": case.time}
    gain = max(before, after) - case.lead.value
    return [Finding("place.time", (), about, gain, case.call("disagreements"))]


# -- texts that come twice ------------------------------------------------------------------------------------


def _twice(case: Case, items: JudgedItems, but: Hashable) -> list[Finding]:
    """Texts that several items show and that are labelled otherwise in each."""
    if str(items.study.kind) not in PLAIN or len(items.study.values) > MOST_VALUES:
        return []
    for name, group, groups in _columns(items.study):
        if name == but or not _are_texts(name, groups):
            continue
        shown: dict[str, list[int]] = {}
        for place, code in enumerate(group[items.item].tolist()):
            if isinstance(groups[code], str) and groups[code].strip():
                shown.setdefault(" ".join(groups[code].split()).casefold(), []).append(place)
        several = [places for places in shown.values() if len(places) > 1]
        if len(several) >= TEXTS and 2 * len(shown) >= len(items.far):  # of fewer they are prompts, or made up
            return _differing(case, items, name, several)
    return []


def _are_texts(name: str, entries: Sequence[Any]) -> bool:
    """Whether a column holds what items show, by its name or by its entries."""
    texts = [entry for entry in entries if isinstance(entry, str)]
    spaced = sum(" " in text.strip() for text in texts) > len(texts) / 2
    long = spaced and sum(map(len, texts)) >= LONG * len(texts)
    return bool(texts) and (long or CALLED.search(name) is not None)


def _differing(case: Case, items: JudgedItems, column: str, several: Sequence[Sequence[int]]) -> list[Finding]:
    place = np.full(len(items.study.items), -1)
    chosen = [code for places in several for code in places]
    place[items.item[chosen]] = chosen
    row = place[items.study.item]
    counts = np.zeros((len(items.far), len(items.study.values)))  # items × values; those of other texts are 0
    np.add.at(counts, (row[row >= 0], items.study.value[row >= 0]), 1.0)
    size, same = counts.sum(axis=1), (counts**2).sum(axis=1)
    more, example = [], (0.0, 0, 0)
    for places in several:
        total, own = counts[places].sum(axis=0), size[places]
        pairs = own.sum() ** 2 - (own**2).sum()  # between items, each pair twice
        between = 1 - ((total**2).sum() - same[places].sum()) / pairs
        within = 1 - (same[places] - own).sum() / (own * (own - 1)).sum()
        more.append(between - within)
        one, other = places[0], places[1]
        apart = 1 - float(counts[one] @ counts[other]) / (size[one] * size[other])
        example = max(example, (apart, -one, -other))
    extra = np.array(more)
    error = extra.std(ddof=1) / math.sqrt(len(extra))
    p = float(special.stdtr(len(extra) - 1, -extra.mean() / error)) if error else 1.0
    if p > LEVEL or extra.mean() < APART:
        return []
    one, other = -example[1], -example[2]
    values, names = items.study.values, items.study.items
    about = {
        "texts": len(several),
        "more": float(extra.mean()),
        "p_value": p,
        "column": column,
        "example": [(names[items.item[place]], values[int(np.argmax(counts[place]))]) for place in (one, other)],
    }
    return [Finding("place.texts", (), about, 0.0, case.call("disagreements"))]
