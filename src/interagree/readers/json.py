"""JSON: a list of records, an object of columns, or an object of items; annotations may lie inside the records.

    [{"item": 1, "annotator": "ann", "value": "cat"}, …]
    {"item": [1, …], "annotator": ["ann", …], "value": ["cat", …]}
    {"first picture": {"ann": "cat", "bo": "dog"}, …}
    {"meta": {…}, "data": [{"item": 1, "annotator": "ann", "value": "cat"}, …]}

``null`` means that there is no annotation; the string "null" is a value.

**Annotations inside records** are found where it is plain that they are annotations, and the result says where:

    [{"id": 1, "responses": [{"worker": 8, "response": "yes"}, …]}, …]     responses[]
    [{"text": "…", "sentences": [{"responses": [{…}, …]}, …]}, …]          sentences[].responses[]
    [{"id": 1, "annotators": ["ann", "bo"], "labels": ["cat", "dog"]}, …]  annotators[]
    {"a1": {"annotations": {"ann": {"stance": "pro"}, "bo": {…}}}, …}      annotations{}
    [{"id": 1, "votes": [["cat", "https://…", "w17"], …]}, …]              votes[]

On the right is the path, by which ``at`` names the place where there is more than one, or none that is plain:
``interagree.read("file.json", at="sentences[].responses[]")``, or ``-O at='sentences[].responses[]'`` on the command
line.  ``[]`` takes the entries of a list, ``{}`` the keys of an object as annotators.  An item is called by an id in
the record around the annotations, else by its place in the file.  Fields of the records are kept as attributes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interagree.data.files import Source
from interagree.data.study import Study
from interagree.declare import reader
from interagree.reading.nested import study_of


@reader("JSON", suffixes=(".json",), tabular=True)
def json(path: str | Path | Source, *, at: str | None = None, **options: Any) -> Study:
    """Records, columns, or items with their annotators; ``at`` says where nested annotations lie."""
    source = Source.of(path)
    return study_of(source, source.json(), at=at, **options)
