"""How does the page answer while a team works on it?

Fifty people settle the items of one question for a minute, each with a pause between two requests, while fifty pages
listen to what is new and another process computes a gamma.  A client is a line of its own that writes bytes and reads
them, since one that parses every header would be what is measured.  Every decision is counted: in the answers, in the
log afterwards, and in what each listener heard.

    python bench/bench_serve.py           all of it
    python bench/bench_serve.py 10        for ten seconds
"""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from serving import Server  # noqa: E402 -- the tests are not a package, so their folder is named first

PEOPLE, ITEMS, PAUSE = 50, 10_000, 0.25
WANTED = 300  # milliseconds that 95 of 100 requests may take
GAMMA = """
import sys
sys.path.insert(0, "bench")
import bench_gamma, interagree as ia
study = ia.Annotations.of(bench_gamma.columns(1, 5, 100), kind="spans")
while True:
    ia.gamma(study, samples=30)
"""


def written(folder: Path) -> Path:
    """Items on which three annotators differ."""
    rng = np.random.default_rng(0)
    answers = np.array(["negative", "neutral", "positive"])
    values = answers[rng.permuted(np.tile([0, 1, 2], (ITEMS, 1)), axis=1)]
    rows = (
        f"i{item:05d},{who},{value}" for item, row in enumerate(values) for who, value in zip("abc", row, strict=True)
    )
    path = folder / "votes.csv"
    path.write_text("item,annotator,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


class Line:
    """A connection that stays open."""

    def __init__(self, server: Any) -> None:
        self.host, _, port = server.host.partition(":")
        self.port = int(port)
        self.head = "".join(f"{name}: {value}\r\n" for name, value in {"host": server.host, **server.headers}.items())

    async def open(self) -> None:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)

    async def ask(self, method: str, path: str, body: str = "") -> tuple[int, bytes]:
        """The status and the content of an answer."""
        content = body.encode()
        head = f"{method} {path} HTTP/1.1\r\n{self.head}content-length: {len(content)}\r\n\r\n"
        self.writer.write(head.encode() + content)
        answer = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        length = int(answer.partition(b"content-length:")[2].partition(b"\r\n")[0])
        return int(answer[9:12]), await self.reader.readexactly(length)


async def person(server: Any, name: str, until: float, took: list[float], seen: dict[str, int]) -> None:
    """Somebody who takes the next item and decides, until the time is over."""
    line = Line(server)
    await line.open()

    async def timed(method: str, path: str, body: str = "") -> tuple[int, bytes]:
        begun = time.perf_counter()
        answer = await line.ask(method, path, body)
        took.append(1000 * (time.perf_counter() - begun))
        return answer

    rng = np.random.default_rng(int(name[1:]))
    while time.monotonic() < until:
        item = f"%22i{rng.integers(ITEMS):05d}%22"
        status, content = await timed("GET", f"/decide.json?question=label&item={item}")
        seen[f"GET {status}"] = seen.get(f"GET {status}", 0) + 1
        asked = json.loads(content)
        await asyncio.sleep(PAUSE)
        event = {key: asked[key] for key in ("base", "question", "item", "fingerprint")}
        event |= {"op": f"{name}-{time.monotonic_ns()}", "kind": "decide", "stored": asked["choices"][0]["stored"]}
        status, _ = await timed("POST", "/decide.json", json.dumps(event))
        seen[f"POST {status}"] = seen.get(f"POST {status}", 0) + 1
        await asyncio.sleep(PAUSE)


async def listener(server: Any, heard: set[int]) -> None:
    """A page that hears what is new."""
    line = Line(server)
    await line.open()
    line.writer.write(f"GET /events HTTP/1.1\r\n{line.head}\r\n".encode())
    while True:
        text = await line.reader.readline()
        if not text:
            return
        if text.startswith(b"id:"):
            heard.add(int(text[3:].split()[0]))


async def work(server: Any, seconds: float) -> None:
    """Everything at once, and what came of it."""
    took: list[float] = []
    seen: dict[str, int] = {}
    heard: list[set[int]] = [set() for _ in range(PEOPLE)]
    listening = [asyncio.create_task(listener(server, mine)) for mine in heard]
    until = time.monotonic() + seconds
    await asyncio.gather(*(person(server, f"p{k}", until, took, seen) for k in range(PEOPLE)))
    await asyncio.sleep(2)
    for task in listening:
        task.cancel()
    line = Line(server)
    await line.open()
    logged = (await line.ask("GET", "/log.jsonl"))[1].splitlines()
    events = {entry["event"]["seq"] for entry in map(json.loads, logged) if "event" in entry}
    half, most, worst = np.percentile(took, [50, 95, 100])
    answers = ", ".join(f"{count:,} × {what}" for what, count in sorted(seen.items()))
    print("| requests | p50 ms | p95 ms | wanted | longest ms | answers | in the log | missed by a listener |")
    print("| ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: |")
    missed = max(len(events - mine) for mine in heard)
    print(
        f"| {len(took):,} | {half:.0f} | {most:.0f} | {WANTED} | {worst:.0f} | {answers} | {len(events):,} | {missed} |"
    )


def main(seconds: float) -> None:
    """Start the server and the gamma, work, and end them."""
    import harness

    harness.machine()
    print(
        f"\n{PEOPLE} people for {seconds:.0f} s, {PAUSE} s between two requests, {PEOPLE} listeners, {ITEMS:,} items\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        server = Server(written(Path(folder)), "--project", Path(folder, "votes.interagree"))
        gamma = subprocess.Popen([sys.executable, "-c", GAMMA], cwd=ROOT, stderr=subprocess.DEVNULL)
        try:
            asyncio.run(work(server, seconds))
            status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
            peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
            print(f"\nMemory of the server: {peak / 1024:,.0f} MB at most.")
        finally:
            gamma.kill()
            gamma.wait()
            server.end(signal.SIGTERM)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
