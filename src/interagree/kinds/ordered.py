"""Labels in a declared order, from lowest to highest, such as "bad", "fair", "good"."""

from __future__ import annotations

from collections.abc import Sequence

from interagree.kinds._kind import Declared, Design, Evidence, Kind, only_when_stated, stored_noise, told_by, written


def _why_not(value: object) -> str | None:
    return "a value has no parts" if isinstance(value, tuple) else None


def _evidence(values: Sequence[object], declared: Declared) -> Evidence | None:
    return Evidence("in a declared order") if len(values) and declared.ordered else None


def _further(design: Design) -> tuple[str, ...]:
    return (f"{design.kappa}:weights=quadratic",)


ordered = Kind(
    **written("ordered", "a label of a scale", title="labels in order"),
    **told_by(_why_not, only_when_stated, rank=20),
    evidence=_evidence,
    can_be_stated=False,  # values=[…] states them, with their order
    distance="ordinal",
    distances=("nominal", "ordinal", "interval"),
    measures=("percent", "alpha:distance=ordinal"),
    further_measures=_further,
    structured=False,
    noise=stored_noise("labels"),
    consensus="median",
    view="labels",
    drawn=lambda value, page: page.label(value),
    sentence="",
    sentence_in_doubt=(
        "the values are {because} and were taken as labels; if they are a scale, pass ordered=True, or "
        "distance='interval'"
    ),
    group="Labels, numbers and sets",
    examples=(1, 2, 3, 5),
)
