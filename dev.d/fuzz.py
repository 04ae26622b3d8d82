# SPDX-License-Identifier: BSD-3-Clause
"""`./dev fuzz [NAME] [--seconds N]`: the libFuzzer programs of fuzz/, one after the other."""

import argparse
import os
import subprocess

import build
from console import DevError, say


def main(words):
    parser = argparse.ArgumentParser(prog="./dev fuzz", description=__doc__)
    parser.add_argument("name", nargs="?", help="one fuzzer (default: all)")
    parser.add_argument("--seconds", type=int, default=0, help="for each; 0: until stopped")
    arguments = parser.parse_args(words)
    build.build("clang")
    folder = build.folder("clang") / "fuzz"
    programs = sorted(path for path in folder.glob("*")
                      if path.is_file() and os.access(path, os.X_OK)) if folder.is_dir() else []
    names = [path.name for path in programs]
    if arguments.name and arguments.name not in names:
        raise DevError(f"no fuzzer '{arguments.name}'; known: {', '.join(names) or 'none'}", 2)
    if not programs:
        raise DevError("this tree has no fuzzers (fuzz/)")
    for program in programs:
        if arguments.name in (None, program.name):
            corpus = build.ROOT / "build-clang" / "corpus" / program.name
            corpus.mkdir(parents=True, exist_ok=True)
            say(f"fuzzing {program.name}; corpus in {corpus}")
            limit = [f"-max_total_time={arguments.seconds}"] if arguments.seconds else []
            done = subprocess.run([program, *limit, corpus], cwd=corpus)
            if done.returncode != 0:
                return 1
    return 0
