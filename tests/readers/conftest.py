"""Files and folders for tests of readers; a module whose files are made otherwise has a fixture of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def file(tmp_path: Path) -> Any:
    """A file from its name and what it holds."""

    def made(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return made


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    """A folder from paths and what the files hold."""

    def made(files: dict[str, str | bytes]) -> Path:
        for name, content in files.items():
            path = tmp_path / "round" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return tmp_path / "round"

    return made


@pytest.fixture
def xml_file(tmp_path: Path) -> Any:
    """A file from what it holds, and its name."""

    def made(content: str, name: str = "annotations.xml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    return made
