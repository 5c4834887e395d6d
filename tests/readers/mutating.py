"""Damage to files: what happens on the way, and what nobody would do by accident.

`mutant(content, seed)` is the same for the same seed.  Bytes are flipped, cut out, repeated, moved and overwritten;
text gets other encodings, line ends, quotes and numbers at the edge of what machines hold; entries of JSON become
something else; members of archives and packed files are damaged inside, with sums that fit.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import re
import zipfile
from collections.abc import Callable
from random import Random
from typing import Any

from readers.spoiling import ODD, places

Mutator = Callable[[bytes, Random], bytes]

NUMBERS = (
    b"0", b"-0", b"-1", b"1e308", b"-1e309", b"1e-320", b"nan", b"inf", b"-Infinity", b"NaN", b"2147483647",
    b"-2147483649", b"4294967295", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775809",
    b"18446744073709551616", b"1" + b"0" * 400, b"9" * 5000, b"0x10", b"1_000", b"1,5", b"1e5", b"0.1", b"007",
    "٣".encode(), "²".encode(),
)  # fmt: skip
SIGNS = (
    b"\0", b"\r", b"\n", b"\t", b'"', b"'", b",", b";", b"\\", b"\x1a", b"\x1b[31m", b"\xff", b"\xc3", b"\xed\xa0\x80",
    b"\xef\xbb\xbf", b"\xff\xfe", b"\x00\x00\xfe\xff", "\u2028".encode(), "\u202e".encode(), "\x85".encode(),
    "😀".encode(), b"<!DOCTYPE a>", b"&a;", b"]]>", b"<!--", b"{", b"}", b"[", b"]", b"null", b"true", b"=1+1",
    b"../../a", b"%s", b"{0}", b"{file}",
)  # fmt: skip
ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "utf-8-sig", "utf-7", "cp037", "shift_jis")
WORDS = (
    0,
    1,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    (1 << 63) - 1,
    (1 << 64) - 1,
)
DEEP = 30_000


def mutant(content: bytes, seed: int) -> bytes:
    """A damaged copy of a file."""
    rng = Random(seed)
    made = content
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        made = rng.choice(_fitting(made))(made, rng)
    return made


def _fitting(content: bytes) -> list[Mutator]:
    """The kinds of damage that a file can take, the ones that know its form more often."""
    fitting = [*PLAIN]
    if content.startswith(b"PK"):
        fitting += [_member] * len(PLAIN) + [_members] * 2
    elif any(content.startswith(magic) for magic in PACKINGS):
        fitting += [_packed] * len(PLAIN)
    elif b"\0" not in content:
        fitting += TEXTUAL
        if content.lstrip()[:1] in (b"{", b"["):
            fitting += [_json] * len(TEXTUAL)
        elif content.lstrip()[:1] == b"<":
            fitting += [_attribute] * 4
    return fitting


def _place(content: bytes, rng: Random) -> tuple[int, int]:
    """A stretch, mostly short."""
    first = rng.randrange(len(content) + 1)
    return first, min(len(content), first + int(2 ** rng.uniform(0, rng.choice((3, 6, 12)))))


# -- bytes --------------------------------------------------------------------------------------------------


def _flip(content: bytes, rng: Random) -> bytes:
    made = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8)) if made else 0):
        made[rng.randrange(len(made))] ^= 1 << rng.randrange(8)
    return bytes(made)


def _overwrite(content: bytes, rng: Random) -> bytes:
    first, last = _place(content, rng)
    fill = rng.choice((b"\0", b"\xff", b" ", b"\x80", b"A", rng.randbytes(1)))
    return content[:first] + fill * (last - first) + content[last:]


def _scramble(content: bytes, rng: Random) -> bytes:
    first, last = _place(content, rng)
    return content[:first] + rng.randbytes(last - first) + content[last:]


def _word(content: bytes, rng: Random) -> bytes:
    """A number of two, four or eight bytes becomes an extreme one."""
    size = rng.choice((1, 2, 4, 8))
    first = rng.randrange(len(content) + 1) // size * size
    number = rng.choice(WORDS) & ((1 << 8 * size) - 1)
    return content[:first] + number.to_bytes(size, rng.choice(("little", "big"))) + content[first + size :]


def _truncate(content: bytes, rng: Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _behead(content: bytes, rng: Random) -> bytes:
    return content[rng.randrange(len(content) + 1) :]


def _cut(content: bytes, rng: Random) -> bytes:
    first, last = _place(content, rng)
    return content[:first] + content[last:]


def _repeat(content: bytes, rng: Random) -> bytes:
    first, last = _place(content, rng)
    return content[:last] + content[first:last] * rng.choice((1, 1, 3, 50)) + content[last:]


def _splice(content: bytes, rng: Random) -> bytes:
    first, last = _place(content, rng)
    at = rng.randrange(len(content) + 1)
    return content[:at] + content[first:last] + content[at:]


def _twice(content: bytes, rng: Random) -> bytes:
    return content + content[: rng.choice((len(content), rng.randrange(len(content) + 1)))]


def _sign(content: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(SIGNS) * rng.choice((1, 1, 1, 3, 300)) + content[at:]


PLAIN: list[Mutator] = [
    _flip, _flip, _overwrite, _scramble, _word, _word, _truncate, _behead, _cut, _repeat, _splice, _twice, _sign
]  # fmt: skip


# -- texts --------------------------------------------------------------------------------------------------


def _number(content: bytes, rng: Random) -> bytes:
    numbers = list(re.finditer(rb"[-+]?\d+(\.\d+)?", content))
    if not numbers:
        return _sign(content, rng)
    match = rng.choice(numbers)
    return content[: match.start()] + rng.choice(NUMBERS) + content[match.end() :]


def _swap_words(content: bytes, rng: Random) -> bytes:
    words = re.split(rb"(\w+)", content)
    if len(words) > 4:
        one, other = (rng.randrange(len(words) // 2) * 2 + 1 for _ in range(2))
        words[one], words[other] = words[other], words[one]
    return b"".join(words)


def _swap_lines(content: bytes, rng: Random) -> bytes:
    lines = content.split(b"\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _again(content: bytes, rng: Random) -> bytes:
    lines = content.split(b"\n")
    lines.insert(rng.randrange(len(lines)), rng.choice(lines))
    return b"\n".join(lines)


def _without_line(content: bytes, rng: Random) -> bytes:
    lines = content.split(b"\n")
    del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def _line_ends(content: bytes, rng: Random) -> bytes:
    return content.replace(b"\n", rng.choice((b"\r", b"\r\n", b"\n\n", b"\n\r", b"\x85", b"\x0c", b"\0")))


def _encoded(content: bytes, rng: Random) -> bytes:
    return content.decode("utf-8", "replace").encode(rng.choice(ENCODINGS), "replace")


def _long(content: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return (
        content[:at]
        + rng.choice((b"x", b"1", b" ", b'"', b",", b"\xc3\xa9")) * rng.choice((200, 140_000))
        + content[at:]
    )


def _deep(content: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    opening, closing = rng.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"<a>", b"</a>"), (b"(", b")")))
    times = rng.choice((200, 900, DEEP))
    return content[:at] + opening * times + b"1" + closing * times + content[at:]


TEXTUAL: list[Mutator] = [
    _number, _number, _number, _swap_words, _swap_words, _swap_lines, _again, _without_line, _line_ends, _encoded,
    _long, _deep,
]  # fmt: skip


def _json(content: bytes, rng: Random) -> bytes:
    """One entry of JSON, or of one of its lines, becomes something else, is gone, or has another key."""
    lines = content.split(b"\n")
    at = rng.randrange(len(lines)) if lines[0].rstrip().endswith(b"}") else None
    try:
        root = json.loads(content if at is None else lines[at])
    except (ValueError, RecursionError):
        return _flip(content, rng)
    known = list(places(root))
    if not known:
        return _flip(content, rng)
    *path, last = rng.choice(known)
    inside: Any = root
    for key in path:
        inside = inside[key]
    whole: list[Any] = [
        *ODD,
        10**30,
        -(2**63) - 1,
        1e308,
        "\ud800",
        "\0",
        "a" * 200_000,
        "1" * 5000,
        {"": {}},
        {"\n": [0]},
    ]
    deed = rng.randrange(6)
    if deed == 0:
        del inside[last]
    elif deed == 1 and isinstance(inside, dict):
        inside[rng.choice(("", "id", "value", "\ud800", "a.b", rng.choice([*inside, last])))] = inside.pop(last)
    elif deed == 2 and isinstance(inside, list):
        inside.insert(0, rng.choice(inside))
    else:
        inside[last] = rng.choice([*whole, inside[last], [inside[last]], {"x": inside[last]}, str(inside[last])])
    made = json.dumps(root).encode()
    if at is None:
        return made
    lines[at] = made
    return b"\n".join(lines)


def _attribute(content: bytes, rng: Random) -> bytes:
    """One attribute or text of XML becomes another one, or is gone."""
    matches = list(re.finditer(rb'\s[\w:]+="[^"]*"|>[^<>]+<', content))
    if not matches:
        return _flip(content, rng)
    match, other = rng.choice(matches), rng.choice(matches)[0]
    old = match[0]
    new = rng.choice((b"" if old[:1] != b">" else b"><", other if other[:1] == old[:1] else old))
    name, equals, _ = old.partition(b"=")
    if equals and rng.random() < 0.5:
        new = name + b'="' + rng.choice((*NUMBERS, b"", b"A1:XFD1048576", b"XFD1048576", b"A0", b"rId9")) + b'"'
    return content[: match.start()] + new + content[match.end() :]


# -- archives -----------------------------------------------------------------------------------------------

PACKINGS: dict[bytes, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    b"\x1f\x8b": (gzip.decompress, gzip.compress),
    b"BZh": (bz2.decompress, bz2.compress),
    b"\xfd7zXZ": (lzma.decompress, lzma.compress),
}


def _packed(content: bytes, rng: Random) -> bytes:
    unpack, pack = next(both for magic, both in PACKINGS.items() if content.startswith(magic))
    try:
        inside = unpack(content)
    except (OSError, EOFError, ValueError, lzma.LZMAError, Exception):  # noqa: BLE001 -- it was damaged before
        return _flip(content, rng)
    return pack(mutant(inside, rng.randrange(1 << 30)))


def _opened(content: bytes) -> dict[str, bytes] | None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # noqa: BLE001 -- it was damaged before
        return None


def _zipped(members: dict[str, bytes], rng: Random) -> bytes:
    out = io.BytesIO()
    how = rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED))
    with zipfile.ZipFile(out, "w", how) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def _member(content: bytes, rng: Random) -> bytes:
    """One member of an archive is damaged, and packed again, so that all sums are right."""
    members = _opened(content)
    if not members:
        return _flip(content, rng)
    name = rng.choice(sorted(members, key=lambda name: -len(members[name]))[: rng.choice((1, 3, len(members)))])
    members[name] = mutant(members[name], rng.randrange(1 << 30))
    return _zipped(members, rng)


def _members(content: bytes, rng: Random) -> bytes:
    """A member of an archive is gone, is called otherwise, or is another one."""
    members = _opened(content)
    if not members:
        return _flip(content, rng)
    name, other = (rng.choice(list(members)) for _ in range(2))
    if rng.random() < 0.5:
        del members[name]
    else:
        members[name] = members[other]
    return _zipped(members, rng)
