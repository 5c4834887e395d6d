"""LabelMe: the JSON files of the program, one for each image, and the XML files of the web tool.

**JSON files** lie in a folder for each annotator; the folders tell annotators apart, and ``annotator="{folder}"``, or a
name, says otherwise.  The questions are ``boxes`` (rectangles, and rectangles at an angle), ``polygons`` (with circles,
as polygons of 72 corners), ``masks``, ``keypoints`` (points) and ``flags`` (those of the image that are set).  Polygons
of one label and one ``group_id`` are one object, and so are points.  Where some drew polygons and others masks, all
become masks.  Lines and flags of shapes are counted and not read.  A file without shapes says that they looked and
marked nothing; without a file they did not look.

**XML files** of the web tool say of every object who drew it (``<username>``), so that one file holds all annotators of
an image.  Who drew nothing in an image did not look at it, unless ``looked="all"``.  Deleted objects are left out and
counted.  Masks are read where their PNG files lie beside the file or in the folder Masks, and else taken as the boxes
around them, which the file states.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from interagree.data.files import Source
from interagree.data.paths import Paths
from interagree.data.study import Study
from interagree.declare import reader
from interagree.errors import FormatError, Hint, KindError, listing
from interagree.gather.gatherer import Gatherer
from interagree.gather.units import check_options
from interagree.gather.whose import files_below
from interagree.readers._peek import beginning, json_head, xml_root
from interagree.readers.labelme.program import read_files
from interagree.readers.labelme.web import read_pages

SUFFIXES = (".json", ".xml")
WEB = (b"LabelMe Webtool", b"<username>", b"<sourceAnnotation>")


def recognised(path: Path) -> bool:
    """Whether a file can only be one of LabelMe."""
    if path.is_dir():
        return False
    if path.suffix.lower() == ".xml":
        return xml_root(path) == "annotation" and any(mark in beginning(path) for mark in WEB)
    head = json_head(path)
    if head is None or head.listed or not head.has("shapes", begins=b"["):
        return False
    about = {"imagePath", "imageData", "flags", "imageHeight"} & head.at()
    return bool(about) or (head.has("shapes", "", "points") and head.has("shapes", "", "label"))


@reader("LabelMe", suffixes=SUFFIXES, sniff=recognised, together=True)
def labelme(
    path: Paths,
    *,
    annotator: str | None = None,
    looked: Literal["listed", "marked", "all"] | None = None,
    questions: str | Sequence[str] | None = None,
    **options: object,
) -> Study:
    """The files of folders, one for each annotator, or those of the web tool.

    Args:
        path: A folder with a folder for each annotator, or a list of folders or files.
        annotator: Who annotated, where it is one person; or a pattern of "{file}" and "{folder}".
        looked: "listed" for all files, or "marked" for those with something in them; of files of the web tool "marked"
            or "all".
        questions: Those to read.
        options: None further.
    """
    check_options("LabelMe", options, ("annotator", "looked", "questions"), of_units=False)
    lacking = "a file of LabelMe"
    sources = files_below(path, recognised, lacking=lacking)
    gathered = Gatherer("LabelMe", sources, duplicates="error", positions=None)
    every = files_below(path, lambda file: file.suffix.lower() in SUFFIXES, lacking=lacking)
    left = sorted(file.name for file in {s.path for s in every} - {s.path for s in sources} if file is not None)
    gathered.noticed("file", f"that LabelMe did not write not read ({listing(left, most=3)})", len(left))
    pages = [source for source in sources if _is_page(source)]
    if pages and len(pages) < len(sources):
        raise FormatError(
            f"{pages[0].name} is a file of LabelMe's web tool, and others are of the program; read them one by one"
        )
    if pages:
        if looked == "listed" or (annotator is not None and "{" not in annotator):
            option = Hint("looked", "listed") if looked == "listed" else Hint("annotator", annotator)
            raise KindError(f"{option} is for files of the program, and these are of the web tool, which name people")
        read_pages(gathered, annotator)
    else:
        if looked == "all":
            raise KindError(f"{Hint('looked', 'all')} is for files of the web tool, and these are of the program")
        read_files(gathered, annotator)
    gathered.take_looked(looked or "listed")
    return gathered.study(questions)


def _is_page(source: Source) -> bool:
    return source.suffix == ".xml" or (source.path is None and source.read().lstrip()[:1] == b"<")
