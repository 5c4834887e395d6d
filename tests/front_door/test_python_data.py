"""What people hand over from Python is read as they mean it, or they are asked."""

import random
import re

import numpy as np
import pytest
from conftest import need
from hypothesis import given
from hypothesis import strategies as st

import interagree as ia
from interagree.data import Annotations, concat
from interagree.errors import ColumnNotFound, DataError, InteragreeError, KindError, RowsFetched

PEOPLE = ("ann", "bo", "cy")
SCALE = ["low", "medium", "high"]


def _drawn(items: int = 40, *, seed: int = 1) -> list[tuple[int, str, str]]:
    """Labels that agree more often than not, as (item, annotator, value)."""
    draw = random.Random(seed)
    truth = [draw.choice("abc") for _ in range(items)]
    return [
        (100 + item, who, right if draw.random() < 0.7 else draw.choice("abc"))
        for item, right in enumerate(truth)
        for who in PEOPLE
    ]


ROWS = _drawn()
ALPHA = ia.alpha(ROWS).value
CODER_FIRST = [(who, item, value) for item, who, value in ROWS]
MATRIX = np.array([["abc".index(value) + 1 for _, one, value in ROWS if one == who] for who in PEOPLE])


def _frame(**names):
    pd = need("pandas")
    return pd.DataFrame(ROWS, columns=["prompt", "person", "label"]).rename(columns=names)


def steps(data, what="taken"):
    return "; ".join(step.sentence for step in data.provenance.steps if step.what == what)


# -- frames with an index ----------------------------------------------------------------------------------


def test_a_named_index_is_the_item_and_not_an_annotator():
    pivot = _frame().pivot(index="prompt", columns="person", values="label")
    for frame in (pivot, pivot.rename_axis(columns=None), pivot.reset_index().set_index("prompt")):
        study = Annotations.of(frame)
        assert study.annotators == PEOPLE
        assert set(study.rows()) == set(ROWS)
        assert "one row for each item ('prompt')" in steps(study)


def test_a_pivot_of_all_columns_has_the_annotators_of_its_lower_names():
    study = Annotations.of(_frame().pivot(index="prompt", columns="person"))
    assert study.annotators == PEOPLE


def test_a_pivot_of_two_questions_joins_the_names_of_its_columns():
    frame = _frame().assign(sure="yes").pivot(index="prompt", columns="person")
    study = Annotations.of(frame, annotator=["label / ann", "label / bo", "label / cy"])
    assert ia.alpha(study).value == pytest.approx(ALPHA)


def test_an_index_of_two_columns_names_the_item_by_both():
    frame = _frame().assign(document=[item % 2 for item, *_ in ROWS])
    wide = frame.set_index(["document", "prompt", "person"])["label"].unstack("person")
    study = Annotations.of(wide)
    assert study.annotators == PEOPLE
    assert study.items[0] == (0, 100)
    assert ia.alpha(study).value == pytest.approx(ALPHA)
    assert ia.alpha(study).interval(cluster="document") is not None


def test_a_column_under_an_index_of_items_and_annotators_is_a_long_table():
    series = _frame(prompt="item", person="annotator").set_index(["item", "annotator"])["label"]
    assert set(Annotations.of(series).rows()) == set(ROWS)


def test_a_pivot_with_annotators_in_its_rows_is_turned_and_that_is_said():
    frame = _frame(prompt="item", person="worker").pivot(index="worker", columns="item", values="label")
    study = Annotations.of(frame)
    assert set(study.rows()) == set(ROWS)
    assert "turned" in steps(study)


# -- names of columns --------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [[1, 2, 3], [0, 1, 2], [("q", "a"), ("q", "b"), ("q", "c")], [1.5, 2.5, None]])
def test_columns_of_a_frame_may_be_called_anything(names):
    pd = need("pandas")
    frame = pd.DataFrame(MATRIX.T, index=[f"i{n}" for n in range(40)])
    frame.columns = names
    study = Annotations.of(frame)
    assert len(study.annotators) == 3
    assert ia.alpha(study).value == pytest.approx(ALPHA)


def test_two_columns_of_one_name_are_an_error_of_our_own():
    pd, pa = need("pandas"), need("pyarrow")
    twice = pd.DataFrame([[1, "a", "x"], [1, "b", "y"]], columns=["item", "value", "value"])
    arrow = pa.table([pa.array([1, 2]), pa.array([1, 2])], names=["value", "value"])
    for frame in (twice, arrow):
        with pytest.raises(DataError, match="two columns of the frame are called 'value'"):
            Annotations.of(frame)


def test_a_frame_made_of_an_array_lies_as_its_shape_and_its_values_say():
    pd = need("pandas")
    tall, wide = Annotations.of(pd.DataFrame(MATRIX.T)), Annotations.of(pd.DataFrame(MATRIX))
    assert ia.alpha(tall).value == pytest.approx(ALPHA)
    assert "one row for each item" in steps(tall)
    assert ia.alpha(wide).value == pytest.approx(ALPHA)
    assert "a row for each annotator, turned" in steps(wide)


def test_the_array_of_krippendorff_is_turned_in_a_frame_and_asked_about_alone():
    pd, pl = need("pandas"), need("polars")
    none = np.nan
    array = np.array(
        [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, none, none, none],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, none, 3],
            [none, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, none],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, none],
        ]
    )
    with pytest.raises(DataError, match=r"item=0 .* item=1 "):
        ia.alpha(array)
    right = ia.alpha(Annotations.of(array, item=1)).value
    assert right == pytest.approx(0.743, abs=0.001)
    frames = [
        pd.DataFrame(array),
        pd.DataFrame(array.T),
        pd.DataFrame(array, index=["a", "b", "c", "d"]),
        pl.DataFrame(array, orient="row"),
    ]
    for frame in frames:
        assert ia.alpha(frame).value == pytest.approx(right)


def test_a_frame_made_of_a_small_array_is_asked_about():
    pd = need("pandas")
    frame = pd.DataFrame([[1, 2], [1, 1], [2, 2]])
    with pytest.raises(DataError, match=r"pass frame\.to_numpy\(\) with item=0"):
        ia.alpha(frame)
    assert len(Annotations.of(frame.to_numpy(), item=0).items) == 3


def test_a_frame_of_rows_without_names_is_read_as_rows():
    pd = need("pandas")
    assert set(Annotations.of(pd.DataFrame(ROWS)).rows()) == set(ROWS)
    study = Annotations.of(pd.DataFrame(CODER_FIRST))
    assert set(study.rows()) == set(ROWS)


# -- lists of lists and rows of three ----------------------------------------------------------------------

LISTS = [[1, 2, 1], [2, 1, 2], [1, 1, 1], [2, 2, 3], [3, 3, 3]]


@pytest.mark.parametrize("row", [list, tuple])
def test_a_list_of_lists_is_asked_about_as_an_array_is(row):
    with pytest.raises(DataError, match=r"5 rows and 3 columns.*item=0.*item=1"):
        ia.alpha([row(one) for one in LISTS])
    study = Annotations.of(LISTS, item=0)
    assert (len(study.items), len(study.annotators)) == (5, 3)


def test_rows_with_repeated_judgements_are_rows_where_that_is_said():
    rows = [(item, who, value) for item in range(5) for who in range(3) for value in (1, 2)]
    assert len(Annotations.of(rows, duplicates="keep")) == 30


def test_the_labels_of_three_annotators_side_by_side_are_asked_about():
    with pytest.raises(DataError, match="does not tell whether its rows or its columns are the items"):
        ia.alpha(list(zip("aabbc", "abbbc", "aabcc", strict=True)))


def test_rows_as_documented_are_taken_without_a_word():
    for rows in (ROWS, [list(row) for row in ROWS], [(str(item), who, value) for item, who, value in ROWS]):
        study = Annotations.of(rows)
        assert ia.alpha(study).value == pytest.approx(ALPHA)
        assert not study.provenance.steps


@pytest.mark.parametrize(
    "rows",
    [
        CODER_FIRST,
        [(f"c{PEOPLE.index(who) + 1}", str(item), value) for who, item, value in CODER_FIRST],
        [(f"coder {who}"[:5] + str(PEOPLE.index(who)), f"x{item}", value) for who, item, value in CODER_FIRST],
        [(PEOPLE.index(who), item - 100, value) for who, item, value in CODER_FIRST],
        [(PEOPLE.index(who) + 1, item - 99, "abc".index(value)) for who, item, value in CODER_FIRST],
    ],
)
def test_rows_in_the_order_of_nltk_are_not_read_transposed(rows):
    study = Annotations.of(rows)
    assert (len(study.items), len(study.annotators)) == (40, 3)
    assert ia.alpha(study).value == pytest.approx(ALPHA)
    assert "rows of (annotator, item, value)" in steps(study)


def test_the_example_of_nltk_is_read_as_nltk_reads_it():
    rows = [("c1", "1", "v1"), ("c2", "1", "v1"), ("c1", "2", "v2"), ("c2", "2", "v1")]
    study = Annotations.of(rows)
    assert study.annotators == ("c1", "c2")
    assert list(study.items) == ["1", "2"]


DOUBTFUL = [(who, item, "xyz"[(who * item) % 3]) for who in range(3) for item in range(5)]


def test_rows_in_doubt_show_both_readings_and_how_to_choose():
    with pytest.raises(DataError) as error:
        ia.alpha(DOUBTFUL)
    calls = re.findall(r"pass (item=.+?) for|or (item=.+?) for", str(error.value))
    chosen = [eval(f"dict({first or second})") for first, second in calls]
    assert chosen == [{"item": 0, "annotator": 1, "value": 2}, {"item": 1, "annotator": 0, "value": 2}]
    sizes = [len(Annotations.of(DOUBTFUL, **options).items) for options in chosen]
    assert sizes == [3, 5]
    assert "item 0 annotator 0 value 'x'" in str(error.value)


def test_the_crowd_may_be_larger_than_the_items_where_each_item_has_as_many_annotations():
    draw = random.Random(2)
    truth = {item: draw.choice("ab") for item in range(30)}
    rows = [(f"n{item}", f"h{who}", truth[item]) for item in truth for who in draw.sample(range(80), 3)]
    study = Annotations.of(rows)
    assert len(study.items) == 30
    with pytest.raises(DataError, match="item=1, annotator=0, value=2"):
        Annotations.of([(who, item, value) for item, who, value in rows])


@given(
    items=st.integers(1, 30),
    people=st.integers(1, 6),
    seed=st.integers(0, 1000),
    share=st.sampled_from([0.5, 0.8, 1.0]),
    swapped=st.booleans(),
    nested=st.booleans(),
)
def test_a_study_is_never_read_transposed(items, people, seed, share, swapped, nested):
    """Rows and dicts of studies with more items than annotators, in either order: right, or asked about."""
    if items <= people:
        return
    draw = random.Random(seed)
    truth = [draw.choice("abc") for _ in range(items)]
    rows = [
        (item, f"p{who}" if seed % 2 else who, right if draw.random() < 0.8 else draw.choice("abc"))
        for item, right in enumerate(truth)
        for who in range(people)
        if draw.random() < share
    ]
    given = [(who, item, value) for item, who, value in rows] if swapped else rows
    data = given
    if nested:
        data = {}
        for outer, inner, value in given:
            data.setdefault(outer, {})[inner] = value
    try:
        study = Annotations.of(data)
    except DataError:
        assert swapped or len({who for _, who, _ in rows}) >= len({item for item, _, _ in rows})
        return
    if len({who for _, who, _ in rows}) > 1 and len({item for item, *_ in rows}) > len({who for _, who, _ in rows}):
        assert set(study.rows()) == set(rows)


# -- dicts of dicts ----------------------------------------------------------------------------------------

BY_PERSON = {who: {item: value for item, one, value in ROWS if one == who} for who in PEOPLE}
BY_ITEM = {item: {who: value for one, who, value in ROWS if one == item} for item, *_ in ROWS}


@pytest.mark.parametrize("data", [BY_PERSON, BY_ITEM])
def test_a_dict_of_dicts_is_told_by_its_keys_and_said(data):
    study = Annotations.of(data)
    assert set(study.rows()) == set(ROWS)
    assert "a dict of dicts" in steps(study)


def test_the_level_of_the_items_can_be_named_as_the_axis_of_an_array_is():
    assert set(Annotations.of(BY_PERSON, item=1).rows()) == set(ROWS)
    assert set(Annotations.of(BY_ITEM, item=0).rows()) == set(ROWS)
    assert len(Annotations.of(BY_PERSON, item=0).items) == 3
    with pytest.raises(DataError, match="names neither"):
        Annotations.of(BY_PERSON, item=2)


def test_a_dict_of_records_is_not_a_dict_of_annotators():
    records = {n: {"item": i, "worker": a, "label": v} for n, (i, a, v) in enumerate(ROWS)}
    assert set(Annotations.of(records).rows()) == set(ROWS)
    with pytest.raises(DataError, match="no column to take the annotator from"):
        Annotations.of({"i1": {"text": "one", "label": "a"}, "i2": {"text": "two", "label": "b"}})


def test_a_dict_of_dicts_in_doubt_says_how_to_choose():
    data: dict[int, dict[int, str]] = {}
    for who, item, value in DOUBTFUL:
        data.setdefault(who, {})[item] = value
    with pytest.raises(DataError, match=r"3 outer and 5 inner keys.*pass item=0 .* or item=1 "):
        ia.alpha(data)


# -- counts, crosstabs -------------------------------------------------------------------------------------


def _two():
    pd = need("pandas")
    first = pd.Series([1, 1, 1, 2, 2, 3, 3, 2, 1, 3], name="ann")
    second = pd.Series([1, 1, 2, 2, 2, 2, 2, 1, 1, 2], name="bo")
    return pd, first, second


@pytest.mark.parametrize("options", [{}, {"layout": "contingency"}])
@pytest.mark.parametrize("margins", [False, True])
def test_a_crosstab_is_two_annotators_also_where_one_never_gave_a_value(options, margins):
    pd, first, second = _two()
    right = ia.cohen_kappa({"ann": first.tolist(), "bo": second.tolist()}).value
    for labels in (None, {1: "x", 2: "y", 3: "z"}):
        a, b = (first, second) if labels is None else (first.map(labels), second.map(labels))
        for rows, columns in ((a, b), (b, a)):
            study = Annotations.of(pd.crosstab(rows, columns, margins=margins), **options)
            assert study.annotators == (rows.name, columns.name)
            assert study.values == ((1, 2, 3) if labels is None else ("x", "y", "z"))
            assert ia.cohen_kappa(study).value == pytest.approx(right)


def test_a_crosstab_of_columns_without_names_has_a_first_and_a_second_annotator():
    pd, first, second = _two()
    study = Annotations.of(pd.crosstab(first.tolist(), second.tolist()))
    assert study.annotators == ("first", "second")


def test_labels_of_rows_are_not_counts_where_they_are_numbers():
    pd, first, second = _two()
    right = ia.cohen_kappa({"ann": first.tolist(), "bo": second.tolist()}).value
    table = pd.crosstab(first, second).reset_index().rename_axis(columns=None)
    assert table.shape == (3, 3)
    study = Annotations.of(table, layout="contingency")
    assert ia.cohen_kappa(study).value == pytest.approx(right)


@pytest.mark.parametrize("margins", [False, True])
def test_a_crosstab_of_items_and_labels_is_a_table_of_counts(margins):
    pd = need("pandas")
    frame = _frame()
    study = Annotations.of(pd.crosstab(frame["prompt"], frame["label"], margins=margins))
    assert study.anonymous
    assert ia.alpha(study).value == pytest.approx(ALPHA)


def test_a_crosstab_of_annotators_and_labels_is_not_annotations():
    pd = need("pandas")
    frame = _frame(person="worker")
    with pytest.raises(DataError, match="not to which item"):
        Annotations.of(pd.crosstab(frame["worker"], frame["label"]))


def test_a_square_pivot_of_numbers_that_may_be_a_crosstab_is_asked_about():
    pd = need("pandas")
    frame = pd.DataFrame([[1, 2, 3], [2, 2, 1], [3, 3, 3]], index=[1, 2, 3], columns=[1, 2, 3])
    frame = frame.rename_axis(index="one", columns="other")
    with pytest.raises(DataError, match="numbered alike"):
        Annotations.of(frame)
    assert len(Annotations.of(frame, layout="wide").items) == 3
    assert len(Annotations.of(frame, layout="contingency").items) == 20
    assert Annotations.of(frame.rename_axis(columns="worker")).annotators == (1, 2, 3)


def test_columns_of_counts_that_are_numbers_stand_in_their_order():
    counts = {"item": ["a", "b", "c"], "1": [2, 0, 1], "10": [0, 3, 0], "2": [1, 0, 1], "9": [0, 0, 1]}
    study = Annotations.of(counts, layout="counts")
    assert study.values == ("1", "2", "9", "10")
    items, _, values = zip(*study.rows(), strict=True)
    long = {"item": items, "annotator": range(len(items)), "value": values}
    right = ia.alpha(long, distance="ordinal").value
    assert ia.alpha(study, distance="ordinal").value == pytest.approx(right)
    table = {"1": [5, 0, 1], "10": [0, 4, 1], "2": [1, 1, 3]}
    square = Annotations.of(table, layout="contingency")
    assert square.values == ("1", "2", "10")
    assert sum(v == "2" for _, who, v in square.rows() if who == "first") == 5


WORDS = {"high": [5, 1, 0], "low": [0, 4, 1], "medium": [1, 1, 3]}


@pytest.mark.parametrize("layout", ["counts", "contingency"])
def test_words_over_columns_are_not_an_order(layout):
    study = Annotations.of(WORDS, layout=layout)
    ia.alpha(study)
    for options in ({"distance": "ordinal"}, {"weights": "linear"}):
        with pytest.raises(KindError, match=r"no stated order.*pass values=\[…\]"):
            ia.alpha(study, **options)
    with pytest.raises(DataError, match="ordered=True needs an order"):
        Annotations.of(WORDS, layout=layout, ordered=True)
    ordered = Annotations.of(WORDS, layout=layout, values=SCALE, ordered=True)
    assert ordered.values == tuple(SCALE)
    assert ia.alpha(ordered, distance="ordinal").undefined is None


# -- order -------------------------------------------------------------------------------------------------

JUDGED = [("i1", "ann", "low"), ("i1", "bo", "medium"), ("i2", "ann", "high"), ("i2", "bo", "high"),
          ("i3", "ann", "low"), ("i3", "bo", "low")]  # fmt: skip
WEIGHTS = [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]


def test_a_table_of_weights_is_laid_on_a_stated_order_or_on_numbers():
    with pytest.raises(KindError, match=r"a table of weights is laid on values in their order.*values=\[…\]"):
        ia.alpha(JUDGED, weights=WEIGHTS)
    with pytest.raises(KindError, match="a table of distances is laid on"):
        ia.alpha(JUDGED, distance=1 - np.array(WEIGHTS))
    stated = ia.alpha(Annotations.of(JUDGED, values=SCALE), weights=WEIGHTS)
    numbered = ia.alpha([(i, a, SCALE.index(v)) for i, a, v in JUDGED], weights=WEIGHTS)
    assert stated.value == pytest.approx(numbered.value)
    assert ia.alpha(JUDGED, distance=1 - np.eye(3)).value == pytest.approx(ia.alpha(JUDGED).value)


def test_a_table_that_gives_missing_annotations_a_place_keeps_the_stated_order():
    study = Annotations.of([*JUDGED, ("i4", "ann", "low")], values=SCALE)
    table = [[0, 1, 2, 2], [1, 0, 1, 2], [2, 1, 0, 2], [2, 2, 2, 0]]
    assert ia.cohen_kappa(study, missing="category", distance=table).undefined is None
    with pytest.raises(KindError, match="laid on values in their order"):
        ia.cohen_kappa([*JUDGED, ("i4", "ann", "low")], missing="category", distance=table)


def test_words_said_to_be_ordered_need_their_order():
    with pytest.raises(DataError, match=r"ordered=True needs an order.*'low', 'medium', 'high'.*values=\[…\]"):
        Annotations.of(JUDGED, ordered=True)
    study = Annotations.of(JUDGED, values=SCALE, ordered=True)
    places = [(i, a, SCALE.index(v)) for i, a, v in JUDGED]
    assert ia.alpha(study, distance="ordinal").value == pytest.approx(ia.alpha(places, distance="ordinal").value)


def test_numbers_categories_and_enums_bring_their_own_order():
    pd, pl = need("pandas"), need("polars")
    names = ["item", "annotator", "value"]
    for places in (1, "1", 1.5):
        rows = [(i, a, type(places)(SCALE.index(v))) for i, a, v in JUDGED]
        assert Annotations.of(rows, ordered=True).ordered
    frame = pd.DataFrame(JUDGED, columns=names)
    frame["value"] = pd.Categorical(frame["value"], SCALE, ordered=True)
    enum = pl.DataFrame(JUDGED, schema=names, orient="row").with_columns(pl.col("value").cast(pl.Enum(SCALE)))
    for table in (frame, enum):
        assert Annotations.of(table, ordered=True).values == tuple(SCALE)
    assert Annotations.of(JUDGED[:1] + JUDGED[2:4], ordered=True).values == ("high", "low")


def test_a_declared_order_holds_for_the_studies_put_together():
    declared, plain = Annotations.of(JUDGED[:2], values=SCALE, ordered=True), Annotations.of(JUDGED[2:])
    for both in (concat([declared, plain]), concat([plain, declared])):
        assert (both.values, both.ordered) == (tuple(SCALE), True)


def test_orders_that_contradict_or_leave_something_open_are_errors():
    one = Annotations.of([("i", "ann", "b")], values=["a", "b", "d"], ordered=True)
    two = Annotations.of([("i", "bo", "b")], values=["b", "c", "d"], ordered=True)
    assert concat([one, two]).values == ("a", "b", "c", "d")
    with pytest.raises(DataError, match="contradict each other"):
        concat([one, two.declaring(["d", "c", "b"])])
    with pytest.raises(DataError, match="does not say how all these values are ordered"):
        concat([one, two.declaring(["c", "b"])])
    with pytest.raises(DataError, match=r"'z' was given in one study.*study\.declaring\(\['a', 'b', 'd', 'z'\]\)"):
        concat([one, Annotations.of([("i", "cy", "z")])])


def test_declared_labels_without_an_order_are_put_together_and_numbers_in_theirs():
    one = Annotations.of([("i", "ann", "b")], values=["a", "b"])
    two = Annotations.of([("i", "bo", "b")], values=["c", "b"])
    both = concat([one, two])
    assert set(both.values) == {"a", "b", "c"}
    assert not both.in_order
    few = Annotations.of([("i", "ann", 5)], values=[1, 3, 5], ordered=True)
    assert concat([few, Annotations.of([("i", "bo", 4)])]).values == (1, 3, 4, 5)


# -- categories that nobody gave ---------------------------------------------------------------------------


def test_categories_that_nobody_gave_count_the_same_with_and_without_an_empty_row():
    pd = need("pandas")
    frame = pd.DataFrame(JUDGED, columns=["item", "annotator", "value"])
    frame["value"] = pd.Categorical(frame["value"], [*SCALE, "never"])
    empty = pd.DataFrame({"item": ["i9"], "annotator": ["ann"], "value": pd.Categorical([None], [*SCALE, "never"])})
    longer = pd.concat([frame, empty], ignore_index=True)
    for measure in (ia.bennett_s, ia.ac1):
        assert measure(frame).value == measure(longer).value == measure(JUDGED).value
    for table in (frame, longer):
        assert "'never' is a category that nobody gave, left out" in steps(Annotations.of(table), "dropped")
    declared = Annotations.of(frame, values=[*SCALE, "never"])
    assert len(declared.values) == 4
    wide = frame.pivot(index="item", columns="annotator", values="value")
    assert len(Annotations.of(wide).values) == 3


# -- rows and scans ----------------------------------------------------------------------------------------


def test_items_without_an_id_are_called_by_their_row_in_the_file(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("ann,bo\ncat,dog\ncat,cat\n\ndog,dog\n", encoding="utf-8")
    assert list(ia.read(path).single().items) == [2, 3, 5]
    assert list(Annotations.of({"ann": ["cat", "dog"], "bo": ["cat", "cat"]}).items) == [0, 1]


def test_ordinal_alpha_of_a_scan_with_many_numbers_needs_no_table():
    pl = need("polars")
    draw = np.random.default_rng(0)
    table = {
        "item": np.repeat(np.arange(30_000), 2),
        "annotator": np.tile([0, 1], 30_000),
        "value": draw.integers(0, 1000, 60_000),
    }
    with pytest.warns(RowsFetched, match="60,000 rows are fetched"):
        there = ia.alpha(ia.scan(pl.LazyFrame(table)), distance="ordinal")
    assert there.value == pytest.approx(ia.alpha(table, distance="ordinal").value)


def test_counts_too_many_for_a_table_of_pairs_say_so():
    from interagree.stats.labels.counts import Counts

    draw = np.random.default_rng(0)
    table = {
        "item": np.repeat(np.arange(6000), 2),
        "annotator": np.tile([0, 1], 6000),
        "value": draw.integers(0, 500, 12_000),
    }
    with pytest.raises(KindError, match="take alpha of the annotations themselves"):
        ia.alpha(Counts.of(Annotations.of(table)), distance="ordinal")


def test_a_scan_follows_the_same_rules_of_order():
    pl = need("polars")
    frame = pl.LazyFrame(JUDGED, schema=["item", "annotator", "value"], orient="row")
    with pytest.raises(DataError, match="ordered=True needs an order"):
        ia.alpha(ia.scan(frame, ordered=True))
    scale = ia.scan(frame.with_columns(pl.col("value").cast(pl.Enum(SCALE))))
    assert (scale.values, scale.in_order) == (tuple(SCALE), True)
    right = ia.alpha(Annotations.of(JUDGED, values=SCALE), distance="ordinal").value
    assert ia.alpha(scale, distance="ordinal").value == pytest.approx(right)


def test_whatever_is_wrong_with_a_frame_the_error_is_ours():
    pd = need("pandas")
    frames = [
        pd.DataFrame(),
        pd.DataFrame({0: [1]}),
        pd.DataFrame([[1, 2, 3]]),
        pd.DataFrame({("a", "b"): [1], ("a", 2): [3]}),
        pd.DataFrame(columns=["item", "annotator", "value"]),
        pd.Series([1, 2, 3]),
        pd.DataFrame({"x": [1, 2]}, index=pd.MultiIndex.from_tuples([(1, 2), (3, 4)])),
    ]
    for frame in frames:
        try:
            Annotations.of(frame)
        except InteragreeError:
            continue


@pytest.mark.parametrize("inside", [lambda v: [v], lambda v: (v,), lambda v: frozenset([v]), lambda v: {"a": v}])
@pytest.mark.parametrize("deep", [90, 300, 100_000])
def test_values_that_lie_inside_each_other_are_answered_or_refused(inside, deep):
    value = "x"
    for _ in range(deep):
        value = inside(value)
    data = {"ann": [value, "x"], "bo": ["x", value]}
    for call in (ia.alpha, ia.report, ia.disagreements):
        if deep < 100:
            assert str(call(data))
            continue
        with pytest.raises(DataError, match="inside each other too deeply"):
            call(data)


ROLES = ("item", "annotator", "value", "question", "attributes", "times")


@pytest.mark.parametrize("stated", [*({r: "lable"} for r in ROLES), {"item": ["item", "lable"]}], ids=str)
@pytest.mark.parametrize("header", ["item,annotator,label", "item,label,sure"])
def test_columns_that_several_files_do_not_have_are_named(tmp_path, stated, header):
    for name in ("ann", "bo"):
        (tmp_path / f"{name}.csv").write_text(f"{header}\n1,x,p\n1,y,q\n2,x,p\n2,y,p\n")
    with pytest.raises(ColumnNotFound, match="'lable'"):
        ia.read(tmp_path, **stated)


@pytest.mark.parametrize("made", ["{row}", "{file}"])
@pytest.mark.parametrize("role", ROLES)
def test_columns_that_are_made_are_taken_or_refused_in_every_role(tmp_path, role, made):
    for name in ("ann", "bo"):
        (tmp_path / f"{name}.csv").write_text("item,annotator,label\n1,x,p\n1,y,q\n2,x,p\n2,y,p\n")
    for place in (tmp_path, tmp_path / "ann.csv"):
        try:
            assert len(ia.read(place, **{role: made})) == 1
        except DataError:
            continue


def test_a_table_of_arrow_without_rows_is_refused_in_a_sentence(tmp_path):
    pa = pytest.importorskip("pyarrow")
    schema = pa.schema([("x", pa.string()), ("y", pa.string()), ("z", pa.float64())])
    with pa.OSFile(str(tmp_path / "empty.arrow"), "wb") as out, pa.ipc.new_file(out, schema):
        pass
    with pytest.raises(DataError, match="no column to take the item from"):
        ia.read(tmp_path / "empty.arrow")
