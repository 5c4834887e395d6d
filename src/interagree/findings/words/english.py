"""Findings in English: for each code a function that makes sentences, and a clause, of the numbers of a finding.

Nothing else in the package words a finding, and nothing reads what is made here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from interagree.data.provenance import counted
from interagree.tables import places

if TYPE_CHECKING:
    from interagree.findings.finding import Finding

Words: TypeAlias = tuple[str, str]  # sentences, and the same as a clause
Worder: TypeAlias = Callable[["Finding"], Words]

WORDS: dict[str, Worder] = {}
NAMED = 5  # names that are written out
EXAMPLES = 3  # annotators of one habit whose reasons are told
ROUGH = 30  # items below which a figure is a rough one
SEEN = 0.02  # the share of the ends of a scale from which they are told
TELLING = 0.05  # how far off an ordered scale must be to be said first
DIGITS = 3  # digits of a name that may be read as an amount
HERE = " on these items"
TESTS = ("agreement", "distance", "label", "shift", "narrow", "gold", "repeats", "drift")
LEAVE = "Leave their annotations out, or brief them again"


def says(*codes: str) -> Callable[[Worder], Worder]:
    """Declare the function that words some codes."""

    def declare(worder: Worder) -> Worder:
        WORDS.update(dict.fromkeys(codes, worder))
        return worder

    return declare


# -- parts of sentences ------------------------------------------------------------------------------------------


def two_digits(number: float) -> str:
    """A number with two digits, and no minus before a zero."""
    return f"{round(number, 2) + 0.0:.2f}"


def p_words(p: float) -> str:
    """A p-value as reports print it."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def names_of(names: Sequence[object], most: int = NAMED) -> str:
    """Names in a sentence, the first few of many."""
    shown = [_name(name) for name in names]
    if len(shown) > most:
        return f"{len(shown):,} annotators ({', '.join(shown[:most])}, …)"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _name(name: object) -> str:
    """A name in a sentence; a short number in quotes, as it would be read as an amount."""
    return repr(str(name)) if str(name).isdigit() and len(str(name)) <= DIGITS else str(name)


def _instead(coefficient: Mapping[str, Any], other: float | None) -> str:
    """What the leading coefficient would be; empty where that is not known."""
    if other is None:
        return ""
    return f"{coefficient['symbol']} would be {two_digits(other)} instead of {two_digits(coefficient['value'])}"


def _range(numbers: Sequence[float], word: Callable[[float], str]) -> str:
    low, high = word(min(numbers)), word(max(numbers))
    return low if low == high else f"{low} to {high}"


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


# -- what the tests of annotators find ------------------------------------------------------------------------------


def _score(score: float, *, of_chance: bool) -> str:
    return f"{score:.2f} of chance" if of_chance else f"{score:.2f}"


def _shift(by: float, *, steps: bool) -> str:
    return f"{abs(by):.3g} {'steps ' if steps else ''}{'higher' if by > 0 else 'lower'} than others"


def _shares_of_label(about: Mapping[str, Any]) -> str:
    shares = f"{about['own']:.0%} of the time where others give it {about['others']:.0%} of the time"
    return f"{about['label']!r} {shares}"


def _difference(finding: Finding, *, here: str = HERE) -> str:
    """How an annotator differs, without the p-value; ``here`` is said where it is on the same items."""
    about = finding.about
    match finding.test:
        case "agreement" | "distance":
            own, expected = (_score(about[name], of_chance=about["of_chance"]) for name in ("own", "expected"))
            return f"{finding.test} {own} where {expected} is expected{here}"
        case "label":
            return f"gives {_shares_of_label(about)}{here}"
        case "shift":
            return f"is {_shift(about['higher'], steps=about['steps'])}{here}"
        case "narrow":
            own, others = (f"{about[name]:.0%}" for name in ("own_ends", "others_ends"))
            ends = f", and the ends of the scale {own} of the time where others give them {others}"
            nearer = f"gives answers {about['less']:.0%} nearer to the middle of the scale than others{here}"
            return f"{nearer}{ends if about['others_ends'] >= SEEN else ''}"
        case "gold":
            own, expected = (_score(about[name], of_chance=about["of_chance"]) for name in ("own", "expected"))
            word = "right" if about["bounded"] else "distance to"
            return f"{word} gold {own} where others on these items have {expected}"
        case "repeats":
            return f"repeats the previous label {about['own']:.0%} of the time, expected {about['expected']:.0%}"
    if "steps" in about:
        first, second = (_shift(about[half], steps=about["steps"]) for half in ("first", "second"))
        return f"is {first} in the first half of the time and {second} in the second"
    first, second = (_score(about[half], of_chance=about["of_chance"]) for half in ("first", "second"))
    word = "agreement" if about["bounded"] else "distance"
    return f"{word} went from {first} in the first half of the time to {second} in the second"


@says(*(f"differs.{test}" for test in TESTS))
def differs(finding: Finding) -> Words:
    """One test of one annotator."""
    besides = finding.about.get("besides")
    if besides is not None:
        return f"{_difference(finding)}; {besides.sentence}", ""
    return f"{_difference(finding)} ({p_words(finding.about['p'])})", ""


@says("differs.sharing")
def shares(finding: Finding) -> Words:
    """Somebody who was found by the habit that they share."""
    return f"({p_words(finding.about['p'])})", ""


# -- annotators ------------------------------------------------------------------------------------------------------


def _annotator(finding: Finding, singular: str, plural: str, do: str, short: tuple[str, str]) -> Words:
    """Who does what, what to do about it, and what the coefficient would be without them."""
    about = finding.about
    names, many = about["annotators"], len(about["annotators"]) > 1
    who = names_of(names)
    if many and 2 * len(names) > about["of"]:
        who = f"{len(names):,} of {about['of']:,} annotators"
    better, without = about["better"], about["without"]
    left = f"; without them {_instead(about['coefficient'], without)}" if better else ""
    clause = f"{who} {short[many]}" + (f", without them {two_digits(without)}" if better else "")
    return f"{who} {plural if many else singular}. {do}{left}.", clause


def _beyond_chance(about: Mapping[str, Any]) -> str:
    letter, kappas = "κ" if about["kappa"] else "α", about["beyond_chance"]
    rest = f"{letter} {_range(kappas, two_digits)} with the rest"
    return rest if len(kappas) > 1 else f"{rest}, {p_words(about['reasons'][0].about['p'])}"


def _reasons(about: Mapping[str, Any]) -> str:
    """What the tests say, of several annotators the first few."""
    found: Sequence[Finding] = about["reasons"]
    if len(found) == 1:
        (one,) = found
        besides = one.about.get("besides")
        return (
            _reason(one, _here(one)) if besides is None else f"{_difference(one)}; {_reason(besides, _here(besides))}"
        )
    told = [f"{_name(one.subject[0])} {_reason(one)}" for one in found[:EXAMPLES]]
    return ", ".join([*told, *(["…"] if len(found) > EXAMPLES else [])])


def _here(finding: Finding) -> str:
    return "" if finding.test in ("agreement", "distance") else HERE


def _reason(finding: Finding, here: str = "") -> str:
    return f"{_difference(finding, here=here)} ({p_words(finding.about['p'])})"


@says("annotator.guess")
def guesses(finding: Finding) -> Words:
    """Who agrees with the others no more than chance would."""
    what = f"they agree with the others hardly more than chance would ({_beyond_chance(finding.about)})"
    return _annotator(finding, f"guesses: {what}", f"guess: {what}", LEAVE, ("guesses", "guess"))


@says("annotator.one label")
def one_label(finding: Finding) -> Words:
    """Who gives nearly all items the same label."""
    label, beyond = f"{finding.about['label']!r}", _beyond_chance(finding.about)
    one = f"gives nearly all items the same label, {label} ({beyond})"
    several = f"give nearly all items the same label ({beyond})"
    short = (f"gives hardly any label but {label}", "give hardly any label but one")
    return _annotator(finding, one, several, LEAVE, short)


@says("annotator.against")
def against(finding: Finding) -> Words:
    """Who agrees less than chance would."""
    what = f"against the others, less alike than chance ({_beyond_chance(finding.about)})"
    short = ("answers against the others", "answer against the others")
    return _annotator(finding, f"answers {what}", f"answer {what}", "Look whether they have swapped labels", short)


@says("annotator.low")
def low(finding: Finding) -> Words:
    """Who agrees less than others on the same items."""
    what = f"less with the others than is usual on the same items: {_reasons(finding.about)}"
    do = "Go through the guidelines with them again"
    return _annotator(finding, f"agrees {what}", f"agree {what}", do, ("agrees least", "agree least"))


@says("annotator.drift")
def drift(finding: Finding) -> Words:
    """Who changes in the course of time."""
    what = f"over time: {_reasons(finding.about)}"
    do = "Look at what they did late, and brief them again"
    return _annotator(finding, f"drifts {what}", f"drift {what}", do, ("drifts over time", "drift over time"))


@says("annotator.shift")
def shift(finding: Finding) -> Words:
    """Who is higher or lower than others."""
    reason, first = _reasons(finding.about), finding.about["reasons"][0].about
    way = "higher" if first.get("higher", 0.0) > 0 else "lower"
    short = (f"is systematically {way}", "use the scale differently")
    do = "Agree with them on how the scale is used"
    if finding.about["of"] == 2:
        reason, do = reason.replace("than others", "than the other", 1), "Agree on how the scale is used"
    sentence, clause = _annotator(finding, reason, f"use the scale differently: {reason}", do, short)
    return (f"If the values are a scale, {sentence}", "") if finding.about["if_a_scale"] else (sentence, clause)


@says("annotator.narrow")
def narrow(finding: Finding) -> Words:
    """Who keeps to the middle of the scale."""
    reason = _reasons(finding.about)
    short = ("keeps to the middle of the scale", "keep to the middle of the scale")
    do = "Agree with them on what the ends of the scale are for"
    return _annotator(finding, reason, f"keep to the middle of the scale: {reason}", do, short)


@says("annotator.repeats")
def repeats(finding: Finding) -> Words:
    """Who gives the previous label again."""
    reason = _reasons(finding.about)
    short = ("repeats the previous label", "repeat the previous label")
    several = f"repeat the previous label too often: {reason}"
    return _annotator(finding, reason, several, "Look whether they read the items", short)


@says("annotator.label")
def label(finding: Finding) -> Words:
    """Who gives a label too often, or too seldom."""
    reason, (first, *more) = _reasons(finding.about), finding.about["reasons"]
    do = f"Agree with them on what the {'labels cover' if more else 'label covers'}"
    short = (_difference(first), "use labels differently")
    if finding.about["of"] == 2:
        reason = reason.replace("where others give it", "where the other gives it", 1)
        short = (short[0].replace("where others give it", "where the other gives it", 1), short[1])
    return _annotator(finding, reason, f"use labels differently: {reason}", do, short)


@says("annotator.swap")
def swap(finding: Finding) -> Words:
    """Who gives one label where others give another."""
    swaps, (reason, *_) = finding.about["swaps"], finding.about["reasons"]
    gives, instead = repr(swaps[0]["gives"]), repr(swaps[0]["for"])
    never = all(one["never"] for one in swaps)
    share = _range([one["share"] for one in swaps], lambda number: f"{number:.0%}")
    proof = p_words(reason.about["p"])
    if not never and len(finding.about["annotators"]) == 1 and reason.test != "sharing":
        differs = f"{_shares_of_label(reason.about)}{HERE}" if reason.test == "label" else _difference(reason)
        proof = f"{differs}, {proof}"
    what = f"{gives} for {share} of what others call {instead}{f' and never {instead}' if never else ''} ({proof})"
    short = f"{gives} for what others call {instead}"
    do = f"Agree with them on what {gives} and {instead} cover"
    return _annotator(finding, f"gives {what}", f"give {what}", do, (f"gives {short}", f"give {short}"))


# -- slips that can be undone ------------------------------------------------------------------------------------------


def _slip(finding: Finding, what: tuple[str, str], do: str, undone: str) -> Words:
    """Who made a slip, an example, and what the coefficient would be with it undone."""
    about = finding.about
    names = about["annotators"]
    who = f"{names_of(names)} {what[len(names) > 1]}"
    proof = f"{about['changed']:,} of {about['given']:,} answers, {p_words(about['p_value'])}"
    either = "; of two annotators, it may be the other" if about["of"] == 2 else ""
    value = _instead(about["coefficient"], about["mended"])
    clause = f"{who}, {undone} {two_digits(about['mended'])}" if value else who
    return f"{who} ({proof}{either}){_example(about)}. {do}{f'; {undone} {value}' if value else ''}.", clause


def _example(about: Mapping[str, Any]) -> str:
    """One item that shows it."""
    example = about.get("example")
    if not example:
        return ""
    own, others = (_shown(example[key]) for key in ("own", "others"))
    whose = f"{example['by']} gives" if len(about.get("annotators", ())) != 1 else "they give"
    return f"; to item {example['item']}, for one, {whose} {own} where others give {others}"


def _shown(value: object) -> str:
    return repr(value) if isinstance(value, str) else str(value)


@says("annotator.reversed")
def reversed_scale(finding: Finding) -> Words:
    """Who reads the scale from the other end."""
    what = ("reads the scale from the other end", "read the scale from the other end")
    return _slip(finding, what, "Ask them which end is which", "with their answers turned round")


@says("annotator.rows")
def rows(finding: Finding) -> Words:
    """Whose answers stand some rows too high or too low."""
    by, first = finding.about["rows"], finding.about["first"]
    where = f"{counted(abs(by), 'row')} too {'low' if by > 0 else 'high'}"
    since = "" if first is None else f" from item {first} on"
    what = (f"has answers that stand {where}{since}", f"have answers that stand {where}{since}")
    return _slip(finding, what, "Look how their answers were put beside the items", "moved back")


@says("annotator.recoded")
def recoded(finding: Finding) -> Words:
    """Who takes labels for one another."""
    about = finding.about
    taken = about["taken"]
    pairs = [f"{_shown(given)} for {_shown(meant)}" for given, meant in taken[:NAMED]]
    listed = f"{', '.join(pairs[:-1])} and {pairs[-1]}" if len(pairs) > 1 else pairs[0]
    when = ""
    if "at" in about:
        when = f", from item {about['at']} on" if about["late"] else f", up to item {about['at']}"
        when += " in the order of time" if about["order"] == "time" else ""
    what = (f"gives {listed}{when}", f"give {listed}{when}")
    return _slip(finding, what, "Agree with them on what these labels mean", "with these labels put right")


@says("annotator.mixes")
def mixes(finding: Finding) -> Words:
    """Who mixes up two labels that others tell apart."""
    about = finding.about
    both = " and ".join(map(_shown, about["labels"]))
    share = _range(about["shares"], lambda number: f"{number:.0%}")
    numbers = f"they differ so from most others on {share} of the items with these labels, the others on"
    what = f"{both}: {numbers} {about['usual_share']:.0%} ({p_words(about['p_value'])}){_example(about)}"
    do = "Let them go through these items with the others"
    return _annotator(finding, f"mixes up {what}", f"mix up {what}", do, (f"mixes up {both}", f"mix up {both}"))


@says("spelling")
def spelling(finding: Finding) -> Words:
    """Labels in several spellings."""
    about = finding.about
    classes, names = about["labels"], about["annotators"]
    one = [" and ".join(map(repr, group)) for group in classes[:NAMED]]
    more = f" and {len(classes) - NAMED} more" if len(classes) > NAMED else ""
    whose = f", by {names_of(names)}" if names else ""
    value = _instead(about["coefficient"], about["merged"])
    many = len(classes) > 1
    told = f"{'; '.join(one)}{more} {'are each' if many else 'are'} one label in several spellings"
    often = f"{counted(about['times'], 'time')}{whose}"
    taken = f"; taken as one, {value}" if value else ""
    short = f"{one[0]} {'and others ' if many else ''}are one label in several spellings"
    if about["merged"] is not None:
        short += f", as one {two_digits(about['merged'])}"
    return f"{told} ({often}). Merge them{taken}.", short


# -- pairs of annotators, labels, items, the ends of spans ----------------------------------------------------------


@says("pair.closer", "pair.apart")
def pair(finding: Finding) -> Words:
    """Two annotators who agree more, or less, with each other than with the rest."""
    about = finding.about
    closer, (first, second) = about["closer"], about["annotators"]
    than = f"{first} and {second} agree {'more' if closer else 'less'} with each other than either does with the rest"
    own, expected, items = about["distance"], about["expected_distance"], about["items"]
    if about["shares"]:
        numbers = f"on {1 - own:.0%} of {items:,} items, where {1 - expected:.0%} would be expected"
    else:
        ratio = own / expected if expected > 0 else math.inf
        numbers = f"on {items:,} items their distance is {ratio:.2f} times what would be expected"
    do = (
        "Find out whether they worked together or share a habit, since copies make agreement look better than it is"
        if closer
        else "Let them go through the items on which they differ"
    )
    left = f"; without {second} {_instead(about['coefficient'], about['without'])}" if about["telling"] else ""
    return f"{than}: {numbers} ({p_words(about['p_value'])}). {do}{left}.", than


@says("labels")
def labels(finding: Finding) -> Words:
    """Two labels that are confused."""
    about = finding.about
    both = " and ".join(repr(str(name)) for name in about["labels"])
    who = [
        f"; {names_of(one['annotators'])} {'give' if len(one['annotators']) > 1 else 'gives'} {one['gives']!r} for "
        f"what others call {one['for']!r}"
        for one in about["by"]
    ]
    do = f"Define the difference better; merging them would not raise {about['coefficient']['symbol']}"
    if about["better"]:
        merged = _instead(about["coefficient"], about["merged"])
        do = f"Define the difference better, or merge them; as one label {merged}"
    sentence = (
        f"{both} are confused: they make up {about['share']:.0%} of all disagreement, where the rest explains "
        f"{about['expected_share']:.0%} at most ({p_words(about['p_value'])}){''.join(who)}. {do}."
    )
    return sentence, f"{both} are confused" + (
        f", as one label {two_digits(about['merged'])}" if about["better"] else ""
    )


@says("items")
def items(finding: Finding) -> Words:
    """Few items that hold most of the disagreement."""
    about = finding.about
    settled = _instead(about["coefficient"], about["settled"])
    if_settled = f"; if they were settled, {settled}" if settled else ""
    sentence = (
        f"{about['items']:,} of {about['of']:,} items hold half of all disagreement, where {about['usual']:,} would be "
        f"usual ({p_words(about['p_value'])}). Adjudicate these first{if_settled}."
    )
    return sentence, f"{about['items']:,} items hold half of the disagreement"


@says("place.group")
def in_a_group(finding: Finding) -> Words:
    """A group of items on which agreement is lower."""
    about, (column, group) = finding.about, finding.subject
    symbol = about["coefficient"]["symbol"]
    here = f"{symbol} {two_digits(about['here'])} where the other items have {two_digits(about['elsewhere'])}"
    sentence = (
        f"Agreement is lower where {column} is {group}: {here} ({about['items']:,} of {about['of']:,} items, "
        f"{p_words(about['p_value'])}). Look what was different there, in the items or in how they were annotated."
    )
    return sentence, f"agreement is lower where {column} is {group}, {two_digits(about['here'])}"


@says("place.time")
def over_time(finding: Finding) -> Words:
    """Agreement that falls or rises as the work of all goes on."""
    about = finding.about
    falls = about["after"] < about["before"]
    symbol = about["coefficient"]["symbol"]
    do = "Look for fatigue, or" if falls else "Have the first items annotated again, or look"
    sentence = (
        f"Agreement {'falls' if falls else 'rises'} as the work of all annotators goes on: {symbol} "
        f"{two_digits(about['before'])} on the first third of the items and {two_digits(about['after'])} on the last "
        f"({p_words(about['p_value'])}, by {about['column']}). {do} for what changed in the items."
    )
    return sentence, f"agreement {'falls' if falls else 'rises'} over time for all"


@says("place.texts")
def texts_twice(finding: Finding) -> Words:
    """Texts that several items show and that are labelled otherwise in each."""
    about = finding.about
    (one, value), (other, instead) = about["example"]
    sentence = (
        f"{about['texts']:,} texts come more than once (column {about['column']}), and are labelled otherwise in each "
        f"place: annotators differ {about['more']:.0%} of the time more between the places than within one "
        f"({p_words(about['p_value'])}); {one} and {other}, for one, show the same text and most give '{value}' and "
        f"'{instead}'. Say what else an answer may depend on, and settle these texts once."
    )
    return sentence, f"{about['texts']:,} texts that come twice are labelled otherwise"


def _lenient(about: Mapping[str, Any]) -> str:
    strict, lenient = about["strict_f1"], about["lenient_f1"]
    return f"with any overlap taken as agreement, F1 is {lenient:.2f} instead of {strict:.2f}"


@says("boundaries")
def boundaries(finding: Finding) -> Words:
    """Who marks longer or shorter spans."""
    about, (name, *_) = finding.about, finding.subject
    habits, without = about["habits"], about["without"]
    told = [
        f"{one['end']}s {'later' if one['later'] else 'earlier'} in {one['share']:.0%} of {one['differing']:,} "
        f"comparisons that differ, by {one['by']:g} in the median ({p_words(one['p'])})"
        for one in habits
    ]
    longer = sum(1 if one["later"] == (one["end"] == "end") else -1 for one in habits)
    what = "longer spans" if longer > 0 else "shorter spans" if longer < 0 else "spans with other ends"
    left = f"without them {_instead(about['coefficient'], without)}" if about["measured"] else _lenient(about)
    sentence = (
        f"{name} marks {what} than the others: a span of theirs {', and '.join(told)}. Agree on where spans begin and "
        f"end; {left}."
    )
    return sentence, f"{name} marks {what}" + ("" if without is None else f", without them {without:.2f}")


@says("ends")
def ends(finding: Finding) -> Words:
    """Spans whose ends are most of the disagreement."""
    share = f"{finding.about['share']:.0%}"
    sentence = (
        f"{share} of the disagreements about spans are about where they begin or end alone. Agree on where spans begin "
        f"and end: {_lenient(finding.about)}."
    )
    return sentence, f"{share} of the disagreement is about where spans begin or end"


# -- how values are read, and how many items there are --------------------------------------------------------------


def _as_scale(about: Mapping[str, Any], telling: float) -> str:
    return f"taken as an ordered scale, {two_digits(about['as_scale'])}" if telling >= TELLING else ""


@says("reading")
def reading(finding: Finding) -> Words:
    """Numbers that may be labels or a scale."""
    about = finding.about
    sentence = (
        f"The values are {about['because']} and were taken as plain labels. Say whether they are a scale: then "
        f"{_instead(about['coefficient'], about['as_scale'])}."
    )
    return sentence, _as_scale(about, finding.gain)


@says("reading.words")
def reading_words(finding: Finding) -> Words:
    """Words that look like a scale."""
    about = finding.about
    then = f"ordinal α would be {two_digits(about['as_scale'])}"
    if "coefficient" in about:
        then = _instead(about["coefficient"], about["as_scale"])
    order = " < ".join(map(str, about["order"]))
    taken = f"The values {about['because']} ({order}), and were taken as plain labels."
    return f"{taken} If they are a scale, say so: then {then}.", _as_scale(about, finding.gain)


@says("amount")
def amount(finding: Finding) -> Words:
    """How many more items would decide what is open."""
    about = finding.about
    target, wanted, now = about["threshold"], about["half_width"], about["half_width_now"]
    more = counted(about["items"], "more item")
    rough = f" A figure from {about['there']:,} items is a rough one." if about["there"] < ROUGH else ""
    if target is None:
        return f"The interval is wide (± {now:.2f}): about {more} like these would make it ± {wanted:g}.{rough}", ""
    symbol, value = about["coefficient"]["symbol"], about["coefficient"]["value"]
    digits = places(wanted, now)
    sentence = (
        f"About {more} like these would show whether {symbol} reaches {target:.3g}, if it stays at {value:.2f}: the "
        f"interval would then be ± {wanted:.{digits}f} and not ± {now:.{digits}f}.{rough}"
    )
    return sentence, f"{about['items']:,} more items would show whether it reaches {target:.3g}"


@says("overlap.few")
def overlap(finding: Finding) -> Words:
    """Items of which hardly any can be compared."""
    shared, given, wanted = (finding.about[name] for name in ("shared", "items", "wanted"))
    sentence = (
        f"Only {shared:,} of {counted(given, 'item')} {'has' if shared == 1 else 'have'} two annotations or more, and "
        f"only these can be compared. Let a second annotator do {wanted:,} more of the others before anything is "
        "concluded."
    )
    return sentence, f"only {shared:,} of {given:,} items can be compared"


def _let_a_second(about: Mapping[str, Any]) -> str:
    given, wanted = about["items"], about["wanted"]
    if wanted < given:
        which = f"{wanted:,} of the {counted(given, 'item')}, drawn at random,"
    else:
        which = "the item" if given == 1 else f"all {given:,} items"
    return f"let a second annotator do {which} before anything is concluded"


@says("overlap.apart")
def apart(finding: Finding) -> Words:
    """Annotators who share no item."""
    about = finding.about
    sentence = (
        f"None of {counted(about['items'], 'item')} has annotations by two of the {about['people']:,} annotators. If "
        f"they did annotate the same items, these have other names or stand in another column; if not, "
        f"{_let_a_second(about)}."
    )
    return sentence, ""


@says("overlap.alone")
def alone(finding: Finding) -> Words:
    """A single annotator."""
    about = finding.about
    only = "No item has a second annotation" if about["only"] is None else f"Only {about['only']} has annotated"
    sentence = f"{only}, so there is nothing to compare. {_capital(_let_a_second(about))}."
    if "half_width" in about:
        sentence += (
            f" How many give an interval of ± {about['half_width']:g} can be planned: with values as common as here, "
            f"and two annotators who agree on {about['assumed']:.0%} of the items."
        )
    return sentence, ""


@says("one value")
def one_value(finding: Finding) -> Words:
    """Items that all have the same value."""
    about = finding.about
    number, others, ac1 = about["items"], about["others"], about["ac1"]
    if others:
        do = (
            f"Others were given to {counted(others, 'item')} with one annotation: let a second annotator do "
            f"{'this' if others == 1 else 'these'}"
        )
    else:
        at_most = 1 - (1 - about["level"]) ** (1 / number)
        do = (
            f"Add items that should get another: if these are drawn at random, at most {at_most:.0%} of such items "
            f"would ({about['level']:.0%} sure)"
        )
    value = f", {about['label']!r}" if "label" in about else ""
    also = "" if ac1 is None else f" and AC1 {two_digits(ac1)}"
    sentence = (
        f"All annotations of {counted(number, 'item')} have the same value{value}. Percent agreement is "
        f"{two_digits(about['percent'])}{also}, but whether annotators agree or had nothing to choose between cannot "
        f"be told. {do}."
    )
    return sentence, ""
