# SPDX-License-Identifier: BSD-3-Clause
"""Running one command so that nothing of it is left behind, whatever it starts."""

import ctypes
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


@dataclass
class Outcome:
    status: int  # Exit status; negative: killed by that signal.
    timed_out: bool
    seconds: float
    alive: list  # At a time-out: one line per process that was still there.


def become_subreaper():
    """Daemons that detach (Open MPI's do) become our children instead of init's, so that they can
    be found and ended."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _stat(pid):
    """(parent, state) of a process, or None when it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return int(fields[1]), fields[0]


def descendants(root):
    """All processes below `root`, `root` itself not among them."""
    children = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (stat := _stat(entry.name)):
            children.setdefault(stat[0], []).append(int(entry.name))
    found, queue = [], [root]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return found


def _describe(pid):
    stat = _stat(pid)
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        waits = Path(f"/proc/{pid}/wchan").read_text() or "-"
    except OSError:
        return None
    command = b" ".join(words).decode(errors="replace").strip()[:120]
    if not stat or not command:
        return None
    return f"pid {pid} state {stat[1]} waits in {waits}: {command}"


def _reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass


def _end_all(before):
    """Kills whatever below us was not there `before`; again until nothing is left."""
    for _ in range(50):
        left = [pid for pid in descendants(os.getpid()) if pid not in before]
        if not left:
            return
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)
        _reap()


def run(argv, env, cwd, output, timeout):
    """Runs `argv`, standard output and error into the file `output`; kills it and all it started
    after `timeout` seconds, and whatever it left behind when it ends by itself."""
    before = set(descendants(os.getpid()))
    start = time.monotonic()
    try:
        child = subprocess.Popen(argv, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=output,
                                 stderr=subprocess.STDOUT, start_new_session=True)
    except OSError as error:
        output.write(f"{argv[0]}: {error.strerror}\n".encode())
        return Outcome(127, False, 0.0, [])
    alive = []
    try:
        status = child.wait(timeout)
    except subprocess.TimeoutExpired:
        status = None
        started = [pid for pid in descendants(os.getpid()) if pid not in before]
        alive = [line for line in map(_describe, started) if line]
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        _end_all(before)
    seconds = time.monotonic() - start
    return Outcome(-9 if status is None else status, status is None, seconds, alive)
