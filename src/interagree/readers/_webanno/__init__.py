"""Tables of WebAnno, version 3, as they stand in files."""
