# SPDX-License-Identifier: BSD-3-Clause
"""Another revision of Sheaf, built aside: what --compare measures against."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

from .launch import BenchError

# Settings of our own build that the other one needs as well, to find the same MPIs.
INHERITED = ("SHEAF_ABI", "CMAKE_BUILD_TYPE", "CMAKE_C_COMPILER:", "CMAKE_CXX_COMPILER:")


def _run(argv, what):
    done = subprocess.run(
        [str(word) for word in argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if done.returncode != 0:
        sys.stderr.write(done.stdout[-4000:])
        raise BenchError(f"{what} failed with {done.returncode}")
    return done.stdout


def inherited_settings(cache):
    """The -D options that repeat our own CMakeCache.txt where it matters."""
    lines = cache.read_text(encoding="utf-8").splitlines() if cache.exists() else []
    return [f"-D{line}" for line in lines if line.startswith(INHERITED)]


def runtime_targets(listing):
    """Of `ninja -t targets all`: the command and the libraries, which is all that a run needs."""
    outputs = [line.partition(":")[0] for line in listing.splitlines()]
    return [path for path in outputs
            if path == "bin/sheaf" or path.startswith("lib/lib") and path.endswith(".so")]


@contextlib.contextmanager
def built(folders, revision, workspace):
    """Gives the `sheaf` command of `revision`, built in a worktree under `workspace`, and takes the
    worktree away afterwards."""
    tree = Path(workspace) / "revision"
    git = ["git", "-C", folders.source]
    _run([*git, "worktree", "add", "--detach", tree, revision], f"checking out {revision}")
    try:
        settings = inherited_settings(folders.build / "CMakeCache.txt")
        build = tree / "build"
        _run(["cmake", "-G", "Ninja", "-S", tree, "-B", build, *settings],
             f"configuring {revision}")  # fmt: skip
        listing = _run(["ninja", "-C", build, "-t", "targets", "all"], "listing the targets")
        jobs = len(os.sched_getaffinity(0))
        _run(["ninja", "-C", build, "-j", jobs, *runtime_targets(listing)],
             f"building {revision}")  # fmt: skip
        sheaf = build / "bin" / "sheaf"
        if not sheaf.exists():
            raise BenchError(f"{revision} has no sheaf command")
        yield sheaf
    finally:
        _run([*git, "worktree", "remove", "--force", tree], "removing the worktree")


def commit_of_revision(folders, revision):
    out = subprocess.run(
        ["git", "-C", folders.source, "rev-parse", "--short=12", "--verify", "--quiet",
         revision + "^{commit}"],
        capture_output=True, text=True,
    )  # fmt: skip
    if out.returncode != 0:
        raise BenchError(f"there is no revision '{revision}'")
    return out.stdout.strip()
