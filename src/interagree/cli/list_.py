"""`interagree list` (Other, 51)."""

from __future__ import annotations

import click

from interagree.cli.options import OUTPUT, Output, define

KINDS = ("measures", "distances", "weights", "kinds", "readers", "writers", "scales")
NAMED = click.argument("kinds", nargs=-1, type=click.Choice(KINDS), metavar=f"[{'|'.join(KINDS)}]…")


@define("list", 'interagree.reports.catalogue("measures")', NAMED, OUTPUT)
def command(kinds: tuple[str, ...], **given: object) -> None:
    """List measures, distances, weights, kinds of value, readers, writers and scales.

    With what each says about itself, plug-ins included; all of them unless some are named.
    """
    from interagree.cli.show import on_terminal, show
    from interagree.reports.registries import catalogue

    answer, output = catalogue(*kinds), Output.take(given)
    # A terminal folds cells, and a file may be wide.
    show(answer, output, answer.document(narrowed=not output.output and not on_terminal()))
