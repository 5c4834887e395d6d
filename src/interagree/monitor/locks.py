"""A lock on a file, which ends with the process that holds it, however that ends."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from interagree.errors import DataError, Hint

STATE = Hint("state")


class Lock:
    """The right to write a file: one process has it at a time.

    It is a lock of the operating system on a file beside it, so that a process that is killed leaves none behind.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(f".{path.name}.lock")
        while True:
            try:
                self._number = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError as error:
                raise DataError(f"{path} cannot be written: {error.strerror}") from error
            try:
                _take(self._number)
            except BlockingIOError:
                holder = os.pread(self._number, 20, 1).decode(errors="replace") if hasattr(os, "pread") else ""
                os.close(self._number)
                who = f" (process {holder.strip()})" if holder.strip().isdigit() else ""
                raise DataError(
                    f"{path} is in use by another watch{who}; end that one, or give this one a state of its own: "
                    f"{STATE}",
                    hints=[STATE],
                ) from None
            except OSError as error:
                os.close(self._number)
                raise DataError(
                    f"{path} cannot be locked there ({error.strerror}), and two watches on one state would spoil it; "
                    f"keep it on a local disk: {STATE}",
                    hints=[STATE],
                ) from error
            if self._is_there():
                break
            os.close(self._number)  # who held it before has removed it in the meantime
        with suppress(OSError):  # on a full disk nobody is told who has it
            os.ftruncate(self._number, 0)
            os.write(self._number, f" {os.getpid()}".encode())

    def _is_there(self) -> bool:
        try:
            there = self._path.stat()
        except FileNotFoundError:
            return False
        here = os.fstat(self._number)
        return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)

    def close(self) -> None:
        """Let another have it."""
        if self._number >= 0:
            if sys.platform != "win32":  # where a file that is open cannot be removed
                self._path.unlink(missing_ok=True)
            os.close(self._number)
            self._number = -1


if sys.platform == "win32":
    import msvcrt

    def _take(number: int) -> None:
        try:
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(*error.args) from None

else:
    import fcntl

    def _take(number: int) -> None:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
