# SPDX-License-Identifier: BSD-3-Clause
"""Configuring and building: `./dev build`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import mpi as mpis
from console import DevError, say

ROOT = mpis.ROOT
PRESETS = {"release": "build", "asan": "build-asan", "tsan": "build-tsan", "clang": "build-clang"}

# Which MPI gives the headers and the library of an ABI, first choice first. Debian's are found by
# CMake itself.
ABI_SOURCES = {"mpich": ["mpich5", "impi"], "abi": ["mpich5", "impi"]}
ABI_LIBRARIES = {"mpich": "libmpi.so.12", "abi": "libmpi_abi.so.1"}


def folder(preset="release"):
    return ROOT / PRESETS[preset]


def _abi_settings(abis):
    """CMake cache entries that say which ABIs to build for, and where those of wheels are."""
    settings = [f"-DSHEAF_ONLY_ABIS={';'.join(abis)}"]
    for abi, sources in ABI_SOURCES.items():
        found = [mpi for mpi in map(mpis.get, sources) if mpis.installed(mpi)]
        include = library = f"SHEAF_ABI_{abi}-NOTFOUND"
        if found:
            include = found[0].prefix / "include"
            library = found[0].prefix / "lib" / ABI_LIBRARIES[abi]
        settings += [f"-DSHEAF_ABI_{abi}_INCLUDE={include}", f"-DSHEAF_ABI_{abi}_LIBRARY={library}"]
    return settings


def _run(argv):
    done = subprocess.run(argv, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=sys.stderr)
    if done.returncode != 0:
        raise DevError(f"'{' '.join(map(str, argv[:3]))} ...' failed with {done.returncode}")


def configure(preset, selection=()):
    """Runs CMake when the build folder is new, its settings changed or a folder joined the build;
    Ninja sees to the rest. ABIs join when an MPI that needs them is asked for, and stay."""
    where = folder(preset)
    stamp = where / "dev-settings.json"
    old = json.loads(stamp.read_text()) if stamp.exists() else {}
    asked = {abi for mpi in selection or [mpis.get(mpis.DEFAULT)] for abi in mpi.abis}
    abis = sorted(asked | set(old.get("abis", [])))
    folders = sorted(path.parent.name for path in ROOT.glob("*/CMakeLists.txt"))
    wanted = {"abis": abis, "settings": _abi_settings(abis), "folders": folders}
    if (where / "build.ninja").exists() and old == wanted:
        return
    say(f"configuring {where.name} for {', '.join(abis)}")
    _run(["cmake", "--preset", preset, "-Wno-dev", *wanted["settings"]])
    stamp.write_text(json.dumps(wanted, indent=1))


def build(preset="release", selection=()):
    """Configures if needed and builds; a second call does nothing."""
    configure(preset, selection)
    say(f"building {folder(preset).name}")
    jobs = os.environ.get("SHEAF_JOBS") or str(len(os.sched_getaffinity(0)))
    _run(["cmake", "--build", str(folder(preset)), "-j", jobs])


def prepare(selection, preset="release"):
    """Installs the MPIs of `selection` and builds. Returns {id: reason} of those that failed."""
    failed = {}
    for mpi in selection:
        try:
            mpis.install(mpi)
        except DevError as error:
            say(f"{mpi.id} cannot be installed: {error}")
            failed[mpi.id] = str(error)
    build(preset, selection)
    return failed


def program_path(preset, mpi, name):
    """bin/<abi>/<name> as built for `mpi`."""
    return Path(folder(preset), "bin", mpi.abi, name)
