"""A study: an ordered set of questions, each with its annotations, and where they came from."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from interagree.data.annotations import Annotations
from interagree.data.codebook import Codebook
from interagree.data.drawing import Drawn
from interagree.data.levels import Level
from interagree.data.provenance import Provenance, Step, counted
from interagree.errors import Advice, DataError, Hint, UnknownName, Wording, listing, suggestion
from interagree.errors.signs import printable


@dataclass(frozen=True, slots=True, eq=False)
class Study(Mapping[str, Annotations], Drawn):
    """Questions by name.  A measure takes a study of one question as it is."""

    questions: Mapping[str, Annotations]
    provenance: Provenance = field(default_factory=Provenance)
    reading: Mapping[str, object] = field(default_factory=dict)  # the options that state how its table was read
    codebook: Codebook | None = None  # what is known of its questions beside the answers

    @classmethod
    def of(cls, provenance: Provenance | None = None, **questions: Annotations) -> Study:
        """A study from its questions by name."""
        return cls(questions, provenance or Provenance())

    def __getitem__(self, name: str) -> Annotations:
        if name not in self.questions:
            raise UnknownName(
                f"the study has no question {name!r}; it has {listing(self.questions)}."
                + suggestion(name, self.questions)
            )
        return self.questions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.questions)

    def __len__(self) -> int:
        return len(self.questions)

    @printable
    def __repr__(self) -> str:
        inside = ", ".join(f"{name}: {question!r}" for name, question in self.questions.items())
        return f"<Study: {inside}>"

    def _repr_html_(self) -> str:
        from interagree.data.shown import study_html

        return study_html(self.questions, self.policy())

    def single(self) -> Annotations:
        """The only question, or an error that names those there are."""
        if len(self.questions) != 1:
            names, first = listing(self.questions), next(iter(self.questions), "name")
            raise DataError(
                Advice.of(
                    f"the study asks {len(self.questions)} questions ({names}); choose one of them, as in ",
                    Wording(f"study[{first!r}]", Hint("questions", first).for_command_line()),
                )
            )
        return next(iter(self.questions.values()))

    def level(self, question: str | None = None) -> Level:
        """On which level a question is measured, and who says so; the only question where none is named."""
        return (self.single() if question is None else self[question]).level

    def without(self, *names: Hashable) -> Study:
        """The same as if these annotators had not taken part, in all questions that they answered."""
        everybody = {name for question in self.values() for name in question.annotators}
        for name in names:
            if name not in everybody:
                known = listing(sorted(map(str, everybody)))
                said = suggestion(str(name), map(str, everybody))
                raise UnknownName(f"there is no annotator {name!r}; there are {known}.{said}")
        left = {
            title: question.without(*(name for name in names if name in question.annotators))
            for title, question in self.items()
        }
        return replace(self, questions=left)

    def merge_labels(self, *labels: Hashable) -> Study:
        """The same with some values of its only question as one; see `Annotations.merge_labels`."""
        merged = self.single().merge_labels(*labels)
        return replace(self, questions=dict.fromkeys(self, merged))

    def with_steps(self, *steps: Step) -> Study:
        """The same, with further steps between its files and what is measured."""
        return replace(self, provenance=self.provenance.then(*steps)) if steps else self

    def pseudonymous(self) -> Study:
        """The same with annotators called A1, A2, …; see `interagree.data.privacy`."""
        from interagree.data.privacy import with_pseudonyms

        return with_pseudonyms(self)

    def without_text(self) -> Study:
        """The same with what was annotated masked; see `interagree.data.privacy`."""
        from interagree.data.privacy import without_text

        return without_text(self)

    def summary(self) -> Advice:
        """How many annotations there are, and what was dropped, merged or assumed."""
        size, policy = counted(sum(map(len, self.values())), "annotation"), self.policy()
        return Advice.around(f"{size}; {policy}" if policy else size, policy)

    def policy(self) -> str:
        """What was dropped, merged or assumed, as one line."""
        return self.provenance.joined(question.provenance for question in self.questions.values()).policy()
