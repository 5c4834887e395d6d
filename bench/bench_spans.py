"""How long do scores of spans take, beside seqeval and nervaluate?

Two annotators tag sentences of 20 tokens on average with four labels; the second moves an end or changes a label of
about a fifth of the entities.  All start from the same lists of tags, IOB2; reading the tags is timed with the rest.
seqeval's answer is its F1; ours pools the same.  nervaluate gives four scores with their counts by greedy matching,
which may differ from the best matching, so there the answers may differ by 2 in 100.

All span measures together on a million spans by each of three annotators, from columns of units: F1 exact, by overlap,
Jaccard and Dice, the four SemEval scores, averages over documents, labels and pairs, F1 beyond chance, the panel, the
typology, and Krippendorff's u.

    python bench/bench_spans.py               100,000 sentences, a million spans
    python bench/bench_spans.py 1e4           fewer
"""

from __future__ import annotations

import sys
from typing import Any

import harness
import numpy as np

LABELS = ("PER", "ORG", "LOC", "MISC")
WANTED = {"seqeval": 12, "nervaluate": 30}
SMALL = 200
LONG = 400  # tokens of a document of the large case


def tags(sentences: int) -> tuple[list[list[str]], list[list[str]]]:
    """Tags of two annotators."""
    rng = np.random.default_rng(sentences)
    first, second = [], []
    for size in rng.integers(10, 31, sentences).tolist():
        one, two = ["O"] * size, ["O"] * size
        at = int(rng.integers(0, 6))
        while at < size - 4:
            long, label = int(rng.integers(1, 4)), LABELS[rng.integers(4)]
            _mark(one, at, at + long, label)
            luck = rng.random()
            if luck < 0.08:
                _mark(two, at, at + long + 1, label)
            elif luck < 0.15:
                _mark(two, at, at + long, LABELS[rng.integers(4)])
            elif luck < 0.95:
                _mark(two, at, at + long, label)
            at += long + int(rng.integers(2, 9))
        first.append(one)
        second.append(two)
    return first, second


def _mark(where: list[str], begin: int, end: int, label: str) -> None:
    where[begin:end] = [f"B-{label}", *[f"I-{label}"] * (end - begin - 1)]


# -- beside the peers --------------------------------------------------------------------------------------


def ours(what: str, sentences: int) -> Any:
    """One F1, or the four scores of SemEval."""
    import interagree as ia

    def once(one: Any, two: Any) -> list[float]:
        study = ia.spans.from_tags({"first": one, "second": two}, scheme="iob2")
        if what == "f1":
            return [ia.span_f1(study).value]
        found = ia.spans.semeval(study, gold="first")
        return [row["F1"] for row in found]

    once(*tags(SMALL))
    one, two = tags(sentences)
    return lambda: once(one, two)


def seqeval(sentences: int) -> Any:
    """Its F1."""
    from seqeval.metrics import f1_score

    one, two = tags(sentences)
    return lambda: [f1_score(one, two)]


def nervaluate(sentences: int) -> Any:
    """Its four scores."""
    from nervaluate import Evaluator

    one, two = tags(sentences)

    def once() -> list[float]:
        found = Evaluator(one, two, tags=list(LABELS), loader="list").evaluate()["overall"]
        return [found[name].f1 for name in ("strict", "exact", "partial", "ent_type")]

    return once


# -- everything at once ------------------------------------------------------------------------------------


def columns(spans: int, people: int = 3, each: int = 10) -> tuple[Any, ...]:
    """Units of some annotators, each of which marks so many spans, ten to a document."""
    rng = np.random.default_rng(spans)
    documents = spans // each
    begin = np.argsort(rng.random((documents, LONG // 8)), axis=1)[:, :each] * 8
    size, label = rng.integers(1, 6, begin.shape), rng.integers(0, len(LABELS), begin.shape)
    parts = []
    for person in range(people):
        moved = begin + rng.integers(0, 2, begin.shape) * (rng.random(begin.shape) < 0.2)
        ends = moved + np.maximum(size + rng.integers(-1, 2, begin.shape) * (rng.random(begin.shape) < 0.2), 1)
        other = np.where(rng.random(begin.shape) < 0.05, rng.integers(0, len(LABELS), begin.shape), label)
        document = np.repeat(np.arange(documents), each)
        parts.append((document, np.full(len(document), person), moved.ravel(), ends.ravel(), other.ravel()))
    document, who, start, end, code = (np.concatenate(part) for part in zip(*parts, strict=True))
    return document, who, start, end, np.array(LABELS)[code]


def building(spans: int) -> Any:
    """The study from columns of units."""
    import interagree as ia

    ia.span_f1(ia.spans.from_units(*columns(SMALL)))
    given = columns(spans)
    return lambda: [float(len(ia.spans.from_units(*given)))]


def everything(spans: int) -> Any:
    """All span measures of one study."""
    import interagree as ia

    given = columns(spans)
    small, large = ia.spans.from_units(*columns(SMALL)), ia.spans.from_units(*given)
    _everything(small)

    def once() -> list[float]:
        # What is kept with a study is made anew, as for somebody who just read it.
        return _everything(ia.concat([large]))

    return once


def _everything(study: Any) -> list[float]:
    import interagree as ia

    found = [ia.span_f1(study, match=match) for match in ("exact", "overlap", "jaccard", "dice")]
    found += [ia.span_f1(study, average=average) for average in ("documents", "labels", "pairs")]
    found += [ia.measures.corrected_span_f1(study, length=LONG + 10), ia.measures.u_alpha(study, length=LONG + 10)]
    values = [one.value for one in found]
    for one in found:
        one.interval()
    values += [row["F1"] for row in ia.spans.semeval(study)]
    values += [one.value for one in ia.spans.span_panel(study).pooled]
    ia.spans.span_types(study).counts()
    return values


def main() -> None:
    """Print the tables."""
    sentences = int(float(sys.argv[1])) if len(sys.argv) > 1 else 100_000
    harness.machine()
    for what, peer in (("f1", "seqeval"), ("semeval", "nervaluate")):
        rows = [
            harness.run(__file__, "ours", name="interagree", what=what, sentences=sentences),
            harness.run(__file__, peer, name=peer, repeat=1, seconds=900, sentences=sentences),
        ]
        title = {"f1": "exact F1", "semeval": "the four SemEval scores"}[what]
        about = f"{title}, {sentences:,} sentences, from tags; wanted: {WANTED[peer]} times faster"
        harness.show(about, rows, to="interagree", within=0.02 if what == "semeval" else 1e-9)
    print("\nAs it grows: spans by each of three annotators, ten to a document\n")
    print("| spans | building, CPU s | all measures, wall s | CPU s | MB |\n| ---: | ---: | ---: | ---: | ---: |")
    for size in (10 * sentences // 100, sentences, 10 * sentences):
        made = harness.run(__file__, "building", repeat=1, spans=size)
        row = harness.run(__file__, "everything", repeat=1, spans=size)
        for one in (made, row):
            if "failed" in one:
                sys.exit(f"{size:,} spans: {one['failed']}")
        print(
            f"| 3 × {size:,} | {harness.seconds_text(made['cpu'])} | {harness.seconds_text(row['wall'])} | "
            f"{harness.seconds_text(row['cpu'])} | {row['memory'] / harness.MEGABYTE:,.0f} |"
        )


if __name__ == "__main__":
    main()
