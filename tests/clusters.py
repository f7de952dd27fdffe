"""A Dask cluster of our own, on the loopback address."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


def dask_cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a Dask scheduler of our own, and its two workers."""
    pytest.importorskip("distributed", reason="Dask is missing: pip install 'rulelang[cluster]'")
    file = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    running = [subprocess.Popen([*scheduler, "--no-dashboard", "--scheduler-file", file], **quiet)]
    try:
        running += [subprocess.Popen([*worker, "--scheduler-file", file], **quiet) for _ in range(2)]
        from distributed import Client

        for _ in range(600):
            if file.exists():
                break
            time.sleep(0.1)
        with Client(scheduler_file=str(file), set_as_default=False, timeout=60) as client:
            client.wait_for_workers(2, timeout=120)
            address = client.scheduler.address
        yield address, running[1:]
    finally:
        for process in reversed(running):
            process.kill()
            process.wait()
