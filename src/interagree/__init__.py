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
    from interagree.choosing import compare_distances as compare_distances
    from interagree.consensus import Consensus as Consensus
    from interagree.consensus import best_annotator as best_annotator
    from interagree.consensus import borda as borda
    from interagree.consensus import medoid as medoid
    from interagree.consensus import merge as merge
    from interagree.consensus import weighted_medoid as weighted_medoid
    from interagree.crowd import Accuracy as Accuracy
    from interagree.crowd import LabelConsensus as LabelConsensus
    from interagree.crowd import NumberConsensus as NumberConsensus
    from interagree.crowd import dawid_skene as dawid_skene
    from interagree.crowd import debiased_mean as debiased_mean
    from interagree.crowd import glad as glad
    from interagree.crowd import mace as mace
    from interagree.crowd import majority_vote as majority_vote
    from interagree.crowd import one_coin as one_coin
    from interagree.crowd import usual_consensus as usual_consensus
    from interagree.crowd import weighted_vote as weighted_vote
    from interagree.data import Annotations as Annotations
    from interagree.data import Study as Study
    from interagree.data import concat as concat
    from interagree.data.documents import in_tokens as in_tokens
    from interagree.data.documents import trimmed as trimmed
    from interagree.differences import compare as compare
    from interagree.grouping import grid as grid
    from interagree.grouping import groups as groups
    from interagree.judging import alt_test as alt_test
    from interagree.judging import groups_agreement as groups_agreement
    from interagree.judging import judge as judge
    from interagree.judging import noise_ceiling as noise_ceiling
    from interagree.judging import preferences as preferences
    from interagree.judging import self_consistency as self_consistency
    from interagree.judging import xrr as xrr
    from interagree.look import chance as chance
    from interagree.look import coincidences as coincidences
    from interagree.look import confusion as confusion
    from interagree.marking.attributes import attribute_agreement as attribute_agreement
    from interagree.marking.pairwise import PairwiseF1 as PairwiseF1
    from interagree.marking.pairwise import pairwise_f1 as pairwise_f1
    from interagree.marking.pairwise import semeval as semeval
    from interagree.marking.panel import span_panel as span_panel
    from interagree.marking.relating import relation_agreement as relation_agreement
    from interagree.marking.text import MarkedText as MarkedText
    from interagree.marking.text import marked_text as marked_text
    from interagree.marking.tokens import token_agreement as token_agreement
    from interagree.marking.typology import span_types as span_types
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
    from interagree.planning import plan as plan
    from interagree.readers import read as read
    from interagree.readers import write as write
    from interagree.reading.frames import scan as scan
    from interagree.reports import report as report
    from interagree.results import Agreement as Agreement
    from interagree.results import Interval as Interval
    from interagree.scales import interpret as interpret
    from interagree.segmenting import as_segments as as_segments
    from interagree.sequences import from_tags as from_tags
    from interagree.sequences import from_units as from_units
    from interagree.sequences import to_tags as to_tags
    from interagree.shuffling import shuffle as shuffle
    from interagree.stats.item_agreement import item_moments as item_moments
    from interagree.stats.item_agreement import variance_of_item_agreement as variance_of_item_agreement
    from interagree.tables import Table as Table
    from interagree.timelines import timeline as timeline
    from interagree.unitizing import align as align
    from interagree.unitizing import gamma_k as gamma_k

__version__ = "0.1.0"

_HOMES = {
    "Accuracy": "crowd",
    "Agreement": "results",
    "Annotations": "data",
    "Consensus": "consensus",
    "Interval": "results",
    "LabelConsensus": "crowd",
    "MarkedText": "marking.text",
    "Monitor": "monitor",
    "NumberConsensus": "crowd",
    "PairwiseF1": "marking.pairwise",
    "Study": "data",
    "Table": "tables",
    "ac1": "measures.ac1",
    "ac2": "measures.ac2",
    "align": "unitizing",
    "alpha": "measures.alpha",
    "alpha_u_1995": "measures.alpha_u_1995",
    "alt_test": "judging",
    "annotators": "people",
    "as_segments": "segmenting",
    "attachment": "measures.attachment",
    "attribute_agreement": "marking.attributes",
    "auc": "measures.auc",
    "augmented_kappa": "measures.augmented_kappa",
    "bennett_s": "measures.bennett_s",
    "best_annotator": "consensus",
    "borda": "consensus",
    "boundary_kappa": "measures.boundary_kappa",
    "boundary_pi": "measures.boundary_pi",
    "boundary_similarity": "measures.boundary_similarity",
    "chance": "look",
    "cohen_kappa": "measures.cohen_kappa",
    "coincidences": "look",
    "compare": "differences",
    "compare_distances": "choosing",
    "concat": "data",
    "confusion": "look",
    "conger_kappa": "measures.conger_kappa",
    "coref_alpha": "measures.coref_alpha",
    "coref_f1": "measures.coref_f1",
    "corrected_boundary_similarity": "measures.corrected_boundary_similarity",
    "corrected_span_f1": "measures.corrected_span_f1",
    "dawid_skene": "crowd",
    "debiased_mean": "crowd",
    "disagreements": "people",
    "f_score": "measures.f_score",
    "fleiss_kappa": "measures.fleiss_kappa",
    "from_tags": "sequences",
    "from_units": "sequences",
    "gamma": "measures.gamma",
    "gamma_cat": "measures.gamma_cat",
    "gamma_k": "unitizing",
    "glad": "crowd",
    "grid": "grouping",
    "groups": "grouping",
    "groups_agreement": "judging",
    "hubert_kappa": "measures.hubert_kappa",
    "icc": "measures.icc",
    "in_tokens": "data.documents",
    "interpret": "scales",
    "item_moments": "stats.item_agreement",
    "judge": "judging",
    "kendall_w": "measures.kendall_w",
    "ks": "measures.ks",
    "light_kappa": "measures.light_kappa",
    "lin_ccc": "measures.lin_ccc",
    "mace": "crowd",
    "majority_vote": "crowd",
    "marked_text": "marking.text",
    "medoid": "consensus",
    "merge": "consensus",
    "noise_ceiling": "judging",
    "one_coin": "crowd",
    "pairwise_f1": "marking.pairwise",
    "percent": "measures.percent",
    "pk": "measures.pk",
    "plan": "planning",
    "preferences": "judging",
    "randolph_kappa": "measures.randolph_kappa",
    "read": "readers",
    "relation_agreement": "marking.relating",
    "relation_f1": "measures.relation_f1",
    "report": "reports",
    "scan": "reading.frames",
    "scott_pi": "measures.scott_pi",
    "segmentation_similarity": "measures.segmentation_similarity",
    "self_consistency": "judging",
    "semeval": "marking.pairwise",
    "shuffle": "shuffling",
    "sigma": "measures.sigma",
    "soft_labels": "people",
    "spa": "measures.spa",
    "span_f1": "measures.span_f1",
    "span_panel": "marking.panel",
    "span_types": "marking.typology",
    "timeline": "timelines",
    "to_tags": "sequences",
    "token_agreement": "marking.tokens",
    "trimmed": "data.documents",
    "u_alpha": "measures.u_alpha",
    "usual_consensus": "crowd",
    "van_oest": "measures.van_oest",
    "variance_of_item_agreement": "stats.item_agreement",
    "wawa": "people",
    "weighted_medoid": "consensus",
    "weighted_vote": "crowd",
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
