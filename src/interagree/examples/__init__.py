"""Studies that come with interagree, to try things on.

`reviews`: sixty invented product reviews, rated by six invented annotators on five steps, "very bad" to "very good".
About one rating in eight is missing, a3 is a little stricter than the others, and a5 guesses (`make_reviews.py`).
"""

from __future__ import annotations

from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from typing import Any, Literal

from interagree.data.study import Study
from interagree.errors.options import checks_options

SCALE = ["very bad", "bad", "mixed", "good", "very good"]
READ: dict[str, dict[str, Any]] = {
    "reviews": {"item": "item", "annotator": "annotator", "value": "rating", "values": SCALE, "ordered": True}
}


@checks_options
def example(name: Literal["reviews"] = "reviews") -> Study:
    """A small study that comes with interagree.

    Args:
        name: Which: ``"reviews"`` are sixty invented product reviews, rated by six annotators, one of whom guesses.

    Returns:
        The study, as `read` returns it.

    Examples:
        >>> import interagree
        >>> print(interagree.alpha(interagree.example("reviews")))
        α = 0.497, 95% interval 0.377 to 0.605 (59 items, 6 annotators; ordinal, as declared)
    """
    from interagree.readers import read

    with as_file(file_of(name)) as path:
        return read(path, **READ[name])


def file_of(name: str) -> Traversable:
    """The file of an example."""
    return files("interagree") / "examples" / f"{name}.csv"
