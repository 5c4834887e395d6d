"""Damaged files: every reader gives a study or an error of ours, in bounded time and memory, and never only a part.

The samples are in `samples`, the damage in `mutating`, and the process that reads in `fuzzing`.  Further mutants:

    INTERAGREE_FUZZ_SEED=1000000 INTERAGREE_FUZZ_MUTANTS=5000 pytest -m slow tests/readers/test_fuzzing.py
"""

from __future__ import annotations

import os

import pytest
from readers.fuzzing import Mutant, Outcome, outcomes
from readers.samples import SAMPLES

from interagree.plugins import READERS

OWN = [name for name in READERS if READERS.origin(name) == "interagree"]
FEW = 5  # mutants of each sample in the ordinary tests
SEED = int(os.environ.get("INTERAGREE_FUZZ_SEED", "1"))
MANY = int(os.environ.get("INTERAGREE_FUZZ_MUTANTS", "10000"))  # of each reader in the slow ones

# Formats that say where they end, or how much is in them.  A CSV file that ends early is a shorter CSV file.
WHOLE = {
    "arrow": ("file.arrow", "packed.arrow", "stream.ipc", "a.feather"),
    "csv": ("a.csv.gz", "a.csv.bz2", "a.csv.xz", "a.csv.zst"),
    "elan": ("a.eaf",),
    "excel": ("a.xlsx", "a.xlsb", "a.xls", "a.ods"),
    "json": ("a.json", "nested.json", "columns.json"),
    "label_studio": ("a.json", "further.json"),
    "parquet": ("a.parquet",),
    "statistics": ("a.sav", "a.dta", "a.sas7bdat", "a.por"),
    "textgrid": ("a.TextGrid", "short.TextGrid"),
}


def told(outcome: Outcome) -> str:
    return f"{outcome.mutant}: {outcome.how}: {outcome.message[:1500]}"


def test_every_ending_of_every_reader_has_a_sample() -> None:
    for name in OWN:
        assert name in SAMPLES, f"give the reader {name!r} a sample in tests/readers/samples.py"
        ends = READERS[name].facts.suffixes
        lacking = [end for end in ends if not any(end in file.lower() for file in SAMPLES[name])]
        assert not lacking, f"the reader {name!r} takes {lacking}, and no sample ends so"


def test_the_samples_are_read() -> None:
    whole = [Mutant(name, file, 0) for name in OWN for file in SAMPLES[name]]
    assert [told(outcome) for outcome in outcomes(whole) if outcome.how != "read"] == []


def test_damaged_samples_are_read_or_refused() -> None:
    mutants = [Mutant(name, file, seed) for name in OWN for file in SAMPLES[name] for seed in range(1, FEW + 1)]
    assert [told(outcome) for outcome in outcomes(mutants) if outcome.how not in ("read", "refused")] == []


def test_a_part_of_a_file_is_never_taken_for_the_whole() -> None:
    cuts = (0, *range(-20, -1000, -90))
    results = list(outcomes(Mutant(name, file, cut) for name in WHOLE for file in WHOLE[name] for cut in cuts))
    whole = {result.mutant[:2]: result.message for result in results if not result.mutant.seed}
    wrong = [result for result in results if result.how != "refused" and result.message != whole[result.mutant[:2]]]
    assert [told(result) for result in wrong] == []


# One for each way in which reading once ended in another error, or took longer than it may: rounds over each letter or
# each other column, and patterns that went back again and again over a long cell.
MENDED = {
    "appen": {"a.csv": 7002002}, "boris": {"a.tsv": 1894}, "conll": {"a.tsv": 7001363},
    "csv": {"wide.csv": 9100057, "quoted.csv": 9100038},
    "argilla": {"a.arrow": 7000068, "nested.json": 7000098}, "cvat": {"a.xml": 7000702},
    "doccano": {"a.csv": 7001179}, "gate": {"a.bdocjs": 7000092}, "label_studio": {"a.csv": 7000913},
    "mturk": {"a.csv": 7003772}, "potato": {"a.csv": 7000875}, "refi_qda": {"a.qde": 7002025, "a.qdpx": 7003712},
    "textgrid": {"a.TextGrid": 7000754},
}  # fmt: skip


def test_what_was_mended_stays_so() -> None:
    mutants = [Mutant(name, file, seed) for name, files in MENDED.items() for file, seed in files.items()]
    assert [told(outcome) for outcome in outcomes(mutants) if outcome.how not in ("read", "refused")] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", OWN)
def test_many_damaged_samples_are_read_or_refused(name: str) -> None:
    each = -(-MANY // len(SAMPLES[name]))
    mutants = [Mutant(name, file, SEED + n) for file in SAMPLES[name] for n in range(each)]
    assert [told(outcome) for outcome in outcomes(mutants) if outcome.how not in ("read", "refused")] == []
