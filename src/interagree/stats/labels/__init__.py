"""Statistics of simple values: counts, who gave which value, numbers, tables of distances."""
