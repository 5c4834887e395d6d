"""SANTA, Systematic Analysis of Narrative Texts through Annotation: agreement on narrative levels, computed again.

    python -m reproductions.santa FOLDER -o FOLDER

The first folder holds one folder for each guideline, SANTA1 to SANTA8, with a file for each text: the annotations of
the second round.  They are not part of the project.
"""
