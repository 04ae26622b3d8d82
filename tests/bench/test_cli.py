# SPDX-License-Identifier: BSD-3-Clause
"""The whole command over a pretended MPI: a launcher that runs one process, no ranks, no files."""

import importlib.util
import json
import os
import pathlib
import shutil
import stat
import sys
import time

import pytest

from sheaf_tools.bench import cli, launch, rows

ROOT = pathlib.Path(__file__).resolve().parents[2]

FAKE_MPI = '''
import os
from types import SimpleNamespace

class DevError(Exception):
    pass

ROW = SimpleNamespace(id="ompi4", title="fake", abi="ompi", flags=["--flag"], env={"A": "b"})

def get(id_):
    if id_ != "ompi4":
        raise DevError(f"unknown MPI '{id_}'")
    return ROW

def installed(mpi):
    return True

def launch(id_, ranks, argv, env=None):
    return ["/bin/sh", *argv], dict(os.environ, RANKS=str(ranks))
'''

# Says how it was called, then prints two measurements; "$1" is the directory.
PROGRAM = '''
echo "${SIDE:-host} $*" >> "$LOG"
if [ "${SIDE:-host}" = "$FAILS" ]; then echo "bench: FAILED: rank 0: wrong bytes" >&2; exit 1; fi
if [ "${SIDE:-host}" = "$HANGS" ]; then setsid sleep 30 & sleep 30; fi
for impl in mpi posix; do
echo '{"bench":"open_close","case":"new","metric":"time","impl":"'$impl'","ranks":4,"seed":1,' \
'"seconds":0.5,"bytes":0,"operations":50,"settings":{"files":50}}'
done
'''

SHEAF = '''
[ "$1" = exec ] && [ "$2" = --require ] || exit 9
shift 2
SIDE=sheaf exec /bin/sh "$@"
'''


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def bench(tmp_path, monkeypatch, capsys):
    """Runs `sheaf bench` with these words; gives the status, the JSON lines and the launches."""
    write(tmp_path / "dev.d" / "mpis.toml", "")
    write(tmp_path / "dev.d" / "mpi.py", FAKE_MPI)
    write(tmp_path / "build" / "bin" / "ompi" / "open_close", PROGRAM)
    write(tmp_path / "build" / "bin" / "sheaf", SHEAF)
    files = tmp_path / "files"
    files.mkdir()
    log = tmp_path / "log"
    for name in ("FAILS", "HANGS"):
        monkeypatch.setenv(name, "nobody")
    monkeypatch.setenv("LOG", str(log))
    shutil.copy(ROOT / "dev.d" / "processes.py", tmp_path / "dev.d")
    monkeypatch.setattr(
        launch.importlib, "import_module", lambda name: _load(tmp_path / "dev.d", name)
    )

    def run(*words):
        monkeypatch.setenv("SHEAF_SOURCE_DIR", str(tmp_path))
        monkeypatch.setenv("SHEAF_BUILD_DIR", str(tmp_path / "build"))
        status = cli.main(["open_close", "--dir", str(files), *words])
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert list(files.iterdir()) == []
        launches = log.read_text().splitlines() if log.exists() else []
        return status, lines, launches

    return run


def _load(folder, name):
    spec = importlib.util.spec_from_file_location(f"fake_{name}", folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # Where dataclasses look up their own module.
    spec.loader.exec_module(module)
    return module


def test_sides_alternate_and_pairs_share_their_seed(bench):
    status, lines, launches = bench("--pairs", "2", "--seed", "5")
    assert status == 0
    assert [(words.split()[0], words.split()[-1]) for words in launches] == [
        ("sheaf", "5"), ("host", "5"), ("sheaf", "6"), ("host", "6"),
    ]  # fmt: skip
    assert [line["impl"] for line in lines if "impl" in line] == ["sheaf", "host", "posix"]
    assert [line["vs"] for line in lines if "vs" in line] == ["host", "posix"]
    for line in lines:
        (rows.validate_row if "impl" in line else rows.validate_summary)(line)


def test_a_peer_that_fails_is_stated(bench, monkeypatch):
    monkeypatch.setenv("FAILS", "host")
    status, lines, launches = bench("--pairs", "3")
    assert status == 0
    assert [words.split()[0] for words in launches] == ["sheaf", "host", "sheaf", "sheaf"]
    host = next(line for line in lines if line.get("impl") == "host")
    assert host["value"] is None and "wrong bytes" in host["settings"]["given_up"]


def test_sheaf_that_fails_is_an_error(bench, monkeypatch):
    monkeypatch.setenv("FAILS", "sheaf")
    status, lines, _ = bench("--pairs", "3")
    assert status == 1 and lines == []


def test_a_peer_that_hangs_is_ended(bench, monkeypatch):
    monkeypatch.setenv("HANGS", "host")
    monkeypatch.setattr(launch, "PATIENCE_S", 0.3)
    begin = time.monotonic()
    status, lines, _ = bench("--pairs", "1", "--timeout", "0.5")
    assert status == 0 and time.monotonic() - begin < 10
    assert not _load(ROOT / "dev.d", "processes").descendants(os.getpid())
    host = next(line for line in lines if line.get("impl") == "host")
    assert host["settings"]["given_up"] == "not finished in 0.5 s"


def test_posix_alone_needs_no_host(bench):
    status, lines, launches = bench("--pairs", "2", "--vs", "posix")
    assert status == 0 and all(words.startswith("sheaf") for words in launches)
    assert [line["vs"] for line in lines if "vs" in line] == ["posix"]


def test_unknown_mpi_is_an_error(bench):
    assert bench("--mpi", "lam")[0] == 1


def test_variables_of_the_bench_itself_are_not_passed_on(bench):
    bench("--pairs", "1")
    assert "SHEAF_SOURCE_DIR" not in os.environ


@pytest.mark.parametrize("words", [["nothing"], ["tile_io", "--pairs", "0"],
                                   ["tile_io", "--vs", "host", "--compare", "main"]])
def test_wrong_arguments_are_refused(words):
    with pytest.raises(SystemExit):
        cli.parse(words)
