# SPDX-License-Identifier: BSD-3-Clause
"""Paired ratios and how sure one may be of them.

Two sides are measured in turn, A B A B. Launches that stand next to each other share the weather of
the machine, so each pair gives one ratio, and the ratios are what is summarized, not the sides.
"""

import random
import statistics
from typing import NamedTuple

CONFIDENCE = 0.95
RESAMPLES = 4000

# Units in which more is better; in the others less is.
MORE_IS_BETTER = {"MiB/s"}


class Ratio(NamedTuple):
    """Above 1: the first side is better. The interval holds the true median with CONFIDENCE."""

    ratio: float
    ci_low: float
    ci_high: float


def better_by(ours, theirs, unit):
    """How many times better `ours` is than `theirs`; both must be positive."""
    if ours <= 0 or theirs <= 0:
        raise ValueError(f"cannot compare {ours} and {theirs} {unit}")
    return ours / theirs if unit in MORE_IS_BETTER else theirs / ours


def pair_up(ours, theirs):
    """Pairs of measurements of the same number: {pair number: value} of two sides. What only one
    side has is left out."""
    return [(ours[number], theirs[number]) for number in sorted(ours.keys() & theirs.keys())]


def bootstrap_interval(values, seed):
    """The percentile bootstrap interval of the median. The same seed gives the same interval."""
    chance = random.Random(seed)
    medians = sorted(
        statistics.median(chance.choices(values, k=len(values))) for _ in range(RESAMPLES)
    )
    tail = (1 - CONFIDENCE) / 2
    return medians[int(tail * RESAMPLES)], medians[int((1 - tail) * RESAMPLES) - 1]


def summarize(pairs, unit, seed=1):
    """The median ratio of (ours, theirs) pairs with its interval, or None without pairs."""
    if not pairs:
        return None
    ratios = [better_by(ours, theirs, unit) for ours, theirs in pairs]
    return Ratio(statistics.median(ratios), *bootstrap_interval(ratios, seed))
