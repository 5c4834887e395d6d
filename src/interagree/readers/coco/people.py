"""Who annotated, in files of COCO, of which the standard says nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from interagree.data.provenance import Step
from interagree.errors import FormatError, Hint, UnknownName, Wording, listing
from interagree.gather.whose import BY_FILE, BY_FOLDER, by_file, by_pattern
from interagree.readers.coco.files import LABEL_STUDIO, Content, Image, Record, entry, family

SEVERAL = Wording("interagree.read(['ann.json', 'bo.json'])", "interagree report --together ann.json bo.json")
NAMES = (
    "annotator", "annotator_id", "annotator_name", "annotated_by", "rater", "rater_id", "labeler", "labeller",
)  # fmt: skip
ENTRIES = tuple(f"{inside}{name}" for name in NAMES for inside in ("", "attributes."))
LISTS = ("rater_list", "raters", "annotators", "annotator_list")
PERSON = ("email", "username", "name", "id")  # by which a person is called who is an object


class People(NamedTuple):
    """Who annotated: an entry of annotations or of images, or, where it is empty, the files."""

    step: Step
    entry: str = ""
    of_images: bool = False
    files: Mapping[str, str] = {}  # by the name of a file, whose it is

    def of(self, content: Content, image: Image, mark: Record | None = None, where: str = "") -> str | None:
        """Who made an annotation, or looked at an image; None where it is not said of images."""
        if not self.entry:
            return self.files[content.source.name]
        record, where = (image.record, image.where) if self.of_images else (mark, where)
        if record is None:
            return None
        given = entry(record, self.entry)
        if isinstance(given, dict):
            given = next((given[key] for key in PERSON if given.get(key) is not None), None)
        if not isinstance(given, str | int) or isinstance(given, bool) or given == "":
            raise FormatError(
                f"{where}: expected who annotated in {self.entry!r}, as others have it, found {given!r:.60}"
            )
        return str(given)


def raters(image: Image) -> list[str]:
    """Who looked at an image, as kalphacv's files state it."""
    listed: list[object] = next((image.record[name] for name in LISTS if isinstance(image.record.get(name), list)), [])
    return [str(name) for name in listed]


def people_of(contents: Sequence[Content], wanted: str | None) -> People:
    """Who annotated, as the files or the caller say."""
    if wanted is not None and "{" in wanted:
        return _by_file(contents, wanted)
    records = [mark.record for content in contents for mark in content.marks]
    listed = [image.record for content in contents for image in content.images]
    for of_images, some in ((False, records), (True, listed)):
        held = {name for record in some for name in record}
        for name in ENTRIES if wanted is None else (wanted,):
            if name.partition(".")[0] in held and any(entry(record, name) is not None for record in some):
                where = "images" if of_images else "annotations"
                return People(Step("taken", f"annotators by {name!r} of {where}"), name, of_images)
    if wanted is not None:
        known = sorted({name for record in records[:100] for name in record})
        raise UnknownName(
            f"{_files(contents)}: no annotation and no image has an entry {wanted!r} to take the annotator from; "
            f"annotations have {listing(known)}. {BY_FILE} takes the name of the file",
            hints=[BY_FILE],
        )
    if len(contents) == 1:
        raise _nobody(*contents)
    families = {family(content.source) for content in contents}
    if len(families) > 1 and None not in families:
        raise FormatError(
            f"{_files(contents)}: these are parts of one dataset ({listing(sorted(filter(None, families)))}), and "
            f"nothing in them says who annotated; {BY_FILE} or {BY_FOLDER} takes the name of the file, or of its "
            "folder, for the annotator",
            hints=[BY_FILE, BY_FOLDER],
        )
    return _by_file(contents, None)


def _by_file(contents: Sequence[Content], pattern: str | None) -> People:
    sources = [content.source for content in contents]
    items = [[image.item for image in content.images] for content in contents]
    told = by_file(sources, items) if pattern is None else by_pattern(sources, pattern)
    if told is None:
        raise _disjoint(contents)
    people, step = told
    return People(step, files={source.name: who for source, who in zip(sources, people, strict=True)})


def _nobody(content: Content) -> FormatError:
    if content.contributor == LABEL_STUDIO:
        return FormatError(
            f"{content.source.name}: Label Studio's COCO export drops who annotated; export the project as JSON, which "
            f"says so, or pass {BY_FILE} if one person made all annotations",
            hints=[BY_FILE],
        )
    hints = [Hint("annotator", name) for name in _candidates(content)[:1]]
    also = f", or {hints[0]} if that entry says who" if hints else ""
    return FormatError(
        f"{content.source.name}: nothing in it says who annotated; COCO has no place for that. Give a file for each "
        f"annotator, as in {SEVERAL}, put an entry 'annotator' into each annotation{also}, or pass "
        f"{BY_FILE} to take the whole file for one person's",
        hints=[*hints, SEVERAL, BY_FILE],
    )


def _candidates(content: Content) -> list[str]:
    """Entries of annotations that may say who made them: few texts, and not as many as annotations."""
    texts: dict[str, set[str]] = {}
    for mark in content.marks:
        inner = mark.record.get("attributes")
        for inside, record in (("", mark.record), ("attributes.", inner if isinstance(inner, dict) else {})):
            for name, given in record.items():
                if isinstance(given, str) and any(word in name.lower() for word in ("user", "creat", "worker", "by")):
                    texts.setdefault(f"{inside}{name}", set()).add(given)
    return [name for name, some in texts.items() if 1 < len(some) <= len(content.marks) / 2]


def _disjoint(contents: Sequence[Content]) -> FormatError:
    """The error for files that share no image, or share all in ways that do not tell people apart."""
    hint = BY_FILE
    hints, advice = [hint], f"pass {hint} if they are of several annotators all the same"
    for item, shared in (
        ("name", "without their folders"),
        ("extra.name", "by their names before Roboflow changed them"),
    ):
        if _meet([{_called(image, item) for image in content.images} - {None} for content in contents]):
            hint = Hint("item", item)
            hints, advice = [hint], f"they do {shared}, so pass {hint}"
            break
    else:
        if _meet([{image.record["id"] for image in content.images} for content in contents]):
            hints.append(Hint("item", "id"))
            advice += f", and {hints[-1]} if the numbers of images mean the same in all of them"
    return FormatError(
        f"{_files(contents)}: nothing in them says who annotated, and they are not a file for each annotator by their "
        f"images: no two files have an image in common, or one person would have an image twice; {advice}",
        hints=hints,
    )


def _called(image: Image, item: str) -> object:
    """What an image may be called, too."""
    return image.item.replace("\\", "/").rpartition("/")[2] if item == "name" else entry(image.record, item)


def _meet(sets: Sequence[Iterable[object]]) -> bool:
    every = [item for some in sets for item in some]
    return len({*every}) < len(every)


def _files(contents: Sequence[Content]) -> str:
    return listing((content.source.name for content in contents), quote=False, most=4)
