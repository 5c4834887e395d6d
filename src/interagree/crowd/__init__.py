"""One answer from many: votes, models of annotators, medoids, merging, soft labels."""

from interagree._rooms import make_room

make_room(__name__)
