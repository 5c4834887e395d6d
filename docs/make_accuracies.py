"""The tables of known truth in guides/crowd.md: `python docs/make_accuracies.py FOLDER [NAME …]`.

FOLDER holds openly published label sets as `NAME.csv.gz` (item, annotator, label), with the true labels of the items as
`NAME.gold.csv.gz` (item, label).  The page says where they come from.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import interagree as ia
from interagree.crowd.choosing import MethodChoice
from interagree.crowd.dawid_skene import dawid_skene as fit_dawid_skene
from interagree.crowd.dawid_skene import equal_coins
from interagree.crowd.held_out import HeldOut, tempered
from interagree.crowd.labels import auto
from interagree.crowd.votes import Votes

NAMES = (
    *("bluebird", "snow_rte", "snow_wsd", "d_sentiment", "product", "zencrowd", "sentiment_polarity"),
    *("sentiment_polarity_amt", "weather_cf", "weather_amt", "music_genre", "web", "hatecheck", "trec"),
    "s4_relevance",
)
NUMBERS = ("wordsim", "anger", "disgust", "joy", "sadness", "surprise", "valence")
MODELS = {
    "vote": ia.crowd.majority_vote,
    "one-coin": ia.crowd.one_coin,
    "Dawid-Skene": ia.crowd.dawid_skene,
    "MACE": ia.crowd.mace,
    "GLAD": ia.crowd.glad,
}
BINS = 10  # of confidence, for the calibration error


def gold_answers(path: Path) -> dict[Any, Any]:
    """The true label of each item."""
    study = ia.read(path, annotator="{file}", value="label").single()
    return {item: value for item, _, value in study.rows()}


class Record(NamedTuple):
    """A row of each table of labels."""

    accuracies: str
    likelihoods: str
    calibration: str
    correlations: str


HEADS = Record(
    "| | items | annotators | labels | vote | weighted | 1979 | one-coin | Dawid-Skene | MACE | GLAD | auto |",
    "| | labels left out | " + " | ".join(MODELS) + " | taken |",
    "| | " + " | ".join(MODELS) + " |",
    "| | " + " | ".join(MODELS) + " |",
)


def record(folder: Path, name: str) -> Record:
    """How often each method is right, how well it predicts labels left out, and how sure it is."""
    study = ia.read(folder / f"{name}.csv.gz", value="label").single()
    gold = gold_answers(folder / f"{name}.gold.csv.gz")
    chosen = auto(study)
    choice = chosen.choice or MethodChoice(chosen.method, "")
    plain = {title: _plain(title, study) for title in MODELS}
    made = {
        "vote": plain["vote"],
        "weighted": ia.crowd.weighted_vote(study),
        "1979": ia.crowd.dawid_skene(study, smoothing=0),
        **{title: plain[title] for title in MODELS if title != "vote"},
        "auto": chosen,
    }
    known = sum(item in gold for item in chosen.items)
    size = [f"{known:,}", f"{len(study.annotators):,}", f"{len(study.labels())}"]
    right = [f"{float(one.score(gold)):.3f}" for one in made.values()]
    shown = [f"**{one}**" if one == max(right) else one for one in right]
    own = {one.method: one for one in choice.candidates}
    likelihoods, calibration, found = [], [], []
    for title, method in MODELS.items():
        candidate = own[method.__name__]
        rho = candidate.correlation
        after = replace(plain[title], posterior=tempered(chosen.votes, plain[title].posterior, rho))
        likelihoods.append(f"{candidate.log_likelihood:.4f}")
        before, later = _sure(plain[title], gold), _sure(after, gold)
        calibration.append(f"{before.mean:.3f} → {later.mean:.3f} ({before.error:.3f} → {later.error:.3f})")
        found.append(f"{rho:g}")
    front = f"| `{name}` | "
    return Record(
        front + " | ".join([*size, *shown]) + " |",
        front + " | ".join([f"{choice.labels:,}", *likelihoods, chosen.method]) + " |",
        front + " | ".join(calibration) + " |",
        front + " | ".join(found) + " |",
    )


def _plain(title: str, study: ia.Annotations) -> ia.crowd.LabelConsensus:
    """A method that takes the labels of an item to be independent."""
    if title == "vote":
        return replace(
            ia.crowd.majority_vote(study), posterior=equal_coins(Votes(study), tolerance=1e-8, rounds=500).posterior
        )
    made: ia.crowd.LabelConsensus = MODELS[title](study, correlation=0)
    return made


class Sure(NamedTuple):
    """The mean confidence, and how far it is from the share of right labels in bins of confidence."""

    mean: float
    error: float


def _sure(made: ia.crowd.LabelConsensus, gold: dict[Any, Any]) -> Sure:
    score, place = made.score(gold), {item: row for row, item in enumerate(made.items)}
    sure = made.confidence()[[place[item] for item in score.names]]
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    gaps = np.abs(np.bincount(bins, sure - score.right, minlength=BINS))
    return Sure(float(sure.mean()), float(gaps.sum() / len(sure)))


def labels(folder: Path, names: Sequence[str]) -> None:
    """The tables of labels."""
    records = [record(folder, name) for name in names]
    for place, head in enumerate(HEADS):
        columns = head.count("|") - 1
        sys.stdout.write("\n".join(["", head, "|---" * columns + "|", *(row[place] for row in records), ""]))


SMOOTHINGS = {"none": 0.0, "0.1 each": 0.1, "1 each": 1.0, "pooled": None}


def smoothings(folder: Path, names: Sequence[str]) -> None:
    """How well Dawid and Skene's model predicts labels left out, by how it is smoothed."""
    sys.stdout.write("\n| | " + " | ".join(SMOOTHINGS) + " |\n" + "|---" * (1 + len(SMOOTHINGS)) + "|\n")
    for name in names:
        left_out = HeldOut(Votes(ia.read(folder / f"{name}.csv.gz", value="label").single()))
        found = []
        for smoothing in SMOOTHINGS.values():
            fit = partial(fit_dawid_skene, smoothing=smoothing, hierarchical=False, tolerance=1e-5, rounds=200)
            each = left_out.log_probabilities(left_out.fitted(fit)).mean(axis=1)
            found.append(f"{each.max():.4f}")
        best = max(found, key=float)
        shown = [f"**{one}**" if one == best else one for one in found]
        sys.stdout.write(f"| `{name}` | " + " | ".join(shown) + " |\n")
        sys.stdout.flush()


def correlations(folder: Path) -> None:
    """How means and debiased means of numbers correlate with the gold numbers."""
    out = sys.stdout
    out.write("\n| | items | annotators | mean | debiased mean |\n" + "|---" * 5 + "|\n")
    for name in NUMBERS:
        study = ia.read(folder / f"snow_{name}.csv.gz", value="label").single()
        gold = gold_answers(folder / f"snow_{name}.gold.csv.gz")
        found = []
        for made in (ia.crowd.merge(study, distance="interval"), ia.crowd.debiased_mean(study)):
            both = np.array([[value, gold[item]] for item, value in made.values.items() if item in gold], dtype=float)
            found.append(f"{np.corrcoef(both.T)[0, 1]:.3f}")
        shown = [f"**{one}**" if one == max(found) else one for one in found]
        out.write(f"| `snow_{name}` | {len(study.items)} | {len(study.annotators)} | {' | '.join(shown)} |\n")


def main() -> None:
    """Print the tables in Markdown; of the sets of labels that are named, or of all sets."""
    folder, *names = sys.argv[1:]
    labels(Path(folder), names or NAMES)
    smoothings(Path(folder), names or NAMES)
    if not names:
        correlations(Path(folder))


if __name__ == "__main__":
    main()
