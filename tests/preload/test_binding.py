# SPDX-License-Identifier: BSD-3-Clause
"""Where the calls of MPI programs go, under the MPI that PRELOAD_TEST_MPI names."""

import shutil
from pathlib import Path

import pytest
from conftest import ROOT

SMOKE_PY = ROOT / "tests" / "mpi" / "smoke.py"


def opens(done):
    return done.stderr.count("stub: open")


def assert_smoke(done, expected_opens):
    assert (done.returncode, done.stdout.strip()) == (0, "smoke: OK"), done.stderr
    assert opens(done) == expected_opens, done.stderr


@pytest.fixture(name="smoke")
def fixture_smoke(host, installation, tmp_path):
    """Runs the smoke program through `sheaf exec`."""
    def launch(ranks=1, env=None, abi=None, options=()):
        program = [host.program("smoke", abi), tmp_path / "data"]
        return host.launch(ranks, [installation.sheaf, "exec", *options, *program], env)
    return launch


def test_a_c_program_reaches_the_backend(smoke):
    assert_smoke(smoke(ranks=2), expected_opens=2)


def test_a_program_of_the_standard_abi_reaches_the_backend(host, smoke):
    if reason := host.mpi.missing_reason("abi5"):
        pytest.skip(reason)
    assert_smoke(smoke(ranks=2, abi="abi"), expected_opens=2)


@pytest.mark.parametrize("off", [None, "1"], ids=["on", "off"])
def test_mpi4py(host, installation, tmp_path, off):
    if reason := host.mpi.missing_reason("mpi4py"):
        pytest.skip(reason)
    command = [installation.sheaf, "exec", host.mpi.python, SMOKE_PY, tmp_path / "data"]
    done = host.launch(2, command, {"SHEAF_OFF": off})
    assert_smoke(done, expected_opens=0 if off else 2)


def test_the_launcher_may_be_what_exec_runs(host, installation, tmp_path):
    """LD_PRELOAD reaches local ranks from outside mpiexec too."""
    program = [host.program("smoke"), tmp_path / "data"]
    done = host.launch(1, program, {"LD_PRELOAD": installation.preload})
    assert_smoke(done, expected_opens=1)


@pytest.mark.parametrize("value, served", [("1", 0), ("yes", 0), ("0", 1), ("", 1)])
def test_sheaf_off(smoke, value, served):
    done = smoke(env={"SHEAF_OFF": value})
    assert_smoke(done, expected_opens=served)
    assert "sheaf:" not in done.stderr


def test_a_missing_backend_leaves_all_to_the_host(host, installation, smoke):
    installation.backend(host.mpi.abi).unlink()
    done = smoke(ranks=2)
    assert_smoke(done, expected_opens=0)
    assert done.stderr.count("sheaf: no backend for") == 2  # Once for each process.
    assert "using the MPI library's I/O" in done.stderr


def test_a_damaged_backend_leaves_all_to_the_host(host, installation, smoke):
    installation.backend(host.mpi.abi).write_text("not a library")
    done = smoke()
    assert_smoke(done, expected_opens=0)
    assert done.stderr.count("sheaf: no backend for") == 1


def test_an_incomplete_backend_leaves_all_to_the_host(host, installation, smoke):
    backend = installation.backend(host.mpi.abi)
    backend.unlink()
    shutil.copy(next(Path("/lib").glob("*-linux-gnu/libm.so.6")), backend)
    done = smoke()
    assert_smoke(done, expected_opens=0)
    assert f"sheaf: libsheaf-{host.mpi.abi}.so lacks MPI_Init" in done.stderr


def test_threads_may_race_for_the_first_file_call(host, installation):
    done = host.launch(1, [installation.sheaf, "exec", host.program("first_calls_race")])
    assert (done.returncode, done.stdout.strip()) == (0, "race: OK"), done.stderr


def test_require_is_content_when_a_file_call_arrived(smoke):
    done = smoke(options=["--require"])
    assert_smoke(done, expected_opens=1)
    assert "sheaf:" not in done.stderr


@pytest.mark.parametrize("own_status", ["0", "3"])
def test_require_fails_without_a_file_call(host, installation, own_status):
    program = [host.program("no_file_calls"), own_status]
    done = host.launch(1, [installation.sheaf, "exec", "--require", *program])
    assert done.returncode == 86
    assert "no MPI file call of process" in done.stderr and "no_file_calls" in done.stderr
    assert done.stdout == "buffered text"


@pytest.mark.parametrize("cause", ["SHEAF_OFF", "no backend"])
def test_require_fails_when_the_host_served_the_calls(host, installation, smoke, cause):
    if cause == "no backend":
        installation.backend(host.mpi.abi).unlink()
    done = smoke(options=["--require"], env={"SHEAF_OFF": "1" if cause == "SHEAF_OFF" else None})
    assert done.returncode == 86
    assert opens(done) == 0 and "reached Sheaf" in done.stderr
