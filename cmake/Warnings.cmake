# SPDX-License-Identifier: BSD-3-Clause
#
# Link `sheaf-warnings` PRIVATE into everything of ours: warnings are errors (style.md, Habits 4).

add_library(sheaf-warnings INTERFACE)
target_compile_options(sheaf-warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror
    $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Wold-style-cast>
    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wthread-safety>)
