# SPDX-License-Identifier: BSD-3-Clause
"""The command line of `sheaf bench`."""

import argparse
import contextlib
import json
import shutil
import signal
import tempfile

from . import launch, revision, rows, show
from .launch import BENCHMARKS, BenchError, Unfinished

ENOUGH_PAIRS = 11


def parse(argv):
    names = "\n".join(f"  {name:14} {item.question}" for name, item in BENCHMARKS.items())
    parser = argparse.ArgumentParser(
        prog="sheaf bench",
        description="Measures Sheaf beside the I/O of the MPI itself, in turn (A B A B).",
        epilog=f"benchmarks:\n{names}\n\nJSON lines go to standard output; see bench/README.md.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", metavar="NAME", choices=[*BENCHMARKS, "all"])
    parser.add_argument("--ranks", type=positive, help="default: that of the benchmark")
    parser.add_argument("--mpi", default="ompi4", metavar="ID", help="a row of dev.d/mpis.toml")
    parser.add_argument("--dir", help="where files go for the time of the run (default: TMPDIR)")
    against = parser.add_mutually_exclusive_group()
    against.add_argument("--vs", choices=["host", "posix"],
                         help="default host; posix: Sheaf alone, beside POSIX calls")
    against.add_argument("--compare", metavar="REV",
                         help="against Sheaf of another revision, built aside")
    against.add_argument("--only-host", action="store_true", help="the MPI's own I/O alone")
    parser.add_argument("--pairs", type=positive, default=ENOUGH_PAIRS,
                        help=f"launches of each side (default {ENOUGH_PAIRS})")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=180, metavar="SECONDS",
                        help="for one launch; a peer that needs longer is given up")
    parser.add_argument("--small", action="store_true",
                        help="tiny data sets: shows that everything runs, measures nothing")
    return parser.parse_args(argv)  # fmt: skip


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return number


def sides_of(arguments, folders, workspace, stack):
    """What is measured in turn: {impl: (sheaf command or None, commit)}, ours first."""
    commit = launch.commit_of(folders.source)
    host = {"host": (None, commit)}
    if arguments.only_host:
        return host
    if not folders.sheaf.exists():
        raise BenchError(f"{folders.sheaf} is not there: build first (./dev build)")
    ours = {"sheaf": (folders.sheaf, commit)}
    if arguments.compare:
        theirs = revision.commit_of_revision(folders, arguments.compare)
        show.say(f"building {arguments.compare} ({theirs})")
        sheaf = stack.enter_context(revision.built(folders, arguments.compare, workspace))
        return {**ours, f"sheaf@{arguments.compare}": (sheaf, theirs)}
    return ours if arguments.vs == "posix" else {**ours, **host}


def measure(launcher, results, sides, arguments, directory):
    """Launches the sides in turn. A peer that fails is given up and said so; we must not fail."""
    words = ["--small"] if arguments.small else []
    with show.progress() as progress:
        bar = progress.add_task(results.common["bench"], total=arguments.pairs * len(sides))
        for pair in range(arguments.pairs):
            for number, (impl, (sheaf, _)) in enumerate(sides.items()):
                progress.advance(bar)
                if impl in results.given_up:
                    continue
                seed = ["--seed", str(arguments.seed + pair)]
                try:
                    lines = launcher.run(sheaf, [directory, *seed, *words])
                except Unfinished as reason:
                    if number == 0:
                        raise BenchError(f"{results.common['bench']}: {impl}: {reason}") from None
                    lines = reason.lines
                    results.give_up(impl, str(reason))
                    show.say(f"{results.common['bench']}: {impl} given up: {reason}")
                results.add(impl, pair, lines)


def report(results):
    """Prints the JSON lines and, for people, the table."""
    lines = list(results.rows())
    summaries = list(results.summaries())
    for line in lines:
        rows.validate_row(line)
        print(json.dumps(line))
    for line in summaries:
        rows.validate_summary(line)
        print(json.dumps(line), flush=True)
    show.table(lines, summaries, results.sides())


def chosen_mpi(mpis, id_):
    try:
        mpi = mpis.get(id_)
    except mpis.DevError as error:
        raise BenchError(str(error)) from None
    if not mpis.installed(mpi):
        raise BenchError(f"{mpi.title} is not installed: ./dev build --mpi {mpi.id}")
    return mpi


def run_benchmark(launcher, arguments, mpi, sides):
    name, ranks = launcher.program.name, launcher.ranks
    directory = tempfile.mkdtemp(prefix="sheaf-bench-", dir=arguments.dir)
    try:
        common = {
            "bench": name, "mpi": mpi.id, "ranks": ranks, "seed": arguments.seed,
            "fs": launch.file_system_of(directory), "dir": arguments.dir or tempfile.gettempdir(),
        }  # fmt: skip
        settings = {"pairs": arguments.pairs, "flags": mpi.flags, "env": mpi.env}
        if arguments.small:
            settings["small"] = True
        commits = {impl: commit for impl, (_, commit) in sides.items()}
        results = rows.Results(common, settings, commits)
        measure(launcher, results, sides, arguments, directory)
        report(results)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _stop(*_):
    raise KeyboardInterrupt


def main(argv=None):
    arguments = parse(argv)
    signal.signal(signal.SIGTERM, _stop)  # Files and jobs go away in either case.
    folders = launch.Folders.find()
    launch.clean_environment()
    names = list(BENCHMARKS) if arguments.name == "all" else [arguments.name]
    if arguments.pairs < ENOUGH_PAIRS:
        show.say(f"--pairs {arguments.pairs}: fewer than the {ENOUGH_PAIRS} that a claim needs")
    try:
        mpis = launch.dev_module(folders, "mpi")
        processes = launch.dev_module(folders, "processes")
        processes.become_subreaper()
        mpi = chosen_mpi(mpis, arguments.mpi)
        with contextlib.ExitStack() as stack:
            workspace = stack.enter_context(tempfile.TemporaryDirectory(prefix="sheaf-bench-"))
            sides = sides_of(arguments, folders, workspace, stack)
            for name in names:
                launcher = launch.Launcher(
                    mpis, processes, mpi.id, arguments.ranks or BENCHMARKS[name].ranks,
                    folders.program(mpi.abi, name), arguments.timeout,
                )  # fmt: skip
                run_benchmark(launcher, arguments, mpi, sides)
    except BenchError as error:
        show.say(f"FAILED: {error}")
        return 1
    except KeyboardInterrupt:
        show.say("interrupted")
        return 130
    return 0
