"""What arguments that many functions share mean, said once and put into the help of each function that has them.

A function that documents an argument itself keeps its own words.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Mapping

READING = """\
    *others: Where ``data`` is the list of values of one annotator, those of the other annotators, one sequence each.
    **reading: How data are read: ``item``, ``annotator``, ``value``, ``values``, ``ordered``, ``layout``, ``missing``,
        ``duplicates`` and the other options of `Annotations.of`.
"""
ANY = {
    "data": "A study, or anything `Annotations.of` takes.",
    "distance": 'How far apart values are: a name (``"ordinal"``, ``"circular:period=24"``), a function of two values, '
    "or a table.",
    "weights": "Gwet's agreement weights, by name or as a table; the other way to give a distance.",
    "weighting": 'Whether each pair of annotations of an item counts once ("pairs"), or each annotation.',
    "precision": "The error wanted of the distribution of chance, where there are too many pairs to compute all.",
    "seed": "Where the random numbers start.",
    "length": "How long documents are, or the name of the attribute that says so.",
}
EACH_DOCUMENT = "or anything `Annotations.of` takes: for each document and annotator"
OF_KIND: Mapping[str, Mapping[str, str]] = {
    "segments": {
        "data": f"A study whose values are segmentations, {EACH_DOCUMENT} the lengths of the segments, such as "
        "[2, 3, 6].",
        "near": "Boundaries fewer than so many places apart are near misses; with 1 there are none.",
        "types": 'What one type of boundary for another costs: "ordinal" by their numbers, "nominal" 1; "auto" takes '
        "the numbers where all types are whole numbers.",
        "only": "The one type of boundary that counts.",
        "window": "How many units a window reaches; by default half the mean segment of the reference.",
        "against": "The annotator who is taken to be right; by default each of two is the reference of the other in "
        "turn.",
    },
    "spans": {
        "data": f"A study whose values are spans, {EACH_DOCUMENT} the list of all that they marked there.",
        "same_label": "Whether spans of different labels never fit.",
        "empty": "The cost of an unaligned unit.",
        "order": "All categories from the lowest to the highest, or in the order of a square table.",
        "precision": "The relative error that is wanted of the expected disorder of a document, at 95 %.",
        "samples": "How many draws of chance are made of each document, whatever their precision.",
        "limit": "Seconds after which the alignment of a document need not be proven the best.",
    },
    "clusters": {
        "data": f"A study whose values are clusters, {EACH_DOCUMENT} the list of clusters, each a list of mentions."
    },
}


# The annotations of an example that names them and does not say what they are.
EXAMPLES: Mapping[str, Mapping[str, str]] = {
    "any": {
        "ann": '["yes", "no", "yes", "no", "no", "yes"]',
        "bo": '["yes", "no", "no", "no", "no", "yes"]',
        "cy": '["yes", "no", "yes", "no", "no", "no"]',
    },
    "numbers": {"ann": "[9, 6, 8, 7, 10, 6]", "bo": "[8, 5, 8, 6, 9, 7]", "cy": "[9, 5, 7, 6, 9, 6]"},
    "segments": {"ann": "[[2, 3, 6], [5, 5], [4, 4, 4]]", "bo": "[[2, 4, 5], [5, 5], [4, 8]]"},
    "spans": {
        "ann": '[[[0, 3, "PER"], [10, 16, "LOC"]], [[4, 9, "PER"]], [[7, 11, "LOC"]]]',
        "bo": '[[[0, 3, "PER"], [10, 18, "LOC"]], [[4, 9, "ORG"]], [[7, 11, "LOC"]]]',
    },
    "clusters": {
        "ann": '[[["Ada", "she"], ["notes"]], [["London", "it"]]]',
        "bo": '[[["Ada", "she", "notes"]], [["London", "it"]]]',
    },
}


def documented(function: object, parameters: Mapping[str, inspect.Parameter], kind: str = "any") -> str | None:
    """The docstring of a function of data with all its arguments, those of many functions and of a kind among them."""
    doc = inspect.getdoc(function)
    if doc is None or not re.search(r"^(Args|Examples):$", doc, re.MULTILINE):
        return doc
    last = re.search(r"\n\n(?=(Returns|Examples):)", doc)
    end = len(doc) if last is None else last.start()
    before, _, section = doc[:end].partition("\n\nArgs:\n")
    own = dict(re.findall(r"^    (\w+): (.*(?:\n {5,}.*)*)", section, re.MULTILINE))
    shared = {**ANY, **OF_KIND.get(kind, {})}
    entries = [
        f"    {name}: {own[name]}" if name in own else _entry(name, shared[name])
        for name in (*parameters, *(own.keys() - parameters.keys()))
        if name in own or name in shared
    ]
    several = any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters.values())
    reading = READING if several else READING[READING.index("    **") :]
    return "\n".join([before, "", "Args:", *entries, reading.rstrip() + _runnable(doc[end:], kind), ""])


def with_arguments(doc: str | None, meanings: Mapping[str, str]) -> str | None:
    """A docstring that ends in what arguments mean, with further ones; those that it has keep their words."""
    if doc is None or "\n\nArgs:\n" not in doc:
        return doc
    entries = (_entry(name, text) for name, text in meanings.items() if f"\n    {name}: " not in doc)
    return "\n".join([doc.rstrip(), *entries, ""])


def _runnable(text: str, kind: str) -> str:
    """The end of a docstring, its example with the import and the annotations that it takes for granted."""
    before, heading, example = text.partition("Examples:\n")
    if not heading or example.lstrip().startswith((">>> import", ">>> from")):
        return text
    given = EXAMPLES.get(kind, {})
    taken = [name for name in given if re.search(rf"\b{name}\b", example) and f">>> {name} =" not in example]
    lines = ["    >>> import interagree as ia", *(f"    >>> {name} = {given[name]}" for name in taken)]
    return f"{before}{heading}" + "\n".join([*lines, example])


def _entry(name: str, text: str) -> str:
    return textwrap.fill(f"{name}: {text}", width=116, initial_indent="    ", subsequent_indent="        ")
