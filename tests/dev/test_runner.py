# SPDX-License-Identifier: BSD-3-Clause
"""The test runner counts right, kills what hangs, and leaves nothing behind."""

import json
import os
import sys
import time

import pytest

import mpi as mpis
import processes
import results
import rows
from console import DevError


def outcome(status=0, timed_out=False):
    return processes.Outcome(status, timed_out, 1.0, [])


def judged(text, status=0, kind="script", gtest=None, timed_out=False):
    counts = results.judge(kind, outcome(status, timed_out), text, gtest)
    return counts.passed, counts.failed, counts.skipped


def test_the_last_closing_line_counts():
    assert judged("1 passed, 0 failed, 0 skipped\nx\n7 passed, 0 failed, 2 skipped\n") == (7, 0, 2)


def test_without_closing_line_the_exit_status_counts():
    assert judged("hello\n") == (1, 0, 0)
    assert judged("hello\n", status=3) == (0, 1, 0)


def test_a_crash_after_a_good_closing_line_fails():
    assert judged("5 passed, 0 failed, 0 skipped\n", status=-11) == (5, 1, 0)


def test_running_nothing_fails():
    assert judged("0 passed, 0 failed, 0 skipped\n") == (0, 1, 0)


def test_a_time_out_fails():
    assert judged("", status=-9, timed_out=True) == (0, 1, 0)


def test_pytest_summaries():
    assert judged("1 failed, 3 passed, 2 skipped in 0.10s\n", 1, "pytest") == (3, 1, 2)


def test_gtest_report(tmp_path):
    tests = [{"name": "a", "result": "COMPLETED"}, {"name": "b", "result": "SKIPPED"},
             {"name": "c", "result": "COMPLETED", "failures": [{}]}]
    (tmp_path / "g.json").write_text(json.dumps(
        {"testsuites": [{"name": "S", "testsuite": tests}]}))
    assert judged("", 1, "unit", tmp_path / "g.json") == (1, 1, 1)


def test_a_gtest_program_that_dies_fails(tmp_path):
    assert judged("", -6, "unit", tmp_path / "absent.json") == (0, 1, 0)


def test_reasons_of_skips():
    text = "skip: no space\nx_test.cpp:3: Skipped\nneeds root\n"
    assert results.skip_reasons(text) == ["needs root", "no space"]
    assert results.skip_reasons("SKIPPED [1] tests/a.py:3: no gfortran\n") == ["no gfortran"]


@pytest.fixture
def subreaper():
    processes.become_subreaper()


DETACHING = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)\n"


def test_a_hang_is_killed_with_all_it_started(tmp_path, subreaper):
    script = DETACHING + "time.sleep(600)\n"
    with open(tmp_path / "out", "wb") as output:
        start = time.monotonic()
        done = processes.run([sys.executable, "-c", script], dict(os.environ), tmp_path, output, 1)
    assert done.timed_out and time.monotonic() - start < 5
    assert len(done.alive) == 2
    assert processes.descendants(os.getpid()) == []


def test_a_daemon_left_behind_is_ended(tmp_path, subreaper):
    with open(tmp_path / "out", "wb") as output:
        done = processes.run([sys.executable, "-c", DETACHING], dict(os.environ), tmp_path, output,
                             30)
    assert not done.timed_out and done.status == 0
    assert processes.descendants(os.getpid()) == []


def test_a_missing_program_is_a_failure(tmp_path):
    with open(tmp_path / "out", "wb") as output:
        done = processes.run(["/does/not/exist"], dict(os.environ), tmp_path, output, 5)
    assert done.status == 127


def test_rows_change_with_the_mpi():
    row = rows.Row(name="x", kind="mpi", command=[], elsewhere={"ranks": 2},
                   on={"impi": {"timeout": 5}})
    assert row.for_mpi(mpis.get("ompi4")).ranks == [4]
    assert row.for_mpi(mpis.get("mpich5")).ranks == [2]
    assert row.for_mpi(mpis.get("impi")).timeout == 5


def test_unknown_fields_are_named():
    with pytest.raises(DevError, match="unknown field 'rank'"):
        rows.Row(name="x", kind="mpi", command=[], elsewhere={"rank": 2}).for_mpi(mpis.get("impi"))


def test_every_row_of_mpis_explains_what_it_lacks():
    table = mpis.table()
    capabilities = {item for mpi in table.values() for item in mpi.has}
    for mpi in table.values():
        assert set(mpi.has) | set(mpi.lacks) >= capabilities, mpi.id
        assert not set(mpi.has) & set(mpi.lacks), mpi.id


def test_a_launch_is_complete():
    launch = mpis.launch("mpich5", 3, ["./app"], {"X": "1"})
    assert launch.argv[-1] == "./app" and "3" in launch.argv and launch.env["X"] == "1"
    assert launch.env["LD_LIBRARY_PATH"].startswith(str(mpis.get("mpich5").prefix))


def test_unknown_mpi_is_one_clear_error():
    with pytest.raises(DevError, match="unknown MPI 'lam'; known: ompi4"):
        mpis.select("lam")
