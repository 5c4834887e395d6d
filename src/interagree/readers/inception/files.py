"""The files of a project: documents in folders, annotators in files or in archives of one file."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from interagree.data.archives import is_archive, unpack
from interagree.data.files import Source, shown_path
from interagree.data.provenance import Step, counted, noted
from interagree.errors import DuplicateAnnotation, FormatError
from interagree.readers._cas.json import is_cas_json, read_json
from interagree.readers._cas.structures import Counts, annotated
from interagree.readers._cas.types import types_beside
from interagree.readers._cas.xmi import is_xmi, read_xmi
from interagree.readers._layers import CURATED, INITIAL, Annotated
from interagree.readers._webanno.rows import Fitting, read_table

PROJECT = "exportedproject*.json"
ANNOTATION, CURATION = "annotation", "curation"
READ = (".xmi", ".json", ".tsv")


def is_project(folder: Path) -> bool:
    """Whether a folder is a project: it has a description, and documents."""
    places = (ANNOTATION, CURATION, f"{ANNOTATION}_ser", "source")
    return any(folder.glob(PROJECT)) and any((folder / name).is_dir() for name in places)


def opened(source: Source) -> Path:
    """The folder of a project, out of its archive if need be."""
    folder = source.path if source.path is not None and source.path.is_dir() else None
    if folder is None:
        if not is_archive(source):
            raise FormatError(f"{source.name}: expected the archive of an INCEpTION project, found another file")
        folder = unpack(source)
    while not is_project(folder) and len(inside := [at for at in folder.iterdir() if at.is_dir()]) == 1:
        folder = inside[0]
    if not is_project(folder):
        raise FormatError(
            f"{source.name}: expected a project of INCEpTION, with {PROJECT} and the folder '{ANNOTATION}', found "
            "something else; export the project with its annotations"
        )
    return folder


class Files:
    """The annotated documents of a project, and what was met on the way."""

    def __init__(self, users: Collection[str]) -> None:
        self.users = users
        self.counts, self.fitting = Counts(), Fitting()
        self.binary = self.others = 0

    def documents(self, folder: Path) -> Iterator[Annotated]:
        """What each annotator has of each document, the curated ones with it."""
        seen: dict[tuple[str, str], str] = {}
        for name in (ANNOTATION, CURATION):
            for place in sorted((folder / name).iterdir()) if (folder / name).is_dir() else []:
                for file in sorted(place.iterdir()) if place.is_dir() else []:
                    for document, who in self._inside(file):
                        document.item = place.name
                        document.annotator = "CURATION_USER" if name == CURATION else who
                        other = seen.setdefault((place.name, document.annotator), document.where)
                        if other != document.where:
                            raise DuplicateAnnotation(
                                f"{document.annotator!r} has document {place.name!r} twice, in {other} and in "
                                f"{document.where}; keep one of the two"
                            )
                        yield document
        if not seen and (self.binary or (folder / f"{ANNOTATION}_ser").is_dir()):
            raise FormatError(
                f"{shown_path(folder)} holds annotations in binary files (.ser) alone, which only Java reads; export "
                "the project with the secondary format UIMA CAS XMI"
            )

    def _inside(self, file: Path) -> Iterator[tuple[Annotated, str]]:
        if file.is_dir() or file.name.startswith("."):
            return
        source = Source.of(file)
        if file.suffix == ".ser":
            self.binary += 1
        elif file.suffix in READ:
            yield self._document(source), file.stem
        elif is_archive(source):
            inner = [at for at in sorted(unpack(source).iterdir()) if at.suffix in READ]
            if len(inner) != 1:
                raise FormatError(
                    f"{source.name}: expected the document of one annotator, found {counted(len(inner), 'document')}"
                )
            yield self._document(Source.of(inner[0])), self._who(inner[0].stem, file.stem)
        else:
            self.others += 1

    def _who(self, inner: str, outer: str) -> str:
        """The annotator: as the file in an archive is called, or the archive itself."""
        known = (inner in self.users, inner.lower() in CURATED | INITIAL, outer not in self.users)
        return inner if any(known) else outer

    def _document(self, source: Source) -> Annotated:
        if source.suffix == ".tsv":
            return read_table(source, self.fitting)
        types = types_beside(source)
        if source.suffix == ".json":
            if source.path is not None and not is_cas_json(source.path):
                raise FormatError(f"{source.name}: expected a CAS in JSON, found something else")
            return annotated(read_json(source, types), self.counts)
        if source.path is not None and not is_xmi(source.path):
            raise FormatError(f"{source.name}: expected a CAS in XMI, found something else")
        return annotated(read_xmi(source, types, self.counts), self.counts)

    def steps(self) -> list[Step]:
        """What there is to say about the files."""
        binary = (
            f"{counted(self.binary, 'binary file')} (.ser) not read, since the annotations are there in other files"
        )
        others = f"{counted(self.others, 'file')} of unknown kind among annotations not read"
        return [
            *self.counts.steps(),
            *self.fitting.steps(),
            *noted("noticed", binary, self.binary),
            *noted("noticed", others, self.others),
        ]
