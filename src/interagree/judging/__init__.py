"""Can a model replace a person?

`judge` holds models against people: how people agree among themselves, with models, and models among themselves; the
alternative annotator test; the noise ceiling; and, where judgements were repeated, self-consistency.  The parts can be
had one by one.  A model is an annotator like any other, named as one.
"""

from interagree._rooms import make_room

make_room(__name__)
