"""Note the time at which this process began to import the package; the package imports this before anything else."""

from __future__ import annotations

import time

IMPORTED = time.time()
