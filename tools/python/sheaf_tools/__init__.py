# SPDX-License-Identifier: BSD-3-Clause
"""The parts of the `sheaf` command that are written in Python."""
