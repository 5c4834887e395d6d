"""PNG images of masks: which pixels are inside, of images of one channel or of several, without interlacing."""

from __future__ import annotations

import base64
import binascii
import struct
import zlib

import numpy as np

from interagree.arrays import Array, Booleans
from interagree.errors import FormatError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by the type of colour
ALPHA = (4, 6)  # types of colour whose last channel says how opaque a pixel is
MOST = 1 << 28  # pixels


def pixels_of_base64(text: str, where: str) -> Booleans:
    """The pixels of a mask that are inside, of an image that is written out in base64."""
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise FormatError(f"{where}: expected a mask as a PNG image in base64, and it is not base64") from None
    return pixels_inside(content, where)


def pixels_inside(content: bytes, where: str) -> Booleans:
    """The pixels of a mask that are inside, by row and column: those that are not black, or transparent."""
    try:
        return _pixels(content)
    except (struct.error, zlib.error, ValueError, IndexError) as error:
        raise FormatError(f"{where}: expected a mask as a PNG image, which this is not ({error})") from None


def _pixels(content: bytes) -> Booleans:
    if not content.startswith(SIGNATURE):
        raise ValueError("it begins otherwise")
    wide, high, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", content[16:29])
    if interlaced or colour not in CHANNELS or depth not in {1, 2, 4, 8, 16} or not 0 < wide * high <= MOST:
        raise ValueError(f"colours of type {colour} in {depth} bits, {wide} × {high} pixels")
    packed, at = [], len(SIGNATURE)
    while at + 8 <= len(content):
        size, name = struct.unpack(">I4s", content[at : at + 8])
        if name == b"IDAT":
            packed.append(content[at + 8 : at + 8 + size])
        at += size + 12
    channels = CHANNELS[colour]
    row = (wide * channels * depth + 7) // 8
    wanted = (row + 1) * high
    unpacked = zlib.decompressobj().decompress(b"".join(packed), wanted)
    if len(unpacked) < wanted:
        raise ValueError("it ends early")
    lines = _unfiltered(np.frombuffer(unpacked, dtype=np.uint8).reshape(high, row + 1), max(channels * depth // 8, 1))
    if depth < 8:
        bits = np.unpackbits(lines, axis=1).reshape(high, -1, depth)[:, :wide]
        return np.asarray(bits.any(axis=2))
    samples: Booleans = np.asarray(lines.reshape(high, wide, channels, depth // 8).any(axis=3))
    if colour in ALPHA:
        return np.asarray(samples[:, :, :-1].any(axis=2) & samples[:, :, -1])
    return np.asarray(samples.any(axis=2))


def _unfiltered(lines: Array, step: int) -> Array:
    """Rows of bytes, each of which says by its first byte how it was filtered."""
    kinds, made = lines[:, 0], lines[:, 1:].copy()
    above = np.zeros(made.shape[1], dtype=np.uint8)
    for number, (kind, line) in enumerate(zip(kinds.tolist(), made, strict=True)):
        if kind == 2:
            np.add(line, above, out=line)
        elif kind == 1:
            _summed(line, step)
        elif kind in {3, 4}:
            _predicted(line, above, step, paeth=kind == 4)
        elif kind:
            raise ValueError(f"row {number} is filtered in the way {kind}")
        above = line
    return made


def _summed(line: Array, step: int) -> None:
    for channel in range(step):
        line[channel::step] = np.cumsum(line[channel::step], dtype=np.uint8)


def _predicted(line: Array, above: Array, step: int, *, paeth: bool) -> None:
    """Add to each byte what is predicted from those to its left and above."""
    values, upper = line.tolist(), above.tolist()
    for at in range(len(values)):
        left, up = values[at - step] if at >= step else 0, upper[at]
        if paeth:
            corner = upper[at - step] if at >= step else 0
            guess = left + up - corner
            away = (abs(guess - left), abs(guess - up), abs(guess - corner))
            values[at] = (values[at] + (left, up, corner)[away.index(min(away))]) & 255
        else:
            values[at] = (values[at] + (left + up) // 2) & 255
    line[:] = values
