"""Words that look like an ordered scale are told from words that do not."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pytest

import interagree as ia
from interagree.kinds._graded_words import seeming_order

# Scales as surveys, clinics and annotation guidelines have them, in order.
SCALES = """
very bad|bad|mixed|good|very good
strongly disagree|disagree|neutral|agree|strongly agree
Strongly Disagree|Somewhat disagree|Neither agree nor disagree|Somewhat agree|Strongly agree
Strongly disagree|Disagree|Somewhat disagree|Neither agree or disagree|Somewhat agree|Agree|Strongly agree
completely disagree|mostly disagree|slightly disagree|slightly agree|mostly agree|completely agree
disagree strongly|disagree a little|neutral|agree a little|agree strongly
strongly disapprove|disapprove|undecided|approve|strongly approve
StronglyDisagree|Disagree|Neutral|Agree|StronglyAgree
strongly_disagree|disagree|neutral|agree|strongly_agree
tend to disagree|neither|tend to agree|strongly agree
never|rarely|sometimes|often|always
never|almost never|sometimes|almost every time|every time
never|seldom|about half the time|usually|always
never true|rarely true|sometimes true|usually true|always true
never|monthly|weekly|daily
none|mild|moderate|severe
minimal|mild|moderate|moderately severe|severe
mild|moderate|severe|life-threatening|fatal
negligible|minor|moderate|major|catastrophic
trivial|minor|major|critical|blocker
no problems|slight problems|moderate problems|severe problems|extreme problems
none|mild pain|moderate pain|severe pain
minor|moderate|serious|severe|critical
Not at all a problem|minor problem|moderate problem|serious problem
low|medium|high
very low|low|medium|high|very high
low|medium|high|critical
none|low|moderate|high
low risk|medium risk|high risk
risk: low|risk: medium|risk: high
poor|fair|good|excellent
poor|fair|good|very good|excellent
bad|poor|fair|good|excellent
very poor|poor|average|good|excellent
very poor|below average|average|above average|excellent
terrible|poor|average|good|excellent
bad|ok|good
not at all|slightly|moderately|very|extremely
not at all|a little bit|somewhat|quite a bit|very much
None at all|A little|A moderate amount|A lot|A great deal
not at all important|slightly important|moderately important|very important|extremely important
Not at all important|Not very important|Fairly important|Very important
not important|somewhat important|important|very important
very unimportant|unimportant|neutral|important|very important
very unlikely|unlikely|neutral|likely|very likely
Extremely unlikely|Unlikely|Neutral|Likely|Extremely likely
very unlikely|somewhat unlikely|neither likely nor unlikely|somewhat likely|very likely
definitely not|probably not|might or might not|probably yes|definitely yes
small|medium|large
tiny|small|medium|large|huge
no|maybe|yes
no|partially|yes
negative|neutral|positive
very negative|negative|neutral|positive|very positive
somewhat negative|neutral|somewhat positive
very dissatisfied|dissatisfied|neutral|satisfied|very satisfied
Not at all satisfied|Slightly satisfied|Moderately satisfied|Very satisfied|Completely satisfied
Very dissatisfied|Somewhat dissatisfied|Neither satisfied nor dissatisfied|Somewhat satisfied|Very satisfied
Totally unacceptable|Unacceptable|Slightly unacceptable|Neutral|Slightly acceptable|Acceptable|Perfectly acceptable
Absolutely inappropriate|Inappropriate|Neutral|Appropriate|Absolutely appropriate
Very untrue of me|Untrue of me|Somewhat untrue of me|Somewhat true of me|True of me|Very true of me
Not at all concerned|Slightly concerned|Somewhat concerned|Moderately concerned|Extremely concerned
Not at all familiar|Slightly familiar|Somewhat familiar|Moderately familiar|Extremely familiar
Strongly oppose|Somewhat oppose|Neutral|Somewhat favor|Strongly favor
Very undesirable|Undesirable|Neutral|Desirable|Very desirable
Very difficult|Difficult|Neutral|Easy|Very easy
Much worse|Somewhat worse|About the same|Somewhat better|Much better
Not at all responsible|Somewhat responsible|Mostly responsible|Completely responsible
Not at all influential|Slightly influential|Somewhat influential|Very influential|Extremely influential
irrelevant|partially relevant|relevant|highly relevant
not relevant|partially relevant|relevant
incorrect|partially correct|correct
false|mostly false|half true|mostly true|true
unsupported|partially supported|fully supported
not toxic|toxic|very toxic
non-hateful|slightly hateful|hateful
easy|medium|hard
worse|same|better
decrease|no change|increase
none|few|some|many|all
beginner|intermediate|advanced
weak|moderate|strong
grade 1|grade 2|grade 3|grade 4
Stage I|Stage II|Stage III|Stage IV
ECOG 0|ECOG 1|ECOG 2
1 star|2 stars|3 stars|4 stars|5 stars
1 - very bad|2 - bad|3 - ok|4 - good
(1) strongly agree|(2) agree|(3) neutral|(4) disagree
1: never|2: rarely|3: often
1. Poor|2. Fair|3. Good
1=low|2=medium|3=high
Entirely unclear|somewhat clear|very clear
no evidence|weak evidence|moderate evidence|strong evidence
not a priority|low priority|medium priority|high priority
very inaccurate|moderately inaccurate|moderately accurate|very accurate
disagree|agree|strongly agree
fully visible|partially visible|not visible
Very Poor|Poor|Acceptable|Good|Very Good
disagree|neither|agree
"""
# Numbers tell the order of these, and the words do not.
NUMBERED = """
1 - Not at all|2|3|4|5 - Very much
0 (Neutral)|1 (Mild)|2 (Disrespect)|3 (Hostile)|4 (Hateful)
1 - Politics|2 - Sport|3 - Economy
"""
# No order, an order that is not plain, or two values.
OTHERS = """
cat|dog|bird
PER|LOC|ORG
red|green|blue
entailment|neutral|contradiction
yes|no
true|false
good|bad
very good|good
low risk|cat|high
first|second|third
january|february|march
monday|tuesday|wednesday
S|M|L
A|B|C|D|F
I|II|III
type 1|type 2|type 3
class A|class B|class C
favor|against|none
support|deny|query|comment
agree|disagree|discuss|unrelated
SUPPORTS|REFUTES|NOT ENOUGH INFO
positive|negative|none
positive|negative|inconclusive
positive|negative|neutral|mixed
happy|sad|neutral
happy|sad|angry|neutral
low|unclear|high
low risk|unclear risk|high risk
yes|no|unsure
yes|no|don't know
yes|no|unknown
broken|no|yes
no|ok|spec|yes
true|false|neutral
true|false|unknown
hate|offensive|neither
toxic|non-toxic|neither
left|center|right
male|female|neutral
A better|B better|tie
same|similar|different
Entirely factual|Expresses writer’s opinion|Somewhat factual but also opinionated
Biased|Non-biased|No agreement
Perish|Persist|Pivot
Imperative|Mixed|OO|Procedural
horizontal|vertical|mixed
light|medium|dark
mild|medium|hot
soft|medium|hard
quite important|important|very important
very poor|bad|good
poor|very bad|good
not important|unimportant|important
sometimes|occasionally|often
1 - good|2 - bad|3 - neutral
18-24|25-34|35-44
2020-01-01|2020-01-02|2020-01-03
1.5|2.5|3.5
101 - foreign|102 - nato|103 - army
1st|2nd|3rd
small dog|large cat|medium dog
low quality|high quality|medium risk
minor revision|major revision|accept|reject
formal|informal|neutral
direct|indirect|not direct
major|minor|atonal
question|answer|other
spam|ham|unsure
fine|rude|spam
none|one|many
high school|bachelor|master
strongly agree|agree|don't know
good|good |bad|neutral
Agree|agree|disagree
not good|not bad|not ok
north|south|middle
noun|verb|adjective
AdjectiveAlone|PredicateAdjectiveAlone|PredicateNounPredicate
cut-out|cycle|network
Ahead only|No entry|No passing
no|not|yes
hot|cold|neutral
primary|secondary|tertiary
early|middle|late
in|out|inout
more|less|other
very|low|good
all|some|often
O|B-PER|I-PER
relevant|irrelevant|neutral
human|machine|both
joy|anger|fear|none
none|left|right
male|female|none
low|high|left
alpha|beta|gamma
none|other|unknown
mild|severe|other
disagree|agree|not enough information
safe|unsafe|controversial
grade a|grade b|grade c
level 1|stage 2|grade 3
normal|abnormal|not normal
positive|negative|not mentioned
present|absent|possible
very slightly|quite|fairly|rather
not at all satisfied|dissatisfied|satisfied
not very important|slightly important|important
extremely likely|definitely likely|unlikely
"""


def sets(text: str) -> list[list[str]]:
    return [line.split("|") for line in text.strip().splitlines()]


@pytest.mark.parametrize("values", sets(SCALES), ids=" < ".join)
def test_a_scale_is_found_in_its_order(values: list[str]) -> None:
    order = seeming_order(sorted(values))
    assert order is not None
    assert order.graded
    assert list(order.values) in (values, values[::-1])


@pytest.mark.parametrize("values", [one for one in sets(SCALES) if "StronglyAgree" not in one], ids=" < ".join)
def test_spelling_makes_no_difference_to_a_scale(values: list[str]) -> None:
    for spelled in (str.upper, str.title, lambda value: value.replace(" ", "_"), lambda value: f" {value}. "):
        changed = [spelled(value) for value in values]
        order = seeming_order(sorted(changed))
        assert order is not None
        assert list(order.values) in (changed, changed[::-1])


@pytest.mark.parametrize("values", sets(NUMBERED), ids=" < ".join)
def test_numbers_before_words_tell_an_order_that_may_be_one_of_codes(values: list[str]) -> None:
    order = seeming_order(sorted(values))
    assert order is not None
    assert not order.graded
    assert list(order.values) == values
    assert "codes of labels" in order.because


@pytest.mark.parametrize("values", sets(OTHERS), ids=" ".join)
def test_nothing_is_said_of_other_words(values: list[str]) -> None:
    assert seeming_order(sorted(values)) is None


@pytest.mark.parametrize("values", [*sets(SCALES), *sets(OTHERS)], ids=" ".join)
def test_one_unknown_word_is_enough_to_say_nothing(values: list[str]) -> None:
    assert seeming_order(sorted([*values, "xylophone"])) is None


@pytest.mark.parametrize("values", [[], ["low"], ["low", "medium", 3], [1, 2, 3], [f"level {k}" for k in range(40)]])
def test_few_many_and_other_values_are_no_scale_of_words(values: list[object]) -> None:
    assert seeming_order(values) is None


def test_an_order_that_was_stated_or_denied_is_not_guessed() -> None:
    data = {"ann": ["low", "high", "medium"], "bo": ["low", "medium", "medium"]}
    assert ia.Annotations.of(data).seeming_order is not None
    for said in ({"ordered": False}, {"values": ["low", "medium", "high"]}, {"kind": "labels"}):
        assert ia.Annotations.of(data, **said).seeming_order is None
    assert ia.Annotations.of(data).kind == "labels"
    assert ia.Annotations.of(data).recognised.doubt is None


def test_no_label_set_in_the_corpus_of_studies_is_called_a_scale(shared: Path) -> None:
    for path in sorted((shared / "data/labels").glob("*.csv.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            values = sorted({row["label"] for row in csv.DictReader(lines)})
        assert seeming_order(values) is None, path.name


def test_the_real_tables_that_are_called_scales_are_scales(shared: Path) -> None:
    folder, found = shared / "data/tables", {}
    for table in json.loads((folder / "truth.json").read_text(encoding="utf-8")):
        path = folder / "expected" / f"{table['name']}.json"
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        for rows in known.get("questions", known).values():
            rows = rows.get("annotations", []) if isinstance(rows, dict) else rows  # noqa: PLW2901 -- two layouts
            values = sorted({row[-1] for row in rows if isinstance(row[-1], str)}) if isinstance(rows, list) else []
            if (order := seeming_order(values)) is not None:
                found[order.values] = table["kind"]
    sentiment = ("negative", "neutral", "positive")  # which the authors of three tables take as labels
    assert len(found) >= 6
    assert all(kind.startswith("ordered") for values, kind in found.items() if values != sentiment)
