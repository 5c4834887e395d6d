"""Do the annotators agree, how sure are we, and where do they not?

    >>> import interagree as ia
    >>> labels = {"ann": ["cat", "dog", "dog"], "bo": ["cat", "dog", "cat"]}
    >>> round(ia.alpha(labels).value, 3)
    0.444

Nothing heavy is imported before it is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interagree.aggregation.labels import Accuracy as Accuracy
    from interagree.aggregation.labels import LabelConsensus as LabelConsensus
    from interagree.aggregation.labels import NumberConsensus as NumberConsensus
    from interagree.aggregation.labels import dawid_skene as dawid_skene
    from interagree.aggregation.labels import debiased_mean as debiased_mean
    from interagree.aggregation.labels import glad as glad
    from interagree.aggregation.labels import mace as mace
    from interagree.aggregation.labels import majority_vote as majority_vote
    from interagree.aggregation.labels import one_coin as one_coin
    from interagree.aggregation.labels import usual_consensus as usual_consensus
    from interagree.aggregation.labels import weighted_vote as weighted_vote
    from interagree.aggregation.objects import Consensus as Consensus
    from interagree.aggregation.objects import best_annotator as best_annotator
    from interagree.aggregation.objects import borda as borda
    from interagree.aggregation.objects import medoid as medoid
    from interagree.aggregation.objects import merge as merge
    from interagree.aggregation.objects import weighted_medoid as weighted_medoid
    from interagree.data import Annotations as Annotations
    from interagree.data import Study as Study
    from interagree.data import concat as concat
    from interagree.documents.segmenting import as_segments as as_segments
    from interagree.documents.sequences import from_tags as from_tags
    from interagree.documents.sequences import from_units as from_units
    from interagree.documents.sequences import to_tags as to_tags
    from interagree.documents.texts import in_tokens as in_tokens
    from interagree.documents.texts import trimmed as trimmed
    from interagree.judging import alt_test as alt_test
    from interagree.judging import groups_agreement as groups_agreement
    from interagree.judging import judge as judge
    from interagree.judging import noise_ceiling as noise_ceiling
    from interagree.judging import preferences as preferences
    from interagree.judging import self_consistency as self_consistency
    from interagree.judging import xrr as xrr
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
    from interagree.readers import read as read
    from interagree.readers import write as write
    from interagree.reading.frames import scan as scan
    from interagree.reports import report as report
    from interagree.reports.confusion import chance as chance
    from interagree.reports.confusion import coincidences as coincidences
    from interagree.reports.confusion import confusion as confusion
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
    from interagree.stats.labels.item_agreement import (
        variance_of_item_agreement as variance_of_item_agreement,
    )
    from interagree.studies.choose_distance import compare_distances as compare_distances
    from interagree.studies.compare import compare as compare
    from interagree.studies.compare import compare_groups as compare_groups
    from interagree.studies.doctor import doctor as doctor
    from interagree.studies.explain import explain as explain
    from interagree.studies.plan import plan as plan
    from interagree.studies.shuffle import shuffle as shuffle
    from interagree.tables import Table as Table

__version__ = "0.1.0"

_HOMES = {
    "Accuracy": "aggregation.labels",
    "Agreement": "results.agreement",
    "Annotations": "data",
    "Consensus": "aggregation.objects",
    "Interval": "results.agreement",
    "LabelConsensus": "aggregation.labels",
    "MarkedText": "spans.marked_text",
    "Monitor": "monitor",
    "NumberConsensus": "aggregation.labels",
    "PairwiseF1": "spans.pairwise",
    "Study": "data",
    "Table": "tables",
    "ac1": "measures.ac1",
    "ac2": "measures.ac2",
    "align": "spans.alignment",
    "alpha": "measures.alpha",
    "alpha_u_1995": "measures.alpha_u_1995",
    "alt_test": "judging",
    "annotators": "people",
    "as_segments": "documents.segmenting",
    "attachment": "measures.attachment",
    "attribute_agreement": "spans.attributes",
    "auc": "measures.auc",
    "augmented_kappa": "measures.augmented_kappa",
    "bennett_s": "measures.bennett_s",
    "best_annotator": "aggregation.objects",
    "borda": "aggregation.objects",
    "boundary_kappa": "measures.boundary_kappa",
    "boundary_pi": "measures.boundary_pi",
    "boundary_similarity": "measures.boundary_similarity",
    "chance": "reports.confusion",
    "cohen_kappa": "measures.cohen_kappa",
    "coincidences": "reports.confusion",
    "compare": "studies.compare",
    "compare_distances": "studies.choose_distance",
    "compare_groups": "studies.compare",
    "concat": "data",
    "confusion": "reports.confusion",
    "conger_kappa": "measures.conger_kappa",
    "coref_alpha": "measures.coref_alpha",
    "coref_f1": "measures.coref_f1",
    "corrected_boundary_similarity": "measures.corrected_boundary_similarity",
    "corrected_span_f1": "measures.corrected_span_f1",
    "dawid_skene": "aggregation.labels",
    "debiased_mean": "aggregation.labels",
    "disagreements": "people",
    "doctor": "studies.doctor",
    "explain": "studies.explain",
    "f_score": "measures.f_score",
    "fleiss_kappa": "measures.fleiss_kappa",
    "from_tags": "documents.sequences",
    "from_units": "documents.sequences",
    "gamma": "measures.gamma",
    "gamma_cat": "measures.gamma_cat",
    "gamma_k": "spans.alignment",
    "glad": "aggregation.labels",
    "grid": "people.groups",
    "groups": "people.groups",
    "groups_agreement": "judging",
    "hubert_kappa": "measures.hubert_kappa",
    "icc": "measures.icc",
    "in_tokens": "documents.texts",
    "interpret": "results.scales",
    "item_moments": "stats.labels.item_agreement",
    "judge": "judging",
    "kendall_w": "measures.kendall_w",
    "ks": "measures.ks",
    "light_kappa": "measures.light_kappa",
    "lin_ccc": "measures.lin_ccc",
    "mace": "aggregation.labels",
    "majority_vote": "aggregation.labels",
    "marked_text": "spans.marked_text",
    "medoid": "aggregation.objects",
    "merge": "aggregation.objects",
    "noise_ceiling": "judging",
    "one_coin": "aggregation.labels",
    "pairwise_f1": "spans.pairwise",
    "percent": "measures.percent",
    "pk": "measures.pk",
    "plan": "studies.plan",
    "preferences": "judging",
    "randolph_kappa": "measures.randolph_kappa",
    "read": "readers",
    "relation_agreement": "spans.relations",
    "relation_f1": "measures.relation_f1",
    "report": "reports",
    "scan": "reading.frames",
    "scott_pi": "measures.scott_pi",
    "segmentation_similarity": "measures.segmentation_similarity",
    "self_consistency": "judging",
    "semeval": "spans.pairwise",
    "shuffle": "studies.shuffle",
    "sigma": "measures.sigma",
    "soft_labels": "people",
    "spa": "measures.spa",
    "span_f1": "measures.span_f1",
    "span_panel": "spans.panel",
    "span_report": "spans.report",
    "span_types": "spans.typology",
    "timeline": "spans.timeline",
    "to_tags": "documents.sequences",
    "token_agreement": "spans.tokens",
    "trimmed": "documents.texts",
    "u_alpha": "measures.u_alpha",
    "usual_consensus": "aggregation.labels",
    "van_oest": "measures.van_oest",
    "variance_of_item_agreement": "stats.labels.item_agreement",
    "wawa": "people",
    "weighted_medoid": "aggregation.objects",
    "weighted_vote": "aggregation.labels",
    "window_diff": "measures.window_diff",
    "write": "readers",
    "xrr": "judging",
}

__all__ = sorted([*_HOMES, "__version__"])  # noqa: PLE0605 -- one list of names, not two


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        return _alias(name)
    found = getattr(importlib.import_module(f"interagree.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def _alias(name: str) -> Any:
    """The measure that goes by another name elsewhere, such as ``krippendorff_alpha``."""
    from importlib.util import find_spec

    if not name.startswith("_") and find_spec(f"interagree.{name}") is None:
        from interagree.errors import UnknownName
        from interagree.plugins import MEASURES

        try:
            return MEASURES[name]
        except UnknownName as error:
            raise AttributeError(f"module 'interagree' has no attribute {name!r}: {error}") from None
    raise AttributeError(f"module 'interagree' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
