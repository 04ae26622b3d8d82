# SPDX-License-Identifier: BSD-3-Clause
"""What a test program said: how many passed, failed, were skipped, and why."""

import json
import re
from dataclasses import dataclass, field

CLOSING = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped\s*$", re.MULTILINE)
PYTEST = re.compile(r"(\d+) (passed|failed|skipped|error)")
SKIP_LINE = re.compile(r"^(?:SKIP|skip|skipped)\b[: ]\s*(.+)$", re.MULTILINE)
PYTEST_SKIP = re.compile(r"^SKIPPED \[\d+\] \S+: (.+)$", re.MULTILINE)
GTEST_SKIP = re.compile(r"^.*: Skipped\n(.+)$", re.MULTILINE)


@dataclass
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    notes: list = field(default_factory=list)

    def __add__(self, other):
        return Counts(self.passed + other.passed, self.failed + other.failed,
                      self.skipped + other.skipped, self.notes + other.notes)

    def line(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def from_gtest(path):
    """Counts of a GoogleTest JSON file; None when the program did not live to write it."""
    try:
        report = json.loads(path.read_text())
    except (OSError, ValueError):
        return None
    counts = Counts()
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            if test.get("failures"):
                counts.failed += 1
                counts.notes.append(f"failed: {suite['name']}.{test['name']}")
            elif test.get("result") == "COMPLETED":
                counts.passed += 1
            elif test.get("result") == "SKIPPED":
                counts.skipped += 1
    return counts


def from_closing_line(text):
    """Counts of the last closing line, None without one."""
    found = CLOSING.findall(text)
    return Counts(*map(int, found[-1])) if found else None


def from_pytest(text):
    lines = [line for line in text.splitlines() if PYTEST.search(line) and " in " in line]
    if not lines:
        return None
    found = {word: int(number) for number, word in PYTEST.findall(lines[-1])}
    return Counts(found.get("passed", 0), found.get("failed", 0) + found.get("error", 0),
                  found.get("skipped", 0))


def skip_reasons(text):
    reasons = GTEST_SKIP.findall(text) + PYTEST_SKIP.findall(text) + SKIP_LINE.findall(text)
    return list(dict.fromkeys(reason.strip() for reason in reasons))


def judge(kind, outcome, text, gtest_file):
    """Counts of one finished program: its own report, corrected by how it ended."""
    if kind == "unit":
        counts = from_gtest(gtest_file) or from_closing_line(text)
    elif kind == "pytest":
        counts = from_pytest(text)
    else:
        counts = from_closing_line(text)
    if counts is None:
        counts = Counts(passed=1) if outcome.status == 0 else Counts()
    if outcome.timed_out:
        counts.failed += 1
        counts.notes.insert(0, f"killed after {outcome.seconds:.0f} s")
    elif outcome.status != 0 and counts.failed == 0:
        counts.failed += 1
        how = f"signal {-outcome.status}" if outcome.status < 0 else f"status {outcome.status}"
        counts.notes.insert(0, f"ended with {how}")
    elif counts.passed + counts.failed + counts.skipped == 0:
        counts.failed += 1
        counts.notes.insert(0, "ran no test")
    if counts.skipped:
        counts.notes += [f"skipped: {reason}" for reason in skip_reasons(text)]
    return counts
