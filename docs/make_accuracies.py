"""The tables of known truth in guides/crowd.md: `python docs/make_accuracies.py FOLDER`.

FOLDER holds openly published label sets as `NAME.csv.gz` (item, annotator, label), with the true labels of the items as
`NAME.gold.csv.gz` (item, label).  The page says where they come from.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import interagree as ia

NAMES = (
    *("bluebird", "snow_rte", "snow_wsd", "d_sentiment", "product", "zencrowd", "sentiment_polarity"),
    *("sentiment_polarity_amt", "weather_cf", "weather_amt", "music_genre", "web", "hatecheck", "trec"),
    "s4_relevance",
)
NUMBERS = ("wordsim", "anger", "disgust", "joy", "sadness", "surprise", "valence")
METHODS = {
    "vote": ia.majority_vote,
    "weighted": ia.weighted_vote,
    "one-coin": ia.one_coin,
    "Dawid-Skene": ia.dawid_skene,
    "hierarchical": lambda study: ia.dawid_skene(study, prior="hierarchical"),
    "MACE": ia.mace,
    "GLAD": ia.glad,
}


def gold_answers(path: Path) -> dict[Any, Any]:
    """The true label of each item."""
    study = ia.read(path, annotator="{file}", value="label").single()
    return {item: value for item, _, value in study.rows()}


def accuracies(folder: Path) -> None:
    """How often each method is right and how sure Dawid and Skene's model is, the best of each row in bold."""
    out = sys.stdout
    out.write("| | items | annotators | labels | " + " | ".join(METHODS) + " | sure |\n")
    out.write("|---" * (5 + len(METHODS)) + "|\n")
    for name in NAMES:
        study = ia.read(folder / f"{name}.csv.gz", value="label").single()
        gold = gold_answers(folder / f"{name}.gold.csv.gz")
        made = {title: method(study) for title, method in METHODS.items()}
        found = [f"{float(one.score(gold)):.3f}" for one in made.values()]
        shown = [f"**{one}**" if one == max(found) else one for one in found]
        model = made["Dawid-Skene"]
        known = [item in gold for item in model.items]
        size = [f"{sum(known):,}", f"{len(study.annotators):,}", f"{len(study.labels())}"]
        sure = f"{model.confidence()[known].mean():.3f}"
        out.write(f"| `{name}` | " + " | ".join([*size, *shown, sure]) + " |\n")
        out.flush()


def correlations(folder: Path) -> None:
    """How means and debiased means of numbers correlate with the gold numbers."""
    out = sys.stdout
    out.write("\n| | items | annotators | mean | debiased mean |\n" + "|---" * 5 + "|\n")
    for name in NUMBERS:
        study = ia.read(folder / f"snow_{name}.csv.gz", value="label").single()
        gold = gold_answers(folder / f"snow_{name}.gold.csv.gz")
        found = []
        for made in (ia.merge(study, distance="interval"), ia.debiased_mean(study)):
            both = np.array([[value, gold[item]] for item, value in made.values.items() if item in gold], dtype=float)
            found.append(f"{np.corrcoef(both.T)[0, 1]:.3f}")
        shown = [f"**{one}**" if one == max(found) else one for one in found]
        out.write(f"| `snow_{name}` | {len(study.items)} | {len(study.annotators)} | {' | '.join(shown)} |\n")


def main() -> None:
    """Print both tables in Markdown."""
    folder = Path(sys.argv[1])
    accuracies(folder)
    correlations(folder)


if __name__ == "__main__":
    main()
