"""Spans marked in texts: agreement on their tokens, and the text with the marks of every annotator."""
