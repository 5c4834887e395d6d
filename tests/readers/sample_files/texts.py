"""Small files of tools for annotating texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


def lines(*records: dict[str, Any]) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


TEXT = "Ann Lee met Bo in Rome."

DOCCANO_SPANS = (
    {"id": 1, "text": TEXT, "label": [[0, 7, "PER"], [12, 14, "PER"], [18, 22, "LOC"]], "Comments": []},
    {"id": 2, "text": "Nobody came.", "label": [], "Comments": ["really?"]},
)
DOCCANO_RELATIONS = {
    "id": 1,
    "text": TEXT,
    "entities": [
        {"id": 11, "label": "PER", "start_offset": 0, "end_offset": 7},
        {"id": 12, "label": "PER", "start_offset": 12, "end_offset": 14},
    ],
    "relations": [{"id": 5, "from_id": 11, "to_id": 12, "type": "met"}],
    "Comments": [],
}
DOCCANO_OLD = {
    "id": 1,
    "text": TEXT,
    "annotations": [
        {"label": 3, "start_offset": 0, "end_offset": 7, "user": 1, "created_at": "2020-01-01T00:00:00Z"},
        {"label": 3, "start_offset": 0, "end_offset": 3, "user": 2, "created_at": "2020-01-01T00:00:00Z"},
    ],
    "meta": {},
    "annotation_approver": None,
}
DOCCANO_PICTURES = {
    "id": 4,
    "filename": "cat.png",
    "bbox": [{"id": 1, "x": 11.5, "y": 12.0, "width": 64.0, "height": 66.0, "label": "cat"}],
    "segmentation": [{"id": 2, "points": [38, 81, 32, 78, 47, 82], "label": "cat"}],
    "Comments": [],
}
DOCCANO_LABELS = [
    {"id": 1, "text": "Great.", "label": ["positive"], "Comments": []},
    {"id": 2, "text": "Bad.", "label": ["negative", "short"], "Comments": []},
]
DOCCANO_TABLE = 'id,text,label,Comments\n1,Great.,positive,\n2,"Bad, bad.",negative#short,sure?\n'

WEBANNO = r"""#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Entity|certain|value
#T_SP=webanno.custom.Frame|ROLE_webanno.custom.Frame:roles_webanno.custom.FrameRolesLink|webanno.custom.Entity
#T_CH=webanno.custom.SameLink|referenceRelation|referenceType
#T_RL=webanno.custom.Knows|how|BT_webanno.custom.Entity


#Text=Ann Lee met Bo .
1-1 0-3 Ann true[1]|*[2] PER[1]|X\|Y[2] _ _ *->1-1 nam[1] _ _
1-2 4-7 Lee true[1] PER[1] _ _ *->1-1 nam[1] _ _
1-3 8-11 met _ _ who;whom 1-1[1];1-4 _ _ _ _
1-4 12-14 Bo * PER _ _ *->1-2 *[1] well 1-1[1_0]
1-4.1 12-13 B * * _ _ _ _ _ _
1-5 15-16 . _ _ _ _ _ _ _ _
"""


def webanno() -> bytes:
    lines = WEBANNO.splitlines()
    return "\n".join(line.replace(" ", "\t") + "\t" if line[:1] == "1" else line for line in lines).encode()


SAMPLES: dict[str, dict[str, Callable[[], bytes]]] = {
    "doccano": {
        "a.jsonl": lambda: lines(*DOCCANO_SPANS),
        "relations.jsonl": lambda: json.dumps(DOCCANO_RELATIONS, indent=4).encode(),
        "old.jsonl": lambda: lines(DOCCANO_OLD),
        "pictures.jsonl": lambda: lines(DOCCANO_PICTURES),
        "a.json": lambda: json.dumps(DOCCANO_LABELS).encode(),
        "a.csv": DOCCANO_TABLE.encode,
    }
}
