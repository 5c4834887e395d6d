"""Projects of doccano with three annotators, filled and exported by its own code; run by doccano's own Python.

    python doccano_project.py OUT

Writes ``NAME.FORMAT.zip`` for each project into OUT, and what everybody answered into ``answers.json``.
"""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command

OUT = Path(sys.argv[1])
PEOPLE = ("ann", "bo.b", "cy@example.org")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.development")
django.setup()
call_command("migrate", verbosity=0)

from data_export.celery_tasks import export_dataset  # noqa: E402 -- Django must be set up first
from django.contrib.auth.models import User  # noqa: E402
from examples.models import Comment, Example, ExampleState  # noqa: E402
from label_types.models import CategoryType, RelationType, SpanType  # noqa: E402
from labels.models import Category, Relation, Span, TextLabel  # noqa: E402
from projects import models as projects  # noqa: E402
from roles.models import Role  # noqa: E402

users = {name: User.objects.create(username=name) for name in ("boss", *PEOPLE)}
roles = {name: Role.objects.get_or_create(name=name)[0] for name in ("project_admin", "annotator")}
answers: dict[str, list[list[Any]]] = {}


def project(kind: str, **options: Any) -> Any:
    """A project of one kind, which 'boss' made and in which they do nothing."""
    types = {"TextClassification": "DocumentClassification"}
    made = getattr(projects, f"{kind}Project").objects.create(
        name=kind, project_type=types.get(kind, kind), created_by=users["boss"], **options
    )
    made.add_admin()
    for name in PEOPLE:
        projects.Member.objects.create(project=made, user=users[name], role=roles["annotator"])
    return made


def examples(made: Any) -> list[Any]:
    meta = [{"source": "web"}, {"source": "mail", "n": 3}, {}, {}]
    texts = [f'Ann met Bo in Rome, {n} times; "née" 1/2.' for n in range(4)]
    return [Example.objects.create(project=made, text=text, meta=more) for text, more in zip(texts, meta, strict=True)]


def export(made: Any, name: str, *formats: str) -> None:
    """All examples, and those that were approved: the first two, by everybody but the last person."""
    for example in list(made.examples.all())[:2]:
        for who in PEOPLE[:-1]:
            ExampleState.objects.create(example=example, confirmed_by=users[who])
    for written in formats:
        for approved in (False, True):
            archive = export_dataset(made.id, written, approved)
            shutil.move(archive, OUT / f"{name}{'.approved' if approved else ''}.{written.lower()}.zip")


for name, shared in (("labels", False), ("shared", True)):
    made = project("TextClassification", collaborative_annotation=shared)
    kinds = [CategoryType.objects.create(project=made, text=text) for text in ("good", "bad", "so so")]
    for n, example in enumerate(examples(made)):
        for k, who in enumerate(PEOPLE):
            chosen = [kinds[(n + k) % 3], *([kinds[(n + k + 1) % 3]] if n == 1 else [])]
            for kind in chosen:
                Category.objects.create(example=example, user=users[who], label=kind)
            answers.setdefault(name, []).append([example.id, who, sorted(kind.text for kind in chosen)])
        Comment.objects.create(example=example, user=users["ann"], text="why?")
    export(made, name, "JSONL", "JSON", "CSV", "fastText")

for name, related in (("spans", False), ("relations", True)):
    made = project("SequenceLabeling", use_relation=related)
    per, loc = (SpanType.objects.create(project=made, text=text) for text in ("PER", "LOC"))
    met = RelationType.objects.create(project=made, text="met")
    for n, example in enumerate(examples(made)):
        for k, who in enumerate(PEOPLE):
            places = [(8, 10, per), (0, 3, per), *([(14, 18, loc)] if (n + k) % 2 else [])]
            spans = [
                Span.objects.create(example=example, user=users[who], start_offset=a, end_offset=b, label=kind)
                for a, b, kind in places
            ]
            if related:
                Relation.objects.create(example=example, user=users[who], from_id=spans[1], to_id=spans[0], type=met)
            answers.setdefault(name, []).append([example.id, who, sorted((a, b, kind.text) for a, b, kind in places)])
    export(made, name, "JSONL")

made = project("Seq2seq")
for n, example in enumerate(examples(made)):
    for who in PEOPLE:
        text = f"Anna traf Bo {n} mal in Rom, in C# geschrieben von {who}."
        TextLabel.objects.create(example=example, user=users[who], text=text)
        answers.setdefault("texts", []).append([example.id, who, text])
export(made, "texts", "JSONL", "JSON", "CSV")

(OUT / "answers.json").write_text(json.dumps(answers))
