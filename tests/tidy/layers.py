# SPDX-License-Identifier: BSD-3-Clause
"""Who may include whom (docs/design, "Layers"), read from the #include lines."""

import re
from pathlib import PurePosixPath

from source import Finding, strings

# From left to right; a folder includes itself and what stands left of its group.
GROUPS = (("base",), ("platform", "mpi"), ("trace", "hints"), ("view", "progress"), ("rma",),
          ("coord",), ("contracts",), ("frameworks",), ("file",), ("abi",))
RANK = {name: rank for rank, group in enumerate(GROUPS) for name in group}
COMPONENT_LIST = "src/frameworks/components.cpp"
MPI_H = (r"src/mpi/(?:[^/]+/)*host[^/]*$", r"src/view/decode[^/]*$", r"src/abi/")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)


def includes(file):
    """(line, path, quoted) of each #include; read from the raw text, strings being literals."""
    for match in INCLUDE.finditer(file.text):
        if file.scrubbed[match.start():match.end()].strip().startswith("#"):
            line = file.text.count("\n", 0, match.start()) + 1
            yield line, match.group(1) or match.group(2), match.group(1) is not None


def component_of(path, tree):
    """(framework, component) of a file of a component, None for other files.

    A component is a sub-folder of its framework, or a source with the files that share its name:
    two_phase.cpp, two_phase.h, two_phase_plan.cpp.
    """
    parts = PurePosixPath(path).parts
    if parts[:2] != ("src", "frameworks") or len(parts) < 4:
        return None
    if len(parts) > 4:
        return parts[2], parts[3]
    stem = PurePosixPath(path).stem
    folder = "/".join(parts[:3])
    sources = [PurePosixPath(name).stem for name in tree.files
               if name.startswith(folder + "/") and name.endswith(".cpp")]
    owners = [name for name in sources if stem == name or stem.startswith(name + "_")]
    return parts[2], min(owners, key=len, default=stem)


def _wrong_include(file, target, tree):
    """Why `file` must not include "target", or None."""
    mine, theirs = file.path.split("/")[1], target.split("/")[0]
    if "/" not in target:
        return "write the path from src/"
    if theirs == "sheaf":
        return None  # The public headers, include/sheaf.
    if mine == "preload" or theirs == "preload":
        return None if mine == theirs else "preload/ stands alone"
    if mine not in RANK or theirs not in RANK:
        return f"{mine if mine not in RANK else theirs}/ has no place among the layers"
    if RANK[theirs] > RANK[mine] or (RANK[theirs] == RANK[mine] and mine != theirs):
        return f"{theirs}/ does not stand left of {mine}/"
    return _wrong_component(file, "src/" + target, tree)


def _wrong_component(file, target, tree):
    theirs = component_of(target, tree)
    if file.path == COMPONENT_LIST:
        return None
    mine = component_of(file.path, tree)
    if theirs and not mine:
        return f"only {COMPONENT_LIST} knows the component {'/'.join(theirs)}"
    if theirs and mine != theirs:
        return f"component {'/'.join(mine)} includes component {'/'.join(theirs)}"
    if mine and not theirs and target.startswith("src/frameworks/"):
        return "a component includes contracts and what stands left of them"
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
                yield Finding(file.path, line, f"{target} is included only by mpi/host*, "
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
    """A component's name as a literal: only in its own files and in the list."""
    names = {}
    for path in tree.files:
        if path.endswith(".cpp") and (owner := component_of(path, tree)) and owner[1] != "template":
            names.setdefault(owner[1], set()).add(owner)
    for file in tree.c_family("src"):
        if file.path == COMPONENT_LIST or component_of(file.path, tree):
            continue
        for line, text in strings(file.text):
            if text in names:
                yield Finding(file.path, line, f'"{text}" is the name of a component: only '
                              f"{COMPONENT_LIST} and the component itself know it")


CHECKS = (layers, public_headers, mpi_header, mpi_file_names, component_names)
