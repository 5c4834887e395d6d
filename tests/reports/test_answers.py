"""What commands show, from Python: coefficients, checks and catalogues."""

import pickle

import pytest

from interagree.errors import UnknownName
from interagree.reports import catalogue, check, coefficients
from interagree.results.agreement import IntervalOptions

LABELS = {"ann": ["cat", "dog", "dog", "cat"] * 20, "bo": ["cat", "dog", "cat", "cat"] * 20}
SCORES = {"ann": [1, 2, 3, 4, 5] * 5, "bo": [2, 2, 3, 4, 5] * 5}


def test_coefficients_are_broken_down_and_graded():
    answer = coefficients(LABELS, measures=["alpha"], by=["value"], scales=["landis_koch"])
    assert [*answer.tables()] == ["coefficients", "Krippendorff's alpha, by value"]
    assert "Krippendorff's alpha on the scale landis_koch" in str(answer)
    assert answer.undefined is None


def test_several_studies_are_named():
    answer = coefficients({"one": LABELS, "two": LABELS}, measures=["percent"])
    assert answer.table()["study"] == ["one", "two"]


def test_a_check_says_whether_all_pass_and_why():
    high = check(LABELS, at_least=0.05)
    assert (high.passes, high.exit_code) == (True, 0)
    low = check(LABELS, at_least=0.99)
    assert (low.passes, low.exit_code) == (False, 1)
    assert "the whole interval is below 0.99" in " ".join(str(low).split())
    assert check(LABELS, at_least=0.5, inconclusive="pass").passes


def test_a_check_advises_in_the_words_of_python():
    answer = check(SCORES, at_least=0.85, intervals=IntervalOptions(level=0.5))
    assert answer.exit_code == 2
    assert "pass ordered=True if they are a scale, or kind='labels' if they are not" in " ".join(str(answer).split())


def test_an_undefined_check_says_so():
    answer = check({"ann": ["a", "a"], "bo": ["a", "a"]}, at_least=0.5)
    assert answer.exit_code == 3
    assert answer.undefined


def test_a_catalogue_has_a_table_for_each_kind_of_thing():
    assert [*catalogue().tables()] == ["measures", "distances", "weights", "kinds", "readers", "writers", "scales"]
    assert "alpha" in catalogue("measures").table()["name"]
    with pytest.raises(UnknownName, match="Did you mean 'measures'"):
        catalogue("measure")


@pytest.mark.parametrize(
    "answer",
    [coefficients(LABELS, by=["annotator"]), check(SCORES, at_least=0.9), catalogue("weights")],
    ids=["coefficients", "check", "catalogue"],
)
def test_answers_survive_pickling_and_have_html(answer):
    again = pickle.loads(pickle.dumps(answer))
    assert str(again) == str(answer)
    assert "<table" in answer._repr_html_() or "<p>" in answer._repr_html_()
