# The public names of the room, and where each is defined.

from interagree.people.groups import grid as grid
from interagree.people.groups import groups as groups
from interagree.people.groups import groups_agreement as groups_agreement
from interagree.people.groups import xrr as xrr
from interagree.people.queue import Queue as Queue
from interagree.people.queue import disagreements as disagreements
from interagree.people.screening import People as People
from interagree.people.screening import annotators as annotators
from interagree.people.soft import SoftLabels as SoftLabels
from interagree.people.wawa import Wawa as Wawa
from interagree.people.wawa import wawa as wawa
