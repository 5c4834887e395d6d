"""Small studies of the kinds that are edited on the page to decide on, and how to read them."""

import json
import struct
import zlib

CAR = [[10, 10], [70, 14], [80, 60], [20, 50]]
BUS = [[[100, 10], [150, 10], [150, 40]], [[100, 60], [150, 60], [150, 90]]]  # behind a pole


def moved(points, by):
    return [[x + by, y] for x, y in points]


ANSWERS = {
    "boxes": [
        [[10, 20, 60, 80, "cat"], [100, 20, 130, 60, "dog"]],
        [[12, 20, 60, 84, "cat"], [100, 20, 130, 60, "dog"]],
        [[100, 20, 130, 60, "dog"]],
    ],
    "fractions": [[[0.1, 0.2, 0.55, 0.6]], [[0.125, 0.2, 0.5, 0.6]], [[0.1, 0.25, 0.5, 0.6]]],
    "polygons": [
        [{"label": "car", "points": CAR}, {"label": "bus", "points": BUS}],
        [{"label": "car", "points": moved(CAR, 3)}, {"label": "bus", "points": BUS}],
        [{"label": "bus", "points": BUS}],
    ],
    "outlines": [[CAR], [moved(CAR, 2)], [moved(CAR, 5)]],
    "lengths": [[2, 3, 6], [2, 4, 5], [5, 6]],
    "types": [
        {"boundaries": {"topic": [2, 5], "mood": [4]}, "length": 11},
        {"boundaries": {"topic": [2, 6], "mood": [4]}, "length": 11},
        {"boundaries": {"topic": [2], "mood": [3]}, "length": 11},
    ],
    "units": [
        [[1.5, 4.25, "claim"], [6.0, 9.5, "reason"]],
        [[1.5, 5.25, "claim"], [6.0, 9.5, "reason"]],
        [[6.0, 9.5, "reason"]],
    ],
    "rankings": [["apple", "fig", "pear", "plum"], ["fig", "apple", "pear"], ["pear", "fig", "apple"]],
}
KIND = {"fractions": "boxes", "outlines": "polygons", "lengths": "segments", "types": "segments", "units": "spans"}


def written(name, folder):
    """A file of a few items, each with these answers of three annotators."""
    path = folder / f"{name}.jsonl"
    rows = [
        {"item": f"i{item}", "annotator": who, "value": value}
        for item in range(4)
        for who, value in zip(("ann", "bo", "cy"), ANSWERS[name], strict=True)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def kind_of(name):
    return KIND.get(name, name)


def png(wide, high):
    """A grey picture of so many pixels."""

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    rows = (b"\0" + b"\xb0" * wide) * high
    head = struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
