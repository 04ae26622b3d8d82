# SPDX-License-Identifier: BSD-3-Clause
"""What may stand only in certain places: #if, catch, printf, getenv, errno, SPDX; and copies."""

import re

from limits import src_folder
from source import Finding

WINDOW = 30

# src/preload needs libc only and can include nothing of ours, so it reads its own environment.
# pattern, what to call it, the folders of src (or the file) that may, what to use instead
RULES = (
    (r"\bcatch\s*\(", "catch", ("src/base/guard.h",), "guard() of base/guard.h"),
    (r"\bthrow\b", "throw", (), "a Status"),
    (r"\b(?:secure_)?getenv\s*\(", "getenv", ("src/platform/", "src/preload/"), "platform/"),
    (r"\berrno\b", "errno", ("src/platform/", "src/preload/"), "a Status made in platform/"),
)
# These may stand anywhere, but all in one place.
ONE_FOLDER = ((r"\b(?:printf|fprintf|vprintf|vfprintf|puts|fputs|perror)\s*\(", "printf"),)
ONE_FILE = ((r"\bP?MPI_Abort\s*\(", "MPI_Abort"),)


def banned(tree):
    for pattern, name, places, instead in RULES:
        for file in tree.c_family("src"):
            if file.path.startswith(places):
                continue
            for line, _ in file.matches(pattern):
                yield Finding(file.path, line, f"`{name}` stands only in "
                              f"{' and '.join(places) or 'no place'}: use {instead}",
                              f"{name}:{file.path}", sum(1 for _ in file.matches(pattern)))
                break


def one_place(tree):
    for rules, place, what in ((ONE_FOLDER, lambda file: src_folder(file.path), "folder"),
                               (ONE_FILE, lambda file: file.path, "file")):
        for pattern, name in rules:
            places = {}
            for file in tree.c_family("src"):
                if src_folder(file.path) == "preload":
                    continue
                for line, _ in file.matches(pattern):
                    places.setdefault(place(file), (file.path, line))
            if len(places) > 1:
                where = ", ".join(f"{path}:{line}" for path, line in places.values())
                yield Finding("src", 0, f"`{name}` stands in more than one {what}: {where}",
                              f"places:{name}", len(places))


def conditionals(tree):
    """#if outside platform/; an include guard does not count."""
    for file in tree.c_family("src"):
        if file.path.startswith("src/platform/"):
            continue
        guard = re.match(r"\s*#\s*ifndef\s+(\w+)\s*\n\s*#\s*define\s+\1\b", file.scrubbed)
        allowed = 1 if guard else 0
        found = [line for line, _ in file.matches(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b")]
        if len(found) > allowed:
            yield Finding(file.path, found[allowed], f"{len(found) - allowed} times #if outside "
                          "src/platform", f"if:{file.path}", len(found) - allowed)


def spdx(tree):
    for file in tree.files.values():
        if file.text and not any("SPDX-License-Identifier: BSD-3-Clause" in line
                                 for line in file.lines[:2]):
            yield Finding(file.path, 1, "no SPDX line at the top")


def copies(tree):
    """Identical windows of 30 lines (blank ones apart) in two files."""
    seen = {}
    reported = set()
    for file in tree.files.values():
        if file.suffix == ".toml":
            continue
        numbered = [(number, line.strip()) for number, line in enumerate(file.lines, 1)
                    if line.strip()]
        for at in range(len(numbered) - WINDOW + 1):
            window = tuple(line for _, line in numbered[at:at + WINDOW])
            first, line = seen.setdefault(window, (file, numbered[at][0]))
            pair = (first.path, file.path)
            if first is not file and pair not in reported:
                reported.add(pair)
                yield Finding(file.path, numbered[at][0], f"{WINDOW} lines are the same as in "
                              f"{first.path}:{line}", f"copy:{first.path}:{file.path}", 1)


CHECKS = (banned, one_place, conditionals, spdx, copies)
