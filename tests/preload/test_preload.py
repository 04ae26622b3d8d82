# SPDX-License-Identifier: BSD-3-Clause
"""The preload without a launcher: programs without MPI, and programs with two MPI libraries."""

import subprocess
import sys
from pathlib import Path

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
    with_it = run(command, {"LD_PRELOAD": PRELOAD, "SHEAF_REQUIRE": require})
    assert (with_it.returncode, with_it.stdout, with_it.stderr) == (
        without.returncode, without.stdout, without.stderr)


def test_a_call_without_any_mpi_library_says_so():
    program = "import ctypes, sys; sys.exit(ctypes.CDLL(None).MPI_Finalize())"
    done = run([sys.executable, "-c", program], {"LD_PRELOAD": PRELOAD})
    assert done.returncode == 1
    assert "sheaf: MPI_Finalize called, but no MPI library is loaded" in done.stderr


@pytest.mark.parametrize("abi, wanted, other", [
    ("ompi", "libmpi.so.40", "libmpich.so.12"),
    ("mpich-debian", "libmpich.so.12", "libmpi.so.40"),
])
def test_of_two_mpi_libraries_the_callers_is_taken(installation, abi, wanted, other):
    """The other one is loaded before it; the message about the missing backend names the choice."""
    program = BUILD / "bin" / abi / "no_file_calls"
    library = next(Path("/usr/lib").glob(f"*-linux-gnu/{other}"), None)
    if not program.exists() or not library:
        pytest.skip(f"needs Debian's {wanted} and {other}")
    for backend in (installation.prefix / "lib").glob("libsheaf-*.so"):
        backend.unlink()
    as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = run([program, "7"], {"LD_PRELOAD": f"{installation.preload}:{library}", **as_root})
    assert done.returncode == 7, done.stderr
    assert done.stderr.count("sheaf:") == 1 and f"no backend for {wanted} " in done.stderr
