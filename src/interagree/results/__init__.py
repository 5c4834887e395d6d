"""What functions return: coefficients, tables, documents and pictures."""
