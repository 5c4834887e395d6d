"""Tables of any layout become studies: which column plays which part, and what to say where that is in doubt."""
