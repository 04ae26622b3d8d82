# SPDX-License-Identifier: BSD-3-Clause
#
# Installing, find_package(Sheaf) and pkg-config sheaf.
