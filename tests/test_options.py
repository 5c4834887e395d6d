"""Options are checked against what signatures declare: nonsense is answered with one of our own errors, or is valid.

Nonsense is drawn for every option of every measure, public function, method of an answer, reader and command, by what
the option is declared to take.  The ordinary suite tries a few for each; ``make slow`` tries all.
"""

from __future__ import annotations

import inspect
import math
import signal
import time
import typing
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import interagree as ia
from interagree._rooms import everything
from interagree.errors import InteragreeError, OptionError, UnknownWord
from interagree.errors.options import Anything, Signature, declared, wanted
from interagree.plugins import MEASURES, READERS

SECONDS = 20  # a call that takes longer hangs

NONSENSE: tuple[object, ...] = (
    None,
    "",
    "nonsense",
    " ",
    "\x00",
    -1,
    0,
    1,
    2,
    10**18,
    10**400,
    math.nan,
    math.inf,
    -math.inf,
    1e308,
    -0.5,
    0.5,
    2.5,
    True,
    False,
    b"bytes",
    [],
    (),
    {},
    set(),
    [None],
    ["nonsense", 3],
    [math.nan],
    [[1, 2], [3]],
    {"nonsense": 1},
    {1: {"x": math.nan}},
    object(),
    len,
    int,
    3 + 4j,
    np.array([1.0, np.nan]),
    np.zeros((2, 2)),
    np.float64("nan"),
    np.int64(-3),
    range(3),
    lambda *_: "nonsense",
    lambda: 1 / 0,
    Path("nowhere"),
)


class Hung(BaseException):
    """A call took too long."""


@contextmanager
def no_longer_than(seconds: int) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Hung

    # Processor time of this process, so that a busy machine makes no difference.
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def outcome(call: Callable[[], object]) -> str | None:
    """What is wrong with how a call ended; None where it gave something, or one of our errors."""
    try:
        with no_longer_than(SECONDS), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = call()
            str(made)
    except InteragreeError as error:
        if "\n" in str(error).strip() and type(error).__name__ != "DoubtfulReading":
            return f"several lines: {error}"
        return None if str(error) else "an error without a word"
    except Hung:
        return "takes too long"
    except Exception as error:  # noqa: BLE001 -- this is what is looked for
        return f"{type(error).__name__}: {error}"
    return None


# -- studies of every kind --------------------------------------------------------------------------------


def labels() -> ia.Annotations:
    rows = [(i, a, "xyz"[(i * (j + 1) + i // 3) % 3]) for i in range(12) for j, a in enumerate("abc")]
    item, annotator, value = zip(*rows, strict=True)
    groups = [f"d{i // 4}" for i in item]
    return ia.Annotations.from_columns(item, annotator, value, attributes={"document": groups})


def numbers() -> ia.Annotations:
    return ia.Annotations.of([(i, a, float((i * (j + 2)) % 7)) for i in range(9) for j, a in enumerate("abc")])


def spans() -> ia.Annotations:
    marked = {
        "a": [[[0, 3, "PER"], [10, 16, "LOC"]], [[4, 9, "PER"]], [[7, 11, "LOC"]]],
        "b": [[[0, 3, "PER"], [10, 18, "LOC"]], [[4, 9, "ORG"]], [[7, 11, "LOC"]]],
    }
    return ia.Annotations.of(marked, kind="spans")


def segments() -> ia.Annotations:
    return ia.Annotations.of({"a": [[2, 3, 6], [5, 5], [4, 4, 4]], "b": [[2, 4, 5], [5, 5], [4, 8]]}, kind="segments")


def clusters() -> ia.Annotations:
    marked = {
        "a": [[["Ada", "she"], ["notes"]], [["London", "it"]]],
        "b": [[["Ada", "she", "notes"]], [["London", "it"]]],
    }
    return ia.Annotations.of(marked, kind="clusters")


def rankings() -> ia.Annotations:
    return ia.Annotations.of(
        {"a": [["x", "y", "z"], ["y", "x", "z"]], "b": [["x", "z", "y"], ["y", "z", "x"]]}, kind="rankings"
    )


def dependencies() -> ia.Annotations:
    first = [[[2, "nsubj"], [0, "root"], [2, "obj"]], [[0, "root"], [1, "obj"]]]
    second = [[[2, "nsubj"], [0, "root"], [2, "iobj"]], [[0, "root"], [1, "obj"]]]
    return ia.Annotations.of({"a": first, "b": second}, kind="dependencies")


def relations() -> ia.Annotations:
    first = [[{"head": [0, 3, "PER"], "tail": [5, 9, "ORG"], "label": "works"}]]
    second = [[{"head": [0, 3, "PER"], "tail": [5, 8, "ORG"], "label": "works"}]]
    return ia.Annotations.of({"a": first, "b": second}, kind="relations")


def two() -> ia.Annotations:
    return labels().only(annotators="ab")


STUDIES: dict[str, Callable[[], ia.Annotations]] = {
    "numbers": numbers,
    "spans": spans,
    "segments": segments,
    "clusters": clusters,
    "rankings": rankings,
    "dependencies": dependencies,
    "relations": relations,
}


# -- the calls, each with one place for nonsense -----------------------------------------------------------


class Call(typing.NamedTuple):
    """A call that works, and the option that nonsense is put into."""

    name: str
    option: str
    made: Callable[[object], object]


def options_of(function: Callable[..., object]) -> list[str]:
    """The options of a function that are given by name."""
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)]


def calls_of(called: str, function: Callable[..., object], /, **working: Callable[[], object]) -> Iterator[Call]:
    """A call of a function for each of its options; the other options are as they work."""
    for option in options_of(function):

        def made(given: object, option: str = option) -> object:
            others = {name: make() for name, make in working.items() if name != option}
            return function(**others, **{option: given})

        yield Call(called, option, made)


def measures() -> Iterator[Call]:
    for name in MEASURES:
        measure = MEASURES[name]
        study = STUDIES.get(measure.facts.values, two if measure.facts.annotators == "two" else labels)
        if name == "lin_ccc":
            study = lambda: numbers().only(annotators="ab")  # noqa: E731 -- one of a few
        further = {"samples": lambda: 5} if "samples" in options_of(measure) else {}
        if name == "augmented_kappa":
            study = pairs
        yield from calls_of(name, measure, data=study, **further)


def pairs() -> ia.Annotations:
    return ia.Annotations.of([(i, a, (f"x{(i + j) % 2}", f"y{i % 3}")) for i in range(9) for j, a in enumerate("ab")])


def preferred() -> ia.Annotations:
    rows = [(i, a, "AB"[(i + j) % 2]) for i in range(12) for j, a in enumerate("abc")]
    item, annotator, value = zip(*rows, strict=True)
    order = ["AB" if i % 2 else "BA" for i in item]
    return ia.Annotations.from_columns(item, annotator, value, attributes={"order": order})


TEAMS = {"a": "one", "b": "one", "c": "two"}
WORKING: dict[str, dict[str, Callable[[], object]]] = {
    "align": {"data": spans, "document": lambda: 0},
    "alt_test": {"data": labels, "model": lambda: "c"},
    "as_segments": {"data": spans},
    "attribute_agreement": {"data": spans},
    "borda": {"data": rankings},
    "compare": {"first": labels, "second": two, "measure": lambda: "alpha"},
    "compare_distances": {"data": labels, "resamples": lambda: 5},
    "compare_groups": {"data": labels, "column": lambda: "document"},
    "concat": {"studies": lambda: [labels()]},
    "debiased_mean": {"data": numbers},
    "explain": {"measure": lambda: "alpha", "data": labels},
    "from_tags": {"tags": lambda: {"ann": {"d": ["B-PER", "O"]}, "bo": {"d": ["B-PER", "O"]}}},
    "from_units": {
        "document": lambda: ["d", "d"],
        "annotator": lambda: ["a", "b"],
        "start": lambda: [0, 1],
        "end": lambda: [2, 2],
        "label": lambda: ["x", "x"],
    },
    "gamma_k": {"data": spans, "category": lambda: "PER"},
    "grid": {"schemes": lambda: {"one": labels()}, "measure": lambda: "alpha"},
    "groups": {"data": labels, "by": lambda: TEAMS, "measure": lambda: "alpha"},
    "groups_agreement": {"data": labels, "groups": lambda: TEAMS, "resamples": lambda: 5},
    "in_tokens": {"study": spans},
    "interpret": {"result": lambda: ia.alpha(labels()), "scale": lambda: "landis_koch"},
    "judge": {"data": labels, "models": lambda: "c"},
    "marked_text": {"data": spans, "document": lambda: 0},
    "memory_limit": {},
    "noise_ceiling": {"data": numbers, "resamples": lambda: 5},
    "pairwise_f1": {"data": spans},
    "plan": {"data": labels, "half_width": lambda: 0.1, "rounds": lambda: 2},
    "preferences": {"data": preferred},
    "relation_agreement": {"data": relations},
    "report": {"data": labels},
    "semeval": {"data": spans},
    "shuffle": {
        "reference": lambda: dict(zip(range(5), "xyxyx", strict=True)),
        "repeats": lambda: 1,
        "magnitudes": lambda: [0.5],
    },
    "span_panel": {"data": spans},
    "span_report": {"data": spans},
    "span_types": {"data": spans},
    "timeline": {"data": spans, "document": lambda: 0},
    "to_tags": {"data": spans},
    "token_agreement": {"data": spans, "length": lambda: 20},
    "trimmed": {"study": spans},
    "variance_of_item_agreement": {"n": lambda: 3.0, "p": lambda: [0.5, 0.5]},
    "xrr": {"data": labels, "groups": lambda: TEAMS, "resamples": lambda: 5},
}


def functions(folder: Path) -> Iterator[Call]:
    path = folder / "labels.csv"
    path.write_text("item,annotator,label\n" + "".join(f"{i},{a},{'xy'[i % 2]}\n" for i in range(5) for a in "ab"))
    of_files: dict[str, dict[str, Callable[[], object]]] = {
        "read": {"path": lambda: path},
        "doctor": {"path": lambda: path},
        "write": {"data": labels, "path": lambda: folder / "written.csv"},
        "scan": {"relation": frame},
        "export": {
            "decisions": lambda: ia.crowd.majority_vote(labels()),
            "path": lambda: folder / "exported.jsonl",
            "to": lambda: "prodigy",
        },
    }
    for name, function in everything().items():
        if inspect.isfunction(function) and name not in MEASURES:
            yield from calls_of(name, function, **{**WORKING, **of_files}.get(name, {"data": labels}))


def frame() -> object:
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(labels().rows(), columns=["item", "annotator", "value"])


def reading() -> Iterator[Call]:
    """The options that say how a table is read, which all functions of data share."""
    rows = [(i, a, "xy"[(i + j) % 2]) for i in range(6) for j, a in enumerate("ab")]
    columns = {
        name: list(column) for name, column in zip(("item", "annotator", "value"), zip(*rows, strict=True), strict=True)
    }
    yield from calls_of("Annotations.of", ia.Annotations.of, data=lambda: rows)
    yield from calls_of("Annotations.of a dict", ia.Annotations.of, data=lambda: columns)
    study = {"item": lambda: [0, 1], "annotator": lambda: ["a", "b"], "value": lambda: ["x", "y"]}
    yield from calls_of("from_columns", ia.Annotations.from_columns, **study)
    yield from calls_of("from_counts", ia.Annotations.from_counts, counts=lambda: [[1, 2], [2, 1]])
    yield from calls_of("from_contingency", ia.Annotations.from_contingency, table=lambda: [[1, 2], [2, 1]])
    patterns = {"patterns": lambda: [["x", "y"]], "times": lambda: [2], "values": lambda: ["x", "y"]}
    yield from calls_of("from_patterns", ia.Annotations.from_patterns, **patterns)
    for name in ("only", "declaring", "versus_rest", "taken_as", "item_attribute"):
        needed = {"values": lambda: ["x", "y", "z"]} if name == "declaring" else {}
        yield from calls_of(f"Annotations.{name}", getattr(labels(), name), **needed)
    yield Call("Annotations.without", "names", lambda given: labels().without(given))


def answers() -> Iterator[Call]:
    """The methods of what functions return."""
    monitor = ia.Monitor()
    monitor.extend(range(6), "ababab", "xyxyxx")
    made: dict[str, Callable[[], object]] = {
        "Agreement": lambda: ia.alpha(labels()),
        "Table": lambda: ia.alpha(labels()).by_item(),
        "Monitor": lambda: monitor,
        "Wawa": lambda: ia.people.wawa(labels()),
        "People": lambda: ia.annotators(labels()),
        "Queue": lambda: ia.disagreements(labels()),
        "SoftLabels": lambda: ia.crowd.soft_labels(labels()),
        "LabelConsensus": lambda: ia.crowd.majority_vote(labels()),
        "Consensus": lambda: ia.crowd.medoid(rankings()),
        "Report": lambda: ia.report(labels()),
        "Judgement": lambda: ia.judge(labels(), models="c"),
        "Typology": lambda: ia.spans.span_types(spans()),
        "SpanReport": lambda: ia.spans.span_report(spans()),
        "MarkedText": lambda: ia.spans.marked_text(spans(), 0),
        "Timeline": lambda: ia.spans.timeline(spans(), 0),
        "DistanceComparison": lambda: ia.studies.compare_distances(labels(), resamples=5),
        "Difference": lambda: ia.compare(labels(), two(), measure="alpha"),
        "Shuffled": lambda: ia.studies.shuffle(dict(zip(range(5), "xyxyx", strict=True)), repeats=1, magnitudes=[0.5]),
        "Plan": lambda: ia.plan(labels(), half_width=0.1),
    }
    for name, make in made.items():
        answer = make()
        for method in dir(answer):
            function = getattr(answer, method)
            if method.startswith("_") or not inspect.ismethod(function) or inspect.isclass(function.__self__):
                continue
            if method in NOT_FOR_USERS:
                continue
            required = {
                one.name: one for one in inspect.signature(function).parameters.values() if one.default is one.empty
            }
            working = {one: NEEDED[one] for one in required if one in NEEDED}
            yield from calls_of(f"{name}.{method}", function, **working)


# Methods that other parts of the library call.
NOT_FOR_USERS = frozenset(
    {"called_with", "by_code", "marked_lines", "spans_of", "unit", "letter", "cost", "shared", "cached"}
)
NEEDED: dict[str, Callable[[], object]] = {
    "gold": lambda: {0: "x"},
    "most": lambda: 3,
    "name": lambda: "alpha",
    "magnitude": lambda: 0.5,
    "test": lambda: lambda _: True,
    "annotator": lambda: "a",
    "document": lambda: 0,
    "item": lambda: 3,
    "value": lambda: "x",
    "items": lambda: [3],
    "annotators": lambda: ["q"],
    "values": lambda: ["x"],
    "path": lambda: "answer.csv",
}


# -- what holds of all of them -----------------------------------------------------------------------------

GROUPS: dict[str, Callable[[Path], Iterator[Call]]] = {
    "measures": lambda _: measures(),
    "functions": functions,
    "reading": lambda _: reading(),
    "answers": lambda _: answers(),
}


def wrong(calls: Iterator[Call], nonsense: Callable[[int], typing.Iterable[object]]) -> list[str]:
    """The calls that end otherwise than with an answer or with an error of ours."""
    found = []
    for number, call in enumerate(calls):
        for given in nonsense(number):
            why = outcome(lambda call=call, given=given: call.made(given))
            if why is not None:
                found.append(f"{call.name}({call.option}={given!r}): {why}"[:300])
    return found


@pytest.mark.parametrize("group", GROUPS)
def test_nonsense_is_answered_with_a_sentence(group, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # Another one for each option, so that all sorts of nonsense are tried.
    assert not wrong(GROUPS[group](tmp_path), lambda number: (NONSENSE[number * 7 % len(NONSENSE)],))


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_all_nonsense_is_answered_with_a_sentence(group, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert not wrong(GROUPS[group](tmp_path), lambda _: NONSENSE)


WORDS = (
    "",
    "nonsense",
    "-1",
    "0",
    "1e400",
    "nan",
    "99999999999999999999",
    "a,b",
    "\x1b[31m",
    "[",
    "=",
    "x=y",
    "{",
    "é",
)
COMMANDS = {
    "annotators": ["labels.csv"],
    "check": ["labels.csv", "--at-least", "0.5"],
    "compare": ["labels.csv", "labels.csv"],
    "consensus": ["labels.csv"],
    "convert": ["labels.csv", "converted.csv"],
    "demo": [],
    "disagreements": ["labels.csv"],
    "distances": ["labels.csv", "--resamples", "5"],
    "doctor": ["labels.csv"],
    "explain": ["alpha", "labels.csv"],
    "judge": ["labels.csv", "--model", "c"],
    "list": ["measures"],
    "measure": ["labels.csv"],
    "plan": ["labels.csv", "--half-width", "0.1"],
    "report": ["labels.csv"],
    "shuffle": ["gold.csv", "--repeats", "1", "--magnitudes", "0,1"],
    "spans": ["spans.csv"],
    "timeline": ["spans.csv"],
    "watch": ["labels.csv", "--once"],
}


def on_the_command_line(folder: Path, words: Callable[[int], typing.Iterable[str]]) -> list[str]:
    """The commands that end as if interagree had an error of its own, for nonsense in every option of every command."""
    from click.testing import CliRunner

    from interagree.cli import main

    rows = "".join(f"{i},{a},{'xy'[(i + j) % 2]}\n" for i in range(9) for j, a in enumerate("abc"))
    (folder / "labels.csv").write_text(f"item,annotator,value\n{rows}")
    units = "".join(f"d{i},{a},{9 * i + j},{9 * i + 5},L\n" for i in range(3) for j, a in enumerate("ab"))
    (folder / "spans.csv").write_text(f"document,annotator,start,end,label\n{units}")
    (folder / "gold.csv").write_text("item,value\n" + "".join(f"{i},{'xy'[i % 2]}\n" for i in range(9)))
    found = []
    number = 0
    for name, arguments in COMMANDS.items():
        command = main.get_command(None, name)
        for param in command.params:
            if param.param_type_name != "option" or param.is_flag:
                continue
            number += 1
            for word in words(number):
                result = CliRunner().invoke(main, [name, *arguments, f"{param.opts[-1]}={word}"])
                if result.exit_code not in {0, 1, 2, 3} or not isinstance(result.exception, SystemExit | None):
                    found.append(f"{name} {param.opts[-1]}={word!r}: {result.exit_code} {result.output[-300:]}")
    return found


def test_annotations_that_import_something_are_evaluated():
    # What is written in C imports by the builtins of the code that calls it: time.strptime everywhere, and from Python
    # 3.14 on the union of a Literal and a Mapping.
    assert declared("time.strptime('2026', '%Y') and int", {"time": time}) is int
    union = declared("Literal['a'] | Mapping[str, float] | None", {"Literal": typing.Literal, "Mapping": Mapping})
    assert wanted(union).fits("a")


def test_nonsense_on_the_command_line_is_wrong_use(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert not on_the_command_line(tmp_path, lambda number: (WORDS[number % len(WORDS)],) if number % 5 == 0 else ())


@pytest.mark.slow
def test_all_nonsense_on_the_command_line_is_wrong_use(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert not on_the_command_line(tmp_path, lambda _: WORDS)


# -- how it is said ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "python", "command"),
    [
        (lambda r: r.interval(2), "level= takes a number between 0 and 1, not 2", "--level takes"),
        (lambda r: r.interval(seed=-1), "seed= takes a whole number from 0 up, not -1", "--seed takes"),
        (lambda r: r.interval(resamples=10**30), "from 2 to 10,000,000", "--resamples takes"),
        (lambda r: r.interval(method="botstrap"), "Did you mean method='bootstrap'?", "mean --method bootstrap?"),
        (lambda _: ia.icc(numbers(), form="ICC(2,2)"), "Did you mean form='ICC(2,k)'?", "mean -m icc:form=ICC(2,k)?"),
        (
            lambda _: ia.percent(labels(), tolerance=math.nan),
            "tolerance= takes a number from 0 up, not nan",
            "-m percent:",
        ),
        (lambda r: r.by_item().head("x"), "most= takes a whole number", "--most"),
        (lambda _: ia.Annotations.of([], missing=[{}]), "missing= takes", "--missing takes"),
    ],
)
def test_the_option_is_named_as_it_is_spelled(call, python, command):
    with pytest.raises(OptionError) as caught:
        call(ia.alpha(labels()))
    assert python in str(caught.value)
    assert command in caught.value.for_command_line()


def test_a_wrong_word_is_an_unknown_name_too():
    with pytest.raises(UnknownWord, match="method= takes one of 'auto'"):
        ia.alpha(labels()).interval(method="x")


def test_every_option_of_a_measure_says_what_it_takes():
    data = {"data", "others", "reading", "distance", "weights", "categories"}  # checked where they are taken apart
    for name in MEASURES:
        measure = MEASURES[name]
        namespace = vars(inspect.getmodule(inspect.unwrap(measure)))
        for option, parameter in inspect.signature(measure).parameters.items():
            if option not in data:
                assert declared(parameter.annotation, namespace) is not Anything, (name, option)


def test_a_type_alias_is_what_it_stands_for():
    class Alias:  # as typing.TypeAliasType of Python 3.12
        __value__ = float | None

    takes = wanted(Alias())
    assert takes.fits(0.5)
    assert takes.fits(None)
    assert not takes.fits("x")


def test_a_signature_is_checked_by_place_and_by_name():
    def function(count: int, word: typing.Literal["a", "b"] = "a", *, share: float = 0.5) -> None: ...

    takes = Signature(function)
    takes.check_all((1, "b"), {"share": 1})
    for given, options in (
        ((1.5,), {}),
        ((1, "c"), {}),
        ((), {"share": "x"}),
        ((True,), {}),
        ((1,), {"share": math.inf}),
    ):
        with pytest.raises(OptionError):
            takes.check_all(given, options)


def test_readers_take_options_by_their_signature(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("item,annotator,value\n1,a,x\n1,b,x\n")
    for options in (
        {"delimiter": "ab"},
        {"encoding": "foo"},
        {"encoding": "base64"},
        {"skip": -1},
        {"header": "maybe"},
    ):
        with pytest.raises(OptionError, match=f"{next(iter(options))}= takes"):
            READERS["csv"](path, **options)
