"""Ask the peers, and write down what they say.

    python tests/oracles/make.py            all of them
    python tests/oracles/make.py nltk       one of them

Each peer lives in a virtual environment of its own, because some are GPL and one pins an old SciPy; none is
ever a dependency of ours.  The environments are kept in the user's cache folder and reused.  This script
needs nothing but the standard library and this tree.

Every answer is held to the definition (`interagree.reference`) before it is written.  An answer that differs is an
error here, unless it is one of the known differences below; those are written to ``known_differences.json``
with the number that the definition gives.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import venv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import definitions as by
from studies import Row, Study, studies, traps

HERE = Path(__file__).parent
PEERS = {
    "krippendorff": "krippendorff==0.9.0",
    "irrcac": "irrCAC==0.4.4",
    "statsmodels": "statsmodels==0.15.0",
    "sklearn": "scikit-learn==1.9.1",
    "pingouin": "pingouin==0.7.0",
    "nltk": "nltk==3.10.4",
}
Answer = dict[str, Any]


def main(names: Sequence[str]) -> None:
    """Make the files of these peers, or of all; the known differences only when all were asked."""
    unknown = sorted(set(names) - PEERS.keys())
    if unknown:
        raise SystemExit(f"no peer is called {', '.join(unknown)}; known: {', '.join(PEERS)}")
    asked = {peer: asked_of(peer) for peer in names or PEERS}
    for peer, said in asked.items():
        write(peer, said)
    if len(asked) == len(PEERS):
        write_definitions()
        write_known({case: found for said in asked.values() for case, found in said["traps"].items()})


def asked_of(peer: str) -> dict[str, Any]:
    """What a peer says about every study, run by the Python of its own environment."""
    everything = [study.to_dict() | {"weights": study.weights} for study in (*studies(), *traps())]
    script = HERE / "peers" / f"ask_{peer}.py"
    done = subprocess.run(  # our own script
        [environment(peer), "-B", str(script)],
        input=json.dumps(everything),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONHASHSEED": "0"},  # sums over sets of strings, to the last digit
    )
    if done.returncode:
        raise SystemExit(f"{peer} did not answer:\n{done.stderr}")
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def environment(peer: str) -> str:
    """The Python of the peer's environment, built on first use."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "interagree-oracles" / PEERS[peer]
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready = folder / "ready"
    if not ready.exists():
        print(f"building an environment with {PEERS[peer]}", file=sys.stderr)
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", PEERS[peer]], check=True)
        ready.touch()
    return str(python)


def write(peer: str, said: dict[str, Any]) -> None:
    """Check the answers of a peer and write its file, one line for each answer."""
    name, version = PEERS[peer].split("==")
    told = []
    for study in studies():
        answers = said["answers"][study.name]
        for answer in answers:
            check(peer, study, answer)
            if "old_formula" in answer:
                answer["right"] = alpha_right(study, answer)
        if answers:
            told.append(study.to_dict() | {"answers": answers})
    count = sum(len(study["answers"]) for study in told)
    head = {"peer": name, "version": version, "python": said["python"], "made_with": said["made_with"]}
    _dump(HERE / f"{peer}.json", head, told)
    print(f"{peer}: {count} answers on {len(told)} studies")


# What the definitions say


@dataclass(frozen=True)
class Odd(Exception):
    """An answer that no definition explains."""

    where: str
    said: float
    right: float

    def __str__(self) -> str:
        return f"{self.where}: the peer says {self.said!r}, the definition {self.right!r}"


def check(peer: str, study: Study, answer: Answer) -> None:
    """Hold an answer to the definition."""
    right = defined(study, answer["measure"], answer["options"])
    where = f"{peer}, {study.name}, {answer['peer_call']}"
    if not math.isclose(answer["value"], right, rel_tol=1e-10, abs_tol=1e-12):
        raise Odd(where, answer["value"], right)
    if answer["measure"] in ERRORS and "standard_error" in answer:
        if answer["measure"] == "bennett_s" and not study.complete:
            return  # Gwet's formula for items with one annotation is not a plain linearisation
        error = ERRORS[answer["measure"]](study.rows, by.table(study, answer["options"]))
        if not math.isclose(answer["standard_error"], error, rel_tol=1e-9):
            raise Odd(f"{where}, standard error", answer["standard_error"], error)


def defined(study: Study, measure: str, options: dict[str, Any]) -> float:
    """The value of a coefficient from its definition."""
    if measure == "f_score":  # F of the second annotator for one value, or over all of them, the first being right
        options = {key: float(option) if key == "beta" else option for key, option in options.items()}
    return by.value_of(study, measure, options)


ERRORS: dict[str, Callable[[Sequence[Row], by.Table], float]] = {
    "cohen_kappa": by.cohen_error,
    "scott_pi": by.scott_error,
    "bennett_s": by.bennett_error,
    "alpha": by.alpha_error,
}


def alpha_right(study: Study, answer: Answer) -> Answer:
    """Alpha's error, interval and p-value as corrected; the degrees of freedom count every item."""
    error = by.alpha_error(study.rows, by.table(study, answer["options"]))
    return _wald(answer["value"], error, len(study.rows))


def _wald(value: float, error: float, items: int) -> Answer:
    reach = error * by.t_quantile(0.95, items - 1)
    return {
        "standard_error": _short(error),
        "interval": [_short(value - reach), _short(min(1.0, value + reach))],
        "p_value": _short(by.t_two_sided(value / error, items - 1)),
    }


def write_definitions() -> None:
    """What no peer offers, from the definition alone: Kendall's W, Lin's CCC, distances of empty sets."""
    told = []
    for study in studies():
        answers = []
        if study.complete and study.scale in {"interval", "ratio"}:
            answers.append(_defined(study, "kendall_w", {}))
            if study.annotators == 2:
                answers.append(_defined(study, "lin_ccc", {}))
        if study.name == "sets_empty":
            answers += [_defined(study, "alpha", {"distance": name}) for name in ("masi", "jaccard")]
        if answers:
            told.append(study.to_dict() | {"answers": answers})
    head = {"peer": "definition", "version": "1", "python": sys.version.split()[0], "made_with": {}}
    _dump(HERE / "definition.json", head, told)


def _defined(study: Study, measure: str, options: dict[str, Any]) -> Answer:
    value = _short(defined(study, measure, options))
    return {"measure": measure, "options": options, "value": value, "peer_call": f"reference.{measure}"}


# Known differences


@dataclass(frozen=True)
class Difference:
    """One place where a peer and the definition part, and who is right."""

    case: str
    study: str
    measure: str
    options: dict[str, Any]
    call: str
    verdict: str  # "wrong", "convention" or "refuses"
    why: str
    part: str = "value"  # what of the result is compared
    outcome: str = "number"  # "number", "undefined" or "error": what the right answer is


def write_known(found: dict[str, Any]) -> None:
    """Put what the peers said beside what is right."""
    cases = []
    everything = {study.name: study for study in (*studies(), *traps())}
    for difference in KNOWN:
        study = everything[difference.study]
        right = RIGHT[difference.case](study) if difference.case in RIGHT else _plain_right(study, difference)
        said = found.pop(difference.case)
        if isinstance(said, float) and isinstance(right, float) and math.isclose(said, right, rel_tol=1e-6):
            raise Odd(difference.case, said, right)
        cases.append(
            {
                "case": difference.case,
                "peer": PEERS[difference.case.split("_")[0]],
                "peer_call": difference.call,
                "peer_says": said,
                "measure": difference.measure,
                "options": difference.options,
                "part": difference.part,
                "outcome": difference.outcome,
                "right": right,
                "verdict": difference.verdict,
                "why": difference.why,
                "study": study.to_dict(),
            }
        )
    if found:
        raise SystemExit(f"traps without an explanation: {', '.join(found)}")
    text = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    (HERE / "known_differences.json").write_text(f"[\n{text}\n]\n", encoding="utf-8")
    print(f"known differences: {len(cases)}")


def _plain_right(study: Study, difference: Difference) -> float | None:
    if difference.outcome != "number":
        return None
    return _short(defined(study, difference.measure, difference.options))


NOMINAL: dict[str, Any] = {}
KNOWN = [
    Difference(
        "krippendorff_narrow_integers",
        "interval_four",
        "alpha",
        {"distance": "interval"},
        "alpha(matrix.astype(uint8), level_of_measurement='interval')",
        "wrong",
        "differences are taken in the type of the input and wrap around: 3 - 5 is 254",
    ),
    Difference(
        "krippendorff_label_nan",
        "trap_label_nan",
        "alpha",
        {"distance": "nominal"},
        "alpha(lists of labels, level_of_measurement='nominal')",
        "wrong",
        'a label spelled "nan" is taken for a missing one',
    ),
    Difference(
        "irrcac_words_sorted",
        "ordinal_words",
        "fleiss_kappa",
        {"weights": "quadratic"},
        "raw.CAC(frame, weights='quadratic').fleiss()",
        "wrong",
        "without categories= words are put in alphabetical order: high, low, mid",
    ),
    Difference(
        "irrcac_declared_out_of_order",
        "ordinal_two",
        "fleiss_kappa",
        {"weights": "quadratic"},
        "raw.CAC(frame, weights='quadratic', categories=[3, 1, 2, 5, 4]).fleiss()",
        "wrong",
        "weights are made for the sorted numbers but counts follow the order given",
    ),
    Difference(
        "irrcac_unused_s",
        "nominal_unused",
        "bennett_s",
        NOMINAL,
        "raw.CAC(frame).bp()",
        "convention",
        "only values that were used count unless categories= is given; chance had five to choose from",
    ),
    Difference(
        "irrcac_unused_ac1",
        "nominal_unused",
        "ac1",
        NOMINAL,
        "raw.CAC(frame).gwet()",
        "convention",
        "only values that were used count unless categories= is given",
    ),
    Difference(
        "irrcac_ordinal_is_not_ordinal",
        "ordinal_missing",
        "alpha",
        {"distance": "ordinal"},
        "raw.CAC(frame, weights='ordinal', categories=values).krippendorff()",
        "convention",
        "Gwet's ordinal weights count the pairs of values in between, Krippendorff's ordinal distance the "
        "annotations in between; the first is weights='ordinal' here",
    ),
    Difference(
        "irrcac_ratio_zero",
        "ratio_zeros",
        "alpha",
        {"distance": "ratio"},
        "raw.CAC(frame, weights='ratio').krippendorff()",
        "refuses",
        "zero and zero are the same value, so their distance is 0 and nothing is divided by zero",
    ),
    Difference(
        "irrcac_table_positions",
        "interval_gaps",
        "cohen_kappa",
        {"weights": "quadratic"},
        "table.CAC(contingency, weights='quadratic').cohen()",
        "convention",
        "a contingency table knows positions 1, 2, 3, … and not the numbers; raw.CAC takes the numbers",
    ),
    Difference(
        "irrcac_table_negative_p",
        "nominal_opposed",
        "scott_pi",
        NOMINAL,
        "table.CAC(contingency).scott()",
        "wrong",
        "a negative coefficient is set to zero before the test, so p is 1 (cohen() alone does not do this)",
        part="p_value",
    ),
    Difference(
        "irrcac_s_one_sided",
        "nominal_guessed",
        "bennett_s",
        NOMINAL,
        "raw.CAC(frame).bp()",
        "wrong",
        "this p-value is one-sided, those of all other coefficients of the class are two-sided",
        part="p_value",
    ),
    Difference(
        "irrcac_alpha_error",
        "nominal_singles",
        "alpha",
        NOMINAL,
        "raw.CAC(frame).krippendorff()",
        "wrong",
        "the linearisation centres items of unequal size on the observed agreement after the small-sample "
        "correction instead of before; corrected in R's irrCAC 1.4",
        part="standard_error",
    ),
    Difference(
        "irrcac_alpha_interval",
        "nominal_singles",
        "alpha",
        NOMINAL,
        "raw.CAC(frame).krippendorff()",
        "wrong",
        "same error, and degrees of freedom from the pairable items only; R's irrCAC 1.4 counts all items",
        part="interval",
    ),
    Difference(
        "irrcac_no_spread",
        "interval_two_reals",
        "bennett_s",
        NOMINAL,
        "raw.CAC(frame).bp()",
        "wrong",
        "no two numbers are equal, so no item differs from the others and the error is 0; the peer puts in "
        "1e-15 and gets a p-value of 0 for a coefficient near 0",
        part="p_value",
        outcome="undefined",
    ),
    Difference(
        "irrcac_one_value_ac1",
        "trap_one_value",
        "ac1",
        NOMINAL,
        "raw.CAC(frame).gwet()",
        "wrong",
        "with one value chance cannot be estimated; the peer puts in 1 - 1e-15 and gets 1",
        outcome="undefined",
    ),
    Difference(
        "statsmodels_missing_is_a_value",
        "ordinal_missing",
        "fleiss_kappa",
        NOMINAL,
        "fleiss_kappa(aggregate_raters(matrix with nan)[0])",
        "wrong",
        "nan is counted as one more value",
    ),
    Difference(
        "statsmodels_unused_randolph",
        "nominal_unused",
        "randolph_kappa",
        NOMINAL,
        "fleiss_kappa(aggregate_raters(labels)[0], method='randolph')",
        "convention",
        "only values that were used count unless n_cat is given",
    ),
    Difference(
        "statsmodels_positions",
        "interval_gaps",
        "cohen_kappa",
        {"weights": "quadratic"},
        "cohens_kappa(to_table(numbers)[0], wt='quadratic')",
        "convention",
        "the table forgets the numbers, and weights= defaults to positions",
    ),
    Difference(
        "statsmodels_normal_interval",
        "nominal_two",
        "cohen_kappa",
        NOMINAL,
        "cohens_kappa(table): kappa_low, kappa_upp",
        "convention",
        "same error, normal quantile; ours has Gwet's t quantile with n - 1 degrees of freedom",
        part="interval",
    ),
    Difference(
        "statsmodels_null_p",
        "nominal_two",
        "cohen_kappa",
        NOMINAL,
        "cohens_kappa(table): pvalue_two_sided",
        "convention",
        "tests with the error under independence and the normal distribution, our method='null'; ours is the "
        "test that the interval belongs to",
        part="p_value",
    ),
    Difference(
        "sklearn_words_sorted",
        "ordinal_two_words",
        "cohen_kappa",
        {"weights": "quadratic"},
        "cohen_kappa_score(first, second, weights='quadratic')",
        "wrong",
        "without labels= words are put in alphabetical order: always, never, often, seldom",
    ),
    Difference(
        "sklearn_positions",
        "interval_gaps",
        "cohen_kappa",
        {"weights": "quadratic"},
        "cohen_kappa_score(first, second, weights='quadratic')",
        "convention",
        "weights count positions among the labels, not the numbers that the labels are",
    ),
    Difference(
        "sklearn_unused_positions",
        "ordinal_unused",
        "cohen_kappa",
        {"weights": "linear"},
        "cohen_kappa_score(first, second, weights='linear')",
        "convention",
        "levels that nobody used close up: 2 and 5 become neighbours unless labels= is given",
    ),
    Difference(
        "sklearn_missing_is_a_value",
        "nominal_two_missing",
        "conger_kappa",
        NOMINAL,
        "cohen_kappa_score(first, second) with nan among strings",
        "wrong",
        "nan is counted as one more label",
    ),
    Difference(
        "pingouin_duplicates",
        "interval_biased",
        "icc",
        {"form": "ICC(2,1)"},
        "intraclass_corr(long with one annotation given twice)",
        "wrong",
        "two annotations of one item by one annotator are averaged without a word",
        outcome="error",
    ),
    Difference(
        "nltk_max_distance",
        "ordinal_two",
        "cohen_kappa",
        {"weights": "linear"},
        "AnnotationTask(triples, abs difference).weighted_kappa(max_distance=4.0)",
        "wrong",
        "the expected disagreement is divided by max_distance, the observed one is not",
    ),
    Difference(
        "nltk_graded_kappa",
        "ordinal_two",
        "cohen_kappa",
        {"weights": "linear"},
        "AnnotationTask(triples, graded distance).kappa()",
        "wrong",
        "observed agreement uses the distance, expected agreement counts exact matches",
    ),
    Difference(
        "nltk_graded_pi",
        "ordinal_two",
        "scott_pi",
        {"weights": "linear"},
        "AnnotationTask(triples, graded distance).pi()",
        "wrong",
        "observed agreement uses the distance, expected agreement counts exact matches",
    ),
    Difference(
        "nltk_graded_s",
        "ordinal_two",
        "bennett_s",
        {"weights": "linear"},
        "AnnotationTask(triples, graded distance).S()",
        "wrong",
        "observed agreement uses the distance, expected agreement counts exact matches",
    ),
    Difference(
        "nltk_none_is_a_value",
        "nominal_missing",
        "alpha",
        {"distance": "nominal"},
        "AnnotationTask(triples with None).alpha()",
        "wrong",
        "None is counted as one more label unless missing_values=[None] is given",
    ),
    Difference(
        "nltk_unused_s",
        "nominal_unused",
        "bennett_s",
        NOMINAL,
        "AnnotationTask(triples).S()",
        "convention",
        "only labels that were used count; there is no way to declare the others",
    ),
    Difference(
        "nltk_empty_sets",
        "sets_empty",
        "alpha",
        {"distance": "masi"},
        "AnnotationTask(triples, masi_distance).alpha()",
        "refuses",
        "two empty sets are the same answer, so their distance is 0",
    ),
    Difference(
        "nltk_one_value",
        "trap_one_value",
        "alpha",
        {"distance": "nominal"},
        "AnnotationTask(triples).alpha()",
        "wrong",
        "nothing could have disagreed, so there is no ratio; the peer returns 1",
        outcome="undefined",
    ),
    Difference(
        "nltk_duplicates",
        "nominal_two",
        "alpha",
        {"distance": "nominal"},
        "AnnotationTask(triples with one annotation given twice).alpha()",
        "wrong",
        "a second label of one annotator counts as one more annotator of that item",
        outcome="error",
    ),
]


def _right(measure: str) -> Callable[[Study], Answer]:
    def nominal(study: Study) -> Answer:
        error = ERRORS[measure](study.rows, by.table(study, {}))
        return _wald(defined(study, measure, {}), error, len(study.rows))

    return nominal


_right_alpha, _right_cohen, _right_scott, _right_bennett = (
    _right(measure) for measure in ("alpha", "cohen_kappa", "scott_pi", "bennett_s")
)

# Where the right answer is not the value itself but a part of the test or interval around it.
RIGHT: dict[str, Callable[[Study], Any]] = {
    "irrcac_alpha_error": lambda study: _right_alpha(study)["standard_error"],
    "irrcac_alpha_interval": lambda study: _right_alpha(study)["interval"],
    "irrcac_table_negative_p": lambda study: _right_scott(study)["p_value"],
    "irrcac_s_one_sided": lambda study: _right_bennett(study)["p_value"],
    "statsmodels_normal_interval": lambda study: _right_cohen(study)["interval"],
    "statsmodels_null_p": lambda study: _right_cohen(study)["p_value"],
}


def _short(number: float) -> float:
    return float(f"{number:.15g}")


def _dump(path: Path, head: dict[str, Any], told: Iterable[dict[str, Any]]) -> None:
    """JSON with one line for each study and one for each of its answers, so that a difference can be read."""
    blocks = []
    for study in told:
        lines = ",\n".join("  " + json.dumps(answer, ensure_ascii=False) for answer in study["answers"])
        facts = {key: fact for key, fact in study.items() if key != "answers"}
        opening = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))[:-1]
        blocks.append(f' {opening},"answers":[\n{lines}\n ]}}')
    top = json.dumps(head, ensure_ascii=False)
    path.write_text(f'{top[:-1]}, "studies": [\n' + ",\n".join(blocks) + "\n]}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
