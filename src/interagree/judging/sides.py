"""Models and people: which annotators are which, by name or pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from interagree.data import Annotations
from interagree.data.naming import as_names, chosen, is_pattern
from interagree.data.types import Annotator
from interagree.errors import DataError, Hint, KindError, listing

Names: TypeAlias = Annotator | Iterable[Annotator]
"""One name or pattern such as ``"gpt*"``, or several."""

# Families of models, and words for any: as a word of its own, or before a number, a hyphen or an underscore.
MODELS = re.compile(
    r"(?<![a-z])(chat-?gpt|gpt|llama|claude|gemini|gemma|mistral|mixtral|qwen|deepseek|falcon|vicuna|alpaca|palm|"
    r"roberta|deberta|bert|spacy|llms?|lm|models?|machine|predicted|predictions?|preds?|bot|ai|auto|"
    r"llm[-_ ]?judge)(?![a-z])",
    re.IGNORECASE,
)


def named(study: Annotations, names: Names, what: str) -> tuple[Annotator, ...]:
    """The annotators of these names or patterns, each once; an error where one fits nobody."""
    if not as_names(names):
        raise DataError(f"no {what} was named; there are {listing(study.annotators)}")
    return chosen(names, [*study.annotators], purpose=f" to take as a {what}")


def sides(
    study: Annotations, models: Names | None, humans: Names | None, *, required: bool = True
) -> tuple[tuple[Annotator, ...], tuple[Annotator, ...]]:
    """Models and people by name or pattern; without names of people all annotators who are not models are people.

    A pattern of people does not reach annotators who are models: all of ``*_rating`` but the model.  Where models are
    not required, naming none gives none.
    """
    if not required and (models is None or not as_names(models)):
        return (), tuple(study.annotators) if humans is None else named(study, humans, "person")
    if models is None:
        raise _which_models(study)
    ours = named(study, models, "model")
    rest = tuple(name for name in study.annotators if name not in set(ours))
    people = rest if humans is None else named(study, humans, "person")
    stated = {str(name) for name in as_names(humans) if not is_pattern(name)}
    both = [name for name in people if name in set(ours) and str(name) in stated]
    people = tuple(name for name in people if name in both or name not in set(ours))
    if both:
        raise KindError(f"{listing(both)} was named as a model and as a person; name each annotator once")
    if not people:
        raise DataError(f"every annotator ({listing(study.annotators)}) is a model, so there is nobody to stand in for")
    return ours, people


def _which_models(study: Annotations) -> DataError:
    """The error where nobody said which annotators are models, with a guess from their names."""
    predictions = left_out(study)
    if predictions is not None:
        raise DataError(
            f"which annotators are models? There are {listing(study.annotators)}, and the predictions of models in the "
            f"file were left out; read it with {predictions}",
            hints=[predictions],
        )
    annotators = [str(name) for name in study.annotators if looks_like_model(name)]
    columns = [str(name) for name in study.attributes if looks_like_model(name)]
    if annotators:
        models = annotators
        because = f"{listing(models)} {'looks like a model' if len(models) == 1 else 'look like models'} by name: "
    elif columns:
        models = columns
        because = f"{listing(models)} is a column that was set aside and looks like a model: "
        if len(models) > 1:
            because = f"{listing(models)} are columns that were set aside and look like models: "
    else:
        models = [str(name) for name in study.annotators][-1:]
        because = f"if {listing(models)} is the only one, "
    hint = Hint("models", models)
    return DataError(
        f"which annotators are models? There are {listing(study.annotators)}; {because}pass {hint}", hints=[hint]
    )


def left_out(study: Annotations) -> Hint | None:
    """The option that takes predictions, where a file holds them and they were left out."""
    hints = (hint for step in study.provenance.steps for hint in getattr(step.sentence, "hints", ()))
    return next((hint for hint in hints if isinstance(hint, Hint) and hint.option == "predictions"), None)


def looks_like_model(name: Annotator) -> bool:
    """Whether a name is one that people give to models: a hint for a message, never a decision."""
    return MODELS.search(str(name)) is not None
