"""A sentence ready for a paper: the coefficient, its interval and how that was found, how much data, and with what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interagree import __version__

if TYPE_CHECKING:
    from interagree.results.agreement import Agreement, Interval, Random

# How intervals were found, as a paper says it.
FOUND = {
    "adjusted": "",
    "analytic": "from the analytic standard error",
    "jackknife": "by the jackknife",
    "bootstrap": "by the percentile bootstrap",
    "bca": "by the BCa bootstrap",
    "table": "from Gwet's closed form",
    "null": "supposing no agreement",
    "chance": "of what chance would give, for one document",
}
OVER = {"items": "items", "annotators": "annotators", "both": "items and annotators", "labels": "labels"}


def paper_sentence(
    result: Agreement,
    interval: Interval | None,
    *,
    title: str = "",
    random: Random = "items",
    cluster: str | None = None,
) -> str:
    """One coefficient as a sentence for a paper.

    Args:
        result: The coefficient.
        interval: Its interval, where there is one.
        title: What the coefficient is called, with its options.
        random: What another study would have others of.
        cluster: What groups items that are not independent.
    """
    plain, _, options = (title or ", ".join([result.measure.title, *_options(result)])).partition(", ")
    name = f"{plain} ({options})" if options else plain
    software = f"computed with interagree {__version__}"
    if result.undefined:
        return f"{name} is undefined for these data: {result.undefined} ({_sizes(result)}; {software})."
    symbol = result.measure.symbol
    # A long symbol says the title once more, and p is taken for a p-value.
    number = f"{symbol} = {result.value:.2f}" if len(symbol) <= 4 and symbol != "p" else f"{result.value:.2f}"
    return f"{name} was {number}{_interval(interval, random, cluster)}, {_sizes(result)}; {software}."


def _options(result: Agreement) -> list[str]:
    """What a coefficient depends on besides the data: its distance or weights, or the form of an ICC."""
    chosen = [result.options.get(name) for name in ("form", "distance", "weights")]
    if result.measure.by_level and result.level is not None and not result.level.plain:
        chosen.append(result.level.distance)
    names = (option if isinstance(option, str) else getattr(option, "name", None) for option in chosen)
    return [str(name) for name in names if name is not None]


def _interval(interval: Interval | None, random: Random, cluster: str | None) -> str:
    if interval is None:
        return ", without a confidence interval"
    group = f" in groups by {cluster}" if cluster else ""
    method = interval.note if interval.note.startswith(("from ", "on ")) else FOUND.get(interval.method, "")
    drawn = f" with {interval.resamples:,} resamples, seed {interval.seed}" if interval.resamples else ""
    found = ", ".join(word for word in (f"over {OVER[random]}{group}", f"{method}{drawn}".strip()) if word)
    return f" ({interval.level:.0%} confidence interval {interval.low:.2f} to {interval.high:.2f}, {found})"


def _sizes(result: Agreement) -> str:
    items, people, annotations = result.n
    who = "annotators unknown" if people is None else _many(people, "annotator")
    return f"{_many(items, 'item')}, {who}, {_many(annotations, 'annotation')}"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
