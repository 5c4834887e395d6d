"""The recipe of reviews.csv: sixty invented product reviews, rated by six invented annotators.

Each review was written to sit at one of five steps from "very bad" to "very good" (the number before it).  Five
annotators see that step and are now and then a step off, a3 a little stricter than the others; a5 does not read and
picks any step.  About one rating in eight is missing, and the last review was seen by one annotator only.

    python make_reviews.py > reviews.csv
"""

from __future__ import annotations

import csv
import random
import sys
from collections.abc import Iterator
from typing import TextIO

SCALE = ("very bad", "bad", "mixed", "good", "very good")
ANNOTATORS = ("a1", "a2", "a3", "a4", "a5", "a6")
STRICT, GUESSING = "a3", "a5"
SEED = 20

REVIEWS = {
    "kettle": (
        (5, "Boils a litre in two minutes and pours without a drip."),
        (4, "Quick and quiet, though the cord could be longer."),
        (1, "Leaked from the base on the first day. Sent it back."),
        (2, "The lid sticks and the handle gets hot."),
        (3, "Does its job, but limescale shows after a week."),
        (5, "Best thing on my counter, looks lovely too."),
        (3, "Fine for tea for one, too small for guests."),
        (4, "Solid build. The blue light is a bit bright at night."),
        (1, "Stopped working after a month and nobody answers mails."),
        (2, "Louder than my old one and slower as well."),
    ),
    "backpack": (
        (5, "Carried it across three countries, not a stitch came loose."),
        (4, "Comfortable straps, plenty of pockets, zips a little stiff."),
        (2, "Not waterproof at all, my notebook got soaked."),
        (3, "Nice shape, strange smell that took days to air out."),
        (4, "Fits a laptop and lunch, looks neat."),
        (1, "A strap tore off in the first week."),
        (3, "Okay for the price, nothing more."),
        (5, "My back thanks me every single morning."),
        (2, "Much smaller than the pictures suggest."),
        (4, "Good bag, I only miss a bottle holder."),
    ),
    "headphones": (
        (4, "Warm sound, long battery, a little heavy."),
        (1, "Left side dead on arrival. The replacement too."),
        (5, "I hear things in old records I never noticed before."),
        (3, "Great sound, terrible app."),
        (2, "They pinch after half an hour and the bass booms."),
        (5, "Noise cancelling that truly cancels noise. Worth every cent."),
        (3, "Good indoors, useless in wind."),
        (4, "Pair at once with everything I own."),
        (2, "Connection drops whenever I put the phone in my pocket."),
        (1, "They fell apart in my hands. Never again."),
    ),
    "desk lamp": (
        (3, "Nice light, wobbly foot."),
        (5, "Soft, even light and the dimmer is a joy."),
        (2, "Flickers at the lowest setting and hums."),
        (4, "Easy to put together and bright enough for sewing."),
        (1, "Smelled of burning after ten minutes, I am afraid to use it."),
        (4, "The arm stays where you put it. A second socket would be nice."),
        (3, "Pretty, but the switch is in a silly place."),
        (2, "The colour is far from the photo and the paint chips."),
        (5, "Bought one, then two more for the children."),
        (3, "Average lamp, average price."),
    ),
    "running shoes": (
        (5, "Ran a marathon in them without one blister."),
        (2, "The sole is worn flat after two months."),
        (4, "Light and springy, order half a size up."),
        (3, "Comfortable on the road, slippery on wet leaves."),
        (1, "Two left shoes in the box, and I had to pay for the return."),
        (4, "Good support for flat feet."),
        (2, "Too narrow, my toes went numb."),
        (5, "Like running on clouds, I smile the whole way."),
        (3, "Love the look, the laces come undone all the time."),
        (4, "Third pair in a row, still happy."),
    ),
    "blender": (
        (4, "Crushes ice easily, cleaning takes some patience."),
        (1, "The jug cracked and I found splinters in the soup."),
        (3, "Strong motor, deafening noise."),
        (5, "Smooth soups, smooth smoothies, simply great."),
        (2, "Leaves lumps whatever I try."),
        (4, "Compact, strong, a bit loud."),
        (3, "Works, though the recipe book is useless."),
        (1, "Smoke on first use. Dangerous rubbish."),
        (5, "Ten years of cheap blenders and now this. What a difference."),
        (2, "The lid never quite closes, wear an apron."),
    ),
}


def rows() -> Iterator[tuple[str, str, str, str, str]]:
    """Item, annotator, rating, product and text, one row for each rating."""
    chance = random.Random(SEED)  # noqa: S311 -- an example is not a secret
    written = [(product, step, text) for product, texts in REVIEWS.items() for step, text in texts]
    for number, (product, step, text) in enumerate(written, start=1):
        for annotator in ANNOTATORS:
            rating = rated(step, annotator, chance)
            skipped = chance.random() < 0.12
            if number == len(written):
                skipped = annotator != ANNOTATORS[0]
            if not skipped:
                yield f"r{number:02d}", annotator, SCALE[rating - 1], product, text


def rated(step: int, annotator: str, chance: random.Random) -> int:
    """What an annotator makes of a review."""
    if annotator == GUESSING:
        return chance.randint(1, 5)
    off = chance.choices((-2, -1, 0, 1, 2), weights=(1, 14, 70, 14, 1))[0]
    if annotator == STRICT and chance.random() < 0.2:
        off -= 1
    return min(max(step + off, 1), 5)


def write(out: TextIO) -> None:
    """The whole file."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("item", "annotator", "rating", "product", "text"))
    writer.writerows(rows())


if __name__ == "__main__":
    write(sys.stdout)
