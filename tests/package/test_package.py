# SPDX-License-Identifier: BSD-3-Clause
"""Sheaf by linking: pkg-config sheaf and find_package(Sheaf), from build and install."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SHEAF_BUILD_DIR", ROOT / "build"))
pytestmark = pytest.mark.skipif(not (BUILD / "lib" / "libsheaf-ompi.so").exists(),
                                reason="no backend for Open MPI in this build")

PROGRAM = """
#include <mpi.h>
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_SELF, "x", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    if (file != MPI_FILE_NULL) MPI_File_close(&file);
    return MPI_Finalize();
}
"""

PROJECT = """
cmake_minimum_required(VERSION 3.18)
project(user C)
find_package(MPI REQUIRED COMPONENTS C)
find_package(Sheaf REQUIRED)
message(STATUS "ABI ${Sheaf_ABI} of ${Sheaf_ABIS}")
add_executable(user user.c)
target_link_libraries(user MPI::MPI_C Sheaf::sheaf)
"""


def run(*argv, **more):
    done = subprocess.run([str(word) for word in argv], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, **more)
    assert done.returncode == 0, f"{argv}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module", params=["build", "install"])
def prefix(request, tmp_path_factory):
    if request.param == "build":
        return BUILD
    folder = tmp_path_factory.mktemp("prefix") / "sheaf"
    run("cmake", "--install", BUILD, "--prefix", folder)
    return folder


def check(program):
    """The program needs our library, before the MPI, and finds it."""
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", program))
    ours = needed.index("libsheaf-ompi.so")
    assert ours < needed.index("libmpi.so.40"), needed
    assert "not found" not in run("ldd", program)


def test_pkg_config(prefix, tmp_path):
    (tmp_path / "user.c").write_text(PROGRAM)
    env = dict(os.environ, PKG_CONFIG_PATH=str(prefix / "lib" / "pkgconfig"))
    flags = run("pkg-config", "--define-variable=abi=ompi", "--cflags", "--libs", "sheaf", env=env)
    run("mpicc.openmpi", tmp_path / "user.c", "-o", tmp_path / "user", *flags.split())
    check(tmp_path / "user")


def test_find_package(prefix, tmp_path):
    (tmp_path / "user.c").write_text(PROGRAM)
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    said = run("cmake", "-S", tmp_path, "-B", tmp_path / "b", f"-DCMAKE_PREFIX_PATH={prefix}",
               "-DMPI_C_COMPILER=mpicc.openmpi")
    assert "ABI ompi of" in said
    run("cmake", "--build", tmp_path / "b")
    check(tmp_path / "b" / "user")


def test_an_install_has_the_layout_of_the_build(prefix):
    assert (prefix / "lib" / "libsheafpre.so").exists()
    assert (prefix / "lib" / "libsheaf-ompi.so").exists()
    assert os.access(prefix / "bin" / "sheaf", os.X_OK)
