"""Images of Label Studio: where they are, and brush strokes, masks and ellipses in them.

A brush stroke is packed as thi.ng's rle-pack packs bytes: how many values there are (32 bits), how wide each is (5
bits, and one more), and four widths of run lengths (4 bits, and one more); then runs, each with a bit that says
whether one value is repeated or several follow, two bits for the width of its length, and the length less one.  The
values are those of an image of four channels, row by row, of which the last says where the stroke is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interagree.data.images import AN_ADDRESS, IMAGE_FILE
from interagree.errors import FormatError
from interagree.readers._images import size_of

CHANNELS = 4
MOST = 1 << 30  # values that a mask may have
HEAD = 32 + 5 + 4 * 4  # bits
PNG = "data:image/png;base64,"
SIZE = ("original_height", "original_width")


def image_of(shown: str, data: Mapping[str, object], *, drawn: bool) -> str | None:
    """The path or address of the image that a question is about; None where the task does not name one.

    It stands under the name of what is shown, or is the only image of the task.  Where something was drawn in it, an
    address is one of an image whatever it ends in.
    """
    entry = data.get(shown)
    if drawn and isinstance(entry, str) and AN_ADDRESS.fullmatch(entry.strip()):
        return entry.strip()
    named = [entry] if isinstance(entry, str) else list(data.values())
    images = {image for image in named if isinstance(image, str) and IMAGE_FILE.fullmatch(image.strip())}
    return images.pop().strip() if len(images) == 1 else None


def mask_of(result: Mapping[str, object], value: Mapping[str, object], where: str) -> tuple[Any, ...] | None:
    """The mask of a brush stroke or a bitmask; None where the size of the image is not known."""
    size = size_of(result, *SIZE)
    if size is None:
        return None
    from interagree.gather.raster import mask_of_pixels

    if "rle" in value:
        import numpy as np

        values = np.frombuffer(unpacked(value["rle"], CHANNELS * size[0] * size[1], where), dtype=np.uint8)
        return mask_of_pixels(values.reshape(*size, CHANNELS)[:, :, -1] > 0, size)
    from interagree.gather.png import pixels_of_base64

    address = value["imageDataURL"]
    if not isinstance(address, str) or not address.startswith(PNG):
        raise FormatError(f"{where}: expected a PNG image in 'imageDataURL', found {address!r:.60}")
    inside = pixels_of_base64(address.removeprefix(PNG), where)
    if inside.shape != size:
        raise FormatError(
            f"{where}: a mask has {inside.shape[1]} × {inside.shape[0]} pixels, and its image {size[1]} × {size[0]}"
        )
    return mask_of_pixels(inside, size)


def unpacked(packed: object, count: int, where: str) -> bytes:
    """The values of a brush stroke, one byte each, of which there must be so many."""
    if not isinstance(packed, list) or not all(type(byte) is int and 0 <= byte < 256 for byte in packed):
        raise FormatError(f"{where}: expected a list of bytes in 'rle', found {packed!r:.60}")
    bits = "".join(f"{byte:08b}" for byte in packed)
    if len(bits) < HEAD or count > MOST:
        raise FormatError(
            f"{where}: the mask in 'rle' has {len(packed)} bytes, and its image {count // CHANNELS} pixels"
        )
    total, width = int(bits[:32], 2), int(bits[32:37], 2) + 1
    sizes = [int(bits[at : at + 4], 2) + 1 for at in range(37, HEAD, 4)]
    if total != count or width > 8:
        raise FormatError(
            f"{where}: the mask in 'rle' has {total} values of {width} bits, and its image {count // CHANNELS} pixels "
            f"of {CHANNELS} bytes each"
        )
    try:
        return _runs(bits, total, width, sizes)
    except ValueError:
        raise FormatError(f"{where}: the mask in 'rle' breaks off") from None


def _runs(bits: str, total: int, width: int, sizes: Sequence[int]) -> bytes:
    made = bytearray()
    at = HEAD
    while len(made) < total:
        size = sizes[int(bits[at + 1 : at + 3], 2)]
        first = at + 3 + size
        length = int(bits[at + 3 : first], 2) + 1
        if bits[at] == "1":
            made += bytes([int(bits[first : first + width], 2)]) * length
            at = first + width
        else:
            at = first + length * width
            if at > len(bits):
                raise ValueError
            made += bytes(int(bits[value : value + width], 2) for value in range(first, at, width))
    if len(made) > total:
        raise ValueError
    return bytes(made)
