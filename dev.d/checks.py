# SPDX-License-Identifier: BSD-3-Clause
"""The verbs that look at the sources: format, lint, tidy, docs."""

import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import build
import mpi as mpis
import reference
from console import DevError, say

ROOT = mpis.ROOT
C_FAMILY = ("*.c", "*.cc", "*.cpp", "*.h", "*.hpp")
LINTED = ("src", "tools", "bench")


def _files(*patterns):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z", *patterns],
                            cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def _each(function, items):
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(function, items))


def format(arguments):
    files = _files(*C_FAMILY)
    if not files:
        return 0
    mode = ["--dry-run", "-Werror"] if arguments.check else ["-i"]
    return subprocess.run(["clang-format-16", *mode, *files], cwd=ROOT).returncode and 1


def _commands(chosen):
    """(file, compile command without output) for each source of LINTED, once."""
    database = json.loads((build.folder("clang") / "compile_commands.json").read_text())
    seen = set()
    for entry in database:
        name = os.path.relpath(entry["file"], ROOT)
        wanted = name in chosen if chosen else name.startswith(LINTED)
        if not wanted or name in seen:
            continue
        seen.add(name)
        words = shlex.split(entry["command"])
        if "-o" in words:
            at = words.index("-o")
            del words[at:at + 2]
        yield name, [word for word in words if word != "-c"]


def lint(arguments):
    """Clang's own warnings with thread-safety analysis, then clang-tidy unless --syntax."""
    build.configure("clang")
    todo = list(_commands(set(arguments.files)))
    if not todo:
        raise DevError("lint: no such file in the build" if arguments.files else "nothing to lint")

    def one(item):
        name, words = item
        steps = [[*words, "-fsyntax-only", "-Wthread-safety", "-Werror"]]
        if not arguments.syntax:
            steps.append(["clang-tidy-16", "--quiet", "-p", str(build.folder("clang")), name])
        for step in steps:
            done = subprocess.run(step, cwd=ROOT, capture_output=True, text=True)
            if done.returncode != 0:
                return name, done.stdout + done.stderr
        return name, ""

    say(f"linting {len(todo)} files")
    bad = [(name, text) for name, text in _each(one, todo) if text]
    for name, text in bad:
        print(f"{name}:\n{text}")
    print(f"{len(todo) - len(bad)} passed, {len(bad)} failed, 0 skipped")
    return 1 if bad else 0


def tidy(arguments):
    build.build()
    words = ["--update"] if arguments.update else []
    return subprocess.run([sys.executable, ROOT / "tests" / "tidy" / "tidy.py", *words]).returncode


# --- docs -------------------------------------------------------------------------------------

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def broken_links(path, text):
    """Links of a Markdown text to files that do not exist."""
    for target in LINK.findall(text):
        where = target.partition("#")[0]
        if where and not re.match(r"[a-z]+:", where) and not (path.parent / where).exists():
            yield target


def mpi_reference():
    """docs/reference/mpis.md, from dev.d/mpis.toml."""
    lines = ["# The MPIs Sheaf is tested under", "",
             "Made from `dev.d/mpis.toml` by `./dev docs`.", "",
             "| id | MPI | ABIs of its programs | has | lacks |", "|---|---|---|---|---|"]
    for mpi in mpis.table().values():
        lacks = "; ".join(f"{name}: {reason}" for name, reason in mpi.lacks.items())
        lines.append(f"| `{mpi.id}` | {mpi.title} | {', '.join(mpi.abis)} | "
                     f"{', '.join(mpi.has)} | {lacks} |")
    return "\n".join(lines) + "\n"


REFERENCE = {"docs/reference/mpis.md": mpi_reference,
             **{name: partial(reference.page, name) for name in reference.TABLES}}


def docs(arguments):
    """Regenerates the reference tables, then checks the links of every page."""
    bad = 0
    for name, make in REFERENCE.items():
        path, text = ROOT / name, make()
        if path.exists() and path.read_text() == text:
            continue
        if arguments.check:
            print(f"{name}: not up to date; ./dev docs writes it")
            bad += 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    pages = _files("*.md")
    for name in pages:
        for target in broken_links(ROOT / name, (ROOT / name).read_text()):
            print(f"{name}: broken link to {target}")
            bad += 1
    print(f"{len(pages) + len(REFERENCE) - bad} passed, {bad} failed, 0 skipped")
    return 1 if bad else 0
