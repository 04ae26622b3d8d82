# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the preload and of `sheaf exec` share.

They run copies of `sheaf` and libsheafpre.so in a folder of their own, with the stub backend in
place of the real ones, so that they test the way into Sheaf and nothing behind it.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "dev.d"))
import mpi as mpis  # noqa: E402

BUILD = Path(os.environ.get("SHEAF_BUILD_DIR", ROOT / "build"))
ABIS = ("ompi", "mpich", "mpich-debian", "abi")
FUNCTIONS_DEF = ROOT / "src" / "abi" / "functions.def"


class Installation:
    """A folder with bin/sheaf, the preload and stub backends."""

    def __init__(self, prefix):
        self.prefix = prefix
        self.sheaf = prefix / "bin" / "sheaf"
        self.preload = prefix / "lib" / "libsheafpre.so"
        (prefix / "bin").mkdir(parents=True)
        (prefix / "lib").mkdir()
        shutil.copy(BUILD / "bin" / "sheaf", self.sheaf)
        shutil.copy(BUILD / "lib" / "libsheafpre.so", self.preload)
        for abi in ABIS:
            shutil.copy(BUILD / "tests" / "preload" / "libstub_backend.so", self.backend(abi))

    def backend(self, abi):
        return self.prefix / "lib" / f"libsheaf-{abi}.so"


def run(argv, env=None, timeout=60, **options):
    """Runs `argv` with `env` put on top of the environment; a value of None removes a name."""
    complete = dict(os.environ)
    for name, value in (env or {}).items():
        complete.pop(name, None)
        if value is not None:
            complete[name] = str(value)
    return subprocess.run([str(word) for word in argv], env=complete, timeout=timeout,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)


def table():
    """The C functions of functions.def without their twins, and the Fortran entry points."""
    text = FUNCTIONS_DEF.read_text()
    functions = re.findall(r"^SHEAF_FUNCTION\((\w+),", text, re.M)
    functions += [name + "_c" for name in re.findall(r"^SHEAF_LARGE_COUNT\((\w+),", text, re.M)]
    return set(functions), set(re.findall(r"^SHEAF_FORTRAN_OMPI\((\w+)\)", text, re.M))


def defined_symbols(library):
    listed = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library], check=True,
                            capture_output=True, text=True).stdout
    return {line.split()[0].split("@")[0] for line in listed.splitlines() if line.strip()}


@pytest.fixture(name="installation")
def fixture_installation(tmp_path):
    return Installation(tmp_path / "sheaf")


class Host:
    """The MPI that a test runs under; the environment names it."""

    def __init__(self, mpi):
        self.mpi = mpi
        self.id = mpi.id

    def program(self, name, abi=None):
        return BUILD / "bin" / (abi or self.mpi.abi) / name

    def launch(self, ranks, argv, env=None, timeout=60):
        command = mpis.launch(self.id, ranks, argv)
        return run(command.argv, {**command.env, **(env or {})}, timeout)


@pytest.fixture(name="host")
def fixture_host():
    id_ = os.environ.get("PRELOAD_TEST_MPI", mpis.DEFAULT)
    return Host(mpis.get(id_))
