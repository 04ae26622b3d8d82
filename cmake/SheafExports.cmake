# SPDX-License-Identifier: BSD-3-Clause
#
# What a shared library of ours shows to the world, made from the table src/abi/functions.def.

set(SHEAF_FUNCTIONS_DEF "${CMAKE_CURRENT_LIST_DIR}/../src/abi/functions.def")

# Sets `functions` to the C functions of the table, without their PMPI_ twins, and `fortran` to the
# entry points of Open MPI's Fortran bindings.
function(sheaf_read_functions functions fortran)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${SHEAF_FUNCTIONS_DEF}")
    file(STRINGS "${SHEAF_FUNCTIONS_DEF}" rows REGEX "^SHEAF_[A-Z_]+\\(")
    foreach(row IN LISTS rows)
        if(row MATCHES "^SHEAF_FUNCTION\\(([A-Za-z_0-9]+),")
            list(APPEND c_names ${CMAKE_MATCH_1})
        elseif(row MATCHES "^SHEAF_LARGE_COUNT\\(([A-Za-z_0-9]+),")
            list(APPEND c_names ${CMAKE_MATCH_1}_c)
        elseif(row MATCHES "^SHEAF_FORTRAN_OMPI\\(([A-Za-z_0-9]+)\\)")
            list(APPEND fortran_names ${CMAKE_MATCH_1})
        else()
            message(FATAL_ERROR "${SHEAF_FUNCTIONS_DEF}: cannot read the row ${row}")
        endif()
    endforeach()
    set(${functions} ${c_names} PARENT_SCOPE)
    set(${fortran} ${fortran_names} PARENT_SCOPE)
endfunction()

# Writes a version script that makes `ARGN` global and everything else local, and links with it.
function(sheaf_export_only target)
    list(JOIN ARGN ";\n        " lines)
    set(script "${CMAKE_CURRENT_BINARY_DIR}/${target}.map")
    file(CONFIGURE OUTPUT "${script}" @ONLY
         CONTENT "{\n    global:\n        @lines@;\n    local:\n        *;\n};\n")
    target_link_options(${target} PRIVATE "LINKER:--version-script=${script}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${script}")
endfunction()

# Turns the shared library `target` into a backend for `abi` (ompi, mpich, mpich-debian or abi):
# exports the functions of the table and nothing else, gives each its PMPI_ twin (same address), and
# sets the flags that make the library fit into any process: own C++ runtime, nothing undefined, no
# path baked in.
#
# The sources define the plain MPI_ names alone. Names starting with MPIX_ are for the mpich family.
# For ompi they define ompi_file_create_errhandler_f too; the other Fortran names become its twins.
#   sheaf_backend_exports(sheaf-ompi ompi)
function(sheaf_backend_exports target abi)
    sheaf_read_functions(functions fortran)
    if(NOT abi MATCHES "^mpich")
        list(FILTER functions EXCLUDE REGEX "^MPIX_")
    endif()
    set(exported ${functions})
    foreach(name IN LISTS functions)
        list(APPEND exported P${name})
        list(APPEND twins "LINKER:--defsym=P${name}=${name}")
    endforeach()
    if(abi STREQUAL "ompi")
        list(APPEND exported ${fortran})
        foreach(name IN LISTS fortran)
            if(NOT name STREQUAL "ompi_file_create_errhandler_f")
                list(APPEND twins "LINKER:--defsym=${name}=ompi_file_create_errhandler_f")
            endif()
        endforeach()
    endif()
    sheaf_export_only(${target} ${exported})
    # Not all mpi.h give their functions default visibility; the version script hides the rest.
    set_target_properties(${target} PROPERTIES
        C_VISIBILITY_PRESET default
        CXX_VISIBILITY_PRESET default
        VISIBILITY_INLINES_HIDDEN ON
        POSITION_INDEPENDENT_CODE ON
        SKIP_BUILD_RPATH ON
        INSTALL_RPATH "")
    target_link_options(${target} PRIVATE ${twins} -static-libstdc++ -static-libgcc
        "LINKER:--exclude-libs,ALL" "LINKER:--no-as-needed" "LINKER:-z,defs")
endfunction()
