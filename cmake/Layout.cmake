# SPDX-License-Identifier: BSD-3-Clause
#
# The build folder mirrors the installed layout, so that `sheaf` finds ../lib/libsheafpre.so and the
# preload finds the backends beside itself in both.

set(CMAKE_INSTALL_LIBDIR lib CACHE STRING "Always beside bin: `sheaf` finds ../lib")
include(GNUInstallDirs)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

# Which libmpi a program runs under is the launcher's choice, never baked into the file.
set(CMAKE_SKIP_RPATH ON)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
# Assertions hold in every build: no NDEBUG. Line tables make traces readable at little cost.
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1")

set(CMAKE_C_STANDARD 11)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

set(SHEAF_SANITIZE "" CACHE STRING "Value of -fsanitize=, for instance address,undefined")
if(SHEAF_SANITIZE)
    add_compile_options(-fsanitize=${SHEAF_SANITIZE} -fno-omit-frame-pointer
                        -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${SHEAF_SANITIZE})
endif()
