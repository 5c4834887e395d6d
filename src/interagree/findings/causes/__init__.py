"""Slips that can be undone, one module for each: its `CAUSE` is found by `make names`.

A cause fits itself to some of an annotator's answers and says what all of them would be without it
(`interagree.findings.repairs`).
"""
