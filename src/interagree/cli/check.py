"""`interagree check`."""

from __future__ import annotations

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
    from interagree.results import Agreement

CODES = {"pass": 0, "fail": 1, "cannot tell": 1, "undefined": 3}


class Verdict(NamedTuple):
    """What a gate says of one coefficient, and why."""

    word: str  # "pass", "fail", "cannot tell" or "undefined"
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

    \b
    Exits with  0  every coefficient passes
                1  one fails, or cannot tell
                2  the command or a file is wrong
                3  the data leave a coefficient undefined
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import questions
    from interagree.cli.show import show
    from interagree.reports.choose import choice, natural
    from interagree.reports.document import Document, Section
    from interagree.reports.parts import measured, policy_line, remarks
    from interagree.tables import Table

    reading, sure, output = Reading.take(given), Sure.take(given), Output.take(given)
    how, at_least, on = sure.how(), given["at_least"], given["on"]
    plain = given["distance"] is None and given["weights"] is None
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
        for title, result in zip(part.titles, part.results, strict=True):
            said = verdict(result, how, at_least, on)
            word = "pass" if said.word == "cannot tell" and given["inconclusive"] == "pass" else said.word
            outcomes.append(word)
            interval = how.interval(result)
            sure_of = f", {interval}" if interval is not None else ""
            number = title if result.undefined else f"{title} = {result.value:.3f}{sure_of}"
            before = f"{one.name}: " if one.name else ""
            lines.append(f"{said.word}: {before}{number}; {said.why}")
            outcome = {
                "outcome": said.word,
                "passes": CODES[word] == 0,
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
    codes = {CODES[word] for word in outcomes}
    code = 1 if 1 in codes else 3 if 3 in codes else 0
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
