"""Statistics of marked documents: units, spans, segments, relations."""
