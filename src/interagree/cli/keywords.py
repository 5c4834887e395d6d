"""Keywords of Python in messages that carry no hints yet, spelled as options of the command line."""

from __future__ import annotations

import re
import shlex
from dataclasses import fields

from interagree.cli.options import Reading

# What messages without hints call by keyword, beside what reading takes.
KEYWORDS = (
    *("distance", "weights", "method", "random", "cluster", "level", "seed", "resamples", "measures"),
    *("shares", "agreement", "between", "half_width", "per_item", "budget", "how", "quorum", "cutoff"),
    *("start", "end", "label", "looked", "tie", "ties", "groups", "format", "models", "humans"),
)


# … and what single readers take, which is given as -O name=value.
BY_READER = (
    *("predictions", "cancelled", "multiple", "rejected", "scheme", "strict", "gold", "empty", "points"),
    *("header", "skip", "encoding", "decimal"),
)

QUOTES = "'\""
REPEATED = {
    "annotator",
    "value",
    "missing",
    "attribute",
    "model",
    "human",
}  # options that are given once for each entry of a list


def in_options(message: str) -> str:
    """A message with ``duplicates='last'`` written as ``--duplicates last``."""
    names = (*(entry.name for entry in fields(Reading)), *KEYWORDS, *BY_READER)
    message = re.sub(r"interagree\.read\(…, ([^()]*)\)", r"\1", message).replace(" to interagree.read", "")
    words = r"\"[^\"]*\"|'[^']*'(?:(?:, '[^']*')* or '[^']*')?|\[[^\]]*\]|True|False|None|…"
    given = rf"{words}|\d+(?:\.\d+)?|(?=[\s,;.)]|$)"
    option_or_call = rf"interagree\.\w+\([^()]*\)|\b({'|'.join(names)})=({given})"
    return re.sub(option_or_call, lambda match: _spelled(*match.groups()) if match[1] else match[0], message)


def _spelled(name: str, value: str) -> str:
    """A keyword and what it is given as an option of the command line."""
    several = re.findall(r"'([^']*)'", value)
    if name in BY_READER:
        listed = "," if value.startswith("[") else "|"
        return f"-O {name}={_word(listed.join(several) or value.strip('[]').replace(', ', ',').lower())}"
    option = {"attributes": "attribute", "models": "model", "humans": "human"}.get(name, name).replace("_", "-")
    if not value:
        return f"--{option}"
    if name == "measures":
        return " ".join(f"-m {name}" for name in several)
    if value in ("True", "False"):
        return f"--{option}" if value == "True" else f"--not-{option}"
    if value.startswith("[") and len(several) > 1 and option in REPEATED:
        return " ".join(f"--{option} {_word(word)}" for word in several)
    if len(several) > 1:  # a list, or 'first', 'last' or 'keep'
        return f"--{option} {_word(','.join(several)) if value.startswith('[') else '|'.join(several)}"
    return f"--{option} {_word(value.strip('[]').strip(QUOTES))}"


def _word(bare: str) -> str:
    if re.fullmatch(r"[\d., ]+", bare):
        bare = bare.replace(" ", "")
    return bare if re.fullmatch(r"[\w.:=,…|-]+", bare) else shlex.quote(bare)
