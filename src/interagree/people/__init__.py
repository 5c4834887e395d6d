"""Who annotates how well, which items to look at again, and what labels items have when people differ.

>>> from interagree.people import wawa
>>> labels = {"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"], "cy": ["cat", "dog", "dog"]}
>>> round(wawa(labels).micro, 3)
0.778
"""

from interagree.people.queue import Queue, disagreements
from interagree.people.screening import People, annotators
from interagree.people.soft import SoftLabels, soft_labels
from interagree.people.wawa import Wawa, wawa

__all__ = ["People", "Queue", "SoftLabels", "Wawa", "annotators", "disagreements", "soft_labels", "wawa"]
