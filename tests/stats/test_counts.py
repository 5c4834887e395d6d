"""Counts that are kept: what is made once for a study is never that of other weights or other items."""

import numpy as np

import interagree as ia
from interagree.stats.engine.weights import Observed
from interagree.stats.labels.counts import Counts

STUDY = {"ann": ["a", "b", "a", "c"], "bo": ["a", "b", "b", None], "cy": ["a", "c", None, None]}


def test_counts_of_other_weights_make_their_own():
    counts = Counts.of(ia.Annotations.of(STUDY))
    some = counts.at_least(2)
    assert counts.at_least(2) is some
    assert counts.at_least(3) is not some
    twice = counts.weighted(Observed(2 * counts.weights.matrix()))
    assert twice.at_least(2).n.items == 2 * some.n.items
    assert counts.at_least(2) is some


def test_a_kept_statistic_gives_what_a_fresh_one_gives():
    study = ia.Annotations.of(STUDY)
    measures = [ia.alpha, ia.percent, ia.fleiss_kappa, ia.ac1, ia.conger_kappa]
    for distance in (None, "nominal"):
        for measure in measures:
            options = {} if distance is None or measure is ia.ac1 else {"distance": distance}
            first, again = measure(study, **options), measure(study, **options)
            fresh = measure(ia.Annotations.of(STUDY), **options)
            for result in (first, again):
                assert result.value == fresh.value
                assert result.interval(method="bootstrap") == fresh.interval(method="bootstrap")
                assert result.notes == fresh.notes
                assert dict(result.options) == dict(fresh.options)


def test_a_part_of_a_study_is_counted_anew():
    study = ia.Annotations.of(STUDY)
    whole = ia.alpha(study).value
    two = study.only(annotators=["ann", "bo"])
    assert ia.alpha(two).value == ia.alpha(STUDY["ann"], STUDY["bo"]).value
    assert ia.alpha(study).value == whole
    assert np.isfinite(whole)
