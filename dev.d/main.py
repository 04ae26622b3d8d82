# SPDX-License-Identifier: BSD-3-Clause
"""The verbs of ./dev."""

import argparse
import os
import subprocess
import sys

import build
import mpi as mpis
from console import DevError

ROOT = mpis.ROOT


def verb_build(arguments):
    failed = build.prepare(mpis.select(arguments.mpi), arguments.preset)
    if failed:
        raise DevError("; ".join(failed.values()))
    return 0


def verb_run(arguments):
    mpi = mpis.get(arguments.mpi)
    mpis.install(mpi)
    command = arguments.command
    if command[:1] == ["--"]:
        command = command[1:]
    if not command:
        raise DevError("run: no command given; ./dev run --mpi ID -n N -- CMD...", status=2)
    fill = {"{bin}": str(build.folder() / "bin" / mpi.abi), "{python}": mpi.python}
    for key, value in fill.items():
        command = [word.replace(key, value) for word in command]
    launch = mpis.launch(mpi.id, arguments.ranks, command)
    os.execvpe(launch.argv[0], launch.argv, launch.env)


def verb_demo(arguments):
    import demo
    return demo.main(mpis.select(arguments.mpi))


def verb_test(arguments):
    import runner
    return runner.main(arguments)


def verb_bench(arguments):
    """Everything after the name goes to `sheaf bench`; --mpi also says what to install."""
    id_ = mpis.DEFAULT
    for i, word in enumerate(arguments.rest):
        if word == "--mpi" and i + 1 < len(arguments.rest):
            id_ = arguments.rest[i + 1]
        elif word.startswith("--mpi="):
            id_ = word.partition("=")[2]
    verb_build(argparse.Namespace(mpi=id_, preset="release"))
    sheaf = str(build.folder() / "bin" / "sheaf")
    env = dict(os.environ)
    paths = [str(ROOT / "tools" / "python"), str(ROOT / "dev.d"), env.get("PYTHONPATH", "")]
    env["PYTHONPATH"] = ":".join(path for path in paths if path)
    env["PATH"] = f"/usr/bin:{env['PATH']}"  # The python3 that has our Debian packages.
    env["SHEAF_SOURCE_DIR"] = str(ROOT)
    env["SHEAF_BUILD_DIR"] = str(build.folder())
    os.execve(sheaf, [sheaf, "bench", *arguments.rest], env)


def verb_fuzz(arguments):
    import fuzz
    return fuzz.main(arguments.rest)


def verb_model(arguments):
    """Builds and hands over to the model; see HACKING.md."""
    build.prepare([mpis.get(mpis.DEFAULT)])
    program = build.folder() / "tests" / "model"
    script = ROOT / "tests" / "model" / "run.py"
    if script.exists():
        argv = [sys.executable, str(script), *arguments.rest]
        env = dict(os.environ, PYTHONPATH=str(ROOT / "dev.d"))
        return subprocess.run(argv, env=env).returncode
    if program.exists():
        os.execv(program, [str(program), *arguments.rest])
    raise DevError("the model is not in this tree (tests/model)")


def verb_checks(arguments):
    import checks
    return getattr(checks, arguments.verb)(arguments)


def parser():
    top = argparse.ArgumentParser(prog="./dev", description="One word does it. See HACKING.md.")
    verbs = top.add_subparsers(dest="verb", metavar="VERB", required=True)

    def verb(name, function, help_, mpi=False):
        sub = verbs.add_parser(name, help=help_, description=help_)
        sub.set_defaults(function=function)
        if mpi:
            sub.add_argument("--mpi", default=mpis.DEFAULT, metavar="ID",
                             help=f"{', '.join(mpis.table())} or all (default {mpis.DEFAULT})")
        return sub

    verb("demo", verb_demo, "show Sheaf at work under unmodified programs", mpi=True)

    test = verb("test", verb_test, "run the tests", mpi=True)
    test.add_argument("--quick", action="store_true", help="only the quick ones, under a minute")
    test.add_argument("--soak", action="store_true", help="the long ones as well")
    test.add_argument("--storage", action="store_true", help="those that need storage servers too")
    test.add_argument("--update", action="store_true", help="rewrite the golden files that differ")
    test.add_argument("--only", action="append", metavar="NAME",
                      help="tests whose name is or starts with NAME; may be repeated")
    test.add_argument("--preset", choices=build.PRESETS, default="release", help="which build")
    test.add_argument("--list", action="store_true", help="print the rows, run nothing")
    test.add_argument("--verbose", action="store_true", help="show the output of passing tests")

    sub = verb("build", verb_build, "configure and build", mpi=True)
    sub.add_argument("--preset", choices=build.PRESETS, default="release", help="which build")

    sub = verb("run", verb_run, mpi=True,
               help_="run a command on ranks of an MPI; {bin} and {python} are filled in")
    sub.add_argument("-n", dest="ranks", type=int, default=4, metavar="N", help="number of ranks")
    sub.add_argument("command", nargs=argparse.REMAINDER, metavar="-- CMD...")

    for name, function, help_ in (
            ("bench", verb_bench, "build, then `sheaf bench NAME ...`"),
            ("fuzz", verb_fuzz, "fuzz for as long as you like: fuzz [NAME] [--seconds N]"),
            ("model", verb_model, "run the model: random programs against an in-memory file")):
        verb(name, function, help_)

    for name, help_ in (
            ("format", "format all C and C++ sources in place"),
            ("lint", "clang-tidy and Clang's thread-safety analysis"),
            ("tidy", "check the limits, the layers, the exported symbols, the headers"),
            ("docs", "check links, regenerate reference tables")):
        sub = verb(name, verb_checks, help_)
        if name in ("format", "docs"):
            sub.add_argument("--check", action="store_true", help="change nothing, say what would")
        if name == "lint":
            sub.add_argument("--syntax", action="store_true", help="the compiler only, no tidy")
            sub.add_argument("files", nargs="*", help="default: all of src and tools")
        if name == "tidy":
            sub.add_argument("--update", action="store_true",
                             help="rewrite golden symbol lists, let the ratchet shrink")
    return top


PASS_ON = ("bench", "fuzz", "model")  # Their options are somebody else's.


def main():
    arguments = parser().parse_args(sys.argv[1:2] if sys.argv[1:2] and sys.argv[1] in PASS_ON
                                    else None)
    if arguments.verb in PASS_ON:
        arguments.rest = sys.argv[2:]
    try:
        return arguments.function(arguments)
    except DevError as error:
        print(f"dev: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
