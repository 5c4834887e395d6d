"""Tables as people keep them, made at random from studies that are known, and how well they are read.

    python tests/reading/variants.py --n 2000 --seed 1 [--shared] [--layout wide] [--keep FOLDER]

A true study (random, or one of the real ones of the shared data) is laid out in one of `LAYOUTS`, surrounded by columns
that are not annotations, and written as one of `KINDS`.  What a right reading must give is known, so that every reading
is one of five:

right     the annotations are those of the study; or nobody could know the reading, or there is none, and it was refused
refused   an InteragreeError: nothing was measured
noticed   read wrongly, and a sentence marked 'noticed' names every column or code that was taken wrongly
WRONG     read wrongly without that
crashed   any other exception

Two studies are the same if their items, each as the multiset of its values, and their annotators, each as the multiset
of their values, are the same; the names of items and annotators do not count.  Columns of models may be annotators or
not.  The words come from `words.toml`.
"""

# ruff: noqa: T201 -- a script that prints

from __future__ import annotations

import argparse
import collections
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # as a script, find the neighbours where the tests find them

from reading.files import KINDS, Variant, make
from reading.judging import CLASSES, Judgement, judged
from reading.layouts import LAYOUTS
from reading.real import Shared


def main(arguments: Sequence[str] | None = None) -> int:
    """Make tables, read them, and say how it went."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--n", type=int, default=2000, help="how many tables")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--layout", choices=list(LAYOUTS), help="only this layout")
    parser.add_argument("--kind", choices=KINDS, help="only this type of file")
    parser.add_argument("--shared", action="store_true", help="half of them from real studies")
    parser.add_argument("--follow", action="store_true", help="also try the readings that refusals offer")
    parser.add_argument("--keep", type=Path, help="where tables that were read wrongly go")
    options = parser.parse_args(arguments)
    keep = options.keep or Path(tempfile.gettempdir()) / "variants-wrong"
    shutil.rmtree(keep, ignore_errors=True)
    keep.mkdir(parents=True)
    shared = None
    if options.shared:
        root = Path(os.environ.get("INTERAGREE_SHARED", Path(__file__).parents[3] / "shared"))
        shared = Shared(root)
        print(f"{len(shared.studies)} real studies and {len(shared.columns)} columns beside them, from {root}")
    tally: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    traits: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    causes: collections.Counter[str] = collections.Counter()
    offers: collections.Counter[str] = collections.Counter()
    index = (keep / "index.tsv").open("w", encoding="utf-8")
    for number in range(options.n):
        source = random.Random(f"{options.seed}/{number}")
        with tempfile.TemporaryDirectory() as folder:
            real = shared if number % 2 else None
            variant = make(
                source,
                Path(folder),
                layout=options.layout,
                kind=options.kind,
                truth=real and real.truth,
                after=real and real.after,
            )
            judgement = judged(variant, follow=options.follow)
            result = judgement.result
            tally[variant.layout][result] += 1
            for trait in {variant.kind, *map(short, variant.made_of)}:
                traits[trait][result] += 1
            causes.update(judgement.causes if result == "WRONG" else [])
            offers[judgement.offer.partition(":")[0]] += 1
            if result in ("WRONG", "crashed", "noticed") or "does not run" in judgement.offer:
                kept(keep, number, variant, judgement)
            line = (
                *(number, result, variant.layout, variant.kind, "; ".join(variant.made_of)),
                *(judgement.told, "; ".join(judgement.causes), judgement.offer),
            )
            index.write("\t".join(str(one).replace("\t", " ").replace("\n", " ⏎ ") for one in line) + "\n")
    index.close()
    show("layout", {name: tally[name] for name in LAYOUTS if name in tally})
    often = [name for name, count in traits.items() if count["WRONG"] + count["crashed"] > 1]
    often.sort(key=lambda name: -(traits[name]["WRONG"] + traits[name]["crashed"]) / traits[name].total())
    print()
    show("made of, worst first", {name: traits[name] for name in often[:25]})
    print("\nwhat was taken for what, in tables read wrongly")
    for cause, count in causes.most_common(25):
        print(f"{count:6}  {cause}")
    if options.follow:
        print("\nwhat refusals of tables with an answer offer")
        for offer, count in offers.most_common():
            print(f"{count:6}  {offer}" if offer else "", end="\n" if offer else "")
    print(f"\nall readings in {keep}/index.tsv, wrong ones in {keep}")
    return int(any(count["WRONG"] or count["crashed"] for count in tally.values()))


def short(trait: str) -> str:
    """What a table is made of, without the names."""
    return trait if trait.startswith(("people", "scheme", "nested", "missing")) else trait.partition(": ")[0]


def show(title: str, tally: Mapping[str, collections.Counter[str]]) -> None:
    print(f"{title:28}" + "".join(f"{name:>9}" for name in ("tables", *CLASSES)))
    whole = sum(tally.values(), collections.Counter())
    for name, count in [*tally.items(), *([("all", whole)] if title == "layout" else [])]:
        print(f"{name[:27]:28}{count.total():9}" + "".join(f"{count[one]:9}" for one in CLASSES))


def kept(keep: Path, number: int, variant: Variant, judgement: Judgement) -> None:
    """Put a table aside with the truth."""
    place = keep / judgement.result / f"{number:05}-{variant.layout.replace(', ', '-').replace(' ', '_')}"
    place.mkdir(parents=True)
    copy = shutil.copytree if variant.path.is_dir() else shutil.copy
    copy(variant.path, place / variant.path.name)  # type: ignore[operator]
    expected = variant.expected
    told = {
        "what happened": judgement.told,
        "causes": judgement.causes,
        "offer": judgement.offer,
        "made of": variant.made_of,
        "why": expected.why,
        "missing": expected.missing,
        "models": sorted({str(row[1]) for rows in expected.may.values() for row in rows}),
        "annotators": sorted({str(row[1]) for rows in expected.questions.values() for row in rows}),
        "questions": {q: [list(row) for row in rows[:12]] for q, rows in expected.questions.items()},
    }
    (place / "truth.json").write_text(json.dumps(told, ensure_ascii=False, indent=1, default=str), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
