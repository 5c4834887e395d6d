"""Findings in words: one module for each language, and in it one function for each code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interagree.findings.words.english import WORDS

if TYPE_CHECKING:
    from interagree.findings.finding import Finding


def words_of(finding: Finding) -> tuple[str, str]:
    """What is said of a finding: its sentences, and the same as a clause, which may be empty."""
    return WORDS[finding.code](finding)
