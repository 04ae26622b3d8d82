# SPDX-License-Identifier: BSD-3-Clause
"""One launch of a benchmark program: which MPI, with or without Sheaf, and what it printed."""

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

PATIENCE_S = 5  # How long a launcher that was asked to end may take.


class BenchError(Exception):
    """Something the user has to know; its text is the message."""


class Unfinished(BenchError):
    """A launch that failed or ran out of time. `lines` holds what it had printed."""

    def __init__(self, text, lines):
        super().__init__(text)
        self.lines = lines


@dataclass(frozen=True)
class Benchmark:
    ranks: int
    question: str


BENCHMARKS = {
    "tile_io": Benchmark(4, "tiles of a 2-D data set, collective"),
    "contiguous": Benchmark(4, "64 MiB per rank in one piece"),
    "discontiguous": Benchmark(4, "random 1 KiB blocks"),
    "view_memory": Benchmark(2, "memory and time of a view of 10^7 pieces per rank"),
    "open_close": Benchmark(4, "a collective open and close"),
}


@dataclass(frozen=True)
class Folders:
    """Where the sources and the build stand."""

    source: Path
    build: Path

    @staticmethod
    def find():
        here = Path(__file__).resolve().parents[4]
        source = Path(os.environ.get("SHEAF_SOURCE_DIR") or here)
        return Folders(source, Path(os.environ.get("SHEAF_BUILD_DIR") or source / "build"))

    @property
    def sheaf(self):
        return self.build / "bin" / "sheaf"

    def program(self, abi, name):
        path = self.build / "bin" / abi / name
        if not path.exists():
            raise BenchError(f"{path} is not there: build first (./dev build)")
        return path


def dev_module(folders, name):
    """A module of dev.d: "mpi" knows where the MPIs are and how one launches under them,
    "processes" how nothing of a launch stays behind."""
    where = folders.source / "dev.d"
    if not (where / "mpis.toml").exists():
        raise BenchError(f"{where}/mpis.toml is not there: sheaf bench runs from a source tree")
    if str(where) not in sys.path:
        sys.path.insert(0, str(where))
    return importlib.import_module(name)


def clean_environment():
    """Removes from this process what only `sheaf bench` itself understands."""
    for name in ("SHEAF_SOURCE_DIR", "SHEAF_BUILD_DIR"):
        os.environ.pop(name, None)


@dataclass(frozen=True)
class Launcher:
    """Launches one benchmark on one MPI, as often as asked. Each launch gives its raw lines."""

    mpis: ModuleType
    processes: ModuleType
    mpi_id: str
    ranks: int
    program: Path
    timeout_s: float

    def run(self, sheaf, arguments):
        """`sheaf` is the command to run under, or None for the host's own I/O."""
        # --require: a run that did not reach Sheaf must not be taken for one of Sheaf.
        prefix = [] if sheaf is None else [sheaf, "exec", "--require"]
        argv, env = self.mpis.launch(
            self.mpi_id, self.ranks, [*prefix, self.program, *arguments]
        )
        process = subprocess.Popen(
            [str(word) for word in argv], env=env, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        try:
            output, errors = process.communicate(timeout=self.timeout_s)
        except subprocess.TimeoutExpired:
            output = self._end(process)
            text = f"not finished in {self.timeout_s:g} s"
            raise Unfinished(text, _json_lines(output)) from None
        except BaseException:
            self._end(process)
            raise
        if process.returncode != 0:
            text = f"exit status {process.returncode}: {_reason(errors)}"
            raise Unfinished(text, _json_lines(output))
        return _json_lines(output)

    def _end(self, process):
        """Ends a job and returns what it had printed: politely first, since a launcher that is
        killed leaves shared memory behind, then for good."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(process.pid, number)
                process.wait(PATIENCE_S)
                break
        # The ranks are not the launcher's process group, and some outlive it.
        deadline = time.monotonic() + PATIENCE_S
        while left := self.processes.descendants(os.getpid()):
            for pid in left if time.monotonic() > deadline else []:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)
            _reap()
        return process.communicate()[0]


def _reap():
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass


def _reason(errors):
    """The benchmark's own complaint if there is one, else the last thing that was said."""
    lines = [line.strip() for line in errors.splitlines() if line.strip(" -")]
    ours = [line for line in lines if line.startswith(("bench: FAILED", "sheaf"))]
    return (ours or lines[-1:] or ["no message"])[0]


def _json_lines(text):
    """The raw lines of a program; a last line that was cut off by its end is left out."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("{"):
            continue
        try:
            lines.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return lines


def file_system_of(directory):
    """The type of the file system that holds `directory`: "ext4", "tmpfs", "nfs4", ..."""
    best, kind = "", "unknown"
    path = os.path.realpath(directory)
    with open("/proc/self/mounts", encoding="utf-8") as mounts:
        for line in mounts:
            _, point, this_kind, *_ = line.split()
            point = point.replace("\\040", " ")
            inside = path == point or path.startswith(point.rstrip("/") + "/")
            if inside and len(point) >= len(best):
                best, kind = point, this_kind
    return kind


def commit_of(source):
    """The revision of the source tree, marked when files were changed since."""
    try:
        out = subprocess.run(
            ["git", "-C", source, "describe", "--always", "--dirty", "--abbrev=12",
             "--exclude=*"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return out.stdout.strip()
