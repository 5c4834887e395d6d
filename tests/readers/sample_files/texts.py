"""Small files of tools for annotating texts."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
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


CUSTOM = "webanno.custom."
TYPES = {
    "Entity": (("value", "uima.cas.String"), ("certain", "uima.cas.Boolean")),
    "Knows": (("Governor", f"{CUSTOM}Entity"), ("Dependent", f"{CUSTOM}Entity"), ("how", "uima.cas.String")),
    "Frame": (("roles", "uima.cas.FSArray"),),
    "SameLink": (("next", f"{CUSTOM}SameLink"), ("referenceType", "uima.cas.String")),
}
BASE = {"SameChain": "uima.cas.AnnotationBase", "RoleLink": "uima.cas.TOP", "Genre": "uima.cas.AnnotationBase"}
FEATURES = {
    **TYPES,
    "SameChain": (("first", f"{CUSTOM}SameLink"),),
    "RoleLink": (("role", "uima.cas.String"), ("target", f"{CUSTOM}Entity")),
    "Genre": (("value", "uima.cas.String"),),
}


def type_system() -> bytes:
    """The types of the samples."""
    types = "".join(
        f"<typeDescription><name>{CUSTOM}{name}</name>"
        f"<supertypeName>{BASE.get(name, 'uima.tcas.Annotation')}</supertypeName><features>"
        + "".join(
            f"<featureDescription><name>{feature}</name><rangeTypeName>{range_}</rangeTypeName></featureDescription>"
            for feature, range_ in features
        )
        + "</features></typeDescription>"
        for name, features in FEATURES.items()
    )
    space = "http://uima.apache.org/resourceSpecifier"
    return f'<typeSystemDescription xmlns="{space}"><types>{types}</types></typeSystemDescription>'.encode()


XMI_HEAD = (
    '<?xml version="1.1" encoding="UTF-8"?><xmi:XMI xmlns:xmi="http://www.omg.org/XMI" '
    'xmlns:cas="http:///uima/cas.ecore" xmlns:custom="http:///webanno/custom.ecore" '
    'xmlns:segments="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore" '
    'xmlns:pos="http:///de/tudarmstadt/ukp/dkpro/core/api/lexmorph/type/pos.ecore" xmi:version="2.0">'
    '<cas:NULL xmi:id="0"/>'
)
XMI_BODY = """
<segments:Token xmi:id="2" sofa="1" begin="0" end="3"/>
<custom:Entity xmi:id="10" sofa="1" begin="0" end="7" value="PER" certain="true"/>
<custom:Entity xmi:id="11" sofa="1" begin="12" end="14" value="PER" certain="false"/>
<custom:Knows xmi:id="12" sofa="1" begin="12" end="14" Governor="10" Dependent="11" how="well"/>
<custom:RoleLink xmi:id="13" role="who" target="10"/>
<custom:Frame xmi:id="14" sofa="1" begin="8" end="11" roles="13"/>
<custom:SameLink xmi:id="15" sofa="1" begin="0" end="7" next="16" referenceType="nam"/>
<custom:SameLink xmi:id="16" sofa="1" begin="12" end="14"/>
<custom:SameChain xmi:id="17" sofa="1" first="15"/>
<custom:Genre xmi:id="18" sofa="1" value="letter"/>
"""


def xmi(body: str = XMI_BODY, text: str = TEXT, members: str = "2 10 11 12 13 14 15 16 17 18") -> bytes:
    """A CAS in XMI."""
    sofa = f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="{text}"/>'
    return f'{XMI_HEAD}{body}{sofa}<cas:View sofa="1" members="{members}"/></xmi:XMI>'.encode()


CAS_JSON = {
    "%TYPES": {
        f"{CUSTOM}{name}": {
            "%NAME": f"{CUSTOM}{name}",
            "%SUPER_TYPE": BASE.get(name, "uima.tcas.Annotation"),
            **{feature: {"%NAME": feature, "%RANGE": range_} for feature, range_ in features},
        }
        for name, features in FEATURES.items()
    },
    "%FEATURE_STRUCTURES": [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView", "sofaString": TEXT},
        {"%ID": 10, "%TYPE": f"{CUSTOM}Entity", "@sofa": 1, "begin": 0, "end": 7, "value": "PER", "certain": True},
        {"%ID": 11, "%TYPE": f"{CUSTOM}Entity", "@sofa": 1, "begin": 12, "end": 14, "value": "PER", "certain": False},
        {
            "%ID": 12,
            "%TYPE": f"{CUSTOM}Knows",
            "@sofa": 1,
            "begin": 12,
            "end": 14,
            "@Governor": 10,
            "@Dependent": 11,
            "how": "well",
        },
        {"%ID": 13, "%TYPE": f"{CUSTOM}RoleLink", "role": "who", "@target": 10},
        {"%ID": 20, "%TYPE": f"{CUSTOM}RoleLink[]", "%ELEMENTS": [13]},
        {"%ID": 14, "%TYPE": f"{CUSTOM}Frame", "@sofa": 1, "begin": 8, "end": 11, "@roles": 20},
        {
            "%ID": 15,
            "%TYPE": f"{CUSTOM}SameLink",
            "@sofa": 1,
            "begin": 0,
            "end": 7,
            "@next": 16,
            "referenceType": "nam",
        },
        {"%ID": 16, "%TYPE": f"{CUSTOM}SameLink", "@sofa": 1, "begin": 12, "end": 14},
        {"%ID": 17, "%TYPE": f"{CUSTOM}SameChain", "@sofa": 1, "@first": 15},
        {"%ID": 18, "%TYPE": f"{CUSTOM}Genre", "@sofa": 1, "value": "letter"},
    ],
    "%VIEWS": {"_InitialView": {"%SOFA": 1, "%MEMBERS": [10, 11, 12, 13, 14, 15, 16, 17, 18]}},
}


def zipped(members: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def inception_project(**states: str) -> bytes:
    """A project of one document, with the state of each of its users."""
    states = states or {"ann": "FINISHED", "bo": "FINISHED"}
    described = {
        "name": "letters",
        "source_documents": [{"name": "letter.txt", "state": "ANNOTATION_IN_PROGRESS"}],
        "annotation_documents": [{"name": "letter.txt", "user": who, "state": how} for who, how in states.items()],
        "project_permissions": [{"level": "USER", "user": who} for who in states],
    }
    files = {"exportedproject1.json": json.dumps(described).encode(), "source/letter.txt": TEXT.encode()}
    for number, who in enumerate(states):
        inner = zipped({f"{who}.xmi": xmi(), "TypeSystem.xml": type_system()})
        files[f"annotation/letter.txt/webanno{number}export.zip"] = inner
    curated = zipped({"CURATION_USER.xmi": xmi(members="10"), "TypeSystem.xml": type_system()})
    return zipped({**files, "curation/letter.txt/webanno9export.zip": curated})


GATE = """<?xml version='1.0' encoding='utf-8'?>
<GateDocument>
<TextWithNodes><Node id="0"/>Ann Lee<Node id="7"/> met <Node id="12"/>Bo<Node id="14"/> in Rome.</TextWithNodes>
<AnnotationSet><Annotation Id="9" Type="Token" StartNode="0" EndNode="7"></Annotation></AnnotationSet>
<AnnotationSet Name="Original markups">
<Annotation Id="1" Type="p" StartNode="0" EndNode="14"></Annotation></AnnotationSet>
<AnnotationSet Name="ann">
<Annotation Id="2" Type="Person" StartNode="0" EndNode="7"><Feature>
<Name className="java.lang.String">known</Name><Value className="java.lang.String">yes</Value></Feature></Annotation>
<Annotation Id="3" Type="Person" StartNode="12" EndNode="14"></Annotation></AnnotationSet>
<AnnotationSet Name="bo"><Annotation Id="4" Type="Person" StartNode="0" EndNode="7"></Annotation>
<Annotation Id="5" Type="Verb" StartNode="7" EndNode="12"></Annotation></AnnotationSet>
</GateDocument>
"""
BDOC = {
    "text": TEXT,
    "annotation_sets": {
        "": {"name": "", "annotations": []},
        "ann": {
            "name": "ann",
            "annotations": [{"type": "Person", "start": 0, "end": 7, "id": 0, "features": {"n": 1}}],
        },
        "bo": {"name": "bo", "annotations": [{"type": "Person", "start": 12, "end": 14, "id": 0, "features": {}}]},
    },
    "offset_type": "j",
}

QDE = """<?xml version="1.0" encoding="utf-8"?>
<Project xmlns="urn:QDA-XML:project:1.0" name="p" origin="here">
<Users><User guid="u1" name="ann"/><User guid="u2" name="bo"/></Users>
<CodeBook><Codes><Code guid="c1" name="People" isCodable="true"><Code guid="c2" name="Known" isCodable="true"/></Code>
</Codes></CodeBook>
<Sources><TextSource guid="s1" name="letter" plainTextPath="internal://s1.txt">
<PlainTextSelection guid="p1" name="Ann Lee" startPosition="0" endPosition="7" creatingUser="u1">
<Coding guid="k1"><CodeRef targetGUID="c2"/></Coding>
<Coding guid="k2" creatingUser="u2"><CodeRef targetGUID="c1"/></Coding></PlainTextSelection>
<Coding guid="k3" creatingUser="u2"><CodeRef targetGUID="c1"/></Coding>
</TextSource><PictureSource guid="s2" name="photo"><PictureSelection guid="p2"/></PictureSource></Sources></Project>
"""


def qdpx(project: str = QDE, text: str = TEXT) -> bytes:
    return zipped({"project.qde": project.encode(), "sources/s1.txt": text.encode()})


SAMPLES: dict[str, dict[str, Callable[[], bytes]]] = {
    "doccano": {
        "a.jsonl": lambda: lines(*DOCCANO_SPANS),
        "relations.jsonl": lambda: json.dumps(DOCCANO_RELATIONS, indent=4).encode(),
        "old.jsonl": lambda: lines(DOCCANO_OLD),
        "pictures.jsonl": lambda: lines(DOCCANO_PICTURES),
        "a.json": lambda: json.dumps(DOCCANO_LABELS).encode(),
        "a.csv": DOCCANO_TABLE.encode,
    },
    "gate": {"a.xml": GATE.encode, "a.bdocjs": lambda: json.dumps(BDOC).encode()},
    "inception": {"project.zip": inception_project},
    "refi_qda": {"a.qdpx": qdpx, "a.qde": QDE.encode},
    "uima_cas": {"a.xmi": xmi, "a.json": lambda: json.dumps(CAS_JSON).encode()},
    "webanno_tsv": {"a.tsv": webanno},
}
