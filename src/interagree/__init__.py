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
    from interagree.data import Annotations as Annotations
    from interagree.data import Study as Study
    from interagree.data import concat as concat
    from interagree.data.frames import scan as scan
    from interagree.differences import compare as compare
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

__version__ = "0.1.0"

_HOMES = {
    "Agreement": "results",
    "Annotations": "data",
    "Consensus": "consensus",
    "Interval": "results",
    "Monitor": "monitor",
    "Study": "data",
    "Table": "tables",
    "ac1": "measures.ac1",
    "ac2": "measures.ac2",
    "alpha": "measures.alpha",
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
    "f_score": "measures.f_score",
    "fleiss_kappa": "measures.fleiss_kappa",
    "hubert_kappa": "measures.hubert_kappa",
    "icc": "measures.icc",
    "interpret": "scales",
    "item_moments": "stats.item_agreement",
    "kendall_w": "measures.kendall_w",
    "ks": "measures.ks",
    "light_kappa": "measures.light_kappa",
    "lin_ccc": "measures.lin_ccc",
    "medoid": "consensus",
    "merge": "consensus",
    "percent": "measures.percent",
    "plan": "planning",
    "randolph_kappa": "measures.randolph_kappa",
    "read": "readers",
    "report": "reports",
    "scan": "data.frames",
    "scott_pi": "measures.scott_pi",
    "shuffle": "shuffling",
    "sigma": "measures.sigma",
    "spa": "measures.spa",
    "van_oest": "measures.van_oest",
    "variance_of_item_agreement": "stats.item_agreement",
    "weighted_medoid": "consensus",
    "write": "readers",
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
