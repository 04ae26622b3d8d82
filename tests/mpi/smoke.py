# SPDX-License-Identifier: BSD-3-Clause
"""The smallest mpi4py program with file I/O; knows nothing of Sheaf. Usage: smoke.py FILE"""

import sys

from mpi4py import MPI

BLOCK_BYTES = 1000


def block_of(rank):
    return bytes((rank * 31 + i) % 256 for i in range(BLOCK_BYTES))


def main():
    world = MPI.COMM_WORLD
    neighbour = (world.rank + 1) % world.size
    file = MPI.File.Open(world, sys.argv[1], MPI.MODE_CREATE | MPI.MODE_RDWR)
    file.Write_at(world.rank * BLOCK_BYTES, block_of(world.rank))
    world.Barrier()
    found = bytearray(BLOCK_BYTES)
    file.Read_at(neighbour * BLOCK_BYTES, found)
    file.Close()
    good = world.allreduce(found == block_of(neighbour), op=MPI.LAND)
    if world.rank == 0:
        print("smoke: OK" if good else "smoke: wrong bytes")
    return 0 if good else 1


sys.exit(main())
