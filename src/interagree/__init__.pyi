# The public names and where each is defined.  Measures, and what else they are called, are written by `make names`.

from interagree.aggregation.consensus import Consensus as Consensus
from interagree.aggregation.label_consensus import LabelConsensus as LabelConsensus
from interagree.aggregation.labels import dawid_skene as dawid_skene
from interagree.aggregation.labels import glad as glad
from interagree.aggregation.labels import mace as mace
from interagree.aggregation.labels import majority_vote as majority_vote
from interagree.aggregation.labels import one_coin as one_coin
from interagree.aggregation.labels import weighted_vote as weighted_vote
from interagree.aggregation.number_consensus import NumberConsensus as NumberConsensus
from interagree.aggregation.number_consensus import debiased_mean as debiased_mean
from interagree.aggregation.objects import best_annotator as best_annotator
from interagree.aggregation.objects import borda as borda
from interagree.aggregation.objects import medoid as medoid
from interagree.aggregation.objects import merge as merge
from interagree.aggregation.objects import weighted_medoid as weighted_medoid
from interagree.aggregation.scoring import Accuracy as Accuracy
from interagree.aggregation.usual import consensus as consensus
from interagree.aggregation.usual import usual_consensus as usual_consensus
from interagree.data import Annotations as Annotations
from interagree.data import Study as Study
from interagree.data import concat as concat
from interagree.data.memory import memory_limit as memory_limit
from interagree.documents.edges import in_tokens as in_tokens
from interagree.documents.edges import trimmed as trimmed
from interagree.documents.segmenting import as_segments as as_segments
from interagree.documents.sequences import from_tags as from_tags
from interagree.documents.sequences import to_tags as to_tags
from interagree.documents.unit_columns import from_units as from_units
from interagree.examples import example as example
from interagree.judging import alt_test as alt_test
from interagree.judging import judge as judge
from interagree.judging import noise_ceiling as noise_ceiling
from interagree.judging import preferences as preferences
from interagree.judging import self_consistency as self_consistency
from interagree.measures.ac1 import ac1 as ac1
from interagree.measures.ac2 import ac2 as ac2
from interagree.measures.alpha import alpha as alpha
from interagree.measures.alpha_u_1995 import alpha_u_1995 as alpha_u_1995
from interagree.measures.attachment import attachment as attachment
from interagree.measures.auc import auc as auc
from interagree.measures.augmented_kappa import augmented_kappa as augmented_kappa
from interagree.measures.bennett_s import bennett_s as bennett_s
from interagree.measures.boundary_kappa import boundary_kappa as boundary_kappa
from interagree.measures.boundary_pi import boundary_pi as boundary_pi
from interagree.measures.boundary_similarity import boundary_similarity as boundary_similarity
from interagree.measures.cohen_kappa import cohen_kappa as cohen_kappa
from interagree.measures.conger_kappa import conger_kappa as conger_kappa
from interagree.measures.coref_alpha import coref_alpha as coref_alpha
from interagree.measures.coref_f1 import coref_f1 as coref_f1
from interagree.measures.corrected_boundary_similarity import (
    corrected_boundary_similarity as corrected_boundary_similarity,
)
from interagree.measures.corrected_span_f1 import corrected_span_f1 as corrected_span_f1
from interagree.measures.f_score import f_score as f_score
from interagree.measures.fleiss_kappa import fleiss_kappa as fleiss_kappa
from interagree.measures.gamma import gamma as gamma
from interagree.measures.gamma_cat import gamma_cat as gamma_cat
from interagree.measures.hubert_kappa import hubert_kappa as hubert_kappa
from interagree.measures.icc import icc as icc
from interagree.measures.kendall_w import kendall_w as kendall_w
from interagree.measures.ks import ks as ks
from interagree.measures.light_kappa import light_kappa as light_kappa
from interagree.measures.lin_ccc import lin_ccc as lin_ccc
from interagree.measures.percent import percent as percent
from interagree.measures.pk import pk as pk
from interagree.measures.randolph_kappa import randolph_kappa as randolph_kappa
from interagree.measures.relation_f1 import relation_f1 as relation_f1
from interagree.measures.scott_pi import scott_pi as scott_pi
from interagree.measures.segmentation_similarity import segmentation_similarity as segmentation_similarity
from interagree.measures.sigma import sigma as sigma
from interagree.measures.spa import spa as spa
from interagree.measures.span_f1 import span_f1 as span_f1
from interagree.measures.u_alpha import u_alpha as u_alpha
from interagree.measures.van_oest import van_oest as van_oest
from interagree.measures.window_diff import window_diff as window_diff
from interagree.monitor import Monitor as Monitor
from interagree.people import annotators as annotators
from interagree.people import disagreements as disagreements
from interagree.people import soft_labels as soft_labels
from interagree.people import wawa as wawa
from interagree.people.groups import grid as grid
from interagree.people.groups import groups as groups
from interagree.people.groups import groups_agreement as groups_agreement
from interagree.people.groups import xrr as xrr
from interagree.readers import read as read
from interagree.readers import write as write
from interagree.reading.scans import scan as scan
from interagree.reports import report as report
from interagree.reports.confusion import chance as chance
from interagree.reports.confusion import coincidences as coincidences
from interagree.reports.confusion import confusion as confusion
from interagree.reports.object_types import object_types as object_types
from interagree.results.agreement import Agreement as Agreement
from interagree.results.agreement import Interval as Interval
from interagree.results.scales import interpret as interpret
from interagree.spans.alignment import align as align
from interagree.spans.alignment import gamma_k as gamma_k
from interagree.spans.attributes import attribute_agreement as attribute_agreement
from interagree.spans.marked_text import MarkedText as MarkedText
from interagree.spans.marked_text import marked_text as marked_text
from interagree.spans.pairwise import PairwiseF1 as PairwiseF1
from interagree.spans.pairwise import pairwise_f1 as pairwise_f1
from interagree.spans.pairwise import semeval as semeval
from interagree.spans.panel import span_panel as span_panel
from interagree.spans.relations import relation_agreement as relation_agreement
from interagree.spans.report import span_report as span_report
from interagree.spans.timeline import timeline as timeline
from interagree.spans.tokens import token_agreement as token_agreement
from interagree.spans.typology import span_types as span_types
from interagree.stats.labels.item_agreement import item_moments as item_moments
from interagree.stats.labels.item_agreement import variance_of_item_agreement as variance_of_item_agreement
from interagree.studies.choose_distance import compare_distances as compare_distances
from interagree.studies.compare import compare as compare
from interagree.studies.compare import compare_groups as compare_groups
from interagree.studies.doctor import doctor as doctor
from interagree.studies.explain import explain as explain
from interagree.studies.plan import plan as plan
from interagree.studies.shuffle import shuffle as shuffle
from interagree.tables import Table as Table
from interagree.writers import export as export

__version__: str

# What else measures are called
agree = percent
bennett = bennett_s
bp_coeff = bennett_s
brennan_prediger = bennett_s
ccc = lin_ccc
cohen = cohen_kappa
cohen_kappa_score = cohen_kappa
cohens_kappa = cohen_kappa
concordance_correlation = lin_ccc
conger = conger_kappa
f1 = f_score
f1_score = f_score
f_measure = f_score
fleiss = fleiss_kappa
free_marginal_kappa = randolph_kappa
gwet_ac1 = ac1
gwet_ac2 = ac2
gwets_ac1 = ac1
gwets_ac2 = ac2
hubert = hubert_kappa
intraclass_corr = icc
intraclass_correlation = icc
kappa = cohen_kappa
kappa2 = cohen_kappa
kappam_fleiss = fleiss_kappa
kappam_light = light_kappa
kendall = kendall_w
kendalls_w = kendall_w
kripp_alpha = alpha
krippendorff = alpha
krippendorff_alpha = alpha
krippendorffs_alpha = alpha
light = light_kappa
lin = lin_ccc
multi_kappa = conger_kappa
multi_pi = fleiss_kappa
observed_agreement = percent
percent_agreement = percent
percentage_agreement = percent
pi = scott_pi
randolph = randolph_kappa
raw_agreement = percent
scott = scott_pi
scotts_pi = scott_pi
sparse_probability_of_agreement = spa
unitizing_alpha = u_alpha
windowdiff = window_diff
