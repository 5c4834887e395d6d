"""What a file of CVAT holds: images or tracks, and what is said of the job, the task or the project."""

from __future__ import annotations

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

    item: str
    size: tuple[int, int] | None
    element: Element | None  # of an image
    task: str | None
    subset: str | None
    where: str


class Content(NamedTuple):
    """A file of CVAT."""

    source: Source
    root: Element
    images: list[Image]
    frames: dict[int, Image]  # of a video

    @property
    def about(self) -> Element | None:
        """What is said of the job, the task or the project."""
        return next((found for name in ABOUT if (found := self.root.find(f"meta/{name}")) is not None), None)

    def every(self) -> list[Image]:
        """All images and frames."""
        return [*self.images, *self.frames.values()]

    def with_subsets(self) -> Content:
        """The same with images called by their subset and their name."""
        return self._replace(
            images=[i._replace(item=f"{i.subset}/{i.item}" if i.subset else i.item) for i in self.images]
        )

    def tasks(self) -> dict[str, Element]:
        """What is said of the job, and of the tasks of a project by their ids."""
        alone = [found for name in ("job", "task") if (found := self.root.find(f"meta/{name}")) is not None]
        several = {str(task.findtext("id")): task for task in self.root.iterfind("meta/project/tasks/task")}
        return {"": alone[0], **several} if alone else several


def assignee(about: Element | None) -> str | None:
    """To whom a job or a task was given."""
    place = None if about is None else about.find("assignee")
    name = "" if place is None else (place.findtext("username") or place.text or "").strip()
    return name or None


def content_of(source: Source) -> Content:
    """The images and frames of a file."""
    root = parse_xml(source, root="annotations", tool="a file of CVAT")
    version = root.findtext("version")
    if version is not None and version.strip() not in {"1.1", "1.0", "1.2"}:
        raise FormatError(
            f"{source.name}: expected version 1.1 of CVAT's XML, found {version!r:.20}; export it as 'CVAT for images "
            "1.1' or 'CVAT for video 1.1'"
        )
    content = Content(source, root, [], {})
    content.images.extend(_images(source, root))
    tracks = root.findall("track")
    listed = [frame_of(shape, _where(source, track)) for track in tracks for shape in track if shape.get("frame")]
    about = content.about
    if tracks or (not content.images and about is not None and about.findtext("mode") == "interpolation"):
        name = (root.findtext("meta/source") or (about.findtext("name") if about is not None else "") or "").strip()
        high_and_wide = root.find(".//meta//original_size")
        sides = {} if high_and_wide is None else {side.tag: side.text for side in high_and_wide}
        size = size_of(sides, "height", "width")
        for frame in frames_of(about, listed, source.name):
            item = f"{name}, frame {frame}" if name else f"frame {frame}"
            content.frames[frame] = Image(item, size, None, None, None, f"{source.name}, frame {frame}")
    if not content.images and not content.frames:
        raise FormatError(f"{source.name}: expected images or tracks of a video, found neither")
    return content


def _images(source: Source, root: Element) -> list[Image]:
    images = []
    for element in root.iterfind("image"):
        name, number = element.get("name"), element.get("id", "?")
        if not name:
            raise FormatError(f"{source.name}, image {number}: expected the name of the image, found {name!r}")
        size, get = size_of(element.attrib, "height", "width"), element.get
        images.append(Image(name, size, element, get("task_id"), get("subset"), f"{source.name}, image {number}"))
    return images


def _where(source: Source, track: Element) -> str:
    return f"{source.name}, track {track.get('id', '?')}"
