#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Parallel HDF5 through h5py: write data sets of several kinds, read them back, verify them.

    mpiexec -n 4 python3 hdf5.py write DIR [--rows N]
    mpiexec -n 4 sheaf exec python3 hdf5.py write DIR [--rows N]
    python3 hdf5.py verify DIR

`write` is an ordinary parallel h5py program. It makes three files in DIR:

    contiguous.h5   one piece of the file per data set, written by all ranks together and
                    by each rank on its own
    chunked.h5      the same in chunks, whose edges do not fall on the edges of the ranks' shares
    left_open.h5    never closed: MPI_Finalize has to do it

Then it opens the first two again and reads another share than it wrote. `verify` runs without
MPI, as any later user of the files would, and compares every element of every data set.

Each step ends with the line "hdf5: OK" or "hdf5: FAILED: <reason>". The files stay where they are.
"""

import argparse
import pathlib
import sys
import time

import numpy

COLUMNS = 1000
CHUNK = (96, 70)
MIB = 1024 * 1024

# File name -> {name of the data set: the access that writes it}.
FILES = {
    "contiguous.h5": {"collective": True, "independent": False},
    "chunked.h5": {"collective": True, "independent": False},
    "left_open.h5": {"collective": True},
}


class WrongBytes(Exception):
    """A data set does not hold what was written."""


def expected(seed, rows, columns, total_rows):
    """The oracle: what stands in these rows and columns. Each element differs from all others."""
    row = numpy.arange(rows.start, rows.stop, dtype=numpy.uint64)[:, numpy.newaxis]
    column = numpy.arange(columns.start, columns.stop, dtype=numpy.uint64)[numpy.newaxis, :]
    index = row * numpy.uint64(COLUMNS) + column
    place = index + numpy.uint64(seed * total_rows * COLUMNS + 1)
    return place * numpy.uint64(0x9E3779B97F4A7C15)


def compare(found, seed, rows, columns, total_rows, what):
    wanted = expected(seed, rows, columns, total_rows)
    wrong = numpy.argwhere(found != wanted)
    if len(wrong) == 0:
        return
    i, j = wrong[0]
    raise WrongBytes(
        f"{what}: row {rows.start + i}, column {columns.start + j}: "
        f"expected {wanted[i, j]:016x}, found {found[i, j]:016x} ({len(wrong)} differ)"
    )


def share(size, rank, ranks):
    """The part of range(size) that belongs to a rank."""
    return slice(size * rank // ranks, size * (rank + 1) // ranks)


def datasets():
    """Every data set as (file, name, collective, seed); the seed makes their elements differ."""
    rows = [(file, name, how) for file, sets in FILES.items() for name, how in sets.items()]
    return [(*row, seed) for seed, row in enumerate(rows)]


class Clock:
    """Adds up bytes and the time of the slowest rank over several transfers."""

    def __init__(self, comm):
        self.comm = comm
        self.bytes = 0
        self.seconds = 0.0

    def measure(self, transfer, nbytes):
        self.comm.Barrier()
        begin = time.perf_counter()
        result = transfer()
        mine = time.perf_counter() - begin
        self.seconds += max(self.comm.allgather(mine))
        self.bytes += sum(self.comm.allgather(nbytes))
        return result

    def report(self, direction):
        if self.comm.rank == 0:
            print(f"hdf5: {direction} {self.bytes / MIB / self.seconds:.1f} MiB/s", flush=True)


def write_dataset(dataset, collective, values, rows):
    if collective:
        with dataset.collective:
            dataset[rows, :] = values
    else:
        dataset[rows, :] = values


def write_files(h5py, comm, directory, total_rows, clock):
    """Writes all files; each rank writes a slab of rows. Returns the file left open."""
    rows = share(total_rows, comm.rank, comm.size)
    last = None
    for name, sets in FILES.items():
        file = h5py.File(directory / name, "w", driver="mpio", comm=comm)
        chunks = CHUNK if name == "chunked.h5" else None
        for owner, dataset, collective, seed in datasets():
            if owner != name:
                continue
            values = expected(seed, rows, slice(0, COLUMNS), total_rows)
            shape = (total_rows, COLUMNS)

            def create_and_write():
                created = file.create_dataset(
                    dataset, shape, dtype=numpy.uint64, chunks=chunks, fillvalue=0
                )
                write_dataset(created, collective, values, rows)

            clock.measure(create_and_write, values.nbytes)
        if name == "left_open.h5":
            last = file
        else:
            file.close()
    return last


def read_dataset(dataset, collective, columns):
    if not collective:
        return dataset[:, columns]
    with dataset.collective:
        return dataset[:, columns]


def read_files(h5py, comm, directory, total_rows, clock):
    """Reads a slab of columns on each rank: elements of every rank that wrote."""
    columns = share(COLUMNS, comm.rank, comm.size)
    problems = []
    for owner, name, collective, seed in datasets():
        if owner == "left_open.h5":
            continue
        with h5py.File(directory / owner, "r", driver="mpio", comm=comm) as file:
            nbytes = total_rows * (columns.stop - columns.start) * 8
            found = clock.measure(
                lambda: read_dataset(file[name], collective, columns), nbytes
            )
        try:
            rows = slice(0, total_rows)
            compare(found, seed, rows, columns, total_rows, f"{owner}:/{name}")
        except WrongBytes as error:  # Kept: the other ranks are on their way to the next file.
            problems.append(f"rank {comm.rank}: {error}")
    return problems


def run_write(directory, total_rows):
    """Returns what went wrong on any rank, or None, and whether this rank is the one to tell."""
    # MPI first: HDF5 closes its files in MPI_Finalize only if MPI was up when HDF5 started.
    from mpi4py import MPI
    import h5py

    if not h5py.get_config().mpi:
        return "this h5py was built without MPI", True
    comm = MPI.COMM_WORLD
    if comm.rank == 0:
        directory.mkdir(parents=True, exist_ok=True)
    comm.Barrier()

    write_clock, read_clock = Clock(comm), Clock(comm)
    left_open = write_files(h5py, comm, directory, total_rows, write_clock)
    problems = read_files(h5py, comm, directory, total_rows, read_clock)
    write_clock.report("write")
    read_clock.report("read")
    problems = sum(comm.allgather(problems), [])
    rank = comm.rank

    # Here left_open.h5 gets its last bytes: HDF5 closes what is open when MPI goes down.
    assert left_open.id.valid
    MPI.Finalize()
    return "; ".join(problems) or None, rank == 0


def run_verify(directory):
    """Returns what is wrong with the files, or None."""
    import h5py

    checked = 0
    for owner, name, _, seed in datasets():
        with h5py.File(directory / owner, "r") as file:
            dataset = file[name]
            chunked = dataset.chunks is not None
            if chunked != (owner == "chunked.h5"):
                return f"{owner}:/{name}: chunks are {dataset.chunks}"
            total_rows, columns = dataset.shape
            if columns != COLUMNS or dataset.dtype != numpy.uint64:
                return f"{owner}:/{name}: found {dataset.shape} {dataset.dtype}"
            rows = slice(0, total_rows)
            what = f"{owner}:/{name}"
            compare(dataset[...], seed, rows, slice(0, COLUMNS), total_rows, what)
            checked += dataset.nbytes
    print(f"hdf5: verified {checked / MIB:.1f} MiB in {len(FILES)} files", flush=True)
    return None


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", choices=["write", "verify"])
    parser.add_argument("directory", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--rows", type=int, default=2000, help="rows of each data set")
    arguments = parser.parse_args()
    if arguments.rows < 1:
        parser.error("--rows must be at least 1")
    return arguments


def main():
    arguments = parse_arguments()
    speaks = True
    try:
        if arguments.step == "write":
            problem, speaks = run_write(arguments.directory, arguments.rows)
        else:
            problem = run_verify(arguments.directory)
    except (WrongBytes, OSError, KeyError) as error:
        problem = f"{type(error).__name__}: {error}"
        if arguments.step == "write":
            # The other ranks may wait for this one in a collective call that it will not reach.
            from mpi4py import MPI

            print(f"hdf5: FAILED: rank {MPI.COMM_WORLD.rank}: {problem}", flush=True)
            MPI.COMM_WORLD.Abort(1)
    if speaks:
        print(f"hdf5: FAILED: {problem}" if problem else "hdf5: OK", flush=True)
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
