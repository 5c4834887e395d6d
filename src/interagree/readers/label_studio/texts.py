"""The texts that spans lie in, found by what spans cover, and offsets corrected by them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

from interagree.data.provenance import Step, counted, noted
from interagree.errors import FormatError
from interagree.gather import offsets
from interagree.gather.offsets import UTF16, Covered, Fit
from interagree.readers.label_studio.regions import Region, TaskAnnotation

ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:/)?/?\S*/\S*|data:\S*")  # of a file: no white space, and a slash


class TaskTexts:
    """The texts that spans lie in: found by what spans cover, and offsets put right."""

    def __init__(self, looked: Sequence[TaskAnnotation]) -> None:
        self.annotations = looked
        self.entries: dict[str, tuple[str, bool]] = {}  # by what is shown: the entry of data; whether it has \r\n
        self.steps: list[Step] = []
        shown: dict[str, list[tuple[TaskAnnotation, list[Region]]]] = {}
        for annotation in looked:
            by_name: dict[str, list[Region]] = {}
            for region in annotation.regions:
                if region.shape == "span" and region.counts == "characters" and not region.rendered:
                    if region.place[0] < 0:
                        raise FormatError(f"{annotation.where}: a span starts at {region.place[0]}, before its text")
                    by_name.setdefault(region.shown, []).append(region)
            for name, some in by_name.items():
                shown.setdefault(name, []).append((annotation, some))
        for name, those in shown.items():
            self._find(name, those)
        for annotation in looked:
            for region in annotation.regions:
                region.covered = None  # it is checked, and takes as much memory as all the rest of a region

    def _find(self, name: str, some: list[tuple[TaskAnnotation, list[Region]]]) -> None:
        covered = [
            (annotation, [(*region.place, region.covered) for region in regions if region.covered is not None])
            for annotation, regions in some
        ]
        fits: dict[tuple[str, bool], Fit] = {}
        for annotation, spans in covered:
            for entry, text in annotation.data.items():
                if not isinstance(text, str):
                    continue
                for broken in (False, True) if "\r\n" in text else (False,):
                    fitting = offsets.fit(_broken(text, broken=broken), _unescaped(spans, text))
                    fits[entry, broken] = fits.get((entry, broken), Fit()).plus(fitting)
        total = sum(len(spans) for _, spans in covered)
        best = max(fits, key=lambda at: (fits[at].either, at[0] == name, not at[1]), default=None)
        if best is None or (total and fits[best].unit is None) or (not total and best[0] != name):
            sentence = f"the text of {name!r} is not in the file, so offsets are not checked"
            if total and best is not None:
                sentence = f"no text of the tasks holds what {counted(total, 'span')} should cover; offsets not checked"
            self.steps.append(Step("noticed", sentence, total))
            return
        self.entries[name] = best
        moved = self._put_right(some, *best)
        sentence = f"offsets of {counted(moved, 'span')} in UTF-16 units, as the covered text shows; made characters"
        self.steps += noted("taken", sentence, moved)
        beyond = sum(
            offsets.beyond(_broken(text, broken=best[1]), (float(region.place[1]) for region in regions))
            for annotation, regions in some
            if isinstance(text := annotation.data.get(best[0]), str)
        )
        self.steps += noted("noticed", f"{counted(beyond, 'span end')} behind the end of the text kept", beyond)
        wrong = total - fits[best].either
        sentence = f"{counted(wrong, 'span')} of {total:,} do not cover the text that the file states; kept"
        self.steps += noted("noticed", sentence, wrong)

    @staticmethod
    def _put_right(some: list[tuple[TaskAnnotation, list[Region]]], entry: str, broken: bool) -> int:  # noqa: FBT001 -- a pair
        """Make offsets in UTF-16 units characters, annotation by annotation; how many spans were in such units."""
        wide = []
        for annotation, regions in some:
            text = annotation.data.get(entry)
            if isinstance(text, str) and not offsets.is_basic(text):
                spans = _unescaped([(*region.place, region.covered or "") for region in regions], text)
                text = _broken(text, broken=broken)
                wide.append((annotation, regions, text, offsets.ways_told(text, spans)))
        usual = offsets.mostly(way for *_, ways in wide for way in ways)
        moved = 0
        for annotation, regions, text, ways in wide:
            points = offsets.utf16_to_points(text)
            for region, way in zip(regions, offsets.settled(ways, usual), strict=True):
                if way == UTF16:
                    moved += 1
                    region.place = offsets.in_points(points, *region.place, where=annotation.where)
        return moved

    def by_item(self, shown: str) -> dict[Hashable, str]:
        """The text of each item, as far as it is known."""
        texts: dict[Hashable, str] = {}
        entry, broken = self.entries.get(shown, (shown, False))
        for annotation in self.annotations:
            text = annotation.data.get(entry)
            known = shown in self.entries or (isinstance(text, str) and not ADDRESS.fullmatch(text))
            if known and annotation.item not in texts and isinstance(text, str):
                texts[annotation.item] = _broken(text, broken=broken)
        return texts

    def of(self, shown: str, rows: Sequence[TaskAnnotation]) -> list[str | None] | None:
        """The text of each row; None where none is known."""
        known = self.by_item(shown)
        return [known.get(annotation.item) for annotation in rows] if known else None


def _broken(text: str, *, broken: bool) -> str:
    """A text with its lines broken as a browser breaks them."""
    return text.replace("\r\n", "\n") if broken else text


def _unescaped(spans: Sequence[Covered], text: str) -> Sequence[Covered]:
    r"""Spans with real breaks of lines in what they cover; Label Studio may write them as \\n."""
    if "\\n" in text or not any("\\n" in covered for _, _, covered in spans):
        return spans
    return [(start, end, covered.replace("\\n", "\n")) for start, end, covered in spans]
