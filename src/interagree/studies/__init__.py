"""Questions about whole studies: compare, plan, choose a distance, shuffle, explain, examine."""

from interagree._rooms import make_room

make_room(__name__)
