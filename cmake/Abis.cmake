# SPDX-License-Identifier: BSD-3-Clause
#
# An ABI is what a program is compiled against:
#   ompi          libmpi.so.40      Open MPI 4 and 5
#   mpich         libmpi.so.12      MPICH 3.1 and later, Intel MPI, and their relatives
#   mpich-debian  libmpich.so.12    MPICH as Debian names it
#   abi           libmpi_abi.so.1   the standard ABI of MPI 5.0
# For each, SHEAF_ABI_<id>_INCLUDE and SHEAF_ABI_<id>_LIBRARY say where it is; `./dev build` passes
# those it knows, Debian's are found here. SHEAF_ABIS lists what was found, mpi::<id> is its target.

function(sheaf_find_abi id)
    cmake_parse_arguments(ARG "" "" "HEADER_PATHS;LIBRARY_NAMES;LIBRARY_PATHS" ${ARGN})
    find_path(SHEAF_ABI_${id}_INCLUDE mpi.h PATHS ${ARG_HEADER_PATHS} NO_DEFAULT_PATH)
    find_library(SHEAF_ABI_${id}_LIBRARY NAMES ${ARG_LIBRARY_NAMES} NAMES_PER_DIR
                 PATHS ${ARG_LIBRARY_PATHS} NO_DEFAULT_PATH)
    mark_as_advanced(SHEAF_ABI_${id}_INCLUDE SHEAF_ABI_${id}_LIBRARY)
    if(NOT SHEAF_ABI_${id}_INCLUDE OR NOT SHEAF_ABI_${id}_LIBRARY
       OR (SHEAF_ONLY_ABIS AND NOT id IN_LIST SHEAF_ONLY_ABIS))
        return()
    endif()
    add_library(mpi::${id} UNKNOWN IMPORTED)
    set_target_properties(mpi::${id} PROPERTIES
        IMPORTED_LOCATION "${SHEAF_ABI_${id}_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${SHEAF_ABI_${id}_INCLUDE}"
        # Without these mpi.h drags in the old C++ bindings and their warnings.
        INTERFACE_COMPILE_DEFINITIONS "OMPI_SKIP_MPICXX;MPICH_SKIP_MPICXX")
    list(APPEND SHEAF_ABIS ${id})
    set(SHEAF_ABIS "${SHEAF_ABIS}" PARENT_SCOPE)
endfunction()

set(SHEAF_ONLY_ABIS "" CACHE STRING "Build for these ABIs only, if found; empty: for all")
set(SHEAF_ABIS "")
set(multiarch /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
sheaf_find_abi(ompi
    HEADER_PATHS ${multiarch}/openmpi/include
    LIBRARY_NAMES libmpi.so.40 LIBRARY_PATHS ${multiarch} ${multiarch}/openmpi/lib)
sheaf_find_abi(mpich-debian
    HEADER_PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/mpich
    LIBRARY_NAMES libmpich.so.12 LIBRARY_PATHS ${multiarch})
sheaf_find_abi(mpich LIBRARY_NAMES libmpi.so.12)
sheaf_find_abi(abi LIBRARY_NAMES libmpi_abi.so.1)
if(TARGET mpi::abi)
    set_property(TARGET mpi::abi APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS MPI_ABI)
endif()
if(NOT SHEAF_ABIS)
    message(FATAL_ERROR "No MPI found: run `./dev build`, or pass SHEAF_ABI_ompi_INCLUDE and "
                        "SHEAF_ABI_ompi_LIBRARY (or mpich, mpich-debian, abi)")
endif()
message(STATUS "MPI ABIs: ${SHEAF_ABIS}")
