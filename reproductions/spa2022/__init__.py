"""The experiments of Nørregaard and Derczynski (2022), Sparse probability of agreement, on any labelled table.

    python -m reproductions.spa2022 TABLE … -o FOLDER

Needs interagree with its ``plot`` extra.
"""
