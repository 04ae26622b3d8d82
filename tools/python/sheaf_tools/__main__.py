# SPDX-License-Identifier: BSD-3-Clause
"""Where the `sheaf` command hands over: `python3 -m sheaf_tools VERB ...`.

Each verb is a package of that name beside this file, with main(argv) in its module cli.
"""

import importlib
import os
import pathlib
import sys

# The modules that the verbs need are packages of the system, for its own Python. Another python3
# (of a virtual environment, of an MPI's wheels) may stand before it in PATH.
SYSTEM_PYTHON = "/usr/bin/python3"


def verbs():
    """The verbs that are there, by name."""
    here = pathlib.Path(__file__).resolve().parent
    return sorted(path.parent.name for path in here.glob("*/cli.py"))


def main(argv):
    if not argv or argv[0] not in verbs():
        name = argv[0] if argv else "nothing"
        print(f"sheaf: no verb '{name}' here; there are: {', '.join(verbs())}", file=sys.stderr)
        return 2
    try:
        module = importlib.import_module(f"sheaf_tools.{argv[0]}.cli")
    except ModuleNotFoundError as error:
        if error.name.partition(".")[0] == "sheaf_tools":
            raise
        if sys.prefix != "/usr" and os.access(SYSTEM_PYTHON, os.X_OK):
            os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, "-m", "sheaf_tools", *argv])
        print(f"sheaf: '{argv[0]}' needs the Python module {error.name} for {sys.executable}; "
              f"on Debian: apt install python3-{error.name}", file=sys.stderr)  # fmt: skip
        return 1
    return module.main(argv[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
