"""Figures 4 to 7 as pictures.  The colours are Okabe and Ito's, which the colour-blind tell apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

from interagree.stats.labels.item_agreement import weigh
from reproductions.spa2022 import experiment

mpl.use("Agg")
import matplotlib.pyplot as plt

LOOKS = {
    "flat": ("#000000", ":"),
    "annotations": ("#E69F00", "-"),
    "annotations_m1": ("#0072B2", "-"),
    "edges": ("#D55E00", "-"),
    "inv_var_class": ("#009E73", "--"),
    "inv_var_class, shares so far": ("#009E73", ":"),
    "random_effects": ("#CC79A7", "--"),
    "one over V(n)": ("#56B4E9", "-."),
}


def save(figure: Any, path: Path) -> None:
    """Write a picture that is the same whenever it is drawn."""
    with mpl.rc_context({"svg.hashsalt": path.stem, "svg.fonttype": "none"}):
        figure.savefig(path, metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    plt.close(figure)


def axes(title: str, across: str, up: str) -> tuple[Any, Any]:
    """An empty picture."""
    figure, one = plt.subplots(figsize=(6.4, 4))
    one.set(title=title, xlabel=across, ylabel=up)
    one.grid(alpha=0.25)
    return figure, one


def figure4(path: Path) -> float:
    """The weights by number of annotations; returns how far inv_var moves with the number of values."""
    n = np.arange(2, 11, dtype=np.float64)
    figure, one = axes("Figure 4: weights", "annotations of an item", "weight, the largest = 1")
    for scheme in ("annotations", "annotations_m1", "edges", "random_effects"):
        colour, line = LOOKS[scheme]
        one.plot(n, experiment.normal(weigh(scheme, n)), line, color=colour, label=scheme)
    for marker, values in zip("ov^sDx", range(2, 8), strict=True):
        curve = experiment.normal(experiment.inverse_variance(n, np.full(values, 1 / values)))
        one.plot(n, curve, marker, color="#666666", markersize=4, fillstyle="none", label=f"inv_var, {values} values")
    one.legend(fontsize=8)
    save(figure, path)
    curves = [experiment.normal(experiment.inverse_variance(n, np.full(values, 1 / values))) for values in range(2, 8)]
    return float(np.ptp(curves, axis=0).max())


def figure5(path: Path) -> tuple[float, float]:
    """Weights for shares drawn at random; returns the rank correlations of the area with entropy and with r."""
    found = experiment.drawn(250)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4))
    area = np.array([one.area for one in found])
    for axis, name in ((left, "entropy"), (right, "r")):
        x = np.array([getattr(one, name) for one in found])
        dots = axis.scatter(x, area, c=[one.values for one in found], cmap="cividis", s=6, rasterized=True)
        axis.set(xlabel="entropy of the shares, bits" if name == "entropy" else "r", ylabel="sum under the curve")
        axis.grid(alpha=0.25)
    figure.colorbar(dots, ax=[left, right], label="values")
    figure.suptitle("Figure 5: the weights of inv_var_class depend on r alone")
    save(figure, path)
    of = {name: np.array([getattr(one, name) for one in found]) for name in ("entropy", "r")}
    return experiment.rank_correlation(area, of["entropy"]), experiment.rank_correlation(area, of["r"])


def figure6(path: Path, name: str, constant: list[experiment.Constant], sparse: experiment.Curves) -> None:
    """The variance of SPA with as many annotations for each item, and with annotations added at random.

    All curves fall as one over the number of annotations, so they are multiplied by it to be told apart; beyond a fifth
    of the table the annotations that can be drawn run out.
    """
    figure, one = axes(f"Figure 6: {name}", "annotations", "variance of SPA × annotations")
    shown = constant[:: max(1, -(-len(constant) // 6))]
    limit = sparse.grid[-1] / 5
    colours = mpl.colormaps["cividis"](np.linspace(0, 0.9, len(shown)))
    for curve, colour in zip(shown, colours, strict=True):
        here = curve.annotations <= limit
        x = curve.annotations[here]
        one.plot(x, x * curve.variance[here], color=colour, label=f"{curve.n} for each item")
        one.plot(x, x * curve.theory[here], ":", color=colour)
    here = sparse.grid <= limit
    one.plot(sparse.grid[here], (sparse.grid * sparse.variance["flat"])[here], "k--", label="one at a time, flat")
    one.set(xscale="log", ylim=(0, None))
    one.legend(fontsize=8, ncols=2, title="dotted: n V(n)", title_fontsize=8)
    save(figure, path)


def figure7(path: Path, name: str, first: experiment.Curves, whole: experiment.Curves) -> None:
    """What the weighings gain over flat."""
    figure, one = axes(f"Figure 7: {name}", "annotations", "variance of SPA less that of flat")
    later = whole.grid > first.grid[-1]
    x = np.concatenate([first.grid, whole.grid[later]])
    for scheme in (scheme for scheme in LOOKS if scheme in whole.variance and scheme != "flat"):
        gains = [curves.variance[scheme] - curves.variance["flat"] for curves in (first, whole)]
        colour, line = LOOKS[scheme]
        one.plot(x, np.concatenate([gains[0], gains[1][later]]), line, color=colour, label=scheme)
    one.axhline(0, color="black", linewidth=0.8)
    one.set(xscale="log")
    one.legend(fontsize=8)
    save(figure, path)
