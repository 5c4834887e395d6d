"""Ask scorch for the coreference scores of small random clusterings, and keep the answers in complex_coref.json.

Run with a Python that has scorch:  python tests/oracles/complex_coref.py
"""

from __future__ import annotations

import json
import random
from importlib.metadata import version
from pathlib import Path

from scorch import scores

CASES = 60
METRICS = {"muc": scores.muc, "b3": scores.b_cubed, "ceaf_m": scores.ceaf_m, "ceaf_e": scores.ceaf_e}


def main() -> None:
    """Draw two clusterings that share most mentions, ask for recall, precision and F, and write what comes."""
    rng = random.Random(20261115)
    cases = []
    for _ in range(CASES):
        mentions = rng.randint(2, 12)
        key, response = drawn(rng, mentions), drawn(rng, mentions)
        while not {m for c in key for m in c} & {m for c in response for m in c}:
            response = drawn(rng, mentions)  # with no mention in common scorch 0.2.0 divides by zero
        sets = [set(cluster) for cluster in key], [set(cluster) for cluster in response]
        cases.append(
            {
                "key": key,
                "response": response,
                **{name: list(map(float, score(*sets))) for name, score in METRICS.items()},
            }
        )
    found = {"scorch_version": version("scorch"), "cases": cases}
    path = Path(__file__).with_suffix(".json")
    path.write_text(json.dumps(found) + "\n", encoding="utf-8")
    print(f"{len(cases)} cases in {path.name}")


def drawn(rng: random.Random, mentions: int) -> list[list[str]]:
    """Mentions in clusters, some of them left unmarked, at least two of them linked."""
    while True:
        groups: dict[int, list[str]] = {}
        for mention in range(mentions):
            if rng.random() < 0.85:
                groups.setdefault(rng.randrange(max(2, mentions // 2)), []).append(f"m{mention}")
        if any(len(group) > 1 for group in groups.values()):
            return list(groups.values())


if __name__ == "__main__":
    main()
