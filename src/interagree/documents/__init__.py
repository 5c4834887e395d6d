"""Documents: their texts and tokens, tags, offsets, segments and units."""
