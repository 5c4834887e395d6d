"""Tables that hold no annotations, and tables that two readings fit equally well."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable
from typing import Any

from reading.layouts import (
    Made,
    expected_of,
    labels_of,
    layout,
    long_items,
    long_rows,
    long_table,
    one_annotator,
    spread,
)
from reading.maker import Maker
from reading.sheets import WORDS, Column, Expected, Sheet, Truth

SIZES = (8, 15, 30, 60)

# -- not annotations ---------------------------------------------------------------------------------------


@layout("not annotations", 3)
def not_annotations(maker: Maker, _: Truth | None = None) -> Made:
    """Kappas, shares, results, features, and the answers of one person."""
    kind = maker.random.choice(list(NOT_ANNOTATIONS))
    maker.made_of.append(kind)
    return {"Sheet1": Sheet(NOT_ANNOTATIONS[kind](maker))}, Expected({}, why=kind)


def shares_of(maker: Maker, n: int, digits: int = 3) -> list[float]:
    return [round(maker.random.random(), digits) for _ in range(n)]


def plain_labels(maker: Maker) -> list[str]:
    """A set of labels that can name columns."""
    labels: list[str] = maker.word("labels", "sets")
    return labels if labels[0][0] not in "{[" else ["yes", "no"]


def kappas(maker: Maker) -> list[Column]:
    people = maker.people(maker.random.choice([3, 4, 5]))
    pairs = list(itertools.combinations(people, 2))
    pick = maker.random.choice
    one, other = pick([("rater1", "rater2"), ("annotator_a", "annotator_b"), ("Coder 1", "Coder 2"), ("a", "b")])
    columns = [
        Column(one, [a for a, _ in pairs], "other"),
        Column(other, [b for _, b in pairs], "other"),
        Column(pick(["kappa", "cohen_kappa", "Kappa", "alpha"]), shares_of(maker, len(pairs)), "other"),
        Column(pick(["n", "n_samples", "items"]), [pick([100, 634, 5133]) for _ in pairs], "other"),
    ]
    if maker.chance(0.4):
        columns.append(Column("p_value", shares_of(maker, len(pairs), 5), "other"))
    return columns


def kappas_by_question(maker: Maker) -> list[Column]:
    people = maker.people(3)
    pairs = [f"{a}_vs_{b}" for a, b in itertools.combinations(people, 2)]
    rows = list(itertools.product(maker.questions(3), pairs))
    return [
        Column(maker.random.choice(["dimension", "question", "label"]), [row[0] for row in rows], "other"),
        Column("pair", [row[1] for row in rows], "other"),
        Column(maker.random.choice(["kappa", "cohen_kappa"]), shares_of(maker, len(rows)), "other"),
    ]


def kappa_matrix(maker: Maker) -> list[Column]:
    people = maker.people(maker.random.choice([3, 4, 5]))
    value = {frozenset(pair): shares_of(maker, 1, 2)[0] for pair in itertools.combinations(people, 2)}
    return [
        Column("", [*people], "other"),
        *(Column(who, [value.get(frozenset((who, other)), 1.0) for other in people], "other") for who in people),
    ]


def one_person(maker: Maker) -> list[Column]:
    """Several questions, answered by one person, who is not named."""
    truth = maker.truth(people=2, questions=maker.random.choice([2, 3, 5]))
    n = len(truth.items)
    first = maker.item_column(n)
    maker.taken |= {question.lower() for question in truth.questions}
    asked = [Column(q, one_annotator(truth, q, truth.people[0]), "value") for q in truth.questions]
    return [*([first] if first else []), *maker.beside(n, []), *asked]


def vote_shares(maker: Maker) -> list[Column]:
    """What share of the annotators gave each label."""
    n, labels = maker.random.choice(SIZES), plain_labels(maker)
    rows = []
    for _ in range(n):
        votes = collections.Counter(maker.random.choices(labels, k=maker.random.choice([3, 5, 6])))
        rows.append([round(votes[label] / votes.total(), 3) for label in labels])
    columns = [Column(label, [row[j] for row in rows], "other") for j, label in enumerate(labels)]
    return [maker.text_column(n), *columns]


def features(maker: Maker) -> list[Column]:
    n = maker.random.choice(SIZES)
    names = ["length", "n_tokens", "n_verbs", "depth", "readability", "polarity", "ttr", "width", "height"]
    columns = [Column(maker.name("item", "names"), maker.item_cells(n), "item")]
    for name in maker.random.sample(names, 5):
        whole = maker.chance(0.5)
        cells = [maker.random.randint(0, 40) if whole else round(maker.random.random() * 30, 2) for _ in range(n)]
        columns.append(Column(name, cells, "other"))
    return columns


def results(maker: Maker) -> list[Column]:
    """One row for each model, one column for each figure."""
    models = maker.random.sample(WORDS["model"]["names"], 6)
    names = maker.random.sample(["accuracy", "precision", "recall", "f1", "auc", "BLEU", "kappa", "MCC"], 4)
    first = maker.random.choice(["model", "Model", "system", "Modell"])
    return [Column(first, models, "other"), *(Column(name, shares_of(maker, 6), "other") for name in names)]


def coefficients(maker: Maker) -> list[Column]:
    """One row for each question, with the coefficients that were found."""
    first = maker.random.choice(["metric", "measure", "Dimension", "task", "label"])
    return [
        Column(first, maker.random.sample(WORDS["question"]["names"], 6), "other"),
        Column(maker.random.choice(["alpha", "Krippendorff", "kappa"]), shares_of(maker, 6), "other"),
        Column("percent", [round(100 * share, 1) for share in shares_of(maker, 6)], "other"),
        Column("n", [maker.random.randint(20, 400) for _ in range(6)], "other"),
    ]


def agreed_flags(maker: Maker) -> list[Column]:
    """The agreed answer, one column of zeros and ones for each label."""
    n = maker.random.choice(SIZES)
    labels = [*plain_labels(maker), "other"]
    flags = [Column(label, [int(maker.chance(0.3)) for _ in range(n)], "other") for label in labels]
    return [maker.text_column(n), *flags]


def survey(maker: Maker) -> list[Column]:
    """Facts about people, one row for each."""
    n, pick = maker.random.choice(SIZES), maker.random.choice
    return [
        Column(pick(["respondent", "participant", "id"]), list(range(1, n + 1)), "other"),
        Column("age", [maker.random.randint(18, 80) for _ in range(n)], "other"),
        Column("gender", [pick(["f", "m"]) for _ in range(n)], "other"),
        Column("city", [pick(["Bonn", "Lyon", "Leeds"]) for _ in range(n)], "other"),
        Column("income", [maker.random.randint(10, 90) * 1000 for _ in range(n)], "other"),
    ]


def not_filled_in(maker: Maker) -> list[Column]:
    n = maker.random.choice(SIZES)
    columns = [Column(maker.name("item", "names"), maker.item_cells(n), "item"), maker.text_column(n)]
    return columns + [Column(who, [None] * n, "other") for who in maker.people(3)]


def dataset(maker: Maker) -> list[Column]:
    """Texts with one label each, and what else is known of them."""
    n = maker.random.choice(SIZES)
    labels = maker.scale()
    columns = [
        Column(maker.name("item", "names"), maker.item_cells(n), "item"),
        maker.text_column(n),
        *(maker.metadata(n, labels) for _ in range(maker.random.choice([0, 1, 2]))),
        Column(maker.name("value", "names"), [maker.random.choice(labels) for _ in range(n)], "other"),
    ]
    if maker.chance(0.3):
        columns.append(Column(maker.name("model", "names"), shares_of(maker, n), "other"))
    return columns


NOT_ANNOTATIONS: dict[str, Callable[[Maker], list[Column]]] = {
    "kappas of pairs": kappas,
    "kappas of pairs by question": kappas_by_question,
    "a matrix of kappas": kappa_matrix,
    "one annotator, several questions": one_person,
    "shares of annotators": vote_shares,
    "features": features,
    "results of models": results,
    "coefficients by question": coefficients,
    "the agreed answer, one column per label": agreed_flags,
    "facts about people": survey,
    "nobody has filled it in": not_filled_in,
    "a data set with one label": dataset,
}

# -- nobody knows ------------------------------------------------------------------------------------------


@layout("ambiguous", 3)
def ambiguous(maker: Maker, _: Truth | None = None) -> Made:
    """Two readings fit equally well; one of them is the truth, drawn at random."""
    kind = maker.random.choice(list(AMBIGUOUS))
    maker.made_of.append(kind)
    columns, truth = AMBIGUOUS[kind](maker)
    expected = expected_of(truth) if truth else Expected({})
    expected.ambiguous, expected.why = True, kind
    return {"Sheet1": Sheet(columns)}, expected


Drawn = tuple[list[Column], Truth | None]


def two_columns(maker: Maker, names: tuple[str, str]) -> tuple[list[Column], Truth]:
    truth = maker.truth(people=2)
    (question,) = truth.questions
    maker.taken |= set(names)
    block = [
        Column(name, one_annotator(truth, question, who), "value")
        for name, who in zip(names, truth.people, strict=True)
    ]
    n = len(truth.items)
    return spread(maker, maker.beside(n, labels_of(truth)), block, maker.item_column(n)), truth


def two_labels(maker: Maker) -> Drawn:
    """Two people, or two questions that one person answered."""
    pairs = [
        *(("label1", "label2"), ("label_1", "label_2"), ("category1", "category2"), ("code1", "code2")),
        *(("tag", "tag2"), ("Label 1", "Label 2"), ("topic_1", "topic_2")),
    ]
    columns, truth = two_columns(maker, maker.random.choice(pairs))
    return columns, truth if maker.chance(0.5) else None


def two_versions(maker: Maker) -> Drawn:
    """What stood there first and what stands there now are not two annotators."""
    pairs = [
        *(("original", "final"), ("before", "after"), ("label", "label_corrected"), ("Original", "Revised")),
        *(("old_label", "new_label"), ("round1", "round2")),
    ]
    return two_columns(maker, maker.random.choice(pairs))[0], None


def matrix(maker: Maker) -> Drawn:
    """A matrix whose rows may be items or annotators."""
    n, k = maker.random.choice([5, 8, 12, 20]), maker.random.choice([5, 8, 10])
    truth = maker.truth(items=n, people=k)
    (question,) = truth.questions
    values = truth.questions[question]
    stem = maker.random.choice(["PB{}", "Q{}", "V{}", "x{}", "{}"])
    cells = (
        [[values.get((item, who)) for who in truth.people] for item in truth.items]
        if maker.chance(0.5)
        else [one_annotator(truth, question, who) for who in truth.people]
    )
    return [Column(stem.format(i + 1), column, "item") for i, column in enumerate(cells)], truth


def nobody_named(maker: Maker) -> Drawn:
    """Several rows for each item, and nothing says whose they are."""
    truth = maker.truth(questions=maker.random.choice([1, 2, 4]))
    rows = long_rows(maker, truth)
    sheet = long_table(maker, truth, long_items(maker, truth, rows), rows, plain=maker.chance(0.5))
    return [column for column in sheet.columns if column.part not in ("annotator", "person")], None


def repeated(maker: Maker) -> Drawn:
    """Some annotators annotated some items twice, and differently."""
    truth = maker.truth()
    rows = long_rows(maker, truth)
    sheet = long_table(maker, truth, long_items(maker, truth, rows), rows, plain=True)
    again = maker.random.sample(range(len(rows)), max(1, len(rows) // 10))
    labels = labels_of(truth)

    def more(column: Column) -> list[Any]:
        if column.part == "value":
            return [maker.random.choice(labels) for _ in again]
        return [column.cells[row] for row in again]

    columns = [column for column in sheet.columns if column.part != "row number"]
    return [Column(column.name, column.cells + more(column), column.part) for column in columns], None


def staggered(maker: Maker) -> Drawn:
    """One value in each row, under the name of its annotator: which rows are one item is not in the file."""
    truth = maker.truth(people=maker.random.choice([3, 4]))
    (question,) = truth.questions
    rows = list(truth.questions[question].items())
    maker.random.shuffle(rows)
    columns = [
        Column(who, [value if one == who else None for (_, one), value in rows], "annotator") for who in truth.people
    ]
    return [Column(maker.word("item", "nameless"), list(range(len(rows))), "row number"), *columns], None


AMBIGUOUS: dict[str, Callable[[Maker], Drawn]] = {
    "label1, label2": two_labels,
    "original, final": two_versions,
    "rows may be people": matrix,
    "nobody named": nobody_named,
    "repeated pairs": repeated,
    "staggered": staggered,
}
