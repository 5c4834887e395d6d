"""`interagree check` (Agreement, 14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from interagree.cli.options import (
    DISTANCES,
    FILE,
    MEASURES,
    OUTPUT,
    READING,
    SURE,
    TOGETHER,
    Output,
    Reading,
    Sure,
    in_python,
    options,
)

if TYPE_CHECKING:
    from interagree.reports.parts import How
    from interagree.results.agreement import Agreement

CODES = {"pass": 0, "fail": 1, "cannot tell": 1, "in doubt": 2, "undefined": 3}

THEY = {"pass": "pass", "fail": "fail", "cannot tell": "leave it open", "undefined": "leave it undefined"}


class Verdict(NamedTuple):
    """What a gate says of one coefficient, and why."""

    word: str  # "pass", "fail", "cannot tell", "in doubt" or "undefined"
    why: str


def verdict(result: Agreement, how: How, at_least: float, on: str) -> Verdict:
    """Whether a coefficient reaches a threshold."""
    if result.undefined:
        return Verdict("undefined", result.undefined)
    if on == "value":
        enough = result.value >= at_least
        return Verdict(
            "pass" if enough else "fail", f"the value {'reaches' if enough else 'is below'} {at_least:g}"
        )
    interval = how.interval(result)
    if interval is None:
        return Verdict("cannot tell", "these data give no interval; more items, or --on value, would decide")
    if interval.low >= at_least:
        return Verdict("pass", f"the whole interval reaches {at_least:g}")
    if interval.high < at_least:
        return Verdict("fail", f"the whole interval is below {at_least:g}")
    return Verdict("cannot tell", f"{at_least:g} lies inside the interval; more items would decide")


def weighed(
    said: Verdict, scale: Agreement, other: Verdict, how: How, codes: Mapping[str, int]
) -> tuple[Verdict, str]:
    """The verdict on values that may be labels or an ordered scale, and what the scale gives."""
    interval = how.interval(scale)
    number = f"{scale.measure.symbol} = {scale.value:.3f}" + (f", {interval}" if interval is not None else "")
    remark = f"as an ordered scale, {other.why if scale.undefined else number} ({other.word})"
    if codes[other.word] == codes[said.word]:
        return said, remark
    why = (
        f"taken as labels the values {THEY[said.word]}, and taken as an ordered scale they {THEY[other.word]}; pass "
        "--ordered if they are a scale, or --kind labels if they are not"
    )
    return Verdict("in doubt", why), remark


@click.command(
    "check", epilog=in_python('interagree.alpha(interagree.read("labels.csv")).interval().low >= 0.8')
)
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE…")
@options(
    MEASURES,
    (
        click.option(
            "--at-least",
            type=click.FloatRange(-1, 1),
            required=True,
            help="The lowest value that passes.",
        ),
        click.option(
            "--on",
            type=click.Choice(["lower", "value"]),
            default="lower",
            show_default=True,
            help="What must reach it: the lower end of the interval, or the value alone.",
        ),
        click.option(
            "--inconclusive",
            type=click.Choice(["fail", "pass"]),
            default="fail",
            show_default=True,
            help="What to do when the threshold lies inside the interval.",
        ),
    ),
    DISTANCES,
    SURE,
    READING,
    TOGETHER,
    OUTPUT,
)
@click.pass_context
def command(ctx: click.Context, /, files: tuple[str, ...], **given: Any) -> None:
    """Fail when agreement is too low, for use in CI.

    Takes alpha, with the distance that suits the kind of value, unless -m names other coefficients. Passes when the
    whole interval is at least AT_LEAST, fails when it is below, and otherwise cannot tell, which fails unless
    --inconclusive pass.

    Few whole numbers (1 to 5) may be labels or steps of a scale. Where both readings give the same outcome, that is
    the outcome; where they do not, the check is in doubt and asks for --ordered or --kind labels.

    \b
    Exits with  0  every coefficient passes
                1  one fails, or cannot tell
                2  the command or a file is wrong, or the outcome is in doubt
                3  the data leave a coefficient undefined
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import questions
    from interagree.cli.show import show
    from interagree.reports.choose import as_scale, choice, natural
    from interagree.reports.parts import measured, policy_line, remarks
    from interagree.results.document import Document, Section
    from interagree.tables import Table

    reading, sure, output = Reading.take(given), Sure.take(given), Output.take(given)
    how, at_least, on = sure.how(), given["at_least"], given["on"]
    plain = given["distance"] is None and given["weights"] is None
    codes = CODES | ({"cannot tell": 0} if given["inconclusive"] == "pass" else {})
    lines, foot, rows, data, outcomes = [], [], [], [], []
    for one in questions(files, reading, together=given["together"]):
        part = measured(
            one.study,
            name=one.name,
            measures=given["measures"] or (natural(choice("alpha"), one.study) if plain else "alpha",),
            distance=given["distance"],
            weights=given["weights"],
            policy=one.policy,
        )
        scale = as_scale(one.study) if plain and not given["measures"] else None
        for title, result in zip(part.titles, part.results, strict=True):
            said = verdict(result, how, at_least, on)
            if scale is not None:
                steps = scale.of(one.study)
                said, remark = weighed(said, steps, verdict(steps, how, at_least, on), how, codes)
                taken = f"the values are {one.study.recognised.because} and were taken as labels; {remark}"
                foot.append(f"{one.name}: {taken}" if one.name else taken)
            outcomes.append(codes[said.word])
            interval = how.interval(result)
            sure_of = f", {interval}" if interval is not None else ""
            number = title if result.undefined else f"{title} = {result.value:.3f}{sure_of}"
            before = f"{one.name}: " if one.name else ""
            lines.append(f"{said.word}: {before}{number}; {said.why}")
            outcome = {
                "outcome": said.word,
                "passes": codes[said.word] == 0,
                "at_least": at_least,
                "on": on,
                "why": said.why,
            }
            rows.append({"study": one.name, "measure": title, "value": result.value, **outcome})
            data.append(
                {"file": one.file, "question": one.question, **outcome, "result": how.to_dict(result)}
            )
        before = f"{one.name}: " if one.name else ""
        foot += [f"{before}{remark}" for remark in remarks(part, how) if " is undefined: " not in remark]
        foot.append(before + policy_line(part))
    code = next((code for code in (1, 2, 3) if code in outcomes), 0)
    show(
        Document(
            "",
            [Section(lines=lines, foot=foot)],
            {"command": "check", "exit_code": code, "checks": data},
            Table.of(rows),
        ),
        output,
    )
    ctx.exit(code)
