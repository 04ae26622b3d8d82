# SPDX-License-Identifier: BSD-3-Clause
from sheaf_tools.bench import revision


def test_only_what_a_run_needs_is_built():
    listing = """\
bin/sheaf: CXX_EXECUTABLE_LINKER__sheaf_Release
bin/ompi/tiles: C_EXECUTABLE_LINKER__tiles
lib/libsheafpre.so: C_SHARED_LIBRARY_LINKER__pre
lib/libsheaf-ompi.so: CXX_SHARED_LIBRARY_LINKER__ompi
lib/libsheaf-core.a: CXX_STATIC_LIBRARY_LINKER__core
tests/view: CXX_EXECUTABLE_LINKER__unit
"""
    assert revision.runtime_targets(listing) == [
        "bin/sheaf", "lib/libsheafpre.so", "lib/libsheaf-ompi.so",
    ]  # fmt: skip


def test_the_other_build_finds_the_same_mpis(tmp_path):
    cache = tmp_path / "CMakeCache.txt"
    cache.write_text(
        "// comment\nSHEAF_ABI_mpich_INCLUDE:PATH=/opt/include\nCMAKE_BUILD_TYPE:STRING=Release\n"
        "CMAKE_HOME_DIRECTORY:INTERNAL=/src\n"
    )
    assert revision.inherited_settings(cache) == [
        "-DSHEAF_ABI_mpich_INCLUDE:PATH=/opt/include", "-DCMAKE_BUILD_TYPE:STRING=Release",
    ]  # fmt: skip
    assert revision.inherited_settings(tmp_path / "none") == []
