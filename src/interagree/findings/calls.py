"""Calls that findings advise, as data: a command and its options, spelled for the command line or for Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from interagree._rooms import called
from interagree.errors import Hint, Wording, shell

# Options that choose or change annotations: in Python a method of the study does that.
OF_THE_STUDY: Mapping[str, Callable[[Any], str]] = {
    "without": lambda names: f".without({_listed(names)})",
    "merge_labels": lambda groups: "".join(f".merge_labels({_listed(labels)})" for labels in groups),
}


class Call(NamedTuple):
    """A command, its options under the names that Python gives them, and the study that it is about."""

    command: str
    options: Mapping[str, Any] = {}
    name: str = ""  # of the question, where a study has several
    again: str = "FILE"  # the file and how it is read, as words of a command; empty where none is needed

    def wording(self) -> Wording:
        """The call as Python and as the command line spell it."""
        return Wording(in_python(self), in_shell(self))


def in_shell(call: Call) -> str:
    """A call as it is typed into a shell."""
    words = [word for name, value in call.options.items() for word in _flag(name, value)]
    return " ".join(
        [f"interagree {call.command}", *([call.again] if call.again else []), *([shell(words)] if words else [])]
    )


def _flag(name: str, value: Any) -> list[str]:
    if name == "measures":
        return [word for measure, options in value for word in ("-m", _spec(measure, options))]
    if name == "measure" and isinstance(value, str):
        return ["-m", value]
    if name == "merge_labels":
        return Hint(name, [",".join(map(str, labels)) for labels in value]).words()
    return Hint(name, value).words()


def _spec(measure: str, options: Mapping[str, Any]) -> str:
    spelled = ",".join(f"{name}={option}" for name, option in options.items())
    return f"{measure}:{spelled}" if spelled else measure


def in_python(call: Call) -> str:
    """A call in Python, about ``study``."""
    study = f"study[{call.name!r}]" if call.name else "study"
    for name, spelled in OF_THE_STUDY.items():
        if name in call.options:
            study += spelled(call.options[name])
    options = {name: value for name, value in call.options.items() if name not in OF_THE_STUDY}
    return PYTHON.get(call.command, _plain)(call.command, study, options)


def _plain(command: str, study: str, options: Mapping[str, Any]) -> str:
    return f"{called(command)}({_joined(study, options)})"


def _joined(study: str, options: Mapping[str, Any]) -> str:
    return ", ".join([study, *(f"{name}={value!r}" for name, value in options.items())])


def _measure(_command: str, study: str, options: Mapping[str, Any]) -> str:
    measures, by = options["measures"], options.get("by")
    if len(measures) > 1:
        return f"interagree.reports.coefficients({study}, measures={[_spec(*one) for one in measures]!r})"
    name, own = measures[0]
    return f"{called(name)}({_joined(study, own)}){f'.by_{by}()' if by else ''}"


def _disagreements(_command: str, study: str, options: Mapping[str, Any]) -> str:
    return f"interagree.disagreements({study})" + (f".table().head({options['top']})" if "top" in options else "")


def _doctor(_command: str, study: str, _options: Mapping[str, Any]) -> str:
    return f"{study}.rows()[:10]"


def _report(command: str, study: str, options: Mapping[str, Any]) -> str:
    if options == {"ordered": True}:  # says how a file is read; of a study that is there, how far apart its values are
        options = {"distance": "ordinal"}
    return _plain(command, study, options)


def _plan(command: str, study: str, options: Mapping[str, Any]) -> str:
    if "shares" not in options:
        return _plain(command, study, options)
    return f"interagree.plan({', '.join(f'{name}={value!r}' for name, value in options.items())})"


def _compare(command: str, study: str, options: Mapping[str, Any]) -> str:
    if "groups" not in options:
        return _plain(command, study, options)
    return f"{called('compare_groups')}({study}, {options['groups']!r}, measures=[{options['measure']!r}])"


def _listed(names: Any) -> str:
    return ", ".join(map(repr, names))


PYTHON: Mapping[str, Callable[[str, str, Mapping[str, Any]], str]] = {
    "compare": _compare,
    "measure": _measure,
    "disagreements": _disagreements,
    "doctor": _doctor,
    "plan": _plan,
    "report": _report,
}
