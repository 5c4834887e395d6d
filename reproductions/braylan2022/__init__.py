"""Table 1 of Braylan, Alonso and Lease (2022), Measuring annotator agreement generally, computed again.

    python -m reproductions.braylan2022 FOLDER -o FOLDER

The first folder holds the seven data sets, one JSON object with item, annotator and value a line: vectors.jsonl,
translations.jsonl, boxes.jsonl, ner.jsonl, ner_clean.jsonl, keypoints.jsonl, trees_easy.jsonl, rankings.jsonl.  A file
that is not there is passed over.  Needs interagree with its ``complex`` extra.
"""
