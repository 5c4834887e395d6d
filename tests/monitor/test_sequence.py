"""An interval that holds at all times at once, and a chart whose alarms are as rare as it says."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betaln

import interagree as ia
from interagree.errors import KindError
from interagree.monitor.chart import Log, control_chart, fall, falls, first_pairs
from interagree.monitor.sequence import always


@pytest.mark.parametrize("p", [0.02, 0.3, 0.5, 0.85, 0.99])
def test_the_truth_is_inside_at_all_times_in_95_of_100_studies(p):
    rng = np.random.default_rng(7)
    studies, items = 2000, 1000
    k = np.cumsum(rng.random((studies, items)) < p, axis=1)
    n = np.arange(1, items + 1)
    # The truth is outside exactly where the fortune of the gambler has reached 1/0.05.
    fortune = betaln(k + 0.5, n - k + 0.5) - betaln(0.5, 0.5) - k * math.log(p) - (n - k) * math.log1p(-p)
    outside = fortune >= math.log(20)
    assert outside.any(axis=1).mean() < 0.05
    for study, item in rng.integers(0, (studies, items), (300, 2)).tolist():
        low, high = always(int(k[study, item]), item + 1)
        assert (low <= p <= high) == (not outside[study, item])


def test_an_ordinary_interval_is_wrong_at_some_time_far_more_often():
    rng = np.random.default_rng(7)
    share = np.cumsum(rng.random((500, 1000)) < 0.5, axis=1) / np.arange(1, 1001)
    reach = 1.96 * np.sqrt(0.25 / np.arange(1, 1001))
    assert (np.abs(share - 0.5) > reach)[:, 20:].any(axis=1).mean() > 0.3


@given(items=st.integers(1, 400), data=st.data(), level=st.sampled_from([0.8, 0.95, 0.999]))
def test_the_ends_lie_around_the_share(items, data, level):
    agree = data.draw(st.integers(0, items))
    low, high = always(agree, items, level)
    assert 0 <= low <= agree / items <= high <= 1
    mirrored = always(items - agree, items, level)
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high), abs=1e-12)
    wider = always(agree, items, 1 - (1 - level) / 2)
    assert wider[0] <= low
    assert wider[1] >= high


def test_nothing_is_known_before_the_first_item():
    assert always(0, 0) == (0.0, 1.0)
    assert str(ia.Monitor().first_two()) == "no item has two labels yet"
    with pytest.raises(KindError, match="between 0 and 3 can agree"):
        always(4, 3)


def pairs(agree: np.ndarray, batch: np.ndarray) -> Log:
    """Items with two labels each, which agree or not."""
    items = len(agree)
    item = np.repeat(np.arange(items), 2)
    value = np.stack([np.zeros(items, int), (~agree).astype(int)], axis=1).reshape(-1)
    who = np.tile([0, 1], items)
    return Log(item, who, value, np.repeat(batch, 2), np.zeros(2 * items, int), value, ["a", "b"], range(10**6))


@pytest.mark.parametrize("p", [0.6, 0.95])
def test_a_chart_of_nothing_raises_no_alarm(p):
    rng = np.random.default_rng(5)
    batch = np.repeat(np.arange(25), 12)
    charts = [control_chart(pairs(rng.random(300) < p, batch), "batch", chance=0.05)["out"] for _ in range(200)]
    assert np.mean(["below" in out for out in charts]) <= 0.05


def test_a_bad_batch_is_seen_and_the_limits_use_the_variance_between_items():
    rng = np.random.default_rng(5)
    batch = np.repeat(np.arange(10), 40)
    agree = rng.random(400) < np.where(batch == 7, 0.3, 0.9)
    table = control_chart(pairs(agree, batch), "batch")
    assert [row["batch"] for row in table if row["out"] == "below"] == [7]
    row = table.rows()[0]
    p = agree.mean()
    inside = sum(((agree[batch == b] - agree[batch == b].mean()) ** 2).sum() for b in range(10)) / 390
    many = math.log(10 / 0.01)
    assert p - row["low"] == pytest.approx(many / 120 + math.sqrt((many / 120) ** 2 + 2 * inside * many / 40))
    assert row["agreement"] == pytest.approx(agree[:40].mean())
    assert (row["labels"], row["items"]) == (40, 40)


def test_a_label_belongs_to_its_batch_by_what_was_there_before_it():
    monitor = ia.Monitor()
    for who, value, batch in (("a", "x", 1), ("b", "x", 1), ("c", "y", 2), ("d", "x", 2)):
        monitor.add("i", who, value, batch=batch)
    rows = monitor.chart("batch").rows()
    assert [(row["batch"], row["agreement"]) for row in rows] == [(1, 1.0), (2, pytest.approx((0 + 2 / 3) / 2))]
    assert monitor.chart("annotator").to_dict("agreement") == {
        "a": pytest.approx(2 / 3),
        "b": pytest.approx(2 / 3),
        "c": 0.0,
        "d": pytest.approx(2 / 3),
    }
    assert len(monitor.chart("day")) == 0
    assert len(ia.Monitor().chart()) == 0


def test_what_a_chart_leaves_out_is_told_in_one_line_below_it() -> None:
    monitor = ia.Monitor()
    for item in range(3):
        monitor.add(item, "ann", "yes", at="2026-03-01")
        monitor.add(item, "bo", "yes", at="2026-03-01")
    foot = str(monitor.chart("day")).splitlines()[-1]
    left_out = "3 of 6 labels left out: 3 with no earlier label of the item to compare to"
    assert foot.endswith(f"of such charts at most; {left_out}")


def test_an_annotator_who_guesses_is_named():
    rng = np.random.default_rng(3)
    monitor = ia.Monitor()
    for item in range(150):
        for who in ("ann", "bo", "cy"):
            monitor.add(item, who, int(rng.integers(0, 4)) if who == "cy" or rng.random() < 0.05 else item % 4)
    alerts = monitor.alerts()
    assert [alert.where for alert in alerts if alert.kind == "annotator"] == ["cy"]
    assert str(alerts[-1]).startswith("annotator cy: agreement 0.")
    assert monitor.chart("annotator", reference=0.2)["out"][0] == ""


def test_falls_are_announced_wrongly_as_seldom_as_was_asked():
    rng = np.random.default_rng(11)
    items = 200_000
    for p in (0.6, 0.9):
        assert len(falls(rng.random(items) < p, p, drop=0.1, every=500)) <= items / 500


def test_a_fall_is_noticed_soon():
    rng = np.random.default_rng(2)
    agree = rng.random(700) < np.where(np.arange(700) < 500, 0.85, 0.55)
    found = fall(pairs(agree, np.repeat(np.arange(7), 100)))
    assert found is not None
    assert found.kind == "fall"
    assert 500 < found.where < 700
    assert "agreement fell" in str(found)
    assert "batch " in str(found)
    assert fall(pairs(agree[:500], np.zeros(500, int))) is None
    assert fall(pairs(agree[:90], np.zeros(90, int))) is None


def test_first_pairs_come_in_the_order_in_which_they_were_completed():
    monitor = ia.Monitor()
    for item, who, value in ((1, "a", "x"), (2, "a", "x"), (2, "b", "y"), (1, "b", "x"), (1, "c", "y")):
        monitor.add(item, who, value)
    agree, second = first_pairs(monitor._log())
    assert agree.tolist() == [False, True]
    assert second.tolist() == [2, 3]
    assert monitor.first_two()[:2] == (1, 2)


def test_an_alert_says_that_agreement_is_below_what_is_wanted():
    monitor = ia.Monitor()
    for item in range(40):
        monitor.add(item, "a", "x")
        monitor.add(item, "b", "x" if item % 4 == 0 else "y")
    (alert,) = monitor.alerts(at_least=0.6)
    assert alert.kind == "at_least"
    assert alert.limit == 0.6
    assert alert.value == 0.25
    assert "below 0.6: first two labels agree in 0.250 of 40 items" in str(alert)
    assert monitor.alerts(at_least=0.2) == []
