# SPDX-License-Identifier: BSD-3-Clause
"""Virtual environments of pinned wheels under the user's cache folder, shared by all clones."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from console import DevError, say

ROOT = Path(__file__).resolve().parent.parent


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "sheaf"


def requirements(name):
    return ROOT / "dev.d" / "requirements" / f"{name}.txt"


def _stamp(name):
    """What an environment must have been made from, as text."""
    digest = hashlib.sha256(requirements(name).read_bytes()).hexdigest()
    return f"{digest} {sys.version_info.major}.{sys.version_info.minor}\n"


def ready(name, prefix):
    stamp = prefix / "sheaf-stamp"
    return stamp.exists() and stamp.read_text() == _stamp(name)


def ensure(name, prefix, title):
    """Installs dev.d/requirements/<name>.txt into `prefix` unless that is what is there."""
    if ready(name, prefix):
        return
    prefix.parent.mkdir(parents=True, exist_ok=True)
    with open(prefix.parent / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready(name, prefix):  # Another process may have been faster.
            _install(name, prefix, title)


def _install(name, prefix, title):
    """An environment knows its own path, so it is made in place and stamped last."""
    say(f"installing {title} into {prefix}")
    shutil.rmtree(prefix, ignore_errors=True)
    quiet = ["--progress-bar", "off"] if not sys.stderr.isatty() else []
    steps = [
        [sys.executable, "-m", "venv", str(prefix)],
        [str(prefix / "bin" / "python"), "-m", "pip", "install", *quiet,
         "--disable-pip-version-check", "--require-hashes", "--only-binary=:all:",
         "-r", str(requirements(name))],
    ]
    for step in steps:
        done = subprocess.run(step, stdin=subprocess.DEVNULL, stdout=sys.stderr)
        if done.returncode != 0:
            raise DevError(f"{name}: '{' '.join(step[1:4])}' failed with {done.returncode}")
    (prefix / "sheaf-stamp").write_text(_stamp(name))


def add_tools_to_path():
    """Makes the packages of requirements/tools.txt importable here."""
    prefix = cache_folder() / "tools"
    ensure("tools", prefix, "the tools of ./dev")
    sys.path += [str(path) for path in prefix.glob("lib/python3*/site-packages")]
