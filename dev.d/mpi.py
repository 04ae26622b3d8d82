# SPDX-License-Identifier: BSD-3-Clause
"""The MPIs of dev.d/mpis.toml: where they are, how to install them, how to launch under them."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from console import DevError, say

ROOT = Path(__file__).resolve().parent.parent
DEFAULT = "ompi4"


class Launch(NamedTuple):
    """A complete command and its complete environment, ready for subprocess."""

    argv: list
    env: dict


@dataclass(frozen=True)
class Mpi:
    """One row of mpis.toml with {prefix} filled in."""

    id: str
    title: str
    abi: str
    source: str
    prefix: Path
    launcher: list
    flags: list
    probe: list
    python: str
    has: list
    also: list = field(default_factory=list)
    library_path: list = field(default_factory=list)
    env: dict = field(default_factory=dict)
    lacks: dict = field(default_factory=dict)

    @property
    def abis(self):
        return [self.abi, *self.also]

    @property
    def requirements(self):
        return ROOT / "dev.d" / "requirements" / f"{self.id}.txt"

    def missing_reason(self, capability):
        """None when this MPI has `capability`, else why not."""
        if capability in self.has:
            return None
        return self.lacks.get(capability, f"{self.title} has no {capability}")


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "sheaf"


def _fill(value, prefix):
    if isinstance(value, str):
        return value.replace("{prefix}", str(prefix))
    if isinstance(value, list):
        return [_fill(item, prefix) for item in value]
    if isinstance(value, dict):
        return {key: _fill(item, prefix) for key, item in value.items()}
    return value


def table():
    """All rows of mpis.toml, in its order."""
    with open(ROOT / "dev.d" / "mpis.toml", "rb") as file:
        rows = tomllib.load(file)
    result = {}
    for id_, row in rows.items():
        wheels = row["source"] == "wheels"
        prefix = cache_folder() / "mpis" / id_ if wheels else Path("/usr")
        result[id_] = Mpi(id=id_, prefix=prefix, **_fill(row, prefix))
    return result


ALIASES = {"ompi": "ompi5", "mpich": "mpich5"}  # design.md 12: the bare names mean version 5.


def get(id_):
    rows = table()
    id_ = ALIASES.get(id_, id_)
    if id_ not in rows:
        raise DevError(f"unknown MPI '{id_}'; known: {', '.join(rows)}", status=2)
    return rows[id_]


def select(word):
    """`--mpi` of the command line: an id, several with commas, or `all`."""
    if word == "all":
        return list(table().values())
    return [get(id_) for id_ in (word or DEFAULT).split(",")]


# --- installing -------------------------------------------------------------------------------


def _stamp(mpi):
    """What the installed environment must have been made from, as text."""
    digest = hashlib.sha256(mpi.requirements.read_bytes()).hexdigest()
    return f"{digest} {sys.version_info.major}.{sys.version_info.minor}\n"


def installed(mpi):
    if not all(Path(path).exists() for path in mpi.probe):
        return False
    if mpi.source == "debian":
        return True
    stamp = mpi.prefix / "sheaf-stamp"
    return stamp.exists() and stamp.read_text() == _stamp(mpi)


def install(mpi):
    """Makes `mpi` usable; nothing to do when it is. Raises DevError with the reason."""
    if installed(mpi):
        return
    if mpi.source == "debian":
        absent = [path for path in mpi.probe if not Path(path).exists()]
        raise DevError(f"{mpi.id}: {', '.join(absent)} not found although Debian's packages are")
    mpi.prefix.parent.mkdir(parents=True, exist_ok=True)
    with open(mpi.prefix.parent / f"{mpi.id}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not installed(mpi):  # Another process may have been faster.
            _install_wheels(mpi)


def _install_wheels(mpi):
    """A virtual environment knows its own path, so it is made in place and stamped last."""
    say(f"installing {mpi.title} into {mpi.prefix}")
    shutil.rmtree(mpi.prefix, ignore_errors=True)
    quiet = ["--progress-bar", "off"] if not sys.stderr.isatty() else []
    steps = [
        [sys.executable, "-m", "venv", str(mpi.prefix)],
        [str(mpi.prefix / "bin" / "python"), "-m", "pip", "install", *quiet,
         "--disable-pip-version-check", "--require-hashes", "--only-binary=:all:",
         "-r", str(mpi.requirements)],
    ]
    for step in steps:
        done = subprocess.run(step, stdin=subprocess.DEVNULL, stdout=sys.stderr)
        if done.returncode != 0:
            raise DevError(f"{mpi.id}: '{' '.join(step[1:4])}' failed with {done.returncode}")
    absent = [path for path in mpi.probe if not Path(path).exists()]
    if absent:
        raise DevError(f"{mpi.id}: installed, but {', '.join(absent)} not found")
    (mpi.prefix / "sheaf-stamp").write_text(_stamp(mpi))


# --- launching --------------------------------------------------------------------------------


def environment(id_, env=None):
    """The environment in which programs of this MPI run: the caller's, the row's, then `env`."""
    mpi = get(id_)
    result = dict(os.environ)
    result.update(mpi.env)
    if mpi.library_path:
        old = result.get("LD_LIBRARY_PATH")
        result["LD_LIBRARY_PATH"] = ":".join([*mpi.library_path, *([old] if old else [])])
    if mpi.source == "wheels":
        result["PATH"] = f"{mpi.prefix}/bin:{result['PATH']}"
        result["VIRTUAL_ENV"] = str(mpi.prefix)
    result.update(env or {})
    return result


def launch(id_, ranks, argv, env=None):
    """The full command that runs `argv` on `ranks` ranks of MPI `id_`."""
    mpi = get(id_)
    command = [*mpi.launcher, str(ranks), *mpi.flags, *(str(word) for word in argv)]
    return Launch(command, environment(id_, env))
