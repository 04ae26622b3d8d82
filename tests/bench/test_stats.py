# SPDX-License-Identifier: BSD-3-Clause
import random

import pytest

from sheaf_tools.bench import stats


def test_ratio_above_one_means_ours_is_better_in_every_unit():
    assert stats.better_by(200, 100, "MiB/s") == 2
    assert stats.better_by(100, 200, "us") == 2
    assert stats.better_by(5, 1120, "MiB") == 224


@pytest.mark.parametrize("ours, theirs", [(0, 1), (1, 0), (-1, 1)])
def test_values_that_cannot_be_are_refused(ours, theirs):
    with pytest.raises(ValueError):
        stats.better_by(ours, theirs, "us")


def test_pairs_hold_what_both_sides_measured():
    assert stats.pair_up({0: 10, 1: 20, 2: 30}, {2: 3, 0: 1}) == [(10, 1), (30, 3)]
    assert stats.pair_up({0: 10}, {}) == []


def test_no_pairs_no_summary():
    assert stats.summarize([], "us") is None


def test_one_pair_is_its_own_interval():
    assert stats.summarize([(300, 100)], "MiB/s") == (3, 3, 3)


def test_pairing_removes_what_both_sides_share():
    # The machine is up to ten times slower in some pairs, always for both sides.
    pairs = [(120 / slow, 100 / slow) for slow in (1, 10, 3, 1, 7, 2, 1, 1, 5, 9, 1)]
    ratio, low, high = stats.summarize(pairs, "MiB/s")
    assert low == pytest.approx(1.2) and ratio == pytest.approx(1.2)
    assert high == pytest.approx(1.2)


def test_interval_is_repeatable_and_holds_the_ratio():
    chance = random.Random(7)
    pairs = [(chance.uniform(90, 130), chance.uniform(90, 110)) for _ in range(11)]
    first = stats.summarize(pairs, "MiB/s", seed=3)
    assert first == stats.summarize(pairs, "MiB/s", seed=3)
    assert first.ci_low <= first.ratio <= first.ci_high
    assert first.ci_low < first.ci_high


def test_interval_covers_the_truth_about_as_often_as_it_says(monkeypatch):
    # 11 pairs around a true median of 1: the interval must hold 1 nearly always.
    monkeypatch.setattr(stats, "RESAMPLES", 400)
    chance = random.Random(1)
    held = 0
    for trial in range(200):
        pairs = [(chance.lognormvariate(0, 0.2), 1.0) for _ in range(11)]
        _, low, high = stats.summarize(pairs, "MiB/s", seed=trial)
        held += low <= 1 <= high
    assert held >= 180
