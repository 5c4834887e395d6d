"""What to run next, with the options that a file needs."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interagree.data import Annotations, Study

if TYPE_CHECKING:
    from interagree.studies.doctor.odd import Finding

FEW_VALUES = 20  # that a configuration file lists


def steps_of(study: Study) -> list[dict[str, Any]]:
    joined = study.provenance.joined(one.provenance for one in study.values())
    return [{"what": step.what, "sentence": step.sentence, "count": step.count} for step in joined.steps]


def next_commands(
    path: str, study: Study, settings: Mapping[str, Any], given: Mapping[str, Any], *, comparable: bool
) -> list[str]:
    """The commands that make sense of this file."""
    if not any(len(one) for one in study.values()):
        return ["(nothing: there are no annotations; see above)"]
    if not comparable:
        return ["(nothing: there is no item with two annotations; see above)"]
    needed = {name: entry for name, entry in settings.items() if name in ("duplicates", *given)}
    flags = as_flags({**given, **needed})
    file = shlex.quote(path)
    question = f" -q {shlex.quote(next(iter(study)))}" if len(study) > 1 else ""
    optional = {
        name: entry
        for name, entry in settings.items()
        if name in ("values", "ordered", "kind", "split") and name not in given
    }
    commands = [f"interagree measure {file}{flags}"]
    if optional:
        commands.append(f"interagree measure {file}{flags}{as_flags(optional)}")
    kinds = [one.kind for one in study.values()]
    marked = [name for name, kind in zip(study, kinds, strict=True) if kind == "spans"]
    if marked:
        which = f" -q {shlex.quote(marked[0])}" if len(marked) > 1 else ""
        commands.append(f"interagree spans {file}{flags}{which}")
    elif all(kind.complex for kind in kinds):
        commands.append(f"interagree distances {file}{flags}{question}")
    return [
        *commands,
        f"interagree report {file}{flags} -o report.md",
        f"interagree explain {kinds[0].measures[0] if kinds[0].complex else 'alpha'} {file}{flags}{question}",
    ]


def as_flags(options: Mapping[str, Any]) -> str:
    words = []
    for name, entry in options.items():
        option = {"attributes": "attribute"}.get(name, name)
        if entry is True:
            words.append(f"--{option}")
        elif entry is False:
            words.append(f"--not-{option}")
        elif name == "values":
            words.append(f"--values {shlex.quote(','.join(map(str, entry)))}")
        else:
            words += [
                f"--{option} {shlex.quote(str(one))}"
                for one in (entry if isinstance(entry, list | tuple) else [entry])
            ]
    return "".join(f" {word}" for word in words)


def settings_of(study: Study, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a configuration file should say so that the file is read the same way again."""
    return {**study.reading, **given}


def suspicions(
    study: Annotations, odd: Sequence[Finding], wanted: Mapping[str, Any]
) -> list[tuple[str, dict[str, Any]]]:
    """What may be right about the values, but is for a person to say: options with the reason to give them."""
    found: dict[str, dict[str, Any]] = {}
    for key, entry in wanted.items():
        reason = next((finding.what for finding in odd if f"--{key} " in f"{finding.advice} "), "a guess")
        found.setdefault(f"{reason}; if that is so, remove the # below:", {})[key] = entry
    few = 1 < len(study.values) <= FEW_VALUES and all(isinstance(one, str) for one in study.values)
    if few and "values" not in wanted and study.of_kind is None and not study.in_order:
        reason = "the values that occur; to state all that are possible, lowest first, change this and remove the #:"
        found[reason] = {"values": list(study.values)}
    return [*found.items()]
