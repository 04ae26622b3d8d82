# SPDX-License-Identifier: BSD-3-Clause
"""The preload in programs that have nothing to do with MPI."""

import subprocess
import sys

import pytest
from conftest import BUILD, run

PRELOAD = BUILD / "lib" / "libsheafpre.so"

COMMANDS = [
    ["bash", "-c", "echo to stdout; echo to stderr >&2; exit 3"],
    ["bash", "-c", "kill -TERM $$"],
    ["ls", "/"],
    [sys.executable, "-c", "import subprocess; print(subprocess.call(['true']))"],
    ["mpiexec.openmpi", "--version"],
    ["mpiexec.mpich", "--version"],
]


def needed(library):
    listed = subprocess.run(["readelf", "-dW", library], check=True, capture_output=True, text=True)
    return [line for line in listed.stdout.splitlines()
            if "(NEEDED)" in line or "(RPATH)" in line or "(RUNPATH)" in line]


def test_it_needs_libc_only():
    found = needed(PRELOAD)
    assert len(found) == 1 and "[libc.so.6]" in found[0], found


@pytest.mark.parametrize("require", [None, "1"], ids=["plain", "require"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command)[:30])
def test_a_program_without_mpi_is_untouched(command, require):
    without = run(command)
    with_it = run(command, {"LD_PRELOAD": PRELOAD, "_SHEAF_REQUIRE": require})
    assert (with_it.returncode, with_it.stdout, with_it.stderr) == (
        without.returncode, without.stdout, without.stderr)


def test_a_call_without_any_mpi_library_says_so():
    program = "import ctypes, sys; sys.exit(ctypes.CDLL(None).MPI_Finalize())"
    done = run([sys.executable, "-c", program], {"LD_PRELOAD": PRELOAD})
    assert done.returncode == 1
    assert "sheaf: MPI_Finalize called, but no MPI library is loaded" in done.stderr
