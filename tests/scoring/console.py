"""The command line, run in this process or as a program, for tests of its output."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from games.scoring.__main__ import main

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class CommandResult:
    code: int
    out: str
    err: str


def run(*arguments: str) -> CommandResult:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as stopped:
            code = int(str(stopped.code))
    return CommandResult(code, out.getvalue(), err.getvalue())


def play(folder: Path, text: str | bytes, *options: str) -> CommandResult:
    """Play this text from a file, which the errors of the result call `a.game`."""
    path = folder / "a.game"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    ran = run("play", str(path), *options)
    return CommandResult(ran.code, ran.out, ran.err.replace(str(path), "a.game"))


def run_program(*arguments: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process with an ASCII terminal, and this text as its input."""
    return subprocess.run(
        [sys.executable, "-m", "games.scoring", *arguments],
        cwd=ROOT,
        input=text,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
