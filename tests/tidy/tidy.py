# SPDX-License-Identifier: BSD-3-Clause
"""`./dev tidy`: the limits, the layers, the exported symbols, the headers."""

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "dev.d")]

import headers
import layers
import limits
import ratchet
import symbols
import venvs
import words
from source import read_tree

RATCHET = ROOT / "tests" / "tidy" / "ratchet.toml"


def checks(update):
    """(name, function of a tree) of every check."""
    for module in (limits, words, layers):
        for check in module.CHECKS:
            yield check.__name__.replace("_", " "), check
    yield "symbols", lambda tree: symbols.symbols(tree, update)
    yield "headers", headers.headers


def main():
    parser = argparse.ArgumentParser(prog="./dev tidy", description=__doc__)
    parser.add_argument("--update", action="store_true", default="SHEAF_UPDATE" in os.environ,
                        help="rewrite golden symbol lists, let the ratchet shrink")
    update = parser.parse_args().update
    venvs.add_tools_to_path()
    tree = read_tree(ROOT)
    known = ratchet.load(RATCHET)
    everything, passed, failed = [], 0, 0
    for name, check in checks(update):
        found = list(check(tree))
        everything += found
        failing, _ = ratchet.judge(found, known)
        for finding in failing:
            print(f"{name}: {finding}")
        failed += bool(failing)
        passed += not failing
    _, slack = ratchet.judge(everything, known)
    if update and slack:
        ratchet.write(RATCHET, ratchet.lowered(known, slack))
    elif slack:
        print(f"note: {len(slack)} entries of {RATCHET.name} can be lowered: ./dev tidy --update")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
