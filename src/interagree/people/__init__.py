"""Who annotates how well, which items to look at again, and how groups of annotators agree.

>>> from interagree.people import wawa
>>> labels = {"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "dog", "dog"]}
>>> round(wawa(labels).micro, 3)
0.778
"""

from interagree._rooms import make_room

make_room(__name__)
