"""What ids stand for: spans with their features, relations, the arguments of events, and clusters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from interagree.errors import FormatError, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.marks import Link, Number, Span
from interagree.readers.brat.standoff import FORMS, Line, Standoff, StandoffSpan

Ends: TypeAlias = tuple[Number, Number]


def spans_of(file: Standoff) -> list[Span]:
    """The spans of a file with their features."""
    features = _features(file)
    return [_span(span, tuple(sorted(features.get(id_, {}).items()))) for id_, span in file.spans.items()]


def _span(span: StandoffSpan, features: tuple[tuple[str, object], ...] = ()) -> Span:
    if len(span.pieces) == 1:
        return Span(*span.pieces[0], span.label, (), features)
    pieces = tuple(sorted(span.pieces))
    return Span(pieces[0][0], max(high for _, high in pieces), span.label, pieces, features)


def _target(file: Standoff, line: Line, name: str) -> str:
    """The id of the span that an argument stands for: of an event, its trigger."""
    seen = set()
    while name.startswith("E") and name not in seen:
        seen.add(name)
        event = next((other for other in file.lines if other.id == name), None)
        if event is None:
            break
        name = event.words[0].partition(":")[2] if event.words else ""
    if name not in file.spans:
        there = listing(file.spans, quote=False, most=6) or "none"
        raise FormatError(f"{file.where(line.number)}: there is no span {name or '(none)'}; the file has {there}")
    return name


def _wrong(file: Standoff, line: Line) -> FormatError:
    written = f"{line.id} {' '.join(line.words)}"
    return FormatError(f"{file.where(line.number)}: expected {FORMS[line.id[0]]}, found {written[:60]!r}")


def _features(file: Standoff) -> dict[str, dict[str, str | bool]]:
    """What attributes and normalisations say of spans."""
    by_span: dict[str, dict[str, str | bool]] = {}
    for line in file.lines:
        kind = line.id[0]
        if kind not in "AMN":
            continue
        if len(line.words) < 2 + (kind == "N"):
            raise _wrong(file, line)
        name, target, *rest = line.words
        if target.startswith("R") and target in file.ids:
            continue  # relations have no features
        features = by_span.setdefault(_target(file, line, target), {})
        if kind == "N":
            name, _, value = rest[0].partition(":")
            features[name] = value if name not in features else f"{features[name]} {value}"
        else:
            features[name] = " ".join(rest) if rest else True
    return by_span


def joined_in(file: Standoff, gathered: Gatherer) -> tuple[list[Link], list[tuple[Ends, ...]]]:
    """Relations with the arguments of events, and clusters."""
    links: list[Link] = []
    clusters: list[set[Ends]] = []
    for line in file.lines:
        if not line.words:
            raise _wrong(file, line)
        kind = line.id[0]
        if kind == "R":
            links.append(_relation(file, line))
        elif kind == "E":
            done = "with arguments, which are taken as relations from the trigger, Type:Role"
            gathered.count("taken", "event", done, len(line.words) > 1)
            links += _arguments(file, line)
        elif kind == "*":
            _equivalent(file, line, clusters, gathered)
        elif kind in "AM" and len(line.words) > 1 and line.words[1].startswith("R"):
            gathered.left_out("attribute", "of relations left out")
    return list(dict.fromkeys(links)), sorted((tuple(sorted(cluster)) for cluster in clusters), key=repr)


def _argument(file: Standoff, line: Line, word: str) -> Span:
    return _span(file.spans[_target(file, line, word.partition(":")[2])])


def _relation(file: Standoff, line: Line) -> Link:
    if len(line.words) != 3 or not all(":" in word for word in line.words[1:]):
        raise _wrong(file, line)
    label, head, tail = line.words
    return Link(_argument(file, line, head), _argument(file, line, tail), label)


def _arguments(file: Standoff, line: Line) -> Iterator[Link]:
    if not all(":" in word for word in line.words):
        raise _wrong(file, line)
    trigger = _argument(file, line, line.words[0])
    type_ = line.words[0].partition(":")[0]
    for word in line.words[1:]:
        # brat numbers the roles of an event that has several of one: Theme, Theme2, …
        role = word.partition(":")[0].rstrip("0123456789")
        yield Link(trigger, _argument(file, line, word), f"{type_}:{role}")


def _equivalent(file: Standoff, line: Line, clusters: list[set[Ends]], gathered: Gatherer) -> None:
    if line.words[0] != "Equiv":
        gathered.left_out("'*' line", "of another type than Equiv left out")
        return
    spans = [_span(file.spans[_target(file, line, id_)]) for id_ in line.words[1:]]
    joined = {(span.start, span.end) for span in spans}
    for cluster in [cluster for cluster in clusters if cluster & joined]:
        clusters.remove(cluster)
        joined |= cluster
    clusters.append(joined)
