# SPDX-License-Identifier: BSD-3-Clause
"""A hanging MPI program is killed in time, tells where each rank stood, and leaves nothing."""

import os
import re
import time
from types import SimpleNamespace

import pytest

import build
import mpi as mpis
import processes
import rows
import runner

TIMEOUT = 5
RANKS = 4


@pytest.fixture
def hung(capfd):
    """What the runner makes of `hang`: its result, its output, the seconds it took."""
    mpi = mpis.get(mpis.DEFAULT)
    if not (build.folder() / "bin" / mpi.abi / "hang").exists():
        pytest.skip("the program `hang` is not built; ./dev build")
    processes.become_subreaper()
    row = rows.Row(name="hang", kind="mpi", command=["{bin}/hang", "{tmp}/file"], sheaf=True,
                   timeout=TIMEOUT)
    options = SimpleNamespace(preset="release", verbose=False, update=False)
    start = time.monotonic()
    result = runner.run_case(runner.Case(row, mpi, RANKS), options)
    return result, capfd.readouterr().out, time.monotonic() - start


def test_a_hanging_mpi_program(hung):
    result, output, seconds = hung
    assert (result.counts.passed, result.counts.failed) == (0, 1)
    assert seconds < TIMEOUT + 10
    assert "rank 0 stays away" in output
    assert len(re.findall(r"alive: pid \d+ .*/hang ", output)) >= RANKS
    assert processes.descendants(os.getpid()) == []

    rings = re.split(r"rank (\d) \(process \d+\): last \d+ events", output)[1:]
    last = {int(rank): [line for line in ring.splitlines() if " ms " in line][-1]
            for rank, ring in zip(rings[::2], rings[1::2])}
    assert sorted(last) == list(range(RANKS))
    assert "file.open" in last[0]
    for rank in range(1, RANKS):
        assert "coord.agree.enter" in last[rank]
