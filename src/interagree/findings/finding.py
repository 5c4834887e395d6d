"""A fact about a study, with its numbers and what to do about it; `interagree.findings.words` puts it in sentences."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from interagree.errors import Wording
from interagree.findings.calls import Call


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that stands out: what it is, of whom or what, its numbers, and what to do about it."""

    code: str  # "annotator.guess", "labels", "drifts.agreement", …: what words are looked up by
    subject: tuple[Hashable, ...] = ()  # the annotators, or else the labels, that it is about
    about: Mapping[str, Any] = field(default_factory=dict)  # numbers and names, as plain data
    gain: float = 0.0  # how much higher the leading coefficient would be; 0 where that is not the point
    advice: tuple[Call, ...] = ()

    @property
    def kind(self) -> str:
        """The part of the code that says what the finding is about."""
        return self.code.partition(".")[0]

    @property
    def test(self) -> str:
        """The part of the code behind its kind: which test, or which habit."""
        return self.code.partition(".")[2]

    @property
    def who(self) -> tuple[Hashable, ...]:
        """The annotators it is about."""
        return tuple(self.about.get("annotators", ()))

    @property
    def sentence(self) -> str:
        """What was found and what to do, in sentences."""
        return self._words()[0]

    @property
    def short(self) -> str:
        """The same as a clause; empty where there is nothing to say in short."""
        return self._words()[1]

    @property
    def command(self) -> Wording | None:
        """The first call that is advised, as Python and the command line spell it."""
        return self.advice[0].wording() if self.advice else None

    def with_facts(self, **more: object) -> Self:
        """The same finding with further facts."""
        return replace(self, about={**self.about, **more})

    def to_dict(self) -> dict[str, object]:
        """The finding as plain data."""
        return {"code": self.code, "subject": [*self.subject], **self.about}

    def _words(self) -> tuple[str, str]:
        from interagree.findings.words import words_of

        return words_of(self)
