# SPDX-License-Identifier: BSD-3-Clause
"""`./dev demo`: unmodified programs through Sheaf and on the host MPI's own I/O, side by side."""

import filecmp
import os
import re
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import build
import mpi as mpis
import processes
from console import DevError, say, table

ROOT = mpis.ROOT
RANKS = 4
PAIRS = 3
TIMEOUT = 120
OPENED = re.compile(r"^sheaf: (?:open|set_view) (\S+)")
BANDWIDTH = re.compile(r"^(?:tiles|hdf5): (write|read) ([0-9.]+) MiB/s", re.MULTILINE)


class DemoFailed(Exception):
    """The reason that the last line gives."""


class Run(NamedTuple):
    """One run of one program: MiB/s by direction, and what Sheaf said about itself."""

    bandwidth: dict
    said: list


def _execute(argv, env, tmp, what):
    """Runs a program to its end and returns what it printed."""
    with open(tmp / "output", "wb") as output:
        done = processes.run([str(word) for word in argv], env, tmp, output, TIMEOUT)
    text = (tmp / "output").read_text(errors="replace")
    if done.timed_out or done.status != 0:
        print("\n".join("    | " + line for line in text.splitlines()[-40:]))
        why = f"no end after {TIMEOUT} s" if done.timed_out else f"exit status {done.status}"
        raise DemoFailed(f"{what}: {why}")
    return text


def _run(mpi, argv, through_sheaf, tmp, what):
    """Launches one program on RANKS ranks, through Sheaf or on the host's own I/O."""
    prefix = []
    if through_sheaf:
        prefix = [build.folder() / "bin" / "sheaf", "exec", "--require"]
    launch = mpis.launch(mpi.id, RANKS, [*prefix, *argv])
    env = {key: value for key, value in launch.env.items() if not key.startswith("SHEAF_")}
    env["TMPDIR"] = str(tmp)
    if through_sheaf:
        env["SHEAF_VERBOSE"] = "1"
    side = "through Sheaf" if through_sheaf else "on the host's own I/O"
    text = _execute(launch.argv, env, tmp, f"{what} {side}")
    name = what.partition(" ")[0]
    if f"{name}: OK" not in text:
        raise DemoFailed(f"{what} {side}: the program did not end with '{name}: OK'")
    said = [re.sub(rf"{re.escape(str(tmp))}/[^/ ]+/", "", line) for line in text.splitlines()
            if line.startswith("sheaf:")]
    return Run({way: float(rate) for way, rate in BANDWIDTH.findall(text)}, said)


def _tiles(mpi, through_sheaf, tmp, folder):
    program = build.program_path("release", mpi, "tiles")
    return _run(mpi, [program, folder / "tiles.dat"], through_sheaf, tmp, "tiles (C)")


def _hdf5(mpi, through_sheaf, tmp, folder):
    script = ROOT / "examples" / "hdf5.py"
    run = _run(mpi, [mpi.python, script, "write", folder], through_sheaf, tmp, "hdf5 (h5py)")
    # A later user of the files: no MPI, every element compared.
    text = _execute([mpi.python, script, "verify", folder], dict(os.environ), tmp, "hdf5 verify")
    if "hdf5: OK" not in text:
        raise DemoFailed("hdf5 verify: the files do not hold what was written")
    return run


def _show_choices(name, said):
    if not said:
        raise DemoFailed(f"{name}: Sheaf said nothing, so it served no file")
    print(f"\n  {name}: who served each file, and why (rank 0, SHEAF_VERBOSE=1)")
    for file, reasons in _by_file(said).items():
        print(f"    {file}")
        for reason in reasons:
            print(f"      {reason}")


def _by_file(said):
    """Sheaf's lines by the file they are about; what it repeats for the same file, once."""
    files, current = {}, None
    for line in said:
        text = line.removeprefix("sheaf:")
        if about := OPENED.match(line):
            current = files.setdefault(about.group(1), {})
        elif current is not None and text.startswith("  "):
            current[text.strip()] = True
        else:
            files.setdefault(text.strip(), {})
    return files


def _compare_files(folders):
    ours, hosts = (folders[side] / "tiles.dat" for side in (True, False))
    if not filecmp.cmp(ours, hosts, shallow=False):
        raise DemoFailed("tiles: the file through Sheaf differs from the host's own")


def _pairs(mpi, programs, tmp):
    """Runs everything PAIRS times on each side, alternating. Returns {(program, side): [Run]}."""
    runs = {}
    for number in range(PAIRS):
        folders = {side: Path(tempfile.mkdtemp(dir=tmp)) for side in (True, False)}
        for name, program in programs.items():
            for side in (True, False):
                say(f"{mpi.id}: {name} {'through Sheaf' if side else 'on the host'}"
                    f" ({number + 1}/{PAIRS})")
                runs.setdefault((name, side), []).append(program(mpi, side, tmp, folders[side]))
        _compare_files(folders)
        for folder in folders.values():
            shutil.rmtree(folder)
    return runs


def _show_bandwidth(mpi, programs, runs):
    rows = []
    for name in programs:
        for way in ("write", "read"):
            sheaf, host = (statistics.median(run.bandwidth.get(way, 0) for run in runs[name, side])
                           for side in (True, False))
            ratio = f"{sheaf / host:.2f}" if host else "-"
            rows.append((name, way, f"{sheaf:.0f}", f"{host:.0f}", ratio))
    table(f"{mpi.title}, {RANKS} ranks: MiB/s, median of {PAIRS} alternating runs",
          ("program", "way", "Sheaf", "host", "Sheaf/host"), rows)


def _one_mpi(mpi, tmp):
    print(f"\n=== {mpi.id}: {mpi.title}")
    programs = {"tiles": _tiles}
    reason = mpi.missing_reason("h5py")
    if reason:
        print(f"  no Python part: {reason}")
    else:
        programs["hdf5"] = _hdf5
    sys.stdout.flush()
    runs = _pairs(mpi, programs, tmp)
    for name in programs:
        _show_choices(name, runs[name, True][0].said)
    _show_bandwidth(mpi, programs, runs)
    print("  every byte verified against a serial oracle, on both sides", flush=True)


def _demonstrate(selection):
    failed = build.prepare(selection)
    if failed:
        raise DemoFailed("; ".join(f"{id_}: {reason}" for id_, reason in failed.items()))
    processes.become_subreaper()
    for mpi in selection:
        tmp = Path(tempfile.mkdtemp(prefix="sheaf-demo-"))
        try:
            _one_mpi(mpi, tmp)
        except DemoFailed as reason:
            raise DemoFailed(f"{mpi.id}: {reason}") from None
        finally:
            shutil.rmtree(tmp, ignore_errors=True)


def main(selection):
    try:
        _demonstrate(selection)
    except (DemoFailed, DevError) as reason:
        print(f"demo: FAILED: {reason}", flush=True)
        return 1
    print("demo: OK", flush=True)
    return 0
