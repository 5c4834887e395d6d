"""Reading in another process, which a file may end or fill without harm to this one.

Libraries in machine code do not always survive damage: they ask for hundreds of gigabytes, end the process, or never
end.  What they read is therefore read by a worker with bounds on its memory and its processor time, which hands over
what it found.  It is started with the first such file and used for all that follow, so that a file costs a
millisecond and the first one some twenty; after a large file, and whatever else ends it, the next file gets a new one.

Where no process can be started (in a browser, in a frozen program) files are read here.  Bounds on memory are those
of the system: Linux has them, macOS may refuse them, and on Windows a worker that fills the memory is merely one that
can be ended.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from interagree.data.memory import SMALL, free, must_fit
from interagree.errors import FormatError

T = TypeVar("T")

MEMORY = 3 << 30  # bytes of address space that a worker may have, beside a multiple of the size of the file
TIMES = 50
BARE = 1 << 30  # … of which the worker and its libraries take some before they read anything
SECONDS = 5  # of processor time that a file may take, beside some for each megabyte
PER_MEGABYTE = 5
PATIENCE = 10  # times that of real time, after which a worker is ended where the system has no bound
LARGE = 8 << 20  # bytes of a file or of what it holds after which a worker is not used again
HEAD = 8  # bytes that say how long what follows is

# Takes a task and bytes from its input, and gives what they hold, until its input ends.
WORKER = f"""
import os, pickle, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
sys.path[:] = pickle.loads(bytes.fromhex(sys.argv[1]))
source, answer = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # libraries that print
def taken():
    return source.read(int.from_bytes(source.read({HEAD}), "big"))
try:
    import resource
except ImportError:
    resource = None
def bound(what, size):
    try:
        resource.setrlimit(what, (size, resource.getrlimit(what)[1]))
    except (OSError, ValueError):
        pass
while head := taken():
    content = taken()
    try:
        function, options, memory, seconds = pickle.loads(head)
        if resource is not None:
            used = resource.getrusage(resource.RUSAGE_SELF)
            bound(resource.RLIMIT_CORE, 0)
            bound(resource.RLIMIT_AS, memory)
            bound(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + seconds)
        told = pickle.dumps((True, function(content, *options)), protocol=5)
    except BaseException as error:
        told = pickle.dumps((False, (type(error).__name__, str(error))))
    del content
    answer.write(len(told).to_bytes({HEAD}, "big"))
    answer.write(told)
    answer.flush()
"""


class Failed(Exception):
    """What the library raised over the file."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message or kind)
        self.kind = kind  # the name of the class


def apart(function: Callable[..., T], content: bytes, *options: object, file: str, what: str, advice: str) -> T:
    """What a function makes of the content of a file, called in the worker.

    Args:
        function: One of a module, which the worker imports.
        content: What it gets first.
        options: What else it gets.
        file: What errors call the file.
        what: What the file should be.
        advice: What to do where the worker does not survive it.

    Raises:
        FormatError: The worker did not survive, or took more memory or time than such a file may.
        Failed: The function raised an error.
    """
    with _Worker.lock:
        try:
            worker = _Worker.current()
        except OSError:
            worker = None
        if worker is None:
            return _here(function, content, options)
        fine, told = worker.asked(function, content, options)
    if fine:
        made: T = told
        return made
    if told is None:
        raise FormatError(
            f"{file} is damaged, or too large for {what}: reading it takes more memory or time than any table of its "
            f"size, or ends the library that reads it; {advice}"
        )
    raise Failed(*told)


def _here(function: Callable[..., T], content: bytes, options: tuple[object, ...]) -> T:
    try:
        return function(content, *options)
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001 -- panics of libraries are not exceptions
        raise Failed(type(error).__name__, str(error)) from None


class _Worker:
    """A process that reads files, one after the other."""

    lock = threading.Lock()
    now: _Worker | None = None
    of_parent: _Worker | None = None  # which a child by fork leaves alone

    def __init__(self) -> None:
        path = pickle.dumps([*map(str, sys.path)]).hex()
        self.process = subprocess.Popen(  # noqa: S603 -- this program, with what stands above
            [sys.executable, "-I", "-c", WORKER, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )

    @classmethod
    def current(cls) -> _Worker | None:
        """The worker of this process; None where there cannot be one."""
        if not sys.executable or getattr(sys, "frozen", False):
            return None
        if cls.now is not None and cls.now.process.poll() is not None:
            cls.now.end()
        cls.now = cls.now or cls()
        return cls.now

    def asked(self, function: Callable[..., object], content: bytes, options: tuple[object, ...]) -> tuple[bool, Any]:
        """Whether the function gave something, and what, or what it raised; None where the worker did not survive."""
        seconds = SECONDS + PER_MEGABYTE * (len(content) >> 20)
        memory = int(min(MEMORY + TIMES * len(content), BARE + free()))
        source, answer = self.process.stdin, self.process.stdout
        assert source is not None  # noqa: S101 -- both are pipes
        assert answer is not None  # noqa: S101
        patience = threading.Timer(PATIENCE * seconds, self.process.kill)
        patience.daemon = True
        patience.start()
        told = b""
        try:
            for part in (pickle.dumps((function, options, memory, seconds)), content):
                source.write(len(part).to_bytes(HEAD, "big"))
                source.write(part)
            source.flush()
            size = int.from_bytes(answer.read(HEAD), "big")
            if size > SMALL:
                must_fit(2 * size, "what a file holds", "save its tables as CSV")
            told = answer.read(size)
        except OSError:  # it has ended
            told = b""
        finally:
            patience.cancel()
            if not told or max(len(told), len(content)) > LARGE:
                self.end()
        if not told or len(told) < size:
            return False, None
        result: tuple[bool, Any] = pickle.loads(told)  # noqa: S301 -- of a process of ours
        return result

    def end(self) -> None:
        """End the process; the next file gets another."""
        if _Worker.now is self:
            _Worker.now = None
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # what was not written is of no use
                    continue

    @classmethod
    def forked(cls) -> None:
        """Start anew in a child by fork, where another thread may have been reading."""
        cls.lock, cls.now, cls.of_parent = threading.Lock(), None, cls.now

    @classmethod
    def exiting(cls) -> None:
        """End the worker with this process."""
        if cls.now is not None:
            cls.now.end()


atexit.register(_Worker.exiting)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Worker.forked)
