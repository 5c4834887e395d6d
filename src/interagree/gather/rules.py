"""What a caller may say about annotations, wherever they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from interagree.data.provenance import Provenance
from interagree.data.repeated import Duplicates
from interagree.data.types import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a caller may say about annotations; `Annotations.of` explains each."""

    values: Sequence[Value] | None = None
    ordered: bool | None = None
    duplicates: Duplicates = "error"
    split: str | None = None
    missing: Sequence[Value] = ()
    trim: bool | None = None  # whether spaces around an entry are removed; by default those of text files
    fold_case: bool = False
    kind: str | None = None
    from_text: bool = False  # whether the cells were read from a text file, where an empty one means nothing
    provenance: Provenance = field(default_factory=Provenance)
