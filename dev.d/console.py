# SPDX-License-Identifier: BSD-3-Clause
"""What ./dev says: progress on standard error, tables on standard output."""

import sys

from rich.console import Console
from rich.table import Table


class DevError(Exception):
    """Something the user can act on; printed as one line, exit status 1 (or `status`)."""

    def __init__(self, text, status=1):
        super().__init__(text)
        self.status = status


def say(text):
    """One line of progress, at once."""
    print(f"dev: {text}", file=sys.stderr, flush=True)


def table(title, columns, rows):
    """Prints a table: with colours and boxes on a terminal, aligned plain text elsewhere."""
    if sys.stdout.isatty():
        drawn = Table(title=title, title_justify="left")
        for column in columns:
            drawn.add_column(column, overflow="fold")
        for row in rows:
            drawn.add_row(*(str(cell) for cell in row))
        Console().print(drawn)
        return
    cells = [list(columns)] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    sys.stdout.flush()
