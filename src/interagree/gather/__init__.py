"""Marks, as sources say them, gathered into the questions of a study."""
