"""Noisy corpora: annotators who repeat a reference with errors of a known magnitude."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from interagree.data import Annotations, Step
from interagree.data.codes import encode
from interagree.data.types import Value
from interagree.kinds import Kind
from interagree.kinds._noise import Corpus, Noise, noise_of

Confusion: TypeAlias = Mapping[Value, Mapping[Value, float]]
"""How likely each label is mistaken for others."""


@dataclass(frozen=True, eq=False)
class Corpora:
    """How noisy corpora are made of a reference."""

    reference: Annotations  # one annotation for each item
    kind: Kind
    annotators: int
    seed: int
    confusion: Confusion | None = None

    def __getstate__(self) -> dict[str, object]:
        """What is pickled: what was given, and nothing that follows from it."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def values(self) -> list[Value]:
        """The right value of each annotation."""
        return [self.reference.values[code] for code in self.reference.value.tolist()]

    @cached_property
    def noise(self) -> Noise[Any, Any]:
        """The errors of the kind."""
        return noise_of(self.kind)

    @cached_property
    def known(self) -> Any:
        """What errors need to know about the reference."""
        scale = self.reference.values if self.noise.scaled else ()
        return self.noise.survey(Corpus(self.values, scale, self.reference.in_order, self.confusion))

    def study(self, names: tuple[str, ...], magnitude: float, repeat: int) -> Annotations:
        """One corpus; the same errors, magnitude and repeat make the same one, whatever else is asked for."""
        reference, noise = self.reference, "+".join(names)
        entropy = [abs(self.seed), int(self.seed < 0), round(magnitude * 1e9), repeat, zlib.crc32(noise.encode())]
        people = range(1, self.annotators + 1)
        given = [
            self.noise.apply(self.values, magnitude, np.random.default_rng([*entropy, who]), self.known, names)
            for who in people
        ]
        codes, seen = encode(value for values in given for value in values)
        sentence = f"{self.annotators} annotators simulated with {noise} noise of magnitude {magnitude:g}"
        made = Annotations.from_codes(
            np.tile(reference.item, self.annotators),
            np.repeat(np.arange(self.annotators), len(reference)),
            codes,
            reference.items,
            tuple(f"A{who}" for who in people),
            seen,
            values=reference.values if reference.stated and self.noise.scaled else None,
            ordered=reference.ordered,
            provenance=reference.provenance.then(Step("assumed", sentence)),
        )
        return replace(made, of_kind=reference.of_kind or (self.kind.name if self.kind.complex else None))
