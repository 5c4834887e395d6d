"""What a file of CVAT holds: images or tracks, and what is said of the job, the task or the project."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.errors import FormatError
from interagree.readers._images import size_of
from interagree.readers._xml import parse_xml
from interagree.readers.cvat.tracks import frame_of, frames_of

ABOUT = ("job", "task", "project")


class Image(NamedTuple):
    """An image, or a frame of a video."""

    name: str
    size: tuple[int, int] | None
    where: str
    element: Element | None = None  # of an image
    frame: int | None = None
    task: str = ""
    subset: str = ""


class Content(NamedTuple):
    """A file of CVAT."""

    source: Source
    root: Element
    images: list[Image]

    def names(self, *, subsets: bool) -> list[str]:
        """What images and frames are called, with their subsets or without."""
        return [f"{image.subset}/{image.name}" if subsets and image.subset else image.name for image in self.images]

    def tasks(self) -> dict[str, Element]:
        """What is said of the job, and of the tasks of a project by their ids."""
        alone = [found for name in ("job", "task") if (found := self.root.find(f"meta/{name}")) is not None]
        several = {str(task.findtext("id")): task for task in self.root.iterfind("meta/project/tasks/task")}
        return {"": alone[0], **several} if alone else several


def content_of(source: Source) -> Content:
    """The images and frames of a file."""
    root = parse_xml(source, root="annotations", tool="a file of CVAT")
    version = root.findtext("version")
    if version is not None and version.strip() not in {"1.1", "1.0", "1.2"}:
        raise FormatError(
            f"{source.name}: expected version 1.1 of CVAT's XML, found {version!r:.20}; export it as 'CVAT for images "
            "1.1' or 'CVAT for video 1.1'"
        )
    images = [*_images(source, root)]
    tracks = root.findall("track")
    about = next((found for name in ABOUT if (found := root.find(f"meta/{name}")) is not None), None)
    if tracks or (not images and about is not None and about.findtext("mode") == "interpolation"):
        listed = [frame_of(shape, _where(source, track)) for track in tracks for shape in track if shape.get("frame")]
        name = (root.findtext("meta/source") or (about.findtext("name") if about is not None else "") or "").strip()
        size = size_of({side.tag: side.text for side in root.iterfind(".//meta//original_size/*")}, "height", "width")
        for frame in frames_of(about, listed, source.name):
            item = f"{name}, frame {frame}" if name else f"frame {frame}"
            images.append(Image(item, size, f"{source.name}, frame {frame}", frame=frame))
    if not images:
        raise FormatError(f"{source.name}: expected images or tracks of a video, found neither")
    return Content(source, root, images)


def _images(source: Source, root: Element) -> Iterator[Image]:
    known: set[tuple[str, str]] = set()
    for place, element in enumerate(root.iterfind("image"), start=1):
        get = element.get
        where = f"{source.name}, image {get('id', '?')}"
        key = (get("name", ""), where)
        where = f"{where}, <image> {place}" if key in known else where  # listed twice, an image is two records
        known.add(key)
        if not get("name"):
            raise FormatError(f"{where}: expected the name of the image, found {get('name')!r}")
        size = size_of(element.attrib, "height", "width")
        yield Image(get("name", ""), size, where, element, None, get("task_id", ""), get("subset", ""))


def _where(source: Source, track: Element) -> str:
    return f"{source.name}, track {track.get('id', '?')}"
