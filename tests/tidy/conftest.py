# SPDX-License-Identifier: BSD-3-Clause
"""`import layers`, `import venvs`, ...: the modules of tidy and of dev.d."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "dev.d")]
