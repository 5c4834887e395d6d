"""Ask nltk about pairs of small random texts and keep its answers in complex_text.json.

Run with a Python that has nltk; none of it is needed by the tests, which read the answers.
"""

import json
import random
from pathlib import Path

import nltk
from nltk.metrics import edit_distance
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from nltk.translate.chrf_score import sentence_chrf
from nltk.translate.gleu_score import sentence_gleu

WORDS = ("the", "cat", "sat", "on", "a", "mat", "dog", "near", "Über", "end.")
METHODS = {"epsilon": "method1", "add1": "method2", "exp": "method3"}


def texts(rng: random.Random) -> tuple[str, str]:
    """A text of 4 to 10 words, and another that is often a changed copy of it."""
    first = rng.choices(WORDS, k=rng.randint(4, 10))
    if rng.random() < 0.3:
        return " ".join(first), " ".join(rng.choices(WORDS, k=rng.randint(4, 10)))
    second = list(first)
    for _ in range(rng.randint(1, 3)):
        second[rng.randrange(len(second))] = rng.choice(WORDS)
    return " ".join(first), " ".join([*second, *rng.choices(WORDS, k=rng.randint(0, 2))])


def answers(a: str, b: str) -> dict[str, float]:
    """What nltk says, each named as our distance with its parameters; similarities as they are."""
    x, y = a.split(), b.split()
    found = {"gleu": sentence_gleu([x], y), "levenshtein_raw": edit_distance(x, y)}
    for name, method in METHODS.items():
        smooth = getattr(SmoothingFunction(), method)
        both = [sentence_bleu([p], q, smoothing_function=smooth) for p, q in ((x, y), (y, x))]
        found[f"bleu:smoothing={name}"] = sum(both) / 2
    for beta in (1, 2, 3):
        found[f"chrf:beta={beta}"] = (sentence_chrf(a, b, beta=beta) + sentence_chrf(b, a, beta=beta)) / 2
    return found


def main() -> None:
    rng = random.Random(20)
    pairs = [texts(rng) for _ in range(40)]
    held = {
        "asked": f"nltk {nltk.__version__}",
        "pairs": [{"a": a, "b": b, "answers": answers(a, b)} for a, b in pairs],
    }
    path = Path(__file__).with_suffix(".json")
    written = json.dumps(held, indent=1, ensure_ascii=False)
    path.write_text(written + "\n", encoding="utf-8")
    print(f"{len(pairs)} pairs written to {path.name}")


if __name__ == "__main__":
    main()
