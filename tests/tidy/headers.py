# SPDX-License-Identifier: BSD-3-Clause
"""Each header compiles alone. What compiled before and has not changed is not compiled again."""

import hashlib
import json
import os
import re
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from layers import includes
from source import Finding

KEEP = ("-I", "-D", "-U")
KEEP_WITH_NEXT = ("-isystem", "-include", "-iquote")


def _flags(command):
    """The flags of a compile command that decide what a header sees."""
    words = iter(command)
    for word in words:
        if word in KEEP_WITH_NEXT:
            yield from (word, next(words))
        elif word.startswith(KEEP):
            yield word


def _known_flags(build):
    """Folder -> flags, from the compile commands: what is compiled beside a header fits it."""
    database = build / "compile_commands.json"
    if not database.exists():
        return {}
    found = {}
    for entry in json.loads(database.read_text()):
        words = entry.get("arguments") or shlex.split(entry["command"])
        found.setdefault(str(Path(entry["file"]).parent), list(_flags(words)))
    return found


def _flags_for(header, root, known):
    folder = root / header.folder
    while folder != root and str(folder) not in known:
        folder = folder.parent
    return [f"-I{root}/src", f"-I{root}/include", *known.get(str(folder), [])]


def _mpi_flags(build):
    """Some mpi.h, last, for headers beside which nothing is compiled with one."""
    cache = build / "CMakeCache.txt"
    text = cache.read_text() if cache.exists() else ""
    found = re.search(r"^SHEAF_ABI_ompi_INCLUDE:PATH=(/.+)$", text, re.MULTILINE)
    return ["-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX",
            *(["-idirafter", found.group(1)] if found else [])]


def _closure(header, tree):
    """The header and every file of ours that it includes, directly or not."""
    found, queue = {}, [header]
    while queue:
        file = queue.pop()
        if file.path in found:
            continue
        found[file.path] = file.text
        for _, target, _ in includes(file):
            for base in ("src/", "include/", file.folder + "/"):
                if base + target in tree.files:
                    queue.append(tree.files[base + target])
    return found


def _command(header, root, flags):
    # A public header is C; everything else is C++ of our own dialect. Warnings are the build's
    # business, and "#pragma once in main file" would be one.
    language = ["-x", "c", "-std=c11"] if header.path.startswith("include/") else [
        "-x", "c++", "-std=c++20"]
    return ["g++", "-fsyntax-only", "-w", *language, *flags,
            str(root / header.path)]


def _cache_path(root):
    return Path(os.environ.get("SHEAF_BUILD_DIR", root / "build")) / "tidy-headers.json"


def headers(tree):
    build = Path(os.environ.get("SHEAF_BUILD_DIR", tree.root / "build"))
    known = _known_flags(build)
    cache = _cache_path(tree.root)
    good = set(json.loads(cache.read_text())) if cache.exists() else set()
    todo, keys = [], {}
    for file in tree.c_family("src", "include"):
        if file.suffix != ".h":
            continue
        command = _command(file, tree.root, _flags_for(file, tree.root, known) + _mpi_flags(build))
        parts = json.dumps([command, sorted(_closure(file, tree).items())])
        keys[file.path] = hashlib.sha256(parts.encode()).hexdigest()
        if keys[file.path] not in good:
            todo.append((file, command))

    def compile_one(item):
        file, command = item
        done = subprocess.run(command, capture_output=True, text=True, cwd=tree.root)
        return file, done.returncode, done.stderr

    passed = set(keys.values()) & good
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for file, status, text in pool.map(compile_one, todo):
            if status == 0:
                passed.add(keys[file.path])
            else:
                first = next((line for line in text.splitlines() if "error" in line), text[:200])
                yield Finding(file.path, 0, f"does not compile alone: {first}")
    if build.is_dir():
        cache.write_text(json.dumps(sorted(passed)))
