# SPDX-License-Identifier: BSD-3-Clause
"""Progress and tables for people, on standard error. Standard output belongs to the JSON lines."""

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

CONSOLE = Console(stderr=True, highlight=False)
if not CONSOLE.is_terminal:
    CONSOLE.width = 140  # A log has no edge to wrap at.


def say(text):
    CONSOLE.print(f"bench: {text}", markup=False, soft_wrap=True)


def progress():
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeRemainingColumn(),
        console=CONSOLE,
        transient=True,
        disable=not CONSOLE.is_terminal,
    )


def _number(value):
    return "-" if value is None else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def _ratio(summary):
    if summary is None:
        return "-"
    return f"{summary['ratio']:.2f} [{summary['ci_low']:.2f}, {summary['ci_high']:.2f}]"


def table(rows, summaries, sides):
    """One line per case and metric: the values of all sides and the ratios of the first one."""
    impls = [*sides, "posix"]
    first = rows[0]
    title = f"{first['bench']}, {first['mpi']}, {first['ranks']} ranks, {first['fs']}"
    result = Table(title=title, title_justify="left")
    for name in ("case", "metric", "unit"):
        result.add_column(name)
    for name in [*impls, *(f"{sides[0]} vs {name}" for name in impls[1:])]:
        result.add_column(name, justify="right")
    values = {(row["case"], row["metric"], row["impl"]): row["value"] for row in rows}
    ratios = {(line["case"], line["metric"], line["vs"]): line for line in summaries}
    units = {(row["case"], row["metric"]): row["unit"] for row in rows}
    for (case, metric), unit in units.items():
        result.add_row(
            case, metric, unit,
            *(_number(values.get((case, metric, impl))) for impl in impls),
            *(_ratio(ratios.get((case, metric, impl))) for impl in impls[1:]),
        )  # fmt: skip
    CONSOLE.print(result, soft_wrap=True)
    CONSOLE.print(
        f"Ratio above 1: {sides[0]} is better. In brackets the 95 % interval.", markup=False
    )
