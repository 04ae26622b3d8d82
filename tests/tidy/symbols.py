# SPDX-License-Identifier: BSD-3-Clause
"""What the built libraries export, against tests/golden/symbols/<library>.txt."""

import os
import subprocess
from pathlib import Path

from source import Finding

GOLDEN = "tests/golden/symbols"


def exported(library):
    """Sorted names that a shared library defines for others."""
    listed = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library],
                            capture_output=True, check=True, text=True).stdout
    return sorted({line.split()[0] for line in listed.splitlines() if line.strip()})


def libraries(root):
    build = Path(os.environ.get("SHEAF_BUILD_DIR", root / "build"))
    return sorted(path for path in build.glob("lib/libsheaf*.so") if not path.is_symlink())


def compare(name, golden, names):
    """Findings for one library; `golden` is None when it has no list."""
    path = f"{GOLDEN}/{name}.txt"
    if golden is None:
        yield Finding(path, 0, "missing; `./dev tidy --update` writes it")
        return
    added, removed = sorted(set(names) - set(golden)), sorted(set(golden) - set(names))
    for what, some in (("exports what the list lacks", added), ("no longer exports", removed)):
        if some:
            more = f" and {len(some) - 8} more" if len(some) > 8 else ""
            yield Finding(path, 0, f"{name} {what}: {', '.join(some[:8])}{more}")


def symbols(tree, update=False):
    for library in libraries(tree.root):
        name, names = library.stem, exported(library)
        path = tree.root / GOLDEN / f"{name}.txt"
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{symbol}\n" for symbol in names))
        golden = path.read_text().split() if path.exists() else None
        yield from compare(name, golden, names)
