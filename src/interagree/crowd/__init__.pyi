# The public names of the room, and where each is defined.

from interagree.crowd.consensus import Consensus as Consensus
from interagree.crowd.label_consensus import LabelConsensus as LabelConsensus
from interagree.crowd.labels import dawid_skene as dawid_skene
from interagree.crowd.labels import glad as glad
from interagree.crowd.labels import mace as mace
from interagree.crowd.labels import majority_vote as majority_vote
from interagree.crowd.labels import one_coin as one_coin
from interagree.crowd.labels import weighted_vote as weighted_vote
from interagree.crowd.number_consensus import NumberConsensus as NumberConsensus
from interagree.crowd.number_consensus import debiased_mean as debiased_mean
from interagree.crowd.objects import best_annotator as best_annotator
from interagree.crowd.objects import borda as borda
from interagree.crowd.objects import medoid as medoid
from interagree.crowd.objects import merge as merge
from interagree.crowd.objects import weighted_medoid as weighted_medoid
from interagree.crowd.scoring import Accuracy as Accuracy
from interagree.crowd.usual import consensus as consensus
from interagree.crowd.usual import usual_consensus as usual_consensus
from interagree.people.soft import soft_labels as soft_labels
