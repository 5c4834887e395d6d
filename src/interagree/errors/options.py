"""What options are given is checked against what the signature declares, in one place for every public function.

    >>> import interagree as ia
    >>> ia.alpha(["a", "b"], ["a", "c"]).interval(level=95)
    Traceback (most recent call last):
    ...
    interagree.errors.OptionError: level= takes a number between 0 and 1, not 95

The annotation of a parameter says what it takes (`Literal`, `float`, `Sequence[str]`, …), and `errors.bounds` says
within which bounds numbers of that name lie, as `declare.arguments` says once what arguments of many functions mean.  A
measure, a reader, a function of data and the methods of every answer are checked without a word of their own; other
functions and classes are declared with `checks_options` and `checked_methods`.  What a signature cannot say (whether a
column exists) is left to the function.

Checks are made when a function is first called with options, since annotations name things that are not loaded before.
"""

from __future__ import annotations

import collections.abc
import functools
import math
import os
import sys
import types
import typing
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import islice
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from interagree.errors import (
    FLAGS,
    Advice,
    KindError,
    OptionError,
    UnknownWord,
    Wording,
    listing,
    nearest,
    plain,
    suggestion,
)
from interagree.errors.bounds import BOUNDS, Bounds
from interagree.errors.elsewhere import keyword

if TYPE_CHECKING:
    import inspect

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

LOOKED_AT = 100  # entries of a list that are looked at; what follows is hardly ever of another type
LONGEST = 60  # letters of what was given that are shown


class Wanted(NamedTuple):
    """What an option takes."""

    fits: Callable[[object], bool]
    words: str  # as in "takes …"
    choices: tuple[object, ...] = ()  # where it takes one of a few words
    plain: Callable[[Any], object] = plain.same  # what fits, as the function gets it


class _Open(type):
    """The type of `Anything`, every part of which is anything too."""

    def __getattr__(cls, name: str) -> type[Anything]:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything


class Anything(metaclass=_Open):
    """Stands for a type that is not checked here: data, and names that only type checkers load."""

    def __class_getitem__(cls, _: object) -> type[Anything]:
        return cls


class _Names(dict[str, object]):
    """The names of a module for evaluating an annotation; one that is not loaded stands for anything."""

    def __missing__(self, name: str) -> object:
        import builtins

        return getattr(builtins, name, Anything)


def declared(annotation: object, namespace: Mapping[str, object]) -> object:
    """The type that an annotation names; a string is evaluated in the namespace of its module."""
    if not isinstance(annotation, str):
        return annotation
    # An alias that is itself a string names what is not loaded: what data may be.
    names = _Names({name: Anything if isinstance(entry, str) else entry for name, entry in namespace.items()})
    return eval(annotation, {}, names)  # noqa: S307 -- the annotations of this package and its plug-ins


def wanted(kind: object, name: str = "", *, empty: bool = False) -> Wanted:
    """What an option of a declared type takes.

    Args:
        kind: The type.
        name: The name of the option, whose numbers may have bounds.
        empty: Whether an empty word makes sense.
    """
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return wanted(inner[0], name, empty=empty)
    alias = getattr(origin or kind, "__value__", None)  # of a type alias, as newer versions of NumPy declare NDArray
    if alias is not None:
        return wanted(alias, name, empty=empty)
    if origin in (typing.Union, types.UnionType):
        return _one_of([wanted(part, name, empty=empty) for part in inner])
    if origin is typing.Literal:
        return Wanted(lambda given: _among(given, inner), _listed(inner), inner, plain.choice)
    if kind is None or kind is type(None):
        return Wanted(lambda given: given is None, "None")
    if kind is str and name in SPELLED:
        return SPELLED[name]
    if kind in _SIMPLE:
        return _SIMPLE[cast("type", kind)](BOUNDS.get(name, Bounds()), empty)
    if kind is Hashable:
        return Wanted(_hashable, "a name")
    base = origin or kind
    if not isinstance(base, type) or base in (object, Anything, typing.Any):
        return ANYTHING
    return _collection(base, inner, name) or _instance(base)


def _one_of(parts: Sequence[Wanted]) -> Wanted:
    if any(part is ANYTHING for part in parts):
        return ANYTHING
    words = list(dict.fromkeys(part.words for part in parts if part.words not in ("", "None"))) or ["None"]
    spelled = f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)
    return Wanted(
        lambda given: any(part.fits(given) for part in parts),
        spelled,
        tuple(c for part in parts for c in part.choices),
        lambda given: next(part.plain(given) for part in parts if part.fits(given)),
    )


def _among(given: object, words: Sequence[object]) -> bool:
    if not isinstance(given, str | Integral | None):
        return False
    chosen = plain.choice(given)
    return any(type(chosen) is type(word) and chosen == word for word in words)


def _listed(words: Sequence[object]) -> str:
    return listing(words) if len(words) == 1 else f"one of {listing(words, most=20)}"


def _hashable(given: object) -> bool:
    try:
        hash(given)
    except TypeError:
        return False
    return True


def _number(bounds: Bounds, empty: bool) -> Wanted:  # noqa: ARG001, FBT001 -- one signature for all simple types
    def fits(given: object) -> bool:
        if isinstance(given, bool) or not isinstance(given, Real):
            return False
        try:
            return math.isfinite(given) and bounds.hold(float(given))
        except OverflowError:  # a whole number that no float can hold
            return False

    return Wanted(fits, f"a number {bounds}".strip(), plain=plain.number)


def _whole(bounds: Bounds, empty: bool) -> Wanted:  # noqa: ARG001, FBT001 -- one signature for all simple types
    most = min(bounds.high, sys.maxsize)

    def fits(given: object) -> bool:
        if isinstance(given, bool) or not isinstance(given, Integral):
            return False
        return bounds.hold(int(given)) and abs(int(given)) <= most

    return Wanted(fits, f"a whole number {bounds}".strip(), plain=plain.whole)


def _flag(bounds: Bounds, empty: bool) -> Wanted:  # noqa: ARG001, FBT001 -- one signature for all simple types
    return Wanted(lambda given: type(given).__name__ in ("bool", "bool_"), "True or False", plain=bool)


def _word(bounds: Bounds, empty: bool) -> Wanted:  # noqa: ARG001, FBT001 -- one signature for all simple types
    return Wanted(lambda given: isinstance(given, str) and (empty or given != ""), "a word", plain=plain.word)


_SIMPLE: Mapping[object, Callable[[Bounds, bool], Wanted]] = {float: _number, int: _whole, bool: _flag, str: _word}


def _encoding(given: object) -> bool:
    import codecs

    try:
        return isinstance(given, str) and isinstance("".encode(codecs.lookup(given).name), bytes)
    except (LookupError, ValueError, UnicodeError):  # "base64" is a codec, and not one of text
        return False


# Words of a name that have a form of their own, for all readers that take them.
SPELLED: Mapping[str, Wanted] = {
    "delimiter": Wanted(
        lambda given: isinstance(given, str) and len(given) == 1 and given not in '\r\n"\0', "one character"
    ),
    "encoding": Wanted(_encoding, "the name of an encoding, such as 'utf-8' or 'latin-1'"),
}


_CALLABLE: type = collections.abc.Callable  # type: ignore[assignment]  # an abstract class that `issubclass` takes


def _collection(base: type, inner: tuple[object, ...], name: str) -> Wanted | None:
    """What a list, a mapping, a path or a function is; None for any other class."""
    if issubclass(base, _CALLABLE):
        return Wanted(callable, "a function")
    if issubclass(base, os.PathLike):
        return Wanted(lambda given: isinstance(given, os.PathLike), "a path")
    if issubclass(base, Mapping):
        key, entry = (wanted(part, empty=True) for part in inner) if len(inner) == 2 else (ANYTHING, ANYTHING)
        return Wanted(lambda given: _dict_of(given, key, entry), "a dict", plain=plain.mapping)
    if issubclass(base, tuple) and inner and inner[-1] is not ... and base is tuple:
        parts = [wanted(part, name) for part in inner]
        return Wanted(
            lambda given: (
                _list_of(given, ANYTHING, sized=True)
                and len(plain.entries(given)) == len(parts)
                and all(part.fits(entry) for part, entry in zip(parts, plain.entries(given), strict=True))
            ),
            f"a tuple of {len(parts)}",
            plain=lambda given: tuple(plain.entries(given)),
        )
    if issubclass(base, Iterable) and base.__module__ in ("collections.abc", "builtins", "numpy"):
        entry = wanted(inner[0], name, empty=True) if inner else ANYTHING
        if base.__module__ == "numpy":
            return Wanted(lambda given: hasattr(given, "__len__") and not isinstance(given, str | Mapping), "an array")
        sized = issubclass(base, Sequence)
        plural = _PLURALS.get(entry.words.partition(" of ")[0], "")
        # A word is a sequence of letters, which may be values, but hardly ever are they the words that are meant.
        letters = entry is ANYTHING or entry.fits is _hashable
        return Wanted(
            lambda given: (letters and isinstance(given, str)) or _list_of(given, entry, sized=sized),
            f"a list{plural}",
            plain=plain.entries,
        )
    return None


_PLURALS = {one: f" of {one.removeprefix('a ')}s" for one in ("a word", "a number", "a whole number", "a name")}


def _dict_of(given: Any, key: Wanted, entry: Wanted) -> bool:
    given = plain.mapping(given)
    if not isinstance(given, Mapping):
        return False
    if isinstance(given, plain.Kept):
        return True
    first = [*islice(given.items(), LOOKED_AT)]
    return all(key.fits(name) and entry.fits(value) for name, value in first)


def _list_of(given: Any, entry: Wanted, *, sized: bool) -> bool:
    if isinstance(given, str | bytes | bytearray | Mapping) or not hasattr(given, "__iter__"):
        return False
    if sized and not hasattr(given, "__len__"):
        return False
    if getattr(given, "ndim", 1) != 1:  # an array that is a table
        return False
    if entry is ANYTHING or isinstance(given, plain.Kept) or not hasattr(given, "__len__"):
        return True
    first = islice(plain.entries(given), LOOKED_AT)
    return _hashable(tuple(first)) if entry.fits is _hashable else all(map(entry.fits, first))


def _instance(base: type) -> Wanted:
    if getattr(base, "_is_protocol", False) and not getattr(base, "_is_runtime_protocol", False):
        return ANYTHING
    if base.__module__.startswith("numpy."):  # parts of what numpy takes as an array
        return Wanted(lambda given: not isinstance(given, Mapping) and hasattr(given, "__len__"), "a table of numbers")
    words = "" if base in (complex, bytes) else f"a{'n' * (base.__name__[0] in 'AEIOU')} {base.__name__}"
    return Wanted(lambda given: isinstance(given, base), words)


ANYTHING = Wanted(lambda _: True, "")


def flag_of(option: str) -> str:
    """An option of a command, as it is called there."""
    return FLAGS.get(option, f"--{option.replace('_', '-')}")


def refused(option: str, given: object, takes: Wanted, flag: Callable[[str], str] = flag_of) -> OptionError:
    """The error for what an option does not take; ``flag`` says what the command line calls the option."""
    called = Wording(f"{option}=", flag(option))
    words = [word for word in takes.choices if isinstance(word, str)]
    close = nearest(given, words) if isinstance(given, str) else None
    parts: list[str | Wording] = [called, f" takes {takes.words}, not {shown(given)}"]
    if close is not None:
        typed = f"{flag(option)}{'' if flag(option).endswith('=') else ' '}{close}"
        parts += [". Did you mean ", Wording(f"{option}={close!r}", typed), "?"]
    elif option == "digits" and isinstance(given, str | os.PathLike):  # a path, as other packages' to_html(path) takes
        parts.append(f". To write a file, call .write({str(given)!r:.{LONGEST}})")
    kind = UnknownWord if isinstance(given, str) and words else OptionError
    return kind(Advice.of(*parts))


def shown(given: object) -> str:
    """What was given, as a message shows it: cut where it is long, by its type where it cannot be shown."""
    try:
        spelled = " ".join(repr(given).split())
    except Exception:  # noqa: BLE001 -- an object of anyone's, or a number with thousands of digits
        return f"a value of type {type(given).__name__}"
    if len(spelled) > LONGEST:
        spelled = spelled[: LONGEST - 1] + "…"
    return spelled if given is None or isinstance(given, str | int | float) else f"{spelled} ({type(given).__name__})"


def unknown(function: str, name: str, own: Sequence[str], reading: Sequence[str]) -> KindError:
    """The error for a keyword that a function does not take."""
    takes = f"its own options are {listing(own, quote=False)}" if own else "it has no options of its own"
    known = [*own, *reading]
    said = keyword(name, known) or suggestion(name, known, form="{}=")
    return KindError(
        f"{function} does not take {name}=.{said} ({takes}; how data are read is said by "
        f"{listing(reading, most=20, quote=False)})"
    )


class Signature:
    """What a function takes, worked out when it is first asked."""

    def __init__(
        self, function: Callable[..., object], flag: Callable[[str], str] = flag_of, besides: Sequence[str] = ()
    ) -> None:
        self._function = function
        self._flag = flag
        self._besides = besides  # parameters that hold data, which the function takes apart itself

    @functools.cached_property
    def _parameters(self) -> list[inspect.Parameter]:
        import inspect

        return [*inspect.signature(self._function).parameters.values()]

    def _declared(self, parameter: inspect.Parameter) -> object:
        """The type of a parameter."""
        import inspect

        return declared(parameter.annotation, vars(sys.modules[inspect.unwrap(self._function).__module__]))

    @functools.cached_property
    def _taken(self) -> dict[str, tuple[Wanted, object]]:
        """What each option takes, and its default."""
        return {
            one.name: (wanted(self._declared(one), one.name, empty=one.default == ""), one.default)
            for one in self._parameters
            if one.name not in self._besides
            if one.annotation is not one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
        }

    @functools.cached_property
    def _others(self) -> tuple[str, Wanted] | None:
        """The parameter that takes any number of arguments by place, and what each of them may be."""
        several = [one for one in self._parameters if one.kind is one.VAR_POSITIONAL]
        return (several[0].name, wanted(self._declared(several[0]), several[0].name)) if several else None

    @functools.cached_property
    def names(self) -> list[str]:
        """The parameters by place."""
        return [one.name for one in self._parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]

    @functools.cached_property
    def _reading(self) -> Sequence[str]:
        """The names that ``**reading`` takes; none where there is no such parameter."""
        for one in self._parameters:
            if one.kind is one.VAR_KEYWORD and one.name == "reading":
                (options,) = typing.get_args(self._declared(one))
                return [*options.__annotations__]
        return ()

    def _known(self, options: Mapping[str, object]) -> None:
        """An error for the first keyword that neither the function nor the way data are read takes."""
        for name in options:
            if self._reading and not (name in self._taken or name in self._besides or name in self._reading):
                own = sorted(self._taken.keys() - {*self.names[:1]})
                raise unknown(self._function.__name__, name, own, self._reading)

    def check(self, options: Mapping[str, object]) -> dict[str, Any]:
        """Options as plain values; an error for the first that is given what it does not take."""
        checked: dict[str, Any] = dict(options)
        for name, given in options.items():
            if name in self._taken:
                takes, default = self._taken[name]
                if given is default:
                    continue
                if not takes.fits(given):
                    raise refused(name, given, takes, self._flag)
                checked[name] = takes.plain(given)
        return checked

    def check_all(self, given: Sequence[object], options: Mapping[str, object]) -> tuple[Sequence[Any], dict[str, Any]]:
        """The same for arguments by place and by name."""
        if given:
            others = given[len(self.names) :]
            if self._others is not None:
                name, takes = self._others
                for each in others:
                    if not takes.fits(each):
                        raise refused(name, each, takes, self._flag)
            given = (*self.check(dict(zip(self.names, given, strict=False))).values(), *others)
        self._known(options)
        return given, self.check(options)


def checks_options(function: F, flag: Callable[[str], str] = flag_of, besides: Sequence[str] = ()) -> F:
    """Let a function check what it is given, besides parameters that hold data, which it takes apart itself."""
    signature = Signature(function, flag, besides)

    @functools.wraps(function)
    def checks(*given: Any, **options: Any) -> Any:
        plain_given, plain_options = signature.check_all(given, options)
        return function(*plain_given, **plain_options)

    return cast("F", checks)


def _checked_method(function: F) -> F:
    signature = Signature(function)

    @functools.wraps(function)
    def checks(*given: Any, **options: Any) -> Any:
        if options or len(given) > 1:
            plain_given, plain_options = signature.check_all(given, options)
            return function(*plain_given, **plain_options)
        return function(*given, **options)

    checks.checks_options = True  # type: ignore[attr-defined]  # a function may carry attributes
    return cast("F", checks)


INTERNAL = frozenset({"called_with"})  # methods that no user calls, and every measure does


def checked_methods(of: C) -> C:
    """Let the public methods of a class check what they are given."""
    for name, method in list(vars(of).items()):
        if name in INTERNAL or name.startswith("_") or not isinstance(method, types.FunctionType):
            continue
        if hasattr(method, "checks_options"):  # a dataclass with slots is made twice
            continue
        if method.__code__.co_argcount + method.__code__.co_kwonlyargcount > 1:
            setattr(of, name, _checked_method(method))
    return of
