"""Experiments of papers, run again on any data."""
