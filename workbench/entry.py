"""Entry point of the command line: what must be settled before anything else is loaded."""

from __future__ import annotations

import os
import sys

from . import interrupts


def main() -> None:
    """Runs the command line of this process and ends it."""
    interrupts.at_once()
    _open_streams()
    from .cli import run

    try:
        interrupts.gently()
        status = interrupts.status(run(sys.argv[1:]))
    except KeyboardInterrupt:  # it came before the command began, or while a message about something else was written
        status = interrupts.status(130)
    interrupts.at_once()
    sys.exit(_flushed(status))


def _open_streams() -> None:
    """Sees to it that there are streams to read and write, and that no character can stop a message."""
    import io

    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:  # the process was started with it closed
            opened = open(os.devnull, mode)  # noqa: SIM115 (as long as the process lives)
            if opened.fileno() != number:
                os.dup2(opened.fileno(), number)
            setattr(sys, name, opened)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character gets a question mark, not a traceback.
            stream.reconfigure(errors="replace")


def _flushed(status: int) -> int:
    """The exit status after what was written has reached its reader, or could not."""
    import gc

    gc.freeze()  # looking through everything that is remembered for garbage would only cost time
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError as problem:
            # Python would try again at its end, and complain.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            if not isinstance(problem, BrokenPipeError):
                _complain(problem)
                status = status or 2
    return status


def _complain(problem: OSError) -> None:
    import contextlib

    why = (problem.strerror or "unknown reason").lower()
    with contextlib.suppress(OSError):
        os.write(2, f"rulelang: the output cannot be written: {why}\n".encode())


if __name__ == "__main__":
    main()
