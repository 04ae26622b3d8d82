# SPDX-License-Identifier: BSD-3-Clause
"""The MPIs of dev.d/mpis.toml: where they are, how to install them, how to launch under them."""

import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import venvs
from console import DevError

ROOT = venvs.ROOT
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

    def missing_reason(self, capability):
        """None when this MPI has `capability`, else why not."""
        if capability in self.has:
            return None
        return self.lacks.get(capability, f"{self.title} has no {capability}")


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
        prefix = venvs.cache_folder() / "mpis" / id_ if wheels else Path("/usr")
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


def _absent(mpi):
    return [path for path in mpi.probe if not Path(path).exists()]


def installed(mpi):
    return not _absent(mpi) and (mpi.source == "debian" or venvs.ready(mpi.id, mpi.prefix))


def install(mpi):
    """Makes `mpi` usable; nothing to do when it is. Raises DevError with the reason."""
    if mpi.source == "wheels":
        venvs.ensure(mpi.id, mpi.prefix, mpi.title)
    if absent := _absent(mpi):
        raise DevError(f"{mpi.id}: {', '.join(absent)} not found although it was installed")


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
