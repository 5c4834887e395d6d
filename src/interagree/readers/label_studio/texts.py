"""The texts that spans lie in, found by what spans cover."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

from interagree.data.provenance import Step, counted
from interagree.errors import FormatError
from interagree.gather import offsets
from interagree.gather.offsets import Fit
from interagree.readers.label_studio.regions import Region, TaskAnnotation

ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:/)?/?\S*/\S*|data:\S*")  # of a file: no white space, and a slash


class TaskTexts:
    """The texts that spans lie in: the entry of what tasks show, and whether its lines break as in a browser."""

    def __init__(self, annotations: Sequence[TaskAnnotation]) -> None:
        self.annotations = annotations
        self.entries: dict[str, tuple[str, bool]] = {}  # by what is shown
        self.steps: list[Step] = []
        shown: dict[str, list[tuple[TaskAnnotation, list[Region]]]] = {}
        for annotation in annotations:
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

    def _find(self, name: str, some: list[tuple[TaskAnnotation, list[Region]]]) -> None:
        fits: dict[tuple[str, bool], Fit] = {}
        total = 0
        for annotation, regions in some:
            spans = [(*region.place, region.covered) for region in regions if region.covered is not None]
            total += len(spans)
            for entry, text in annotation.data.items():
                if not isinstance(text, str):
                    continue
                there = [(start, end, _unescaped(covered, text)) for start, end, covered in spans]
                for broken in (False, True) if "\r\n" in text else (False,):
                    fitting = offsets.fit(_broken(text, broken=broken), there)
                    fits[entry, broken] = fits.get((entry, broken), Fit()).plus(fitting)
        best = max(fits, key=lambda at: (fits[at].either, at[0] == name, not at[1]), default=None)
        if best is None or (total and fits[best].unit is None) or (not total and best[0] != name):
            sentence = f"the text of {name!r} is not in the file, so offsets are not checked"
            if total and best is not None:
                sentence = f"no text of the tasks holds what {counted(total, 'span')} should cover; offsets not checked"
            self.steps.append(Step("noticed", sentence, total))
            return
        self.entries[name] = best
        for annotation, regions in some:
            for region in regions:
                if region.covered is not None and isinstance(text := annotation.data.get(best[0]), str):
                    region.covered = _unescaped(region.covered, text)

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


def _broken(text: str, *, broken: bool) -> str:
    """A text with its lines broken as a browser breaks them."""
    return text.replace("\r\n", "\n") if broken else text


def _unescaped(covered: str, text: str) -> str:
    r"""What a span covers with real breaks of lines; Label Studio may write them as \\n."""
    return covered.replace("\\n", "\n") if "\\n" in covered and "\\n" not in text else covered
