# SPDX-License-Identifier: BSD-3-Clause
"""`import mpi`, `import runner`, ...: the modules of dev.d, also when pytest is called by hand."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "dev.d"))
