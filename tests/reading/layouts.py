"""How people lay out a study: each layout gives sheets, and what a right reading of them gives."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from reading.maker import DERIVED, METADATA, Maker
from reading.sheets import WORDS, Column, Expected, Sheet, Truth

Made = tuple[dict[str, Sheet], Expected]  # sheets by name, one but for one sheet or file per annotator
Layout = Callable[[Maker, Truth | None], Made]
LAYOUTS: dict[str, Layout] = {}
WEIGHTS: dict[str, float] = {}


def layout(name: str, weight: float) -> Callable[[Layout], Layout]:
    """Enter a layout under a name, with how often it is drawn."""

    def enter(function: Layout) -> Layout:
        LAYOUTS[name], WEIGHTS[name] = function, weight
        return function

    return enter


def labels_of(truth: Truth) -> list[Any]:
    return sorted({value for values in truth.questions.values() for value in values.values()}, key=str)


def expected_of(truth: Truth, **more: Any) -> Expected:
    return Expected({question: truth.rows(question) for question in truth.questions}, **more)


def spread(maker: Maker, columns: list[Column], block: list[Column], first: Column | None) -> list[Column]:
    """The annotations as one block among the other columns, with the id mostly in front."""
    place = maker.random.choice([0, len(columns), len(columns), maker.random.randint(0, len(columns))])
    found = [*columns[:place], *block, *columns[place:]]
    if first is not None:
        found.insert(
            0 if first.part == "row number" or maker.chance(0.85) else maker.random.randint(0, len(found)), first
        )
    return found


def one_annotator(truth: Truth, question: str, who: str) -> list[Any]:
    values = truth.questions[question]
    return [values.get((item, who)) for item in truth.items]


def with_models(maker: Maker, truth: Truth, question: str, expected: Expected) -> list[Column]:
    """Columns of models, which may be annotators or not."""
    models = [maker.model(truth, question) for _ in range(maker.random.choices([0, 1, 2], [8, 1, 0.5])[0])]
    for column in models:
        maker.made_of.append(f"model: {column.name}")
        expected.may.setdefault(question, []).extend(
            (item, f"model {column.name}", cell) for item, cell in zip(truth.items, column.cells, strict=True)
        )
    return models


@layout("wide", 6)
def wide(maker: Maker, truth: Truth | None = None, *, plain: bool = False) -> Made:
    """A row for each item, a column for each annotator."""
    truth = truth or maker.truth()
    (question,) = truth.questions
    expected = expected_of(truth)
    pattern = maker.word("people", "affixed") if maker.chance(0.12) else "{a}"
    maker.taken |= {pattern.format(a=who).lower() for who in truth.people}
    block = [Column(pattern.format(a=who), one_annotator(truth, question, who), "annotator") for who in truth.people]
    n = len(truth.items)
    if not plain:
        extra = maker.beside(n, labels_of(truth))
        models = with_models(maker, truth, question, expected)
        derived = maker.derived(truth, question) if maker.chance(0.3) else []
        if len(truth.people) < 5 and maker.chance(0.05):
            maker.made_of.append("pairs of annotators")
            derived += of_pairs(maker, truth, question)
        if maker.chance(0.08):  # everybody has a column for comments
            form = maker.word("comment", "per_annotator")
            notes = [replace(maker.comments(n), name=form.format(a=column.name)) for column in block]
            block = (
                [one for pair in zip(block, notes, strict=True) for one in pair]
                if maker.chance(0.5)
                else [*block, *notes]
            )
        columns = spread(
            maker,
            extra,
            [*block, *models, *derived] if maker.chance(0.8) else [*models, *block, *derived],
            maker.item_column(n),
        )
    else:
        first = maker.item_column(n)
        columns = [*([first] if first else []), *block]
    sheet = Sheet(columns)
    if maker.chance(0.05) and columns[0].part in ("item", "row number"):
        maker.made_of.append("totals row")
        foot: list[Any] = [""] * len(columns)
        foot[0] = maker.word("titles", "totals")
        for place, column in enumerate(columns):
            if column.part == "annotator":
                foot[place] = sum(cell is not None for cell in column.cells)
        sheet.below.append(foot)
    return {"Sheet1": sheet}, expected


@layout("wide, plain", 4)
def wide_plain(maker: Maker, truth: Truth | None = None) -> Made:
    """Nothing but ids and annotators."""
    return wide(maker, truth, plain=True)


@layout("wide, person and model", 1)
def person_and_model(maker: Maker, truth: Truth | None = None) -> Made:
    """One person and one model: the two are the annotators."""
    names = ["human", "Human", "expert", "Expert", "manual", "AS", "annotator", "human_label", "Mensch"]
    who = maker.random.choice(names)
    model = maker.random.choice(["GPT", "gpt4", "Machine", "SPACY", "model", "LLM", "llm_label", "ChatGPT", "system"])
    truth = renamed(truth if truth and len(truth.people) == 2 else maker.truth(people=2), [who, model], maker)
    (question,) = truth.questions
    maker.taken |= {name.lower() for name in truth.people}
    block = [Column(name, one_annotator(truth, question, name), "annotator") for name in truth.people]
    n = len(truth.items)
    derived = maker.derived(truth, question)[:1] if maker.chance(0.3) else []
    derived = [column for column in derived if column.part == "flag"]
    columns = spread(maker, maker.beside(n, labels_of(truth)), [*block, *derived], maker.item_column(n))
    return {"Sheet1": Sheet(columns)}, expected_of(truth)


@layout("wide, several questions", 3)
def wide_questions(maker: Maker, truth: Truth | None = None) -> Made:
    """A column for each annotator and question, named after both."""
    truth = truth or maker.truth(people=maker.random.choice([2, 2, 3, 4]), questions=maker.random.choice([2, 2, 3, 4]))
    scheme = maker.word("question", "schemes")
    if maker.chance(0.12):
        truth = renamed(truth, WORDS["people"]["small" if maker.chance(0.5) else "initials"], maker)
    short = all(len(question) < 3 for question in truth.questions)
    if short and not any(" " in who for who in truth.people) and maker.chance(0.3):
        scheme = "{a}{q}"
    maker.made_of.append(f"scheme: {scheme}")
    pairs = [(question, who) for question in truth.questions for who in truth.people]
    if maker.chance(0.5):
        pairs.sort(key=lambda pair: truth.people.index(pair[1]))
    two = maker.chance(0.15)
    block = [
        Column(
            scheme.format(a=who, q=question) if not two else f"{question}\0{who}",
            one_annotator(truth, question, who),
            "annotator",
        )
        for question, who in pairs
    ]
    n = len(truth.items)
    if two:
        maker.made_of[-1] = "two header rows"
        return {"Sheet1": two_rows(maker, truth, block, n)}, expected_of(truth)
    maker.taken |= {column.name.lower() for column in block}
    derived = agreed(maker, truth) if maker.chance(0.25) else []
    columns = spread(maker, maker.beside(n, labels_of(truth)), [*block, *derived], maker.item_column(n))
    return {"Sheet1": Sheet(columns)}, expected_of(truth)


def agreed(maker: Maker, truth: Truth) -> list[Column]:
    """What follows from the answers to one question or to each, named after the question."""
    form = maker.random.choice(["{q}_{part}", "{part}_{q}", "{q} {part}", "{q}"])
    asked = list(truth.questions) if maker.chance(0.5) else [maker.random.choice(list(truth.questions))]
    part = maker.random.choice(["gold", "flag", "majority"]) if form != "{q}" else "gold"
    name = maker.word(part, "names")
    found = []
    for question in asked:
        given = [truth.given(question, item) for item in truth.items]
        cells = DERIVED[part](maker, name, given)
        found.append(Column(form.format(q=question, part=name), cells, part))
    return found


def of_pairs(maker: Maker, truth: Truth, question: str) -> list[Column]:
    """Whether two annotators agree, or by how much they differ, for each two of them."""
    values = truth.questions[question]
    numbers = all(isinstance(value, int | float) for value in values.values())
    form = maker.random.choice(["{a}{b}", "{a}_{b}", "Diff_{a}_vs_{b}", "{a}={b}", "agree_{a}_{b}"])
    short = "{a}{b}" in form

    def compared(item: str, a: str, b: str) -> Any:
        if (item, a) not in values or (item, b) not in values:
            return None
        one, other = values[item, a], values[item, b]
        return abs(one - other) if numbers and form.startswith("Diff") else int(one == other)

    return [
        Column(
            form.format(a=a[:1].upper() if short else a, b=b[:1].upper() if short else b),
            [compared(item, a, b) for item in truth.items],
            "flag",
        )
        for a, b in itertools.combinations(truth.people, 2)
    ]


def two_rows(maker: Maker, truth: Truth, block: list[Column], n: int) -> Sheet:
    """A header of two rows: the upper one names what several columns share, in the first of them or in each."""
    names = [column.name.split("\0") for column in block]
    upper, lower = (0, 1) if names[0][0] == names[1][0] else (1, 0)
    head = [one[upper] for one in names]
    if maker.chance(0.7):
        head = [one if place == 0 or one != head[place - 1] else "" for place, one in enumerate(head)]
    block = [replace(column, name=one[lower]) for column, one in zip(block, names, strict=True)]
    first = maker.item_column(n)
    front = [*([first] if first else []), *([maker.text_column(n)] if maker.chance(0.5) else [])]
    return Sheet([*front, *block], above=[[*([""] * len(front)), *head]])


def renamed(truth: Truth, names: Sequence[str], maker: Maker) -> Truth:
    """The study with its annotators called otherwise."""
    new = dict(zip(truth.people, maker.random.sample(list(names), len(truth.people)), strict=True))
    return Truth(
        truth.items,
        [new[who] for who in truth.people],
        {
            question: {(item, new[who]): value for (item, who), value in values.items()}
            for question, values in truth.questions.items()
        },
    )


def long_rows(maker: Maker, truth: Truth) -> list[tuple[str, str]]:
    """Which item and annotator stand in each row."""
    pairs = dict.fromkeys(pair for values in truth.questions.values() for pair in values)
    rows = sorted(pairs, key=lambda pair: (truth.items.index(pair[0]), truth.people.index(pair[1])))
    order = maker.random.choice(["item", "annotator", "shuffled"])
    if order == "annotator":
        rows.sort(key=lambda pair: truth.people.index(pair[1]))
    elif order == "shuffled":
        maker.random.shuffle(rows)
    return rows


def cut(maker: Maker, truth: Truth, rows: list[tuple[str, str]]) -> tuple[Truth, list[tuple[str, str]]]:
    """Now and then only the first rows of a longer table, so that few items have all of their annotations."""
    if not maker.chance(0.05):
        return truth, rows
    maker.made_of.append("first rows only")
    rows = rows[: max(4, len(rows) // 3)]
    kept = set(rows)
    questions = {q: {pair: v for pair, v in values.items() if pair in kept} for q, values in truth.questions.items()}
    people = [who for who in truth.people if any(who == one for _, one in rows)]
    items = [item for item in truth.items if any(item == one for one, _ in rows)]
    return Truth(items, people, questions), rows


def about_people(maker: Maker, rows: list[tuple[str, str]], people: list[str]) -> list[Column]:
    """Columns that tell something about the annotators: the same in all of their rows."""
    found = []
    for _ in range(maker.random.choice([1, 2, 4])):
        name = maker.name("person", "columns")
        pool: list[Any] = maker.random.choice(
            [
                ["male", "female"],
                ["M", "F", "D"],
                list(range(18, 70)),
                ["USA", "Germany", "India"],
                ["BA", "MA", "PhD"],
                [0.71, 0.88, 0.93],
            ]
        )
        of = {who: maker.random.choice(pool) for who in people}
        found.append(Column(name, [of[who] for _, who in rows], "person"))
    return found


def long_beside(maker: Maker, truth: Truth, rows: list[tuple[str, str]]) -> list[Column]:
    """What stands beside the annotations of a long table: about items, about annotators, about the annotation."""
    place = {item: number for number, item in enumerate(truth.items)}
    found = [
        replace(column, cells=[column.cells[place[item]] for item, _ in rows])
        for column in maker.beside(len(truth.items), labels_of(truth))
        if column.part != "comment"
    ]
    if maker.chance(0.25):
        found += about_people(maker, rows, truth.people)
    if maker.chance(0.2):
        found.append(maker.comments(len(rows)))
    if maker.chance(0.25):
        kind = maker.random.choice(["time", "duration"])
        cells = METADATA[kind](maker, len(rows))
        found.append(Column(maker.name("metadata", kind), cells, "metadata"))
    if maker.chance(0.1):
        votes = {
            item: collections.Counter(truth.given(question, item)).most_common(1)
            for question in list(truth.questions)[:1]
            for item in truth.items
        }
        cells = [votes[item][0][0] if votes[item] else None for item, _ in rows]
        found.append(Column(maker.name("gold", "names"), cells, "gold"))
    maker.random.shuffle(found)
    return found


def long_table(maker: Maker, truth: Truth, item: list[Column], rows: list[tuple[str, str]], *, plain: bool) -> Sheet:
    who = Column(maker.name("annotator", "names"), [who for _, who in rows], "annotator")
    maker.taken |= {question.lower() for question in truth.questions}
    values = [
        Column(question, [found.get(row) for row in rows], "value") for question, found in truth.questions.items()
    ]
    core = [*item, who, *values] if maker.chance(0.6) else [who, *item, *values]
    extra = [] if plain else long_beside(maker, truth, rows)
    columns = spread(maker, extra, core, None) if maker.chance(0.5) else mixed(maker, extra, core)
    if maker.chance(0.15):
        name = maker.random.choice(["", "Unnamed: 0", "annotation_id", "row", "AssignmentId"])
        columns.insert(0, Column(name, list(range(len(rows))), "row number"))
    return Sheet(columns)


def mixed(maker: Maker, extra: list[Column], core: list[Column]) -> list[Column]:
    """Two rows of columns shuffled into each other, each in its order."""
    places = set(maker.random.sample(range(len(extra) + len(core)), len(core)))
    one, other = iter(core), iter(extra)
    return [next(one) if place in places else next(other) for place in range(len(extra) + len(core))]


def long_items(maker: Maker, truth: Truth, rows: list[tuple[str, str]]) -> list[Column]:
    """The column of a long table that tells the items apart."""
    n = len(truth.items)
    if maker.chance(0.12):
        name, cells = maker.name("text", "names"), [f"{maker.sentence()} {i}" for i in range(n)]
        maker.made_of.append("the text is the item")
    else:
        name, cells = maker.name("item", "names"), maker.item_cells(n)
    place = {item: number for number, item in enumerate(truth.items)}
    return [Column(name, [cells[place[item]] for item, _ in rows], "item")]


@layout("long", 5)
def long(maker: Maker, truth: Truth | None = None, *, plain: bool = False) -> Made:
    """A row for each annotation."""
    truth = truth or maker.truth()
    truth, rows = cut(maker, truth, long_rows(maker, truth))
    return {"Sheet1": long_table(maker, truth, long_items(maker, truth, rows), rows, plain=plain)}, expected_of(truth)


@layout("long, plain", 2)
def long_plain(maker: Maker, truth: Truth | None = None) -> Made:
    """Item, annotator, value and nothing else."""
    return long(maker, truth, plain=True)


@layout("long, several questions", 2.5)
def long_questions(maker: Maker, truth: Truth | None = None) -> Made:
    """A column for each question."""
    return long(maker, truth or maker.truth(questions=maker.random.choice([2, 2, 3, 5])), plain=maker.chance(0.3))


@layout("long, item of two columns", 2)
def long_composite(maker: Maker, truth: Truth | None = None) -> Made:
    """The item is a document and a number that starts again in each."""
    truth = truth or maker.truth(questions=maker.random.choice([1, 1, 2]))
    rows = long_rows(maker, truth)
    size = maker.random.randint(2, max(2, len(truth.items) // 3))
    outer, inner = maker.word("composite", "pairs")
    maker.taken |= {outer.lower(), inner.lower()}
    first, second = (maker.random.choice(["{}", "doc{}", "D{:02}", "{}.txt"]), maker.random.choice(["{}", "s{}", "{}"]))
    place = {item: number for number, item in enumerate(truth.items)}
    items = [
        Column(outer, [first.format(place[item] // size + 1) for item, _ in rows], "item"),
        Column(inner, [second.format(place[item] % size + 1) for item, _ in rows], "item"),
    ]
    return {"Sheet1": long_table(maker, truth, items, rows, plain=maker.chance(0.5))}, expected_of(truth)


@layout("long, question in the rows", 1.5)
def long_question_column(maker: Maker, truth: Truth | None = None) -> Made:
    """A row for each item, annotator and question."""
    truth = truth or maker.truth(questions=maker.random.choice([2, 3]))
    rows = [
        (item, who, question, value)
        for question, values in truth.questions.items()
        for (item, who), value in values.items()
    ]
    if maker.chance(0.5):
        rows.sort(key=lambda row: (truth.items.index(row[0]), row[1]))
    ids = dict(zip(truth.items, maker.item_cells(len(truth.items)), strict=True))
    columns = [
        Column(maker.name("item", "names"), [ids[row[0]] for row in rows], "item"),
        Column(maker.name("annotator", "names"), [row[1] for row in rows], "annotator"),
        Column(maker.name("question", "columns"), [row[2] for row in rows], "question"),
        Column(maker.name("value", "names"), [row[3] for row in rows], "value"),
    ]
    if maker.chance(0.3):
        columns.append(maker.comments(len(rows)))
    return {"Sheet1": Sheet(columns)}, expected_of(truth)


@layout("one file per annotator", 2.5)
def per_file(maker: Maker, truth: Truth | None = None) -> Made:
    """The same table from each annotator, in a file or on a sheet named after them."""
    truth = truth or maker.truth(people=maker.random.choice([2, 2, 3, 4]), questions=maker.random.choice([1, 1, 2, 3]))
    n = len(truth.items)
    first = Column(maker.name("item", "names"), maker.item_cells(n), "item") if maker.chance(0.8) else None
    extra = [column for column in maker.beside(n, labels_of(truth)) if column.part != "comment"]
    note = maker.name("comment", "names") if maker.chance(0.25) else None
    maker.taken |= {question.lower() for question in truth.questions}
    pattern = maker.word("files", "of_annotator")
    whole = maker.chance(0.5)  # also rows that this annotator has not filled in
    sheets = {}
    for who in truth.people:
        values = [Column(question, one_annotator(truth, question, who), "value") for question in truth.questions]
        columns = [*([first] if first else []), *extra, *values]
        if note:
            columns.append(replace(maker.comments(n), name=note))
        keep = [
            row for row in range(n) if whole or not first or any(column.cells[row] is not None for column in values)
        ]
        if first and maker.chance(0.2):
            maker.random.shuffle(keep)
        sheets[pattern.format(a=who.replace("/", "-"))] = Sheet(
            [replace(column, cells=[column.cells[row] for row in keep]) for column in columns]
        )
    return sheets, expected_of(truth)


@layout("one sheet per annotator", 1)
def per_sheet(maker: Maker, truth: Truth | None = None) -> Made:
    """One file per annotator, as the sheets of a workbook."""
    sheets, expected = per_file(maker, truth)
    if maker.chance(0.15):
        text = Sheet([Column("How to annotate", [maker.sentence() for _ in range(4)], "text")])
        sheets = {maker.word("files", "other_sheets"): text, **sheets}
    return sheets, expected


@layout("counts", 1.5)
def counts(maker: Maker, truth: Truth | None = None) -> Made:
    """How many annotators gave each item each value."""
    truth = truth or maker.truth(people=maker.random.choice([3, 4, 5, 6, 10, 14]))
    (question,) = truth.questions
    labels = labels_of(truth)
    items = [item for item in truth.items if truth.given(question, item)]
    given = [collections.Counter(truth.given(question, item)) for item in items]
    first = Column(maker.name("item", "names"), maker.item_cells(len(items)), "item") if maker.chance(0.8) else None
    prefix = maker.random.choice(["", "", "", "n_", "votes_"]) if isinstance(labels[0], str) else ""
    columns = [
        *([first] if first else []),
        *(Column(f"{prefix}{label}", [count[label] for count in given], "count") for label in labels),
    ]
    if maker.chance(0.25):
        columns.append(
            Column(
                maker.random.choice(["n", "total", "Total", "annotators"]), [sum(c.values()) for c in given], "derived"
            )
        )
    if maker.chance(0.2):
        columns.insert(min(1, len(columns)), maker.text_column(len(items)))
    rows = [
        (item, None, f"{prefix}{value}" if prefix else value) for item in items for value in truth.given(question, item)
    ]
    return {"Sheet1": Sheet(columns)}, Expected({question: rows}, anonymous=True)


@layout("contingency", 1)
def contingency(maker: Maker, truth: Truth | None = None) -> Made:
    """What one annotator said in the rows, what the other said in the columns."""
    truth = truth or maker.truth(people=2, items=maker.random.choice([30, 60, 90, 150]))
    (question,), (one, two) = truth.questions, truth.people[:2]
    values = truth.questions[question]
    items = [item for item in truth.items if (item, one) in values and (item, two) in values]
    table = collections.Counter((values[item, one], values[item, two]) for item in items)
    labels = labels_of(truth)
    corner = maker.random.choice(["", "", question, f"{one} / {two}", one, "rows: " + one])
    columns = [
        Column(corner, [*labels], "label"),
        *(Column(str(label), [table[row, label] for row in labels], "count") for label in labels),
    ]
    sheet = Sheet(columns)
    if maker.chance(0.3):
        name = maker.random.choice(["Total", "total", "Sum", "All", "Summe"])
        columns.append(Column(name, [sum(table[row, label] for label in labels) for row in labels], "derived"))
        sheet.below.append([name, *(sum(column.cells) for column in columns[1:])])
    return {"Sheet1": sheet}, Expected(
        {question: [(item, who, values[item, who]) for item in items for who in (one, two)]}
    )


@layout("transposed", 1)
def transposed(maker: Maker, truth: Truth | None = None) -> Made:
    """A row for each annotator, a column for each item."""
    truth = truth or maker.truth(items=maker.random.choice([5, 8, 12, 20, 40]))
    (question,) = truth.questions
    values = truth.questions[question]
    corner = maker.random.choice(["", maker.name("annotator", "names"), maker.name("annotator", "names")])
    columns = [Column(corner, [*truth.people], "annotator")]
    if corner and maker.chance(0.3):
        columns += about_people(maker, [("", who) for who in truth.people], truth.people)
    columns += [
        Column(str(name), [values.get((item, who)) for who in truth.people], "item")
        for item, name in zip(truth.items, maker.item_cells(len(truth.items)), strict=True)
    ]
    return {"Sheet1": Sheet(columns)}, expected_of(truth)


@layout("no header", 1.5)
def headless(maker: Maker, truth: Truth | None = None) -> Made:
    """A wide or a long table without a row of names."""
    truth = truth or maker.truth()
    if maker.chance(0.6):
        sheets, expected = wide_plain(maker, truth)
    else:
        maker.made_of.append("long")
        sheets, expected = long_plain(maker, truth)
    sheet = next(iter(sheets.values()))
    sheet.header = False
    sheet.below.clear()
    return sheets, expected
