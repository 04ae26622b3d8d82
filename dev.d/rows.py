# SPDX-License-Identifier: BSD-3-Clause
"""The table of tests: dev.d/tests.toml, <folder>/tests.toml, and every sheaf_unit_test()."""

import tomllib
from dataclasses import dataclass, field, fields, replace

import build
import mpi as mpis
from console import DevError

ROOT = mpis.ROOT
KINDS = ("unit", "mpi", "script", "pytest")
SANITIZED = ("release", "asan", "tsan")


@dataclass(frozen=True)
class Row:
    """One test. dev.d/tests.toml documents the fields."""

    name: str
    kind: str
    command: list
    ranks: list = field(default_factory=lambda: [4])
    sheaf: bool = False
    env: dict = field(default_factory=dict)
    quick: bool = False
    soak: bool = False
    storage: bool = False
    mpis: list = field(default_factory=list)
    abi: str = ""
    needs: list = field(default_factory=list)
    timeout: float = 60
    presets: list = field(default_factory=lambda: ["release"])
    on: dict = field(default_factory=dict)
    elsewhere: dict = field(default_factory=dict)

    def for_mpi(self, mpi):
        """The row with what it changes for this MPI."""
        row = self
        if mpi.id != mpis.DEFAULT and self.elsewhere:
            row = _checked(replace, row, self.elsewhere)
        if mpi.id in self.on:
            row = _checked(replace, row, self.on[mpi.id])
        return row

    def runs_on(self, mpi):
        if self.mpis and mpi.id not in self.mpis:
            return False
        return not self.abi or self.abi in mpi.abis


def _checked(make, *arguments):
    """Calls `make`, with unknown fields as an error of the table."""
    *rest, table = arguments
    known = {item.name for item in fields(Row)}
    for key in table:
        if key not in known:
            raise DevError(f"tests.toml: unknown field '{key}'; known: {', '.join(sorted(known))}")
    table = dict(table)
    if isinstance(table.get("ranks"), int):
        table["ranks"] = [table["ranks"]]
    return make(*rest, **table)


def _from_file(path):
    with open(path, "rb") as file:
        tables = tomllib.load(file).get("test", [])
    for table in tables:
        try:
            row = _checked(Row, table)
        except (TypeError, DevError) as error:
            raise DevError(f"{path.relative_to(ROOT)}: {table.get('name', '?')}: {error}") from None
        if row.kind not in KINDS:
            raise DevError(f"{path.relative_to(ROOT)}: {row.name}: kind is one of {KINDS}")
        yield row


def load(preset):
    """All rows; those of sheaf_unit_test() without a row of their own are made here."""
    rows = []
    for pattern in ("*/tests.toml", "tests/*/tests.toml", "tests/*/*/tests.toml"):
        for path in sorted(ROOT.glob(pattern)):
            rows += _from_file(path)
    names = [row.name for row in rows]
    for name in names:
        if names.count(name) > 1:
            raise DevError(f"tests.toml: two tests are named '{name}'")
    listed = build.folder(preset) / "tests" / "units.txt"
    units = listed.read_text().split() if listed.exists() else []
    made = [Row(name=unit, kind="unit", command=["{tests}/" + unit], quick=True,
                presets=list(SANITIZED)) for unit in units if unit not in names]
    return made + rows
