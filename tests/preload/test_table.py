# SPDX-License-Identifier: BSD-3-Clause
"""src/abi/functions.def against the MPI libraries of this machine, and against our own."""

import re
from pathlib import Path

import mpi as mpis
import pytest
from conftest import ABIS, BUILD, defined_symbols, table

FILE_FUNCTION = re.compile(r"P?(MPIX?_File_\w+|MPI_Register_datarep\w*)$")
HOST_SONAMES = ("libmpi.so.40", "libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1")


def host_libraries():
    folders = [Path("/usr/lib/x86_64-linux-gnu"), Path("/usr/lib/aarch64-linux-gnu")]
    folders += [row.prefix / "lib" for row in mpis.table().values() if row.source == "wheels"]
    return [folder / name for folder in folders for name in HOST_SONAMES
            if (folder / name).exists()]


def test_a_host_library_is_found():
    assert host_libraries()


@pytest.mark.parametrize("library", host_libraries(), ids=str)
def test_every_file_function_of_the_host_has_a_row(library):
    functions, _ = table()
    matches = map(FILE_FUNCTION.match, defined_symbols(library))
    theirs = {match.group(1) for match in matches if match}
    assert len(theirs) >= 60, f"{library} is not an MPI library"
    assert theirs - functions == set()


def test_the_preload_exports_the_table_and_nothing_else():
    functions, fortran = table()
    expected = functions | {"P" + name for name in functions} | fortran
    assert defined_symbols(BUILD / "lib" / "libsheafpre.so") == expected


@pytest.mark.parametrize("abi", ABIS)
def test_a_backend_exports_the_table_and_nothing_else(abi):
    library = BUILD / "lib" / f"libsheaf-{abi}.so"
    if not library.exists():
        pytest.skip(f"{library.name} is not built here: its MPI's headers were not found")
    functions, fortran = table()
    if not abi.startswith("mpich"):
        functions = {name for name in functions if not name.startswith("MPIX_")}
    expected = functions | {"P" + name for name in functions}
    assert defined_symbols(library) == expected | (fortran if abi == "ompi" else set())
