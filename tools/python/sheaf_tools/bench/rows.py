# SPDX-License-Identifier: BSD-3-Clause
"""The JSON lines of a benchmark: one row per case, metric and implementation, then summaries.

A benchmark program prints raw lines (seconds, bytes, operations) with impl "mpi" or "posix". Here
they become values with a unit, gathered over the launches, and impl "mpi" becomes the side that
was launched: sheaf, host or sheaf@REV.
"""

import statistics

from . import stats

MIB = 1024 * 1024
UNITS = {"write": "MiB/s", "read": "MiB/s", "time": "us", "memory": "MiB"}
IMPLS = {"sheaf", "host", "posix", "hand", "fcntl"}

ROW_FIELDS = {
    "bench": str, "case": str, "mpi": str, "ranks": int, "fs": str, "dir": str, "seed": int,
    "impl": str, "metric": str, "value": (float, int, type(None)), "unit": str, "runs": list,
    "settings": dict, "commit": str,
}  # fmt: skip
SUMMARY_FIELDS = {
    "bench": str, "case": str, "mpi": str, "ranks": int, "fs": str, "metric": str,
    "ratio": (float, int), "vs": str, "ci_low": (float, int), "ci_high": (float, int),
}  # fmt: skip

# An implementation that needs no memory still shares one line with those that do: growth below
# this many MiB is not told apart.
MEMORY_FLOOR_MIB = 1.0


def measured_value(raw):
    """The value of one raw line, in the unit of its metric."""
    metric = raw["metric"]
    if metric == "time":
        return raw["seconds"] / raw["operations"] * 1e6
    if metric == "memory":
        return max(raw["bytes"] / MIB, MEMORY_FLOOR_MIB)
    return raw["bytes"] / MIB / raw["seconds"]


class Results:
    """Everything measured in one run of `sheaf bench NAME`.

    add() takes the raw lines of one launch; rows() and summaries() give the JSON objects. `common`
    holds the fields that all rows share: bench, mpi, ranks, fs, dir, seed.
    """

    def __init__(self, common, settings, commits):
        self.common = common
        self.settings = settings
        self.commits = commits  # side -> commit
        self.values = {}  # (case, metric) -> impl -> {pair number: value}
        self.shapes = {}  # (case, metric) -> settings of the program
        self.posix_beside = {}  # side -> (case, metric) -> {pair number: value of that launch}
        self.given_up = {}  # side -> why it was not measured to the end

    def add(self, side, pair, raw_lines):
        for raw in raw_lines:
            key = raw["case"], raw["metric"]
            value = measured_value(raw)
            self.shapes[key] = raw["settings"]
            if raw["impl"] == "posix":
                beside = self.posix_beside.setdefault(side, {}).setdefault(key, {})
                beside[pair] = value
            else:
                self.values.setdefault(key, {}).setdefault(side, {})[pair] = value

    def give_up(self, side, reason):
        self.given_up[side] = reason

    def sides(self):
        return list(self.commits)

    def posix_runs(self, key):
        return [
            value
            for beside in self.posix_beside.values()
            for _, value in sorted(beside.get(key, {}).items())
        ]

    def rows(self):
        for key in self.shapes:
            for side in self.sides():
                runs = self.values.get(key, {}).get(side, {})
                runs = [value for _, value in sorted(runs.items())]
                if runs or side in self.given_up:
                    yield self._row(key, side, runs)
            posix = self.posix_runs(key)
            if posix:
                yield self._row(key, "posix", posix)

    def _row(self, key, impl, runs):
        case, metric = key
        settings = {**self.shapes[key], **self.settings}
        if impl in self.given_up:
            settings["given_up"] = self.given_up[impl]
        first = self.sides()[0]
        return {
            **{name: self.common[name] for name in ("bench",)},
            "case": case,
            **{name: self.common[name] for name in ("mpi", "ranks", "fs", "dir", "seed")},
            "impl": impl,
            "metric": metric,
            "value": round(statistics.median(runs), 3) if runs else None,
            "unit": UNITS[metric],
            "runs": [round(value, 3) for value in runs],
            "settings": settings,
            "commit": self.commits.get(impl, self.commits[first]),
        }

    def summaries(self):
        """The first side against each other one, then against POSIX in the same launches."""
        ours, *others = self.sides()
        for key, by_side in self.values.items():
            mine = by_side.get(ours, {})
            opponents = [(side, by_side.get(side, {})) for side in others]
            opponents.append(("posix", self.posix_beside.get(ours, {}).get(key, {})))
            for name, theirs in opponents:
                pairs = stats.pair_up(mine, theirs)
                result = stats.summarize(pairs, UNITS[key[1]], self.common["seed"])
                if result is not None:
                    yield self._summary(key, name, result)

    def _summary(self, key, versus, result):
        case, metric = key
        return {
            "bench": self.common["bench"],
            "case": case,
            **{name: self.common[name] for name in ("mpi", "ranks", "fs")},
            "metric": metric,
            "ratio": round(result.ratio, 4),
            "vs": versus,
            "ci_low": round(result.ci_low, 4),
            "ci_high": round(result.ci_high, 4),
        }


def _check_fields(line, fields, what):
    missing = fields.keys() - line.keys()
    extra = line.keys() - fields.keys()
    if missing or extra:
        raise ValueError(f"{what}: missing {sorted(missing)}, unknown {sorted(extra)}")
    for name, kind in fields.items():
        if not isinstance(line[name], kind) or isinstance(line[name], bool):
            raise ValueError(f"{what}: {name} is {line[name]!r}")


def _known_impl(impl):
    return impl in IMPLS or impl.startswith("sheaf@")


def validate_row(row):
    """Raises ValueError when a row is not what the header says."""
    _check_fields(row, ROW_FIELDS, "row")
    if not _known_impl(row["impl"]):
        raise ValueError(f"row: unknown impl {row['impl']!r}")
    if UNITS.get(row["metric"]) != row["unit"]:
        raise ValueError(f"row: metric {row['metric']!r} in {row['unit']!r}")
    if any(not isinstance(run, (int, float)) or run <= 0 for run in row["runs"]):
        raise ValueError(f"row: runs {row['runs']}")
    if (row["value"] is None) != (not row["runs"]):
        raise ValueError("row: a value stands for runs, no value for none")
    if not row["runs"] and "given_up" not in row["settings"]:
        raise ValueError("row: no runs and no reason")


def validate_summary(line):
    """Raises ValueError when a summary is not what the header says."""
    _check_fields(line, SUMMARY_FIELDS, "summary")
    if not _known_impl(line["vs"]):
        raise ValueError(f"summary: vs {line['vs']!r}")
    if not 0 < line["ci_low"] <= line["ratio"] <= line["ci_high"]:
        raise ValueError(f"summary: {line['ci_low']} <= {line['ratio']} <= {line['ci_high']}")
