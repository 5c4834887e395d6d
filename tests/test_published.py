"""The numbers that papers, books and packages print, and the wrong ones that some of them print.

The papers are data: ``tests/published/README.md`` says how a file is written.  The parts of a coefficient are
checked and not only the ratio, because two wrong parts can make a right ratio.
"""

from __future__ import annotations

import json
import string
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import interagree as ia
from interagree import reference

FOLDER = Path(__file__).parent / "published"
Paper = Mapping[str, Any]
Row = tuple[int, str, Any]


def load(path: Path) -> Paper:
    # Decimals keep the digits as printed: 0.800 allows less than 0.8.
    return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)


PAPERS = {path.stem: load(path) for path in sorted(FOLDER.glob("*.toml"))}
EXPECTED = [
    pytest.param(paper, expect, id=f"{name}-{number}-{expect['measure']}")
    for name, paper in PAPERS.items()
    for number, expect in enumerate(paper.get("expect", ()), start=1)
]


HOW = frozenset(
    ("measure", "options", "distance_matrix", "of", "method", "sided", "source", "tolerance", "exact", "never")
)


# What the files say, as Python values


def plain(x: Any) -> Any:
    """Floats instead of decimals, all the way down."""
    if isinstance(x, Decimal):
        return float(x)
    if isinstance(x, list):
        return [plain(y) for y in x]
    return {k: plain(y) for k, y in x.items()} if isinstance(x, dict) else x


def grid(paper: Paper) -> list[list[Any]]:
    """Items by annotators, None where there is no annotation."""
    if "items" in paper:
        spelled = {str(value): value for value in plain(paper.get("values", []))}
        letters = {**spelled, **paper.get("letters", {}), "*": None}
        return [[letters[letter] for letter in word] for word in paper["items"].split()]
    if "matrix" in paper:
        return [[None if cell == "*" else cell for cell in row] for row in plain(paper["matrix"])]
    cell = {"sets": frozenset, "ranked": tuple}[paper["cells"]]
    return [[cell(labels) for labels in row] for row in paper["rows"]]


def annotators(paper: Paper) -> Sequence[str]:
    names: Sequence[str] = paper.get("annotators", string.ascii_uppercase)
    return names


def rows(paper: Paper) -> Iterator[Row]:
    for item, cells in enumerate(grid(paper), start=1):
        for annotator, value in zip(annotators(paper), cells, strict=False):
            if value is not None:
                yield item, annotator, value


def study(paper: Paper, of: Sequence[str] | None = None) -> Any:
    scale = {name: plain(paper[name]) for name in ("values", "ordered") if name in paper}
    if "counts" in paper:
        return ia.Annotations.from_counts(paper["counts"], **scale)
    if "table" in paper:
        names = tuple(annotators(paper)[:2])
        return ia.Annotations.from_contingency(paper["table"], annotators=names, **scale)
    return ia.Annotations.of([row for row in rows(paper) if of is None or row[1] in of], **scale)


def pairable(paper: Paper) -> int:
    """How many annotations are on an item that has at least two."""
    if "table" in paper:
        return 2 * sum(map(sum, paper["table"]))
    if "counts" in paper:
        return sum(sum(row) for row in paper["counts"] if sum(row) > 1)
    return sum(n for n in Counter(item for item, _, _ in rows(paper)).values() if n > 1)


# What the library says, under the names that the files use


def result_of(paper: Paper, expect: Paper) -> Any:
    options = plain(expect.get("options", {}))
    if "distance_matrix" in expect:
        options["distance"] = np.array(plain(expect["distance_matrix"]), dtype=float)
    return getattr(ia.measures, expect["measure"])(study(paper, expect.get("of")), **options)


def quantities(result: Any, paper: Paper, expect: Paper) -> dict[str, Callable[[], Any]]:
    how = {"method": expect.get("method", "analytic")}
    sided = {"sided": expect["sided"]} if "sided" in expect else {}

    def interval() -> list[float]:
        found = result.interval(level=0.95, **how)
        return [found.low, found.high]

    def by_value() -> list[float]:
        found = result.by_value().to_dict("agreement")
        return [found[value] for value in plain(paper["values"])]

    def satterthwaite() -> dict[str, float]:
        # R irr keeps F = MSR/MSE but refers it to the degrees of freedom of the interval of ICC(2,1).
        d, n, k = result.details, len(grid(paper)), len(grid(paper)[0])
        a = k * result.value / (n * (1 - result.value))
        between, rest = a * d["MSC"], (1 + a * (n - 1)) * d["MSE"]
        df = (between + rest) ** 2 / (between**2 / (k - 1) + rest**2 / ((n - 1) * (k - 1)))
        return {"df": df, "p": float(stats.f.sf(d["F"], n - 1, df))}

    def gwet_pa() -> float:
        n = pairable(paper)
        return float((1 - 1 / n) * (1 - result.disagreement.observed) + 1 / n)

    def gwet_pe() -> float:
        n = pairable(paper)
        return float(1 - result.disagreement.expected * (n - 1) / n)

    return {
        "value": lambda: result.value,
        "observed_agreement": lambda: result.observed_agreement,
        "expected_agreement": lambda: result.expected_agreement,
        "observed": lambda: result.disagreement.observed,
        "expected": lambda: result.disagreement.expected,
        "gwet_pa": gwet_pa,
        "gwet_pe": gwet_pe,
        "standard_error": lambda: result.standard_error(**how),
        "interval": interval,
        "p_value": lambda: result.p_value(**how, **sided),
        "z": lambda: result.value / result.standard_error(**how),
        "by_value": by_value,
        "maximum": lambda: result.details["maximum"],
        "details": lambda: result.details,
        "satterthwaite": satterthwaite,
    }


# Comparing them


def half_a_unit(printed: Decimal | int) -> float:
    return 0.5 * 10.0 ** int(Decimal(printed).as_tuple().exponent)


def printed_as(printed: Any, found: Any, tolerance: float | None = None) -> bool:
    """Whether a number would be printed like this; a list or table, whether each of its numbers would be."""
    if isinstance(printed, list):
        return len(printed) == len(found) and all(map(printed_as, printed, found))
    if isinstance(printed, dict):
        return all(printed_as(number, found[name]) for name, number in printed.items())
    allowed = half_a_unit(printed) if tolerance is None else tolerance
    return bool(abs(found - float(printed)) <= allowed + 1e-12)


def equals(exact: Any, found: Any) -> bool:
    if isinstance(exact, list):
        return len(exact) == len(found) and all(map(equals, exact, found))
    if isinstance(exact, dict):
        return all(equals(number, found[name]) for name, number in exact.items())
    if isinstance(exact, str):
        return bool(found == pytest.approx(float(Fraction(exact)), rel=0, abs=1e-12))
    return bool(found == pytest.approx(float(exact), rel=1e-9, abs=1e-15))


@pytest.mark.parametrize(("paper", "expect"), EXPECTED)
def test_gives_the_numbers_in_the_paper(paper: Paper, expect: Paper) -> None:
    found = quantities(result_of(paper, expect), paper, expect)
    for name in found.keys() & expect.keys():
        printed, ours = expect[name], found[name]()
        tolerance = plain(expect.get("tolerance", {})).get(name)
        assert printed_as(printed, ours, tolerance), f"{name}: {ours}, not {printed}"
    for name, exact in expect.get("exact", {}).items():
        ours = found[name]()
        assert equals(exact, ours), f"{name}: {ours}, not {exact}"
    for name, wrong in expect.get("never", {}).items():
        assert not printed_as(wrong, found[name]()), f"{name}: {wrong} is known to be wrong"


OF_NUMBERS = {"icc", "f_score", "kendall_w", "lin_ccc"}  # declared values are nothing to these
VALUES = [
    param
    for param in EXPECTED
    if {"value"} & {*param.values[1], *param.values[1].get("exact", {})}
    and param.values[1]["measure"] in reference.__all__
]


@pytest.mark.parametrize(("paper", "expect"), VALUES)
def test_the_definition_gives_the_number_in_the_paper(paper: Paper, expect: Paper) -> None:
    data = study(paper, expect.get("of"))
    if "counts" in paper:  # nobody's names are needed for what is computed from counts
        given = [[v for v, n in zip(data.values, row, strict=True) for _ in range(n)] for row in paper["counts"]]
        told = [(item, who, v) for item, values in enumerate(given) for who, v in enumerate(values)]
    else:
        told = list(data.rows())
    if len(told) > 400:
        pytest.skip("pair by pair, so many annotations take long")
    options = plain(expect.get("options", {}))
    if "distance_matrix" in expect:
        place, matrix = {value: k for k, value in enumerate(data.values)}, plain(expect["distance_matrix"])
        options["distance"] = lambda a, b: matrix[place[a]][place[b]]
    if expect["measure"] not in OF_NUMBERS | {"augmented_kappa"}:
        options["values"] = data.values
    if expect["measure"] in {"alpha", "ac2"} and not {"distance", "weights"} & options.keys():
        options |= {name: how for name, how in result_of(paper, expect).options.items() if how}  # by the level
    value = getattr(reference, expect["measure"])(told, **options)
    assert value is not None
    if "value" in expect:
        assert printed_as(expect["value"], float(value), plain(expect.get("tolerance", {})).get("value"))
    if "value" in expect.get("exact", {}):
        assert equals(expect["exact"]["value"], float(value))


@pytest.mark.parametrize("paper", [pytest.param(p, id=name) for name, p in PAPERS.items()])
def test_a_file_says_where_its_numbers_are_from_and_nothing_that_is_not_tested(paper: Paper) -> None:
    assert paper["paper"]
    assert paper["where"]
    if "expect" not in paper:
        return  # pairs of sets and bands of a scale have tests of their own
    assert len({"items", "matrix", "rows", "table", "counts"} & paper.keys()) == 1
    tested = quantities(None, paper, {}).keys()
    for expect in paper["expect"]:
        assert expect.keys() <= tested | HOW
        assert {*expect.get("exact", {}), *expect.get("never", {})} <= tested
        assert tested & {*expect, *expect.get("exact", {})}, "nothing is expected"


@pytest.mark.parametrize("name", [name for name, paper in PAPERS.items() if "misread" in paper])
def test_a_table_that_looks_misread_is_remarked_upon(name: str) -> None:
    paper = PAPERS[name]
    result = result_of(paper, paper["expect"][0])
    assert any(paper["misread"] in note for note in result.notes), result.notes


@pytest.mark.parametrize("pair", PAPERS["masi_pairs"]["pair"], ids=lambda pair: str(pair["sets"]))
def test_masi_is_one_minus_jaccard_times_monotonicity(pair: Paper) -> None:
    from interagree.plugins import DISTANCES

    a, b = map(frozenset, pair["sets"])
    for distance in (DISTANCES["masi"](a, b), DISTANCES["masi"](b, a)):
        assert equals(pair["distance"], distance)
        assert "never" not in pair or not equals(pair["never"], distance)


@pytest.mark.parametrize(("word", "numbers"), PAPERS["landis_koch_1977"]["bands"], ids=str)
def test_a_band_holds_its_upper_end_and_zero_is_slight(word: str, numbers: list[Decimal]) -> None:
    from interagree.results.scales import SCALES, band

    scale = PAPERS["landis_koch_1977"]["scale"]
    assert word in [name for _, name in SCALES[scale].bands]
    assert {float(number): band(float(number), scale=scale) for number in numbers} == {
        float(number): word for number in numbers
    }


# The whole reference collection, where it is at hand


NAMES = {
    "percent_agreement": "percent",
    "krippendorff_alpha": "alpha",
    "gwet_ac1": "ac1",
    "gwet_ac2": "ac2",
    "brennan_prediger": "bennett_s",
    "van_oest_ir2": "van_oest",
}
DISTANCES_BY_NAME = {
    "circular": "circular:period=5",
    "bipolar": "polar:low=1,high=5",
    "passonneau_2004": "passonneau2004",
    "artstein_poesio_table7": np.array([[0, 0.5, 0.5], [0.5, 0, 1], [0.5, 1, 0]]),
}


def call_for(reference: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The measure and its options for one entry of the collection."""
    name = NAMES.get(reference["coefficient"], reference["coefficient"])
    options: dict[str, Any] = {}
    for parameter, given in reference["params"].items():
        match parameter:
            case "weights" if name == "ac1" and given == "identity":
                pass  # AC1 is AC2 with these weights and takes no others
            case "weights" | "form":
                options[parameter] = given
            case "metric" | "delta":
                options["distance"] = DISTANCES_BY_NAME.get(given, given)
            case "weight_matrix":  # of disagreement
                options["distance"] = np.array(given, dtype=float)
            case "prior":
                options["prior"] = float(given[0])
            case "per_category" | "quantity":
                pass  # what to read off the result, and not what to compute
            case _:
                raise LookupError(f"nothing is known of the parameter {parameter} = {given!r}")
    return name, options


def value_of(result: Any, reference: Mapping[str, Any]) -> float:
    """The number that an entry is about: the coefficient, its largest value, or that of one value."""
    match reference["params"]:
        case {"per_category": value}:
            return float(result.by_value().to_dict("agreement")[value])
        case {"quantity": "kappa_max"}:
            return float(result.details["maximum"])
    return float(result.value)


def errors_of(reference: Mapping[str, Any]) -> dict[str, float]:
    """The standard error, interval and p that the collection has for an entry, with all digits."""
    details = reference.get("details_full_precision")
    if details is None:
        return {}
    return {
        "standard error": details["se"],
        "lower bound": details["ci"][0],
        "upper bound": details["ci"][1],
        "two-sided p": details["p_two"],
        "one-sided p": details["p_one"],
    }


def test_every_entry_of_the_reference_collection_is_met(shared: Path) -> None:
    missed = []
    for path in sorted((shared / "published" / "classic").glob("*.json")):
        source = json.loads(path.read_text(encoding="utf-8"))
        sets = any(isinstance(label, list) for _, _, label in source["rows"])
        annotations = ia.Annotations.of(
            [(i, a, frozenset(label) if sets else label) for i, a, label in source["rows"]],
            values=None if sets else source["categories"],
            ordered=source["scale"] != "nominal",
        )
        for case in source["expected"]:
            if case["params"].get("delta") == "dkpro_masi":
                continue  # known to be wrong: test_gives_the_numbers_in_the_paper holds us apart from it
            name, options = call_for(case)
            result = getattr(ia.measures, name)(annotations, **options)
            found = {"value": (value_of(result, case), case["full_precision"])}
            if wanted := errors_of(case):
                interval = result.interval(level=0.95, method="analytic")
                figures = (
                    result.standard_error(method="analytic"),
                    interval.low,
                    interval.high,
                    result.p_value(method="analytic"),
                    result.p_value(method="analytic", sided=1),
                )
                found |= {what: (ours, wanted[what]) for what, ours in zip(wanted, figures, strict=True)}
            missed += [
                f"{path.stem}: {what} of {name}({options}) is {ours}, not {theirs}"
                for what, (ours, theirs) in found.items()
                if not equals(theirs, ours)
            ]
    assert not missed, "\n".join(missed)
