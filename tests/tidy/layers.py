# SPDX-License-Identifier: BSD-3-Clause
"""Who may include whom (docs/design, "Layers"), read from the #include lines."""

import re
from pathlib import PurePosixPath

from source import Finding, strings

# From left to right; a folder includes itself and what stands left of its group.
GROUPS = (("base",), ("platform", "mpi"), ("trace", "hints"), ("view", "progress"), ("rma",),
          ("coord",), ("contracts",), ("transfer",), ("frameworks",), ("file",), ("abi",))
RANK = {name: rank for rank, group in enumerate(GROUPS) for name in group}
COMPONENT_LIST = "src/frameworks/components.cpp"
COMPONENT_HEADER = "src/frameworks/components.h"
# Prefixes of file names ("memory:x") are words of users, and some are components by chance.
USERS_WORDS = "src/file/file_name.cpp"
MPI_H = (r"src/mpi/", r"src/view/decode[^/]*$", r"src/abi/")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)


def includes(file):
    """(line, path, quoted) of each #include; read from the raw text, strings being literals."""
    for match in INCLUDE.finditer(file.text):
        if file.scrubbed[match.start():match.end()].strip().startswith("#"):
            line = file.text.count("\n", 0, match.start()) + 1
            yield line, match.group(1) or match.group(2), match.group(1) is not None


def components(tree):
    """(framework, component) of every built-in component: `kTwoPhase` in `namespace fcoll` of
    components.h is fcoll/two_phase."""
    listed = tree.files.get(COMPONENT_HEADER)
    found = set()
    framework = None
    for word in re.findall(r"namespace\s+\w+|\bk[A-Z]\w*", listed.scrubbed if listed else ""):
        if word.startswith("namespace"):
            framework = word.split()[1]
        else:
            snake = re.sub(r"(?<!^)([A-Z])", r"_\1", word[1:]).lower()
            found.add((framework, snake))
    return found


def owner_of(path, tree):
    """(framework, component) of a file of a framework; (framework, None) for a building block that
    its components share; None for other files.

    A component is a sub-folder of its framework, or a source with the files whose names start with
    its name: two_phase.cpp, two_phase.h, two_phase_plan.cpp.
    """
    parts = PurePosixPath(path).parts
    if parts[:2] != ("src", "frameworks") or len(parts) < 4:
        return None
    if len(parts) > 4:
        return parts[2], parts[3]
    stem = PurePosixPath(path).stem
    names = [name for framework, name in components(tree) if framework == parts[2]]
    owners = [name for name in (*names, "template") if (stem + "_").startswith(name + "_")]
    return parts[2], max(owners, key=len, default=None)


def _wrong_include(file, target, tree):
    """Why `file` must not include "target", or None."""
    mine, theirs = file.path.split("/")[1], target.split("/")[0]
    if mine == "preload":  # A C library of its own; the table of functions is all it shares.
        alone = "/" not in target or theirs == "preload" or target == "abi/functions.def"
        return None if alone else "preload/ stands alone"
    if "/" not in target:
        return "write the path from src/"
    if theirs == "sheaf":
        return None  # The public headers, include/sheaf.
    if theirs == "preload":
        return "preload/ stands alone"
    if mine not in RANK or theirs not in RANK:
        return f"{mine if mine not in RANK else theirs}/ has no place among the layers"
    if RANK[theirs] > RANK[mine] or (RANK[theirs] == RANK[mine] and mine != theirs):
        return f"{theirs}/ does not stand left of {mine}/"
    return _wrong_component(file, "src/" + target, tree)


def _wrong_component(file, target, tree):
    theirs = owner_of(target, tree)
    if file.path == COMPONENT_LIST or target == COMPONENT_HEADER:
        return None
    mine = owner_of(file.path, tree)
    if mine and target.startswith("src/frameworks/"):
        if not theirs:
            return "a component includes contracts and what stands left of them"
        if theirs not in (mine, (mine[0], None)):
            return f"{mine[0]}/{mine[1] or '(shared)'} includes component {theirs[0]}/{theirs[1]}"
    elif theirs:
        what = f"the component {theirs[1]}" if theirs[1] else f"what is inside {theirs[0]}/"
        return f"only {COMPONENT_LIST} knows {what}"
    return None


def layers(tree):
    for file in tree.c_family("src"):
        if file.path.count("/") < 2:
            continue
        for line, target, quoted in includes(file):
            if quoted and (reason := _wrong_include(file, target, tree)):
                yield Finding(file.path, line, f'#include "{target}": {reason}')


def public_headers(tree):
    """include/sheaf uses nothing of src."""
    for file in tree.c_family("include"):
        for line, target, quoted in includes(file):
            if quoted and not target.startswith("sheaf/"):
                yield Finding(file.path, line, f'#include "{target}": public headers stand alone')


def mpi_header(tree):
    for file in tree.c_family("src"):
        for line, target, _ in includes(file):
            if target in ("mpi.h", "mpi_abi.h", "mpio.h") and not any(
                    re.match(place, file.path) for place in MPI_H):
                yield Finding(file.path, line, f"{target} is included only by mpi/, "
                              "view/decode* and abi/")


def mpi_file_names(tree):
    """MPI_File_* and the choice of an MPI error class exist only in abi/."""
    for file in tree.c_family("src"):
        folder = file.path.split("/")[1]
        if folder in ("abi", "preload"):
            continue
        pattern = r"\bP?MPI_File_\w+" if folder == "mpi" else r"\bP?MPI_(?:File_\w+|ERR_\w+)"
        for line, match in file.matches(pattern):
            yield Finding(file.path, line, f"{match.group(0)} belongs to abi/")


def component_names(tree):
    """A component's name as a literal: only in its framework and in the list."""
    names = {name for _, name in components(tree)}
    for file in tree.c_family("src"):
        if file.path in (COMPONENT_LIST, USERS_WORDS) or owner_of(file.path, tree):
            continue
        for line, text in strings(file.text):
            if text in names:
                yield Finding(file.path, line, f'"{text}" is the name of a component: only '
                              f"{COMPONENT_LIST} and the component itself know it")


CHECKS = (layers, public_headers, mpi_header, mpi_file_names, component_names)
