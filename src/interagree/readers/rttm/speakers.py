"""Speakers of several annotators, brought to one set of names by the time that they share.

As for the diarization error rate: in each recording the speakers of an annotator are mapped one to one to those of the
reference, so that the time in which both speak is as long as possible.

Galibert, O. (2013). Methodologies for the evaluation of speaker diarization and automatic speech recognition in the
presence of overlapping speech. Interspeech, 1131-1134.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from interagree.arrays import Floats
from interagree.data.provenance import counted
from interagree.errors import UnknownName, listing, suggestion
from interagree.gather.gatherer import Gatherer
from interagree.readers.rttm.regions import Stretches, Turn, merged

Voices: TypeAlias = dict[str, Stretches]  # the turns of each speaker


def mapped(turns: Sequence[Turn], reference: str | None, gathered: Gatherer) -> list[Turn]:
    """Turns whose speakers are called as those of the reference."""
    people = list(dict.fromkeys(turn.annotator for turn in turns))
    if reference is not None and reference not in people:
        raise UnknownName(
            f"there is no annotator {reference!r} to map speakers to; there are {listing(people)}."
            + suggestion(reference, people)
        )
    order = people if reference is None else [reference, *(who for who in people if who != reference)]
    voices = _voices(turns)
    names: dict[tuple[str, str], dict[str, str]] = {}
    told: list[str] = []
    number = 0
    for document in dict.fromkeys(turn.document for turn in turns):
        first, *others = [who for who in order if (document, who) in voices]
        theirs = voices[document, first]
        for who in others:
            mine = voices[document, who]
            pairs = _pairs(theirs, mine)
            # Who is nobody of the reference has a name that it does not use.
            names[document, who] = {name: f"{name} ({who})" for name in mine if name in theirs} | pairs
            number += len(pairs)
            shown = ", ".join(f"{voice} is {other}" for voice, other in pairs.items())
            told.append(f"{document}: {who}'s {shown}" if pairs else f"{document}: none of {who}'s")
    those = f"those of {order[0]!r}" if order else "the first"
    sentence = (
        f"{counted(number, 'speaker')} mapped to {those} by the time they share ({listing(told, quote=False, most=4)})"
    )
    gathered.note("taken", sentence, number)
    return [
        turn._replace(speaker=names.get((turn.document, turn.annotator), {}).get(turn.speaker or "", turn.speaker))
        for turn in turns
    ]


def _voices(turns: Iterable[Turn]) -> dict[tuple[str, str], Voices]:
    voices: dict[tuple[str, str], Voices] = {}
    for turn in turns:
        here = voices.setdefault((turn.document, turn.annotator), {})
        if turn.speaker is not None and not turn.only_looked:
            here.setdefault(turn.speaker, []).append((turn.start, turn.end))
    return {cell: {name: merged(spoken) for name, spoken in here.items()} for cell, here in voices.items()}


def _pairs(reference: Voices, other: Voices) -> dict[str, str]:
    """The speakers of an annotator with those of the reference that they are, so that most time is shared."""
    from scipy.optimize import linear_sum_assignment

    if not reference or not other:
        return {}
    theirs, mine = sorted(reference), sorted(other)
    shared = np.array([[_shared(reference[name], other[voice]) for name in theirs] for voice in mine])
    rows, columns = linear_sum_assignment(shared, maximize=True)
    return {mine[i]: theirs[j] for i, j in zip(rows.tolist(), columns.tolist(), strict=True) if shared[i, j] > 0}


def _shared(one: Stretches, two: Stretches) -> float:
    """How long two sets of stretches overlap."""
    covered = _covered(two)
    ends = np.array(one, dtype=float)
    return float((np.interp(ends[:, 1], *covered) - np.interp(ends[:, 0], *covered)).sum())


def _covered(stretches: Stretches) -> tuple[Floats, Floats]:
    """Moments, and how much is covered up to each."""
    ends = np.array(stretches, dtype=float)
    length = np.cumsum(ends[:, 1] - ends[:, 0])
    return ends.reshape(-1), np.stack([np.concatenate([[0.0], length[:-1]]), length], axis=1).reshape(-1)
