"""Text tables are split in one place, whichever reader takes them."""

import re
from pathlib import Path

import pytest

import interagree
from interagree.reading.delimited import header_in, separator

SOURCE = Path(interagree.__file__).parent


def test_only_one_module_cuts_text_into_cells():
    cutting = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if re.search(r"\b(csv|standard)\.(reader|DictReader|Sniffer)\b", path.read_text(encoding="utf-8"))
    }
    assert cutting <= {"reading/delimited.py", "cli/options.py"}


@pytest.mark.parametrize("sign", ["\t", ";", ",", "|"])
def test_commas_in_the_header_are_not_what_separates_cells(sign):
    other = ";" if sign == "," else ","
    text = (
        f"text{other} long{other} more{other} of it{sign}who{sign}label\n"
        + f"a{sign}ann{sign}x\nb{sign}bo{sign}y\n" * 3
    )
    assert separator(text) == sign
    assert len(header_in(text)) == 3
