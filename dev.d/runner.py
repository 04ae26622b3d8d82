# SPDX-License-Identifier: BSD-3-Clause
"""`./dev test`: runs the rows of rows.py under the chosen MPIs and counts."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import build
import mpi as mpis
import processes
import results
import rows as test_rows
from console import DevError, say, table
from results import Counts

ROOT = mpis.ROOT
TAIL_LINES = 80
# Settings of the caller that would change what is tested.
FOREIGN = ("SHEAF_", "ROMIO_", "LD_PRELOAD", "GTEST_")
SANITIZER_ENV = {
    "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:halt_on_error=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1",
}
# MPI libraries leak what they set up once, and the preload comes before the sanitizer's runtime.
LAUNCHED_ASAN_OPTIONS = "detect_leaks=0:verify_asan_link_order=0:abort_on_error=0:halt_on_error=1"


class Case(NamedTuple):
    """One row under one MPI (None: needs none) with one rank count (0: not launched)."""

    row: test_rows.Row
    mpi: mpis.Mpi | None
    ranks: int

    def label(self):
        where = f" on {self.mpi.id}" if self.mpi else ""
        many = f", {self.ranks} ranks" if self.ranks else ""
        return f"{self.row.name}{where}{many}"


class Result(NamedTuple):
    case: Case
    counts: Counts
    seconds: float


def choose(arguments, rows):
    """The rows that the options ask for."""
    rows = [row for row in rows if arguments.preset in row.presets]
    if not arguments.only:
        return [row for row in rows if _asked_for(row, arguments)]
    chosen = [row for row in rows if row.name.startswith(tuple(arguments.only))]
    if not chosen:
        known = ", ".join(row.name for row in rows)
        raise DevError(f"no test is named {' or '.join(arguments.only)}; known: {known}", 2)
    return chosen


def _asked_for(row, arguments):
    if arguments.quick and not row.quick:
        return False
    return (not row.soak or arguments.soak) and (not row.storage or arguments.storage)


def cases(rows, selection):
    """Rows x MPIs x rank counts; what needs no MPI comes first and once."""
    for row in rows:
        if row.kind != "mpi" and not row.mpis:
            yield Case(row, None, 0)
    for mpi in selection:
        for row in rows:
            if (row.kind != "mpi" and not row.mpis) or not row.runs_on(mpi):
                continue
            row = row.for_mpi(mpi)
            for ranks in row.ranks if row.kind == "mpi" else [0]:
                yield Case(row, mpi, ranks)


def _fill(words, case, preset, tmp):
    here = build.folder(preset)
    mpi = case.mpi or mpis.get(mpis.DEFAULT)
    values = {"{root}": ROOT, "{build}": here, "{tests}": here / "tests", "{tmp}": tmp,
              "{bin}": here / "bin" / (case.row.abi or mpi.abi), "{sheaf}": here / "bin" / "sheaf",
              "{python}": mpi.python, "{python3}": sys.executable, "{ranks}": case.ranks,
              "{mpi}": mpi.id, "{abi}": case.row.abi or mpi.abi}
    for key, value in values.items():
        words = [word.replace(key, str(value)) for word in words]
    return words


def _launch(case, arguments, tmp):
    """The command and the environment of one case."""
    row = case.row
    command = _fill(row.command, case, arguments.preset, tmp)
    here = build.folder(arguments.preset)
    env = mpis.environment(case.mpi.id) if case.mpi else dict(os.environ)
    env = {key: value for key, value in env.items() if not key.startswith(FOREIGN)}
    env.update(SANITIZER_ENV)
    if row.kind == "mpi":
        env["ASAN_OPTIONS"] = LAUNCHED_ASAN_OPTIONS
    env.update(TMPDIR=str(tmp), SHEAF_TRACE="ring", SHEAF_TRACE_DIR=str(tmp / "trace"))
    env["LD_LIBRARY_PATH"] = ":".join(filter(None, [f"{here}/lib", env.get("LD_LIBRARY_PATH")]))
    if row.kind in ("script", "pytest"):  # Programs that Sheaf serves would find these unknown.
        env.update(SHEAF_BUILD_DIR=str(here), PYTHONPATH=str(ROOT / "dev.d"), PYTHONUNBUFFERED="1")
        env.update({"SHEAF_UPDATE": "1"} if arguments.update else {})
    env.update(zip(row.env, _fill(list(row.env.values()), case, arguments.preset, tmp)))
    if row.sheaf:
        command = [str(here / "bin" / "sheaf"), "exec", *command]
    if row.kind == "unit":
        command.append(f"--gtest_output=json:{tmp}/gtest.json")
    elif row.kind == "pytest":
        command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *command]
    elif row.kind == "mpi":
        command = [*case.mpi.launcher, str(case.ranks), *case.mpi.flags, *command]
    return mpis.Launch(command, env)


def _last_words(trace, preset):
    """After a hang: the last events of every rank's ring, as `sheaf trace` prints them."""
    sheaf = build.folder(preset) / "bin" / "sheaf"
    if not trace.is_dir() or not any(trace.iterdir()) or not sheaf.exists():
        return "(no trace rings were written)\n"
    try:
        done = subprocess.run([sheaf, "trace", trace], stdin=subprocess.DEVNULL, timeout=20,
                              capture_output=True, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return "(sheaf trace did not finish)\n"
    return done.stdout + done.stderr


def _tail(text):
    lines = text.splitlines()
    cut = [f"... {len(lines) - TAIL_LINES} lines before"] if len(lines) > TAIL_LINES else []
    return "\n".join("    | " + line for line in cut + lines[-TAIL_LINES:])


def run_case(case, arguments):
    for capability in case.row.needs:
        reason = case.mpi.missing_reason(capability) if case.mpi else None
        if reason:
            return Result(case, Counts(skipped=1, notes=[f"skipped: {reason}"]), 0.0)
    tmp = Path(tempfile.mkdtemp(prefix="sheaf-"))
    try:
        (tmp / "trace").mkdir(mode=0o700)
        launch = _launch(case, arguments, tmp)
        with open(tmp / "output", "wb") as output:
            outcome = processes.run(launch.argv, launch.env, ROOT, output, case.row.timeout)
        text = (tmp / "output").read_text(errors="replace")
        counts = results.judge(case.row.kind, outcome, text, tmp / "gtest.json")
        if counts.failed or arguments.verbose:
            print(f"\n{case.label()}: {' '.join(launch.argv)}\n{_tail(text)}", flush=True)
        if outcome.timed_out:
            print("\n".join(f"    alive: {line}" for line in outcome.alive))
            last = _last_words(tmp / "trace", arguments.preset)
            print(f"    last events of each rank:\n{_tail(last)}", flush=True)
        return Result(case, counts, outcome.seconds)
    finally:
        shutil.rmtree(tmp, ignore_errors=True)


def report(finished, failed_mpis, seconds):
    """The table, the reasons of skips, the closing line. Returns the exit status."""
    total = Counts()
    lines = []
    for id_, reason in failed_mpis.items():
        total += Counts(failed=1)
        lines.append((id_, "installation", "", 0, 1, 0, "", reason))
    for result in finished:
        case, counts = result.case, result.counts
        total += counts
        lines.append((case.mpi.id if case.mpi else "-", case.row.name, case.ranks or "",
                      counts.passed, counts.failed, counts.skipped, f"{result.seconds:.1f}",
                      "; ".join(counts.notes[:3]) + (" ..." if len(counts.notes) > 3 else "")))
    table(f"Tests in {seconds:.0f} s",
          ("MPI", "test", "ranks", "passed", "failed", "skipped", "s", "notes"), lines)
    ran = total.passed + total.failed > 0
    if not ran:
        print("nothing ran")
    print(total.line(), flush=True)
    return 0 if ran and total.failed == 0 else 1


def main(arguments):
    selection = mpis.select(arguments.mpi)
    failed_mpis = build.prepare(selection, arguments.preset)
    chosen = choose(arguments, test_rows.load(arguments.preset))
    todo = list(cases(chosen, [mpi for mpi in selection if mpi.id not in failed_mpis]))
    if arguments.list:
        table("Tests", ("MPI", "test", "kind", "ranks", "command"),
              [(case.mpi.id if case.mpi else "-", case.row.name, case.row.kind, case.ranks or "",
                " ".join(case.row.command)) for case in todo])
        return 0
    processes.become_subreaper()
    start = time.monotonic()
    finished = []
    for number, case in enumerate(todo, 1):
        say(f"[{number}/{len(todo)}] {case.label()}")
        finished.append(run_case(case, arguments))
    return report(finished, failed_mpis, time.monotonic() - start)
