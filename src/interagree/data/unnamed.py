"""Items whose names stay in their database: how many there are, and an error of ours where one is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from interagree.data.types import Item
from interagree.errors import KindError


class Unnamed(Sequence[Item]):
    """So many items without names, which is all that most questions about annotators need."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: object) -> NoReturn:
        raise KindError(
            "what is told by item needs the names of the items, and these stay in their database; collect the "
            "annotations first"
        )
