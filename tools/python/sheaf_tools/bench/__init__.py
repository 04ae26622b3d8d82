# SPDX-License-Identifier: BSD-3-Clause
"""`sheaf bench`: runs the benchmarks of bench/ and compares what they measured.

    cli      arguments, the order of launches, the exit status
    launch   one job: under which MPI, with or without Sheaf, its raw measurements
    rows     the JSON lines: what they hold and when they are valid
    stats    paired ratios and their confidence intervals
    revision another revision of Sheaf, built aside
    show     progress and tables for people, on standard error
"""
