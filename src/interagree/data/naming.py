"""Annotators chosen by name or by pattern.

A name that is there is that annotator, whatever characters it holds.  Otherwise ``*``, ``?`` and ``[…]`` match as in
file names, upper and lower case being different.  Numbers may be spelled: ``"7"`` is the annotator 7 where no annotator
is called ``"7"``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fnmatch import fnmatchcase

from interagree.data.annotations import Annotations
from interagree.data.provenance import Step, counted
from interagree.data.study import Study
from interagree.errors import DataError, KindError, UnknownName, listing, suggestion

SIGNS = "*?["

ON_REQUEST = " left out on request"  # of annotators whom somebody chose to do without


def is_pattern(name: object) -> bool:
    """Whether a name may stand for several."""
    return isinstance(name, str) and any(sign in name for sign in SIGNS)


def as_names(given: object) -> tuple[Hashable, ...]:
    """One name, or several, as a tuple."""
    return (given,) if isinstance(given, str) or not isinstance(given, Iterable) else tuple(given)


def meant(name: Hashable, known: Sequence[Hashable]) -> tuple[Hashable, ...]:
    """Those that one name or pattern stands for, in the order in which they are known; none where nothing fits."""
    if name in known:
        return (name,)
    spelled = tuple(other for other in known if str(other) == str(name))
    if spelled or not is_pattern(name):
        return spelled
    return tuple(other for other in known if fnmatchcase(str(other), str(name)))


def chosen(names: object, known: Sequence[Hashable], *, purpose: str = "") -> tuple[Hashable, ...]:
    """Those that names or patterns stand for, each once; an error that names those there are where one fits nobody."""
    given = as_names(names)
    if not given:
        raise DataError(f"no annotator was named{purpose}; there are {listing(known)}")
    matched: dict[Hashable, None] = {}
    for name in given:
        fits = meant(name, known)
        if not fits:
            what = "no annotator fits the pattern" if is_pattern(name) else "there is no annotator"
            raise UnknownName(
                f"{what} {name!r}{purpose}; there are {listing(known)}." + suggestion(str(name), map(str, known))
            )
        matched.update(dict.fromkeys(fits))
    return tuple(matched)


def split_names(given: object, known: Sequence[Hashable]) -> list[Hashable]:
    """Names, separated at commas: ``"a,b"`` is two, unless an annotator is called so."""
    names: list[Hashable] = []
    for name in as_names(given):
        if not isinstance(name, str) or "," not in name or meant(name, known):
            names.append(name)
        else:
            names += [piece.strip() for piece in name.split(",") if piece.strip()]
    return names


def with_annotators(study: Study, only: object = None, without: object = None) -> Study:
    """A study of some of its annotators, in every question that has them; the provenance says what was left out.

    Args:
        study: The questions.
        only: Names or patterns of those who are kept.
        without: Names or patterns of those who are left out.
    """
    if only is None and without is None:
        return study
    if any(question.anonymous for question in study.values()):
        raise KindError(
            "annotators cannot be chosen, since this study does not say who gave which value (it was made from counts)"
        )
    known = [*dict.fromkeys(name for question in study.values() for name in question.annotators)]
    kept = known if only is None else [*chosen(split_names(only, known), known)]
    if without is not None:
        gone = set(chosen(split_names(without, known), known))
        kept = [name for name in kept if name not in gone]
    if not kept:
        raise DataError(f"no annotator is left of {listing(known)}; leave fewer out")
    stays = set(kept)
    return Study({name: _kept(question, stays) for name, question in study.items()}, study.provenance, study.reading)


def with_merged(study: Study, merge_labels: Iterable[object]) -> Study:
    """A study with labels as one, in every question that has them all; the provenance says which.

    Args:
        study: The questions.
        merge_labels: For each label that is made the labels that become it, as a list or with commas between them.
    """
    made = dict(study)
    for group in merge_labels:
        reason: DataError | UnknownName | None = None
        changed = False
        for name, question in made.items():
            try:
                made[name] = question.merge_labels(*split_names(group, question.values))
                changed = True
            except (DataError, UnknownName) as error:  # which of the questions has them is not said
                reason = reason or error
        if reason is not None and not changed:
            raise reason
    return Study(made, study.provenance, study.reading)


def _kept(question: Annotations, stays: set[Hashable]) -> Annotations:
    gone = [name for name in question.annotators if name not in stays]
    if not gone:
        return question
    here = question.only(annotators=[name for name in question.annotators if name in stays])
    lost = len(question) - len(here)
    sentence = f"{counted(len(gone), 'annotator')}{ON_REQUEST}: {listing(gone, most=6, quote=False)}"
    return here.items_where(here.sizes() > 0).with_steps(
        Step("dropped", f"{sentence} ({counted(lost, 'annotation')})", lost)
    )
