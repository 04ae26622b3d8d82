#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""./dev model: launches the model through Sheaf, or with --host on the MPI's own I/O.

    ./dev model                                   200 programs on the default MPI
    ./dev model --mpi mpich4 --programs 50        what is not listed here goes to the model itself
    ./dev model --seed 1234 --ranks 3             one program again, printed
    ./dev model --host --programs 100             where does the host's own I/O differ?
"""
import argparse
import subprocess
import sys

import build
import mpi as mpis

JOB_RANKS = 7
PEER = {"ompi": "ompio", "mpich": "romio", "mpich-debian": "romio", "abi": "romio"}


def main():
    parser = argparse.ArgumentParser(prog="./dev model", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mpi", default=mpis.DEFAULT, metavar="ID")
    parser.add_argument("--host", action="store_true",
                        help="without Sheaf; the known faults of that MPI are tolerated")
    parser.add_argument("--strict", action="store_true", help="with --host: tolerate nothing")
    parser.add_argument("--job-ranks", type=int, default=JOB_RANKS, metavar="N")
    arguments, rest = parser.parse_known_args()
    mpi = mpis.get(arguments.mpi)
    build.prepare([mpi])
    program = [build.folder() / "bin" / mpi.abi / "model", *rest]
    if not arguments.host:
        program = [build.folder() / "bin" / "sheaf", "exec", *program]
    elif not arguments.strict:
        program += ["--known-peer-faults", PEER[mpi.abi]]
    launch = mpis.launch(mpi.id, arguments.job_ranks, program)
    return subprocess.run(launch.argv, env=launch.env).returncode


if __name__ == "__main__":
    sys.exit(main())
