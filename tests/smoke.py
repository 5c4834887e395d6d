"""What must work with nothing but the wheel and what it needs: run by `tests/pythons.py` on each Python."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import typing
from pathlib import Path

import interagree as ia
from interagree._rooms import everything
from interagree.errors import InteragreeError
from interagree.errors.options import declared

LABELS = "item,annotator,label\n" + "".join(
    f"{i},{a},{'xyz'[(i + (a == 'c' and i % 4 == 0)) % 3]}\n" for i in range(12) for a in "abc"
)
NUMBERS = "item,a,b,c\n1,1.5,2,2.5\n2,3,4,4.5\n3,5,5,7.5\n4,2,2,1.5\n"
COMMANDS = ("measure", "report", "annotators", "consensus", "disagreements", "doctor", "check --at-least 0.1", "plan")


def main() -> None:
    """Read, measure, find consensus, and run commands."""
    with tempfile.TemporaryDirectory() as folder:
        labels, numbers = Path(folder, "labels.csv"), Path(folder, "numbers.csv")
        labels.write_text(LABELS, encoding="utf-8")
        numbers.write_text(NUMBERS, encoding="utf-8")
        study = ia.read(labels).single()
        assert 0.5 < ia.alpha(study).value < 1
        assert "In short" in str(ia.report(study))
        for data in (study, ia.read(numbers).single()):
            for call in (ia.consensus, ia.annotators, ia.disagreements, ia.alpha):
                assert str(call(data))
        command = [sys.executable, "-I", "-W", "error", "-m", "interagree"]
        for words in COMMANDS:
            name, *options = words.split()
            subprocess.run([*command, name, labels, *options], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([*command, "consensus", numbers, "--method", "median"], check=True, stdout=subprocess.DEVNULL)
    checked = 0
    for public in everything().values():
        function = getattr(public, "__wrapped__", public)
        for annotation in getattr(function, "__annotations__", {}).values():
            declared(annotation, getattr(function, "__globals__", vars(typing)))
            checked += 1
    assert checked > 200, checked
    try:
        ia.read("absent.xlsx")
    except InteragreeError:
        return
    raise AssertionError("a file that is not there was read")


if __name__ == "__main__":
    main()
