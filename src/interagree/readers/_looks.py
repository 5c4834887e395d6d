"""What a file looks like that no reader takes, and what can be done about it."""

from __future__ import annotations

import re
from pathlib import Path

from interagree.data.files import HEAD, Source
from interagree.errors import Advice, FormatError, Hint, listing
from interagree.plugins import READERS
from interagree.readers._peek import NOT_JSON, json_head, xml_root
from interagree.reading.delimited import header_in, separator

SIGNS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}
BINARY = {
    b"%PDF": "a PDF document; export the table in it as CSV",
    b"\x89PNG": "a picture; read the file of annotations that the tool exports",
    b"\xff\xd8\xff": "a picture; read the file of annotations that the tool exports",
    b"GIF8": "a picture; read the file of annotations that the tool exports",
    b"SQLite format 3": "an SQLite database",
    b"RIFF": "a recording; read the file of annotations that the tool exports",
    b"\x80\x04": "a pickled Python object, which is not read, since reading it may run any program; write it as CSV",
    b"\x80\x05": "a pickled Python object, which is not read, since reading it may run any program; write it as CSV",
    b"\x93NUMPY": "a NumPy array; load it with numpy.load and pass the array",
    b"\x89HDF": "an HDF5 file; write the table in it as Parquet or CSV",
    b"\xac\xed\x00\x05": "a binary CAS, or another object that Java wrote; export the documents as UIMA CAS XMI",
    b"PK\x03\x04": "a packed document or an archive; if it is an archive, let its name end in .zip",
}


def refuse_fasttext(name: str, start: bytes) -> None:
    """An error where lines begin as those for fastText, in which labels, texts and comments cannot be told apart."""
    if re.search(rb'(?m)^"?__label__\S', start):
        raise FormatError(
            f"{name} is written for fastText: labels, the text and comments follow each other with nothing but blanks "
            "between them, and examples have no ids. If it is from doccano, export the project as JSONL instead; else "
            "write a table with a column each for the item, the annotator and the label"
        )


def unknown_suffix(source: Source) -> FormatError:
    """The error for a file whose ending no reader takes: what it looks like, and the call for that."""
    known = sorted({suffix for name in READERS for suffix in READERS[name].facts.suffixes})
    named = [READERS[name].facts.title for name in READERS if source.suffix in READERS[name].facts.suffixes]
    taking = f"none of the readers of such files ({listing(named, quote=False)}) knows it" if named else ""
    opening = f"{source.name} ends in {source.suffix!r}, and {taking or 'no reader takes such files'}"
    ending = f"; files that can be read end in {listing(known, quote=False, most=60)}"
    if source.path is None:
        return FormatError(opening + ending)
    with source.open() as stream:
        start = stream.read(HEAD)
    for magic, words in BINARY.items():
        if start.startswith(magic):
            return FormatError(f"{opening}. It is {words}{ending if 'export' not in words else ''}")
    told = _as_text(source.path, start)
    if told is None:
        return FormatError(f"{opening}. It is not text, and its beginning is not that of any format known here{ending}")
    words, name = told
    if name is None:
        return FormatError(f"{opening}. It looks like {words}{ending}")
    hint = Hint("format", name)
    return FormatError(Advice.of(f"{opening}. It looks like {words}; if it is, pass ", hint), hints=[hint])


def _as_text(path: Path, start: bytes) -> tuple[str, str | None] | None:
    """What a text looks like, and the reader that would take it; None where it is not text."""
    text = start.decode("utf-8-sig", "ignore")
    if "\0" in text or len(text.encode()) < 0.9 * len(start):
        return None
    if root := xml_root(path):
        return f"XML whose outermost element is {root!r:.60}", None
    head = json_head(path)
    if head is not NOT_JSON:
        keys = sorted(head.at())
        lines = not head.listed and len(re.findall(r"(?m)^\s*\{.*\}\s*$", text)) > 1
        words = "JSON lines" if lines else "a JSON list" if head.listed else "a JSON object"
        entries = f" with the entries {listing(keys, most=5)}" if keys else ""
        return f"{words}{entries}", "jsonl" if lines else "json"
    sign, names = separator(text), header_in(text)
    if len(names) > 1 and sign in SIGNS:
        words = f"a table whose cells are separated by {SIGNS[sign]}, beginning with {listing(names, most=5)}"
        return words, "csv"
    return f"plain text that begins with {text.strip()[:40]!r}", None
