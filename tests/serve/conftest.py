"""A page to decide on without a browser: its application, asked as a server asks it."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from interagree.serve.project import Project, SourceFile
from interagree.serve.workspace import Workspace

PORT = 8417
HOST = f"127.0.0.1:{PORT}"


class Answer:
    def __init__(self, messages):
        self.status = messages[0]["status"]
        self.headers = {name.decode().lower(): value.decode() for name, value in messages[0]["headers"]}
        self.body = b"".join(message.get("body", b"") for message in messages[1:])

    @property
    def json(self):
        return json.loads(self.body)


class Client:
    """Somebody who asks; headers that are given replace those of our own page, and None leaves one out."""

    def __init__(self, guard):
        self.guard = guard
        self.headers = {"host": guard.hosts[0]}

    def ask(self, path, *, method="GET", body=None, headers=None, **query):
        sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        usual = (
            {"origin": f"{self.guard.scheme}://{self.guard.hosts[0]}", "content-type": "application/json"}
            if method == "POST"
            else {}
        )
        named = {name: value for name, value in (self.headers | usual | (headers or {})).items() if value is not None}
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": path, "raw_path": quote(path).encode(), "root_path": "", "query_string": urlencode(query).encode(),
            "headers": [(name.encode(), value.encode()) for name, value in named.items()],
            "client": ("127.0.0.1", 5), "server": ("127.0.0.1", PORT),
        }  # fmt: skip
        messages = []

        async def receive():
            return {"type": "http.request", "body": sent, "more_body": False}

        async def send(message):
            messages.append(message)

        async def answered():
            await self.guard(scope, receive, send)

        # In a thread of its own, since a browser that other tests opened may have left a loop in this one.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(lambda: asyncio.run(answered())).result()
        return Answer(messages)

    def get(self, path, **query):
        return self.ask(path, **query)

    def post(self, path, body, headers=None, **query):
        return self.ask(path, method="POST", body=body, headers=headers, **query)

    def enter(self, token=None):
        answer = self.ask("/enter", token=self.guard.token if token is None else token)
        if answer.status == 303:
            self.headers["cookie"] = answer.headers["set-cookie"].partition(";")[0]
            self.headers["x-interagree"] = answer.headers["location"].partition("#key=")[2]
        return answer

    def come(self, name, password):
        answer = self.post("/enter.json", {"name": name, "password": password})
        if answer.status == 200:
            self.headers["cookie"] = answer.headers["set-cookie"].partition(";")[0]
            self.headers["x-interagree"] = answer.json["key"]
        return answer

    def other(self):
        """Somebody else who asks the same server."""
        made = Client(self.guard)
        made.workspace, made.project = self.workspace, self.project
        return made

    def decide(self, question, key, kind="decide", **more):
        item = self.get("/decide.json", question=question, item=key).json
        event = {name: item[name] for name in ("base", "question", "item", "fingerprint")}
        event |= {"op": f"op-{key}-{kind}-{item['base']}", "kind": kind}
        return self.post("/decide.json", event | more)


@pytest.fixture
def opened(tmp_path, need):
    """Opens files as a project, and gives the client that was let in."""
    need("starlette")
    need("uvicorn")
    from interagree.serve.app import application
    from interagree.serve.guard import Guard

    made = []

    def opened(
        path=None, *, enter=True, options=None, largest=1_000_000, project=None, images=None, users=None, host=None
    ):
        log = Project(project or tmp_path / f"work{len(made)}.interagree")
        workspace = Workspace(log, images)
        made.append((workspace, log))
        if path is not None:
            workspace.open([SourceFile(Path(path).name, str(path), "", {})], options or {}, wait=True)
            assert workspace.state in ("ready", "doubtful", "failed")
        pages = application(workspace, who="tester", largest=largest)
        client = Client(Guard(pages, log, PORT, users=users, host=host))
        client.workspace, client.project = workspace, log
        if enter and users is None:
            client.enter()
        return client

    yield opened
    for workspace, log in made:
        workspace.close()
        log.close()
