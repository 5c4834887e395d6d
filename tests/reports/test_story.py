"""The verdict and the advice of a report: what is said of which study, and that nothing is said of a sound one."""

from __future__ import annotations

import json
import math
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from flawed_studies import FLAWS, KINDS, MAKERS, SOUND, clean, sound, spans

import interagree as ia
from interagree.cli import main
from interagree.findings.labels import confused
from interagree.findings.words.english import two_digits
from interagree.plugins import MEASURES
from interagree.reports.parts import measured
from interagree.reports.story import Story, told, what_to_do
from interagree.results.agreement import IntervalOptions
from interagree.results.scales import SCALES, thresholds_fit, usual_scale
from interagree.stats.labels.width import items_for

ACCUSING = ("annotator", "labels", "items", "boundaries", "ends", "pair")


def story_of(data: object, **options: object) -> Story:
    return told(measured(ia.Annotations.of(data), **options), IntervalOptions())


def accused(story: Story) -> list[str]:
    return [finding.kind for finding in story.findings if finding.kind in ACCUSING]


# The habits of annotators, or else the kinds of findings, by which a flaw is called, and words that must be said.
CALLED = {
    "guesser": ("guess", "one label", "against"),
    "one label": ("one label",),
    "confused labels": ("labels",),
    "merged label": ("label",),
    "merged by half": ("label",),
    "boundary habit": ("boundaries",),
    "drift": ("drift",),
    "gradual drift": ("drift",),
    "drift of ratings": ("drift",),
    "biased pair": ("pair",),
    "shared bias": ("label", "pair", "labels"),
    "higher pair": ("shift", "pair"),
}
WORDS = {"one label": "'p'", "merged label": "'p' for", "merged by half": "'p' for", "confused labels": "'p' and 'q'"}


def names(flaw: str, study: ia.Annotations, story: Story) -> bool:
    """Whether a story names the flaw that a study was made with, those who have it, and nobody else."""
    calling = [finding for finding in story.findings if finding.about.get("habit", finding.kind) in CALLED[flaw]]
    if not calling or WORDS.get(flaw, "") not in calling[0].sentence:
        return False
    people = sorted(study.annotators)
    have = {"confused labels": 0, "merged by half": (len(people) - 1) // 2, "biased pair": 2, "shared bias": 2}
    guilty = {*people[len(people) - have.get(flaw, 2 if flaw == "higher pair" else 1) :]}
    named = {name for finding in story.findings for name in finding.about.get("annotators", ())}
    return named == guilty or (flaw == "boundary habit" and len(people) == 2)


RANKED = [["b", "c", "d"], ["c", "b", "d"], ["d", "b", "c"], ["b", "d", "c"]]  # places two to four of a ranking


# -- one known flaw, or none ----------------------------------------------------------------------------------


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_known_flaw_is_named(flaw: str) -> None:
    studies = [MAKERS[flaw](seed) for seed in range(5)]
    assert sum(names(flaw, study, told(measured(study), IntervalOptions())) for study in studies) >= 4


@pytest.mark.parametrize("kind", KINDS)
def test_of_a_sound_study_nothing_is_named(kind: str) -> None:
    for seed in range(5):
        assert accused(told(measured(clean(kind, seed)), IntervalOptions())) == [], seed


@pytest.mark.parametrize("kind", SOUND)
def test_what_is_no_flaw_is_not_named(kind: str) -> None:
    found = [accused(told(measured(sound(kind, seed)), IntervalOptions())) for seed in range(5)]
    assert sum(map(bool, found)) <= 1, found


@pytest.mark.slow
@pytest.mark.parametrize("flaw", FLAWS)
def test_a_known_flaw_is_named_95_times_in_100(flaw: str) -> None:
    studies = [MAKERS[flaw](seed) for seed in range(100)]
    named = sum(names(flaw, study, told(measured(study), IntervalOptions())) for study in studies)
    assert named >= 95, named


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_of_100_sound_studies_95_are_accused_of_nothing(kind: str) -> None:
    unaccused = sum(not accused(told(measured(clean(kind, seed)), IntervalOptions())) for seed in range(100))
    assert unaccused >= 95, unaccused


@pytest.mark.slow
@pytest.mark.parametrize("kind", SOUND)
def test_what_is_no_flaw_is_named_5_times_in_100_at_most(kind: str) -> None:
    unaccused = sum(not accused(told(measured(sound(kind, seed)), IntervalOptions())) for seed in range(100))
    assert unaccused >= 95, unaccused


# -- the verdict ------------------------------------------------------------------------------------------------


def agreeing(share: float, items: int = 400, labels: str = "abc", seed: int = 1) -> dict[str, list[str]]:
    """Two annotators who agree on about a share of the items."""
    rng = np.random.default_rng(seed)
    first = rng.choice(list(labels), items)
    second = np.where(rng.random(items) < share, first, rng.choice(list(labels), items))
    return {"ann": first.tolist(), "bo": second.tolist()}


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.4, "too low for publication-grade labels under Krippendorff's 0.667"),
        (0.67, "may or may not reach Krippendorff's 0.667"),
        (0.73, "enough for tentative conclusions under Krippendorff's 0.667, below his 0.800"),
        (0.8, "enough for tentative conclusions under Krippendorff's 0.667, may or may not reach his 0.800"),
        (0.95, "reliable under Krippendorff's 0.800"),
    ],
)
def test_the_interval_is_held_against_the_limits_and_not_the_value_alone(share: float, words: str) -> None:
    data = agreeing(share, items=4000 if share in (0.73, 0.95) else 400)
    assert words in story_of(data).verdict


def test_a_band_is_named_with_whose_it_is_and_spans_the_interval() -> None:
    verdict = story_of(agreeing(0.5, items=60)).verdict
    assert re.search(r"\(Landis & Koch 1977\)", verdict)
    assert " to " in verdict.partition("(Landis")[0]


def test_agreement_on_everything_is_said_so() -> None:
    same = ["a", "b"] * 30
    assert "annotators agree on everything" in story_of({"ann": same, "bo": same}).verdict


def test_what_has_no_interval_is_not_called_better_than_chance() -> None:
    ranked = ia.Annotations.of([("season", who, ["a", *rest, "e"]) for who, rest in zip("pqrs", RANKED, strict=True)])
    report = ia.report(ranked)
    assert report.parts[0].lead is not None
    assert abs(report.parts[0].lead.value) < 1e-9
    text = report.to_text()
    assert "No better than chance, as far as these data tell." in text
    assert "α 0.00" in text
    assert "e-1" not in text


def test_agreement_by_chance_is_not_called_slight() -> None:
    assert "not distinguishable from chance" in story_of(agreeing(0.0)).verdict


HALVES = ["a", "b"] * 40
UNDEFINED = {
    "one annotator": [(k, "ann", HALVES[k]) for k in range(80)],
    "one annotator, numbers": [(k, "ann", k * 0.37) for k in range(80)],
    "no item twice": [(k, "ann" if k < 50 else "bo", HALVES[k]) for k in range(80)],
    "one value": {"ann": ["a"] * 20, "bo": ["a"] * 20},
    "one value where two annotated": [*((k, who, "a") for k in range(20) for who in ("ann", "bo")), (20, "bo", "b")],
}


@pytest.mark.parametrize(
    ("case", "kind", "words"),
    [
        ("one annotator", "overlap", "Only ann has annotated"),
        ("one annotator, numbers", "overlap", "a second annotator do 30 of the 80 items"),
        ("no item twice", "overlap", "None of 80 items has annotations by two of the 2 annotators"),
        ("one value", "one value", "at most 14% of such items would (95% sure)"),
        ("one value where two annotated", "one value", "Others were given to 1 item with one annotation"),
    ],
)
def test_what_is_undefined_says_why_and_what_is_missing(case: str, kind: str, words: str) -> None:
    study = ia.Annotations.of(UNDEFINED[case])
    story = told(measured(study), IntervalOptions())
    assert "undefined" in story.verdict
    (finding,) = story.findings
    assert finding.kind == kind
    assert words in finding.sentence
    assert finding.command is not None
    assert str(eval(finding.command.python, {"interagree": ia, "study": study}))
    assert words in " ".join(ia.report(study).to_text().split())


def test_nothing_is_advised_where_there_is_nothing() -> None:
    story = told(measured(ia.Annotations.from_columns([], [], [])), IntervalOptions())
    assert "undefined" in story.verdict
    assert story.findings == ()


def test_one_value_of_several_that_were_declared_has_an_ac1() -> None:
    study = ia.Annotations.of(UNDEFINED["one value"], values=["a", "b"])
    (finding,) = told(measured(study), IntervalOptions()).findings
    assert finding.about["ac1"] == 1 == ia.ac1(study).value
    assert "AC1 1.00" in finding.sentence


@pytest.mark.parametrize("case", ["one annotator", "no item twice", "one value"])
def test_commands_for_what_is_undefined_run(case: str, tmp_path: Path) -> None:
    path = written(tmp_path, ia.Annotations.of(UNDEFINED[case]))
    report = CliRunner().invoke(main, ["report", str(path), "--json"])
    (finding,) = json.loads(report.stdout)["studies"][0]["advice"]
    answer = CliRunner().invoke(main, shlex.split(finding["command"])[1:])
    # Of what cannot be measured, `doctor` says so in its exit code, too.
    assert answer.exit_code == (3 if case == "no item twice" else 0), answer.output
    if case == "one value":
        assert "1.000" in answer.output


def test_counts_without_annotators_have_a_verdict() -> None:
    counts = np.random.default_rng(0).multinomial(5, [0.6, 0.3, 0.1], 80)
    story = told(measured(ia.Annotations.from_counts(counts)), IntervalOptions())
    assert story.verdict.startswith("α ")


def test_values_that_may_be_a_scale_are_told_both_ways() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 6, 200)
    data = {f"a{k}": np.clip(truth + rng.integers(-1, 2, 200), 1, 5).tolist() for k in range(3)}
    story = story_of(data)
    assert story.findings[0].kind == "reading"
    assert "taken as an ordered scale" in story.verdict


RATINGS = ("very bad", "bad", "mixed", "good", "very good")


def ratings(words: tuple[str, ...] = RATINGS, seed: int = 3) -> dict[str, list[str]]:
    """Three annotators who differ by one step of a scale, in words."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(words), 200)
    steps = {f"a{k}": np.clip(truth + rng.integers(-1, 2, 200), 0, len(words) - 1) for k in range(3)}
    return {name: [words[step] for step in column] for name, column in steps.items()}


def written_ratings(path: Path, words: tuple[str, ...] = RATINGS) -> Path:
    rows = [
        {"item": item, "annotator": name, "rating": word}
        for name, column in ratings(words).items()
        for item, word in enumerate(column)
    ]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def test_words_that_look_like_a_scale_are_told_both_ways_and_measured_as_labels() -> None:
    study = ia.Annotations.of(ratings())
    story = told(measured(study), IntervalOptions())
    nominal = ia.alpha(study).value
    ordinal = ia.alpha(study, values=RATINGS, ordered=True, distance="ordinal").value
    finding = story.findings[0]
    assert finding.kind == "reading"
    assert "The values look like an ordered scale (very bad < bad < mixed < good < very good)" in finding.sentence
    assert f"α would be {two_digits(ordinal)} instead of {two_digits(nominal)}" in finding.sentence
    assert story.verdict.startswith(f"α {two_digits(nominal)}")
    assert f"taken as an ordered scale, {two_digits(ordinal)}" in story.verdict
    assert (finding.about["as_scale"], finding.about["order"]) == (pytest.approx(ordinal), list(RATINGS))
    assert "labels" not in [one.kind for one in story.findings]  # neighbours on a scale are bound to be confused


@pytest.mark.parametrize("options", [{"distance": "nominal"}, {"measures": ["alpha:distance=nominal"]}], ids=str)
def test_who_names_a_distance_is_told_nothing_about_a_scale_of_words(options: dict[str, object]) -> None:
    assert "reading" not in [finding.kind for finding in story_of(ratings(), **options).findings]


def test_who_names_a_kappa_is_told_what_alpha_is_on_a_scale_of_words() -> None:
    finding = story_of(ratings(), measures=["fleiss_kappa"]).findings[-1]
    assert finding.kind == "reading"
    assert re.search(r"then ordinal α would be 0\.\d\d\.$", finding.sentence)


AWKWARD = ('1: bad, "very" bad', "2: it's so-so", "3: good, or nearly so", "4: $HOME & `good`", "5: très bon")


@pytest.mark.parametrize(
    "words", [RATINGS, AWKWARD, ("-1 = low", "0 = medium", "1 = high")], ids=lambda words: words[0]
)
def test_what_is_advised_for_words_on_a_scale_can_be_pasted(words: tuple[str, ...], tmp_path: Path) -> None:
    path = written_ratings(tmp_path / "my ratings.json", words)
    run = CliRunner().invoke(main, ["report", str(path), "--json"], catch_exceptions=False)
    finding = json.loads(run.output)["studies"][0]["advice"][0]
    assert finding["about"]["order"] == list(words)
    promised = two_digits(finding["about"]["as_scale"])
    answer = CliRunner().invoke(main, shlex.split(finding["command"])[1:], catch_exceptions=False)
    assert answer.exit_code == 0
    assert f"α {promised}" in " ".join(answer.output.split())
    study = ia.read(path).single()
    command = told(measured(study), IntervalOptions()).findings[0].command
    assert command is not None
    report = eval(command.python, {"interagree": ia, "study": study})
    assert f"\nα {promised}" in str(report)


@pytest.mark.parametrize("words", [RATINGS, AWKWARD], ids=lambda words: words[0])
def test_the_commands_of_measure_and_doctor_for_words_on_a_scale_can_be_pasted(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    path = written_ratings(tmp_path / "ratings.json", words)
    said = {"--values", "--ordered"}
    for command in ("measure", "doctor", "check --at-least 0"):
        text = CliRunner().invoke(main, [*shlex.split(command), str(path)], catch_exceptions=False).output
        told_so = " ".join(text.split())
        assert "if they are a scale" in told_so
        options = re.search(r"pass (--values .*? --ordered)", told_so)
        assert options is not None
        again = shlex.split(options[1])
        assert said <= {*again}
        answer = CliRunner().invoke(main, ["measure", str(path), *again], catch_exceptions=False)
        assert "alpha, ordinal" in answer.output


def test_words_whose_labels_were_merged_are_told_without_a_command_that_would_fail(tmp_path: Path) -> None:
    path = written_ratings(tmp_path / "ratings.json")
    command = ["report", str(path), "--merge-labels", "good,very good", "--json"]
    run = CliRunner().invoke(main, command, catch_exceptions=False)
    finding = json.loads(run.output)["studies"][0]["advice"][0]
    assert finding["about"]["order"] == list(RATINGS[:4])
    assert finding["command"] is None


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_only_coefficients_that_are_zero_under_chance_have_words_or_limits(name: str) -> None:
    facts = MEASURES[name].facts
    data = {"ann": [1, 2, 3, 4, 2, 1] * 5, "bo": [1, 2, 3, 4, 1, 1] * 5}
    if facts.values not in ("any", "numbers"):
        pytest.skip("is about other values")
    result = MEASURES[name](ia.Annotations.of(data, kind="numbers" if facts.values == "numbers" else "labels"))
    if facts.chance == "none" or facts.range[0] >= 0:
        assert usual_scale(result) is None
        assert not thresholds_fit(result)
    assert usual_scale(result) in (None, *SCALES)


# -- the advice ---------------------------------------------------------------------------------------------------


def test_the_number_without_somebody_is_the_coefficient_without_them() -> None:
    study = MAKERS["guesser"](0)
    finding = next(one for one in told(measured(study), IntervalOptions()).findings if one.kind == "annotator")
    without = ia.alpha(study.without(*finding.about["annotators"])).value
    assert finding.about["without"] == pytest.approx(without)
    assert finding.gain == pytest.approx(without - ia.alpha(study).value)
    assert f"{without:.2f}" in finding.sentence


def test_the_number_of_merged_labels_is_the_coefficient_of_the_recoded_study() -> None:
    study = MAKERS["confused labels"](1)
    finding = next(one for one in told(measured(study), IntervalOptions()).findings if one.kind == "labels")
    rows = [(item, who, "pq" if value in ("p", "q") else value) for item, who, value in study.rows()]
    assert finding.about["merged"] == pytest.approx(ia.alpha(ia.Annotations.of(rows)).value)


def test_merging_keeps_all_annotations_and_loses_one_label() -> None:
    study = ia.Annotations.of({"ann": ["a", "b", "c"], "bo": ["b", "b", "c"]})
    one = study.merge_labels("a", "b")
    assert one.values == ("a", "c")
    assert study.merge_labels("c", "a", "b").values == ("c",)
    assert "'b' taken as 'a' (3 annotations)" in one.provenance.policy()
    assert [value for _, _, value in one.rows()] == ["a", "a", "c", "a", "a", "c"]


def test_labels_that_are_mixed_up_evenly_are_not_called_confused() -> None:
    table = 10.0 * (1 - np.eye(4))
    assert confused(table, 60.0, np.full(4, 100.0)) == []
    table[0, 1] = table[1, 0] = 60.0
    pairs = confused(table, 110.0, np.full(4, 100.0))
    assert [(pair.first, pair.second) for pair in pairs] == [(0, 1)]


def test_two_labels_that_are_nearly_all_there_is_are_not_called_confused() -> None:
    # Two common labels and a rare one: most disagreement must be between the common ones.
    table = np.array([[0, 90.0, 5.0], [90.0, 0, 5.0], [5.0, 5.0, 0]])
    assert confused(table, 100.0, np.array([450.0, 450.0, 30.0])) == []


def test_the_items_advised_are_those_that_the_plan_wants() -> None:
    result = ia.alpha(agreeing(0.6, items=100))
    needed = items_for(result, 0.05)
    plan = ia.plan(ia.Annotations.of(agreeing(0.6, items=100)), measure="alpha", half_width=0.05)
    assert needed is not None
    assert any(f"{needed:,} items would do" in note for note in plan.notes)


def test_too_few_shared_items_are_said_first() -> None:
    rows = [(f"i{k}", "ann", "ab"[k % 2]) for k in range(200)] + [(f"i{k}", "bo", "ab"[k % 3 == 0]) for k in range(10)]
    story = story_of(rows)
    assert story.findings[0].kind == "overlap"
    assert "10 of 200" in story.findings[0].sentence


def test_somebody_who_is_always_higher_is_named() -> None:
    rng = np.random.default_rng(5)
    truth = rng.normal(50, 10, 100)
    data = {f"a{k}": (truth + rng.normal(0, 3, 100) + 3 * (k == 2)).tolist() for k in range(4)}
    (finding,) = [one for one in story_of(data).findings if one.kind == "annotator"]
    assert finding.about["annotators"] == ["a2"]
    assert finding.about["habit"] == "shift"
    assert "higher than others" in finding.sentence


def test_few_items_that_hold_most_of_the_disagreement_are_to_be_adjudicated() -> None:
    rng = np.random.default_rng(6)
    truth = rng.integers(0, 4, 400)
    given = np.tile(truth[:, None], 5)
    given[:20] = rng.integers(0, 4, (20, 5))
    easy = rng.random((400, 5)) < 0.01
    given = np.where(easy, rng.integers(0, 4, (400, 5)), given)
    story = story_of({f"a{k}": np.array(list("wxyz"))[given[:, k]].tolist() for k in range(5)})
    finding = next(one for one in story.findings if one.kind == "items")
    assert finding.about["items"] <= 20
    assert finding.gain > 0


def test_a_large_study_is_tested_on_some_of_its_items_and_says_so() -> None:
    rng = np.random.default_rng(7)
    items = 120_000
    truth = rng.integers(0, 3, items)
    value = np.where(rng.random((items, 2)) < 0.2, rng.integers(0, 3, (items, 2)), truth[:, None]).reshape(-1)
    study = ia.Annotations(
        np.repeat(np.arange(items), 2),
        np.tile(np.arange(2), items),
        value,
        range(items),
        ("ann", "bo"),
        ("x", "y", "z"),
    )
    story = told(measured(study, measures=["alpha"]), IntervalOptions())
    assert accused(story) == []
    assert any("of the 120,000 items, drawn at random" in note for note in story.notes)


# -- in reports ---------------------------------------------------------------------------------------------------


def written(folder: Path, study: ia.Annotations, name: str = "labels.csv") -> Path:
    path = folder / name
    lines = ["item,annotator,label", *(f"{item},{who},{value}" for item, who, value in study.rows())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_report_opens_with_the_verdict_and_the_advice_in_every_format() -> None:
    report = ia.report(MAKERS["guesser"](0))
    titles = [section.title for section in report.document().sections[:5]]
    assert titles == ["", "In short", "Overview", "What to do next", "The disagreement worth most a look"]
    for text in (report.to_text(), report.to_markdown(), report.to_latex()):
        assert "guesses" in text
    data = json.loads(report.to_json())["studies"][0]
    assert "guesses" in data["verdict"]
    assert data["advice"][0]["kind"] == "annotator"
    assert data["advice"][0]["command"].startswith("interagree.alpha(study.without(")


def test_several_studies_have_a_line_each_and_no_advice() -> None:
    report = ia.report({"first": agreeing(0.5), "second": agreeing(0.9)})
    document = report.document()
    assert document.sections[1].title == "In short"
    assert [line.partition(":")[0] for line in document.sections[1].lines][-2:] == ["first", "second"]
    assert "What to do next" not in [section.title for section in document.sections]


def test_each_question_has_its_verdict() -> None:
    study = ia.Study({"tone": ia.Annotations.of(agreeing(0.5)), "topic": ia.Annotations.of(agreeing(0.9))})
    sections = {section.title: section for section in ia.report(study).document().sections}
    assert sections["In short"].lines == [
        "The answers can be relied on: topic.", "Too low to rely on: tone."
    ]  # fmt: skip
    assert sections["tone: In short"].lines[0].startswith("α 0.")
    assert sections["Overview"].table["verdict"] == ["too low", "reliable"]


PROMISED = re.compile(r"(?:would be|F1 is) (-?\d\.\d\d) instead of")


def rounded(text: str) -> set[str]:
    """The numbers of a text, with two digits; they were rounded to three, so that either neighbour may be meant."""
    numbers = [float(number) for number in re.findall(r"-?\d+\.\d+", text)]
    return {two_digits(number + step) for number in numbers for step in (-0.0004, 0.0, 0.0004)}


@pytest.mark.parametrize("flaw", ["guesser", "confused labels", "drift", "biased pair"])
def test_commands_run_and_print_what_the_sentence_promises(flaw: str, tmp_path: Path) -> None:
    study = MAKERS[flaw](2)
    path = tmp_path / "my labels.csv"
    rows = zip(study.rows(), study.attributes.get("timestamp", [0] * len(study)), strict=True)
    lines = [f"{item};{who};{value};{time}" for (item, who, value), time in rows]
    path.write_text("\n".join(["unit;coder;code;timestamp", *lines]) + "\n", encoding="utf-8")
    given = [str(path), "--item", "unit", "--annotator", "coder", "--value", "code"]
    runner = CliRunner()
    report = runner.invoke(main, ["report", *given, "--json"])
    advice = json.loads(report.stdout)["studies"][0]["advice"]
    assert advice
    for finding in advice:
        words = shlex.split(finding["command"])
        assert words[0] == "interagree"
        answer = runner.invoke(main, words[1:])
        assert answer.exit_code == 0, (finding["command"], answer.output)
        if finding["kind"] in ("annotator", "labels", "pair"):
            assert {*PROMISED.findall(finding["sentence"])} <= rounded(answer.output), finding
            assert finding["kind"] != "labels" or "taken as 'p'" in answer.output  # the policy


@pytest.mark.parametrize("flaw", FLAWS)
def test_calls_in_python_run_and_print_what_the_sentence_promises(flaw: str) -> None:
    study = MAKERS[flaw](2)
    findings = told(measured(study), IntervalOptions()).findings
    assert findings
    for finding in findings:
        if finding.command is not None:
            answer = eval(finding.command.python, {"interagree": ia, "study": study})
            assert answer is not None
            if finding.kind in ("annotator", "labels", "pair", "boundaries", "ends"):
                assert {*PROMISED.findall(finding.sentence)} <= rounded(str(answer)), finding


def test_a_habit_of_one_of_two_annotators_prints_both_f1(tmp_path: Path) -> None:
    study = spans(np.random.default_rng(4), 40, 2, longer=0.5)
    finding = next(one for one in told(measured(study), IntervalOptions()).findings if one.kind == "boundaries")
    assert finding.command is not None
    answer = str(eval(finding.command.python, {"interagree": ia, "study": study}))
    assert {two_digits(finding.about[name]) for name in ("strict_f1", "lenient_f1")} <= rounded(answer)
    path = tmp_path / "spans.jsonl"
    ia.write(study, path)
    words = shlex.split(finding.command.command.replace("FILE", f"{path} --kind spans"))
    printed = CliRunner().invoke(main, words[1:])
    assert printed.exit_code == 0, printed.output
    assert {two_digits(finding.about[name]) for name in ("strict_f1", "lenient_f1")} <= rounded(printed.output)


def test_more_than_five_annotators_are_left_out_by_name() -> None:
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 3, 200)
    data = {f"a{k}": np.where(rng.random(200) < 0.9, truth, 0).tolist() for k in range(15)}
    data |= {f"z{k}": rng.integers(0, 3, 200).tolist() for k in range(6)}
    study = ia.Annotations.of(data, kind="labels")
    finding = next(one for one in told(measured(study), IntervalOptions()).findings if one.kind == "annotator")
    assert len(finding.about["annotators"]) == 6
    assert finding.command is not None
    assert finding.command.command.count("--without") == 6
    value = eval(finding.command.python, {"interagree": ia, "study": study}).value
    assert {two_digits(value)} == {*PROMISED.findall(finding.sentence)}


def test_labels_are_merged_where_a_file_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, ia.Annotations.of({"ann": ["a", "b", "c"], "bo": ["b", "b", "c"]}))
    for merge_labels in (["a,b"], [("a", "b")]):
        assert ia.read(path, merge_labels=merge_labels).single().values == ("a", "c")
    shown = CliRunner().invoke(main, ["report", str(path), "--merge-labels", "a,b"]).output
    assert "'b' taken as 'a' (3 annotations)" in " ".join(shown.split())
    wrong = CliRunner().invoke(main, ["report", str(path), "--merge-labels", "a,d"])
    assert wrong.exit_code != 0
    assert "there is no label 'd' to merge" in wrong.output
    with pytest.raises(ia.errors.DataError, match="two labels or more"):
        ia.read(path, merge_labels=["a"])


def test_numbers_to_merge_may_be_spelled() -> None:
    study = ia.Annotations.of({"ann": [1, 2, 3], "bo": [2, 2, 3]}, kind="labels")
    assert study.merge_labels("2", 3).values == (1, 2)


# -- a sentence for a paper ---------------------------------------------------------------------------------------


def test_a_sentence_has_everything_that_a_paper_needs() -> None:
    result = ia.alpha(agreeing(0.6))
    interval = result.interval()
    assert interval is not None
    sentence = result.sentence()
    for part in (
        *("Krippendorff's alpha", f"α = {result.value:.2f}", f"{interval.low:.2f} to {interval.high:.2f}"),
        *("95%", "over items", "400 items", "2 annotators", "800 annotations", f"interagree {ia.__version__}"),
    ):
        assert part in sentence
    assert sentence.endswith(".")


def test_a_sentence_says_how_its_interval_was_found() -> None:
    result = ia.alpha(agreeing(0.6))
    sentence = result.sentence(0.9, method="bootstrap", resamples=200, seed=4)
    assert "90% confidence interval" in sentence
    assert "by the percentile bootstrap with 200 resamples, seed 4" in sentence


def test_an_undefined_coefficient_is_a_sentence_too() -> None:
    result = ia.alpha({"ann": ["a", "a"], "bo": ["a", "a"]})
    assert math.isnan(result.value)
    assert "is undefined for these data" in result.sentence()


def test_reports_and_coefficients_give_a_sentence_for_each_study() -> None:
    studies = {"first": agreeing(0.5), "second": agreeing(0.9)}
    for answer in (ia.report(studies), ia.reports.coefficients(studies)):
        first, second = answer.sentence().split("\n")
        assert first.startswith("first: Krippendorff's alpha (nominal) was α = ")
        assert second.startswith("second: ")


@pytest.mark.parametrize("command", ["measure", "report"])
def test_the_command_line_prints_the_sentence_alone(command: str, tmp_path: Path) -> None:
    path = written(tmp_path, ia.Annotations.of(agreeing(0.6)))
    runner = CliRunner()
    shown = runner.invoke(main, [command, str(path), "--sentence"])
    assert shown.exit_code == 0
    assert shown.stdout.count("\n") == 1
    assert "95% confidence interval" in shown.stdout
    data = json.loads(runner.invoke(main, [command, str(path), "--sentence", "--json"]).stdout)
    assert data["sentences"][0]["sentence"] == shown.stdout.strip()


def test_with_pseudonyms_no_command_names_anybody(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 200)
    lines = ["item,annotator,label"]
    for who in ("zoe", "yan", "xia", "wim", "vic"):
        said = rng.integers(0, 3, 200) if who == "vic" else np.where(rng.random(200) < 0.9, truth, 0)
        lines += [f"i{place},{who},{'pqr'[label]}" for place, label in enumerate(said.tolist())]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(lines))
    plain = CliRunner().invoke(main, ["report", str(path)]).output
    assert "--without vic" in plain
    hidden = CliRunner().invoke(main, ["report", str(path), "--pseudonyms", "--without", "wim"]).output
    assert "guess" in hidden
    assert not re.search("zoe|yan|xia|wim|vic|--without", hidden)


def test_two_who_give_one_label_most_of_the_time_do_not_copy() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 300)
    data = {f"a{k}": np.where(rng.random(300) < 0.9, truth, 1 - truth).tolist() for k in range(5)}
    data |= {f"lazy{k}": (rng.random(300) < 0.9).astype(int).tolist() for k in range(2)}
    story = told(measured(ia.Annotations.of(data, kind="labels")), IntervalOptions())
    assert "pair" not in accused(story)
    assert "annotator" in accused(story)


def test_labels_with_a_distance_of_their_own_are_not_tested_for_confusion() -> None:
    study = MAKERS["confused labels"](1)
    told_plainly = told(measured(study), IntervalOptions())
    assert "labels" in accused(told_plainly)
    items, people = np.array(study.items)[study.item], np.array(study.annotators)[study.annotator]
    rows = zip(items.tolist(), people.tolist(), study.value.tolist(), strict=True)
    numbered = ia.Annotations.of([*rows], kind="labels")
    assert "labels" in accused(told(measured(numbered), IntervalOptions()))
    nearer = told(measured(numbered, measures=["alpha:distance=interval"]), IntervalOptions())
    assert "labels" not in accused(nearer)


def test_a_wide_interval_is_told_where_the_items_that_would_decide_a_limit_are_out_of_reach() -> None:
    rare = {"ann": ["a"] * 17 + ["b"] * 3, "bo": ["a"] * 17 + ["b"] * 3, "cy": ["a"] * 14 + ["b"] * 6}
    (finding,) = story_of(rare).findings
    assert finding.kind == "amount"
    assert finding.sentence.startswith("The interval is wide (± 0.4")
    assert finding.about["half_width"] in (0.1, 0.15, 0.2)
    assert finding.about["threshold"] is None
    assert finding.command is not None
    plan = eval(finding.command.python, {"interagree": ia, "study": ia.Annotations.of(rare)})
    assert any(f"{finding.about['items']:,} more than there are" in note for note in plan.notes)


@pytest.mark.parametrize("seed", [0, 2, 6, 7])  # whose intervals hold a limit
def test_the_command_prints_the_number_of_items_that_is_promised(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, 150)
    data = {
        f"a{k}": ["abc"[label if rng.random() < 0.87 else rng.integers(0, 3)] for label in truth.tolist()]
        for k in range(3)
    }
    finding = next(one for one in story_of(data).findings if one.kind == "amount")
    assert finding.command is not None
    plan = eval(finding.command.python, {"interagree": ia, "study": ia.Annotations.of(data)})
    (more,) = [int(found[1].replace(",", "")) for note in plan.notes if (found := re.search(r": ([\d,]+) more", note))]
    assert more <= finding.about["items"] <= 1.1 * more  # two digits of it


def test_who_gave_an_answer_is_named_or_counted_and_never_cut_in_the_middle() -> None:
    people = [f"physician {k}" for k in range(9)]
    rows = [(0, who, "yes" if k < 6 else "no") for k, who in enumerate(people)]
    rows += [(1, who, "yes") for who in people] + [(2, "a", "yes"), (2, "b", "no")]
    text = ia.report(ia.Annotations.of(rows)).to_text()
    assert "6 annotators  yes" in text
    assert "3 annotators  no" in text


def test_one_item_is_called_the_item() -> None:
    (finding,) = story_of([("only", "ann", "a")]).findings
    assert "Let a second annotator do the item before anything is concluded" in finding.sentence


def test_labels_that_are_numbers_stand_in_quotes_beside_numbers() -> None:
    text = str(ia.report({"ann": ["1", "2", "2", "1"] * 5, "bo": ["1", "2", "1", "1"] * 5}, kind="labels", full=True))
    assert "1 × '1', 1 × '2'" in text
    assert "Values: '1' 62%, '2' 38%." in text
    words = {"ann": ["a", "b", "b", "a"] * 5, "bo": ["a", "b", "a", "a"] * 5}
    assert "1 × a, 1 × b" in str(ia.report(words, full=True))


def test_advice_on_several_questions_is_numbered_throughout() -> None:
    several = {"first": ratings(), "second": ratings(("low", "medium", "high"))}
    report = ia.report(several)
    advice = what_to_do(report.parts, IntervalOptions())
    text = "\n".join(line for section in advice for line in section.lines)
    numbered = re.findall(r"^(\d)\. (first|second): ", text, re.MULTILINE)
    assert [int(number) for number, _ in numbered] == [*range(1, len(numbered) + 1)]
    assert {name for _, name in numbered} == {"first", "second"}
