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
    from interagree.crowd import weighted_vote as weighted_vote
    from interagree.data import Annotations as Annotations
    from interagree.data import Study as Study
    from interagree.data import concat as concat
    from interagree.data.frames import scan as scan
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
    from interagree.measures.ac1 import ac1 as ac1
    from interagree.measures.ac2 import ac2 as ac2
    from interagree.measures.alpha import alpha as alpha
    from interagree.measures.auc import auc as auc
    from interagree.measures.augmented_kappa import augmented_kappa as augmented_kappa
    from interagree.measures.bennett_s import bennett_s as bennett_s
    from interagree.measures.cohen_kappa import cohen_kappa as cohen_kappa
    from interagree.measures.conger_kappa import conger_kappa as conger_kappa
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
    from interagree.measures.randolph_kappa import randolph_kappa as randolph_kappa
    from interagree.measures.scott_pi import scott_pi as scott_pi
    from interagree.measures.sigma import sigma as sigma
    from interagree.measures.spa import spa as spa
    from interagree.measures.van_oest import van_oest as van_oest
    from interagree.monitor import Monitor as Monitor
    from interagree.people import annotators as annotators
    from interagree.people import disagreements as disagreements
    from interagree.people import soft_labels as soft_labels
    from interagree.people import wawa as wawa
    from interagree.planning import plan as plan
    from interagree.readers import read as read
    from interagree.readers import write as write
    from interagree.reports import report as report
    from interagree.results import Agreement as Agreement
    from interagree.results import Interval as Interval
    from interagree.scales import interpret as interpret
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
    "Monitor": "monitor",
    "NumberConsensus": "crowd",
    "Study": "data",
    "Table": "tables",
    "ac1": "measures.ac1",
    "ac2": "measures.ac2",
    "align": "unitizing",
    "alpha": "measures.alpha",
    "alt_test": "judging",
    "annotators": "people",
    "auc": "measures.auc",
    "augmented_kappa": "measures.augmented_kappa",
    "bennett_s": "measures.bennett_s",
    "best_annotator": "consensus",
    "borda": "consensus",
    "chance": "look",
    "cohen_kappa": "measures.cohen_kappa",
    "coincidences": "look",
    "compare": "differences",
    "compare_distances": "choosing",
    "concat": "data",
    "confusion": "look",
    "conger_kappa": "measures.conger_kappa",
    "dawid_skene": "crowd",
    "debiased_mean": "crowd",
    "disagreements": "people",
    "f_score": "measures.f_score",
    "fleiss_kappa": "measures.fleiss_kappa",
    "gamma": "measures.gamma",
    "gamma_cat": "measures.gamma_cat",
    "gamma_k": "unitizing",
    "glad": "crowd",
    "grid": "grouping",
    "groups": "grouping",
    "groups_agreement": "judging",
    "hubert_kappa": "measures.hubert_kappa",
    "icc": "measures.icc",
    "interpret": "scales",
    "item_moments": "stats.item_agreement",
    "judge": "judging",
    "kendall_w": "measures.kendall_w",
    "ks": "measures.ks",
    "light_kappa": "measures.light_kappa",
    "lin_ccc": "measures.lin_ccc",
    "mace": "crowd",
    "majority_vote": "crowd",
    "medoid": "consensus",
    "merge": "consensus",
    "noise_ceiling": "judging",
    "one_coin": "crowd",
    "percent": "measures.percent",
    "plan": "planning",
    "preferences": "judging",
    "randolph_kappa": "measures.randolph_kappa",
    "read": "readers",
    "report": "reports",
    "scan": "data.frames",
    "scott_pi": "measures.scott_pi",
    "self_consistency": "judging",
    "shuffle": "shuffling",
    "sigma": "measures.sigma",
    "soft_labels": "people",
    "spa": "measures.spa",
    "timeline": "timelines",
    "van_oest": "measures.van_oest",
    "variance_of_item_agreement": "stats.item_agreement",
    "wawa": "people",
    "weighted_medoid": "consensus",
    "weighted_vote": "crowd",
    "write": "readers",
    "xrr": "judging",
}

__all__ = sorted([*_HOMES, "__version__"])  # noqa: PLE0605 -- one list of names, not two


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'interagree' has no attribute {name!r}")
    found = getattr(importlib.import_module(f"interagree.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return list(__all__)
