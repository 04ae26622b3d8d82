# SPDX-License-Identifier: BSD-3-Clause

# Builds an ordinary, unmodified MPI program for every ABI as bin/<abi>/<name>. In LIBS, @ABI@
# stands for the ABI id.
#   sheaf_mpi_program(NAME tiles SOURCES tiles.c [LANGUAGE C|CXX] [LIBS m ...] [ABIS ompi ...])
function(sheaf_mpi_program)
    cmake_parse_arguments(ARG "" "NAME;LANGUAGE" "SOURCES;LIBS;ABIS" ${ARGN})
    foreach(abi IN LISTS SHEAF_ABIS)
        if(ARG_ABIS AND NOT abi IN_LIST ARG_ABIS)
            continue()
        endif()
        string(REPLACE "@ABI@" "${abi}" libs "${ARG_LIBS}")
        set(target ${ARG_NAME}-${abi})
        add_executable(${target} ${ARG_SOURCES})
        target_link_libraries(${target} PRIVATE ${libs} sheaf-warnings mpi::${abi})
        set_target_properties(${target} PROPERTIES
            OUTPUT_NAME ${ARG_NAME}
            RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/${abi}")
        if(ARG_LANGUAGE)
            set_source_files_properties(${ARG_SOURCES} PROPERTIES LANGUAGE ${ARG_LANGUAGE})
        endif()
    endforeach()
endfunction()

# Builds a GoogleTest program tests/<name>; rapidcheck is at hand. A source may bring its own main.
#   sheaf_unit_test(NAME status SOURCES status_test.cpp LIBS sheaf-core)
function(sheaf_unit_test)
    cmake_parse_arguments(ARG "" "NAME" "SOURCES;LIBS" ${ARGN})
    find_package(GTest REQUIRED)
    add_executable(unit-${ARG_NAME} ${ARG_SOURCES})
    target_include_directories(unit-${ARG_NAME} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(unit-${ARG_NAME} PRIVATE ${ARG_LIBS} sheaf-warnings sheaf-rapidcheck
                          GTest::gmock GTest::gtest GTest::gtest_main Threads::Threads)
    set_target_properties(unit-${ARG_NAME} PROPERTIES
        OUTPUT_NAME ${ARG_NAME}
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    set_property(GLOBAL APPEND_STRING PROPERTY SHEAF_UNIT_TESTS "${ARG_NAME}\n")
endfunction()

# Debian's rapidcheck is a static library without a target of its own.
if(NOT TARGET sheaf-rapidcheck)
    add_library(sheaf-rapidcheck INTERFACE)
    find_library(SHEAF_RAPIDCHECK_LIBRARY rapidcheck)
    mark_as_advanced(SHEAF_RAPIDCHECK_LIBRARY)
    if(SHEAF_RAPIDCHECK_LIBRARY)
        target_link_libraries(sheaf-rapidcheck INTERFACE ${SHEAF_RAPIDCHECK_LIBRARY})
    endif()
endif()

# Tells ./dev test which unit programs this build has; called once, last.
function(sheaf_list_unit_tests)
    get_property(names GLOBAL PROPERTY SHEAF_UNIT_TESTS)
    file(WRITE "${PROJECT_BINARY_DIR}/tests/units.txt" "${names}")
endfunction()

# Builds a libFuzzer program fuzz/<name> in the clang preset; elsewhere the sources are left alone.
#   sheaf_fuzzer(NAME layout SOURCES layout_fuzz.cpp LIBS sheaf-core)
function(sheaf_fuzzer)
    cmake_parse_arguments(ARG "" "NAME" "SOURCES;LIBS" ${ARGN})
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        return()
    endif()
    add_executable(fuzz-${ARG_NAME} ${ARG_SOURCES})
    target_include_directories(fuzz-${ARG_NAME} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(fuzz-${ARG_NAME} PRIVATE ${ARG_LIBS} sheaf-warnings)
    target_compile_options(fuzz-${ARG_NAME} PRIVATE -fsanitize=fuzzer)
    target_link_options(fuzz-${ARG_NAME} PRIVATE -fsanitize=fuzzer)
    set_target_properties(fuzz-${ARG_NAME} PROPERTIES
        OUTPUT_NAME ${ARG_NAME}
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
endfunction()
