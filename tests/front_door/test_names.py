"""Familiar names find their measure; unknown ones get the nearest, not all of them."""

from __future__ import annotations

from collections import Counter

import pytest
from click.testing import CliRunner

import interagree as ia
from interagree.cli import main
from interagree.distances import find
from interagree.errors import UnknownName
from interagree.plugins import DISTANCES, MEASURES

TWO = (["a", "b", "a", "b"], ["a", "b", "b", "b"])


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("krippendorff_alpha", "alpha"),
        ("krippendorff", "alpha"),
        ("kripp.alpha", "alpha"),  # R's irr
        ("kappa", "cohen_kappa"),
        ("cohen", "cohen_kappa"),
        ("cohens_kappa", "cohen_kappa"),  # statsmodels
        ("cohen_kappa_score", "cohen_kappa"),  # scikit-learn
        ("kappa2", "cohen_kappa"),  # irr
        ("fleiss", "fleiss_kappa"),
        ("kappam.fleiss", "fleiss_kappa"),  # irr
        ("multi_kappa", "conger_kappa"),  # NLTK
        ("multi_pi", "fleiss_kappa"),
        ("kappam.light", "light_kappa"),  # irr
        ("gwet_ac1", "ac1"),
        ("gwet_ac2", "ac2"),
        ("brennan_prediger", "bennett_s"),
        ("bp.coeff", "bennett_s"),  # irrCAC
        ("scott", "scott_pi"),
        ("Scott's pi", "scott_pi"),
        ("agree", "percent"),  # irr
        ("percent_agreement", "percent"),
        ("intraclass_corr", "icc"),  # pingouin
        ("kendall", "kendall_w"),
        ("ccc", "lin_ccc"),
        ("f1_score", "f_score"),
        ("Cohen-Kappa", "cohen_kappa"),
    ],
)
def test_a_familiar_name_finds_its_measure(name: str, measure: str) -> None:
    assert MEASURES[name] is MEASURES[measure]
    if name.isidentifier() and name.islower():
        assert getattr(ia.measures, name) is MEASURES[measure]


def test_a_familiar_name_does_not_hide_another_measure() -> None:
    for registry in (MEASURES, DISTANCES):
        aliases = [a for one in registry.values() for a in getattr(one, "facts", one).aliases]
        assert not set(aliases) & set(registry)
    shared = [a for a, count in Counter(a for one in MEASURES.values() for a in one.facts.aliases).items() if count > 1]
    assert sorted(shared) == ["alpha_u", "gwet"]


@pytest.mark.parametrize(("name", "candidates"), [("gwet", ("ac1", "ac2")), ("alpha_u", ("u_alpha", "alpha_u_1995"))])
def test_a_name_that_two_measures_go_by_is_an_error_that_names_both(name: str, candidates: tuple[str, str]) -> None:
    with pytest.raises(UnknownName) as error:
        MEASURES[name]
    for one in candidates:
        assert repr(one) in str(error.value)
    with pytest.raises(AttributeError, match=candidates[0]):
        getattr(ia, name)


def test_kappa_of_three_annotators_says_which_kappas_there_are() -> None:
    with pytest.raises(TypeError, match=r"light_kappa.*conger_kappa or fleiss_kappa"):
        ia.kappa(*TWO, TWO[0])


def test_an_unknown_name_gets_the_nearest_and_not_all() -> None:
    with pytest.raises(UnknownName) as error:
        MEASURES["alfa"]
    assert "Did you mean 'alpha'" in str(error.value)
    assert "interagree list measures" in str(error.value)
    assert len(str(error.value)) < 150
    with pytest.raises(AttributeError, match="'alpha'"):
        _ = ia.alfa


def test_familiar_names_of_distances_are_found() -> None:
    assert find("bipolar:low=1,high=5").name == "polar"
    assert find("quadratic") is DISTANCES["interval"]
    assert find("binary_distance") is DISTANCES["nominal"]


@pytest.mark.parametrize(("irr", "gwet"), [("unweighted", "identity"), ("equal", "linear"), ("squared", "quadratic")])
def test_weights_go_by_the_names_of_irr_too(irr: str, gwet: str) -> None:
    pair = ([1, 2, 3, 4], [1, 3, 3, 2])
    assert ia.cohen_kappa(*pair, weights=irr).value == ia.cohen_kappa(*pair, weights=gwet).value


def test_the_command_line_knows_them_too(tmp_path) -> None:
    file = tmp_path / "labels.csv"
    rows = (f"{i},{who},{one}" for who, column in zip("xy", TWO, strict=True) for i, one in enumerate(column))
    file.write_text("\n".join(["item,annotator,value", *rows]), encoding="utf-8")
    for name in ("kappa", "cohen", "krippendorff", "fleiss"):
        told = CliRunner().invoke(main, ["measure", str(file), "-m", name])
        assert told.exit_code == 0, told.output
    told = CliRunner().invoke(main, ["measure", str(file), "-m", "gwet"])
    assert told.exit_code == 2
    assert "ac1" in told.output


def test_names_that_are_not_measures_are_not_looked_for_among_them() -> None:
    import interagree.cli

    assert ia.cli is interagree.cli
    assert not hasattr(ia, "__wrapped__")
