"""`interagree disagreements` (Annotators and answers, 22)."""

from __future__ import annotations

from dataclasses import replace

import click

from interagree.cli.options import DISTANCE, FILES, READING, TO, Output, ReadingGroup, define, opt, output_option, top

CHOICE = (
    DISTANCE,
    opt(
        "--text",
        "The column that holds the text of the items.  [default: one called text, sentence, …, or of long texts]",
        "COLUMN",
    ),
    top("How many items to show.", 10),
    opt("--push", "Write the queue to the project (label-studio://HOST/PROJECT) as predictions.", default=False),
)
OUTPUT = (
    TO,
    *Output.options("as_json", "as_csv"),
    output_option("Also write the whole queue; the suffix says how: .csv, .tsv, .xlsx, .jsonl or .json."),
)
PYTHON = 'interagree.disagreements(interagree.read("labels.csv")).write("queue.xlsx")'


@define("disagreements", PYTHON, FILES, CHOICE, READING, OUTPUT)
def command(
    files: tuple[str, ...], *, distance: str | None, text: str | None, top: int, to: str | None, **given: object
) -> None:
    """List the items to adjudicate, those that tell most first, with who said what.

    An item of labels is worth the entropy of its labels, times how rare the labels of the dissenters are, times how
    reliable these are; under a distance, the mean distance times that reliability. Difficulty is what is left of its
    disagreement without what its annotators add to any item. Of ordered values, adjacent answers are told from answers
    far apart, and the median is suggested.

    \b
    interagree disagreements labels.csv -o queue.xlsx
    interagree disagreements boxes.jsonl --distance giou -o queue.jsonl
    interagree disagreements label-studio://localhost:8080/7 -q tone --push

    Exits with 3 when no item has two annotators.
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli.load import questions, single
    from interagree.cli.show import say, show, written
    from interagree.people import disagreements
    from interagree.writers import hand_back

    reading, output = ReadingGroup.take(given), Output.take(given)
    if given["push"] and len(files) > 1:
        raise click.UsageError("--push writes to the server that one study was read from; name that one alone")
    asked = single(questions(files, reading, together=True))
    if text is not None and text not in asked.study.attributes and "-" not in files:
        asked = single(questions(files, reading, together=True, attributes=[*reading.attributes, text]))
    queue = disagreements(asked.study, distance=distance, text=text)
    for path in output.output:
        written(hand_back(queue, path, to, asked.question))
    if given["push"]:
        say(queue.push(files[0], asked.question))
    show(queue, replace(output, output=()), queue.document(top=top), policy=asked.policy)
