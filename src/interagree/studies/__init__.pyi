# The public names of the room, and where each is defined.

from interagree.reports.confusion import coincidences as coincidences
from interagree.reports.object_types import object_types as object_types
from interagree.stats.labels.item_agreement import item_moments as item_moments
from interagree.stats.labels.item_agreement import variance_of_item_agreement as variance_of_item_agreement
from interagree.studies.choose_distance import compare_distances as compare_distances
from interagree.studies.compare import compare as compare
from interagree.studies.compare import compare_groups as compare_groups
from interagree.studies.doctor import doctor as doctor
from interagree.studies.explain import explain as explain
from interagree.studies.plan import plan as plan
from interagree.studies.shuffle import shuffle as shuffle
