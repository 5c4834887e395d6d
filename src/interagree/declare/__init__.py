"""How a measure, a distance or a reader states what it is: a decorator for each, and the facts that it takes."""

from interagree.declare.arguments import READING
from interagree.declare.distances import (
    Distance,
    distance,
    distance_between,
    distance_of_numbers,
    distance_of_objects,
    distance_table,
)
from interagree.declare.measures import (
    PAIRS,
    TWO_ANNOTATORS,
    Facts,
    defaults_of,
    documents,
    facts_of,
    measure,
    takes_data,
    takes_repeats,
)
from interagree.declare.readers import ReaderFacts, SharedOption, reader
from interagree.declare.under_chance import UnderChance
from interagree.declare.writers import WriterFacts, writer

__all__ = [
    "PAIRS",
    "READING",
    "TWO_ANNOTATORS",
    "Distance",
    "Facts",
    "ReaderFacts",
    "SharedOption",
    "UnderChance",
    "WriterFacts",
    "defaults_of",
    "distance",
    "distance_between",
    "distance_of_numbers",
    "distance_of_objects",
    "distance_table",
    "documents",
    "facts_of",
    "measure",
    "reader",
    "takes_data",
    "takes_repeats",
    "writer",
]
