"""What to run next, with the options that a file needs."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from interagree.data import Annotations, ReadingOptions, Step, Study
from interagree.errors import Hint, ReaderHint, shell

if TYPE_CHECKING:
    from interagree.studies.doctor.odd import Oddity

FEW_VALUES = 20  # that a configuration file lists


def steps_of(study: Study) -> tuple[Step, ...]:
    """What was done to the data, from the file to all questions."""
    return study.provenance.joined(question.provenance for question in study.values()).steps


def next_commands(
    files: Sequence[str],
    study: Study,
    settings: Mapping[str, object],
    given: Mapping[str, object],
    scales: Mapping[str, Mapping[str, object]],
    *,
    comparable: bool,
) -> list[str]:
    """The commands that make sense of this file; ``scales`` are the options that state the scale of a question."""
    if not any(len(question) for question in study.values()):
        return ["(nothing: there are no annotations; see above)"]
    if not comparable:
        return ["(nothing: there is no item with two annotations; see above)"]
    needed = {name: entry for name, entry in settings.items() if name in ("duplicates", *given)}
    flags = as_flags({**given, **needed})
    file = shlex.join(files)
    joined = f"{file} --together" if len(files) > 1 else file
    question = f" -q {shlex.quote(next(iter(study)))}" if len(study) > 1 else ""
    optional = {
        name: entry
        for name, entry in settings.items()
        if name in ("values", "ordered", "kind", "split") and name not in given
    }
    commands = [f"interagree measure {joined}{flags}"]
    if optional:
        commands.append(f"interagree measure {joined}{flags}{as_flags(optional)}")
    for name, scale in scales.items():
        commands.append(f"interagree measure {joined}{flags} -q {shlex.quote(name)}{as_flags(scale)}")
    kinds = [question.kind for question in study.values()]
    marked = [name for name, kind in zip(study, kinds, strict=True) if kind == "spans"]
    if marked:
        which = f" -q {shlex.quote(marked[0])}" if len(marked) > 1 else ""
        commands.append(f"interagree spans {file}{flags}{which}")
    elif all(kind.complex for kind in kinds):
        commands.append(f"interagree distances {file}{flags}{question}")
    return [
        *commands,
        f"interagree report {joined}{flags} -o report.md",
        f"interagree explain {kinds[0].measures[0] if kinds[0].complex else 'alpha'} {file}{flags}{question}",
    ]


# Options of reading that a command has flags for, beside those of `Annotations.of`; single readers take the others.
FLAGS = {
    "delimiter",
    "end",
    "format",
    "label",
    "looked",
    "merge_labels",
    "no_text",
    "only",
    "pseudonyms",
    "query",
    "questions",
    "sheet",
    "start",
    "table",
    "tiers",
    "without",
}
FLAGS |= ReadingOptions.__annotations__.keys() - {"at", "columns"}


def as_flags(options: Mapping[str, object]) -> str:
    """Options of a command."""
    hints = [(Hint if name in FLAGS else ReaderHint)(name, entry) for name, entry in options.items()]
    return "".join(f" {shell(hint.words())}" for hint in hints)


def settings_of(study: Study, given: Mapping[str, object]) -> dict[str, object]:
    """What a configuration file should say so that the file is read the same way again."""
    return {**study.reading, **given}


def suspicions(
    study: Annotations, odd: Sequence[Oddity], wanted: Mapping[str, object]
) -> list[tuple[str, dict[str, object]]]:
    """What may be right about the values, but is for a person to say: options with the reason to give them."""
    reasons: dict[str, dict[str, object]] = {}
    for key, entry in wanted.items():
        reason = next((finding.what for finding in odd if any(hint.option == key for hint in finding.hints)), "a guess")
        reasons.setdefault(f"{reason}; if that is so, remove the # below:", {})[key] = entry
    few = 1 < len(study.values) <= FEW_VALUES and all(isinstance(value, str) for value in study.values)
    if few and "values" not in wanted and study.of_kind is None and not study.in_order:
        reason = "the values that occur; to state all that are possible, lowest first, change this and remove the #:"
        reasons[reason] = {"values": list(study.values)}
    return [*reasons.items()]
