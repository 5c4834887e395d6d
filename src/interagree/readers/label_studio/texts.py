"""The texts that spans lie in, found by what spans cover."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import TypeAlias

from interagree.data.provenance import counted
from interagree.gather.gatherer import Gatherer
from interagree.gather.offsets import Fit, fit
from interagree.readers.label_studio.results import SPAN, Region, TaskAnnotation

ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:/)?/?\S*/\S*|data:\S*")  # of a file: no white space, and a slash
Entry: TypeAlias = tuple[str, bool]  # of what tasks show, and whether its lines are broken as in a browser


class TaskTexts:
    """The texts that spans lie in: the entry of what tasks show, by the name that spans have for it."""

    def __init__(self, gathered: Gatherer, annotations: Sequence[TaskAnnotation]) -> None:
        self.annotations = annotations
        self.entries: dict[str, Entry] = {}
        shown: dict[str, list[tuple[TaskAnnotation, list[Region]]]] = {}
        for annotation in annotations:
            by_name: dict[str, list[Region]] = {}
            for region in annotation.regions:
                if region.form == SPAN and region.counts == "characters" and not region.rendered:
                    by_name.setdefault(region.shown, []).append(region)
            for name, regions in by_name.items():
                shown.setdefault(name, []).append((annotation, regions))
        for name, those in shown.items():
            self._find(gathered, name, those)

    def _find(self, gathered: Gatherer, name: str, those: Sequence[tuple[TaskAnnotation, list[Region]]]) -> None:
        fits: dict[Entry, Fit] = {}
        total = sum(region.covered is not None for _, regions in those for region in regions)
        for annotation, regions in those:
            spans = [(*region.place, region.covered) for region in regions if region.covered is not None]
            for entry, text in annotation.data.items():
                if isinstance(text, str):
                    for broken in (False, True) if "\r\n" in text else (False,):
                        before = fits.get((entry, broken), Fit())
                        fits[entry, broken] = before.plus(fit(_broken(text, broken=broken), spans))
        best = max(fits, key=lambda at: (fits[at].either, at[0] == name, not at[1]), default=None)
        if best is None or (fits[best].unit is None if total else best[0] != name):
            sentence = f"the text of {name!r} is not in the file, so offsets are not checked"
            if total and best is not None:
                sentence = f"no text of the tasks holds what {counted(total, 'span')} should cover; offsets not checked"
            gathered.note("noticed", sentence, total)
            return
        self.entries[name] = best

    def by_item(self, shown: str) -> dict[Hashable, str]:
        """The text of each item, as far as it is known."""
        texts: dict[Hashable, str] = {}
        entry, broken = self.entries.get(shown, (shown, False))
        for annotation in self.annotations:
            text = annotation.data.get(entry)
            if isinstance(text, str) and (shown in self.entries or not ADDRESS.fullmatch(text)):
                texts.setdefault(annotation.item, _broken(text, broken=broken))
        return texts


def _broken(text: str, *, broken: bool) -> str:
    """A text with its lines broken as a browser breaks them."""
    return text.replace("\r\n", "\n") if broken else text
