# SPDX-License-Identifier: BSD-3-Clause
import sys

from sheaf_tools.bench.cli import main

sys.exit(main())
