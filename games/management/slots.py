"""The files in which the server's processes count their requests for `/metrics`.

Each running process has a slot: a set of files that only this process writes. When the process ends, perhaps
killed, its successor takes the slot and continues its counters: no count is lost, and the files of dead
processes do not pile up.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

from django.conf import settings

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the environment variable of the Prometheus client library
# The library's names for the files of a slot, and their sizes in bytes. The files get their full size in
# advance, because the library maps them into memory: on a full disk, the system would kill a process that
# writes into a part of a file without space on the disk.
SIZES = {"counter": 2**20, "histogram": 2**19}


def slots_folder() -> Path:
    """Return the folder of the files: in memory if systemd provides such a folder, else in `DATA_DIR`.

    With `RuntimeDirectory=` in its unit, systemd sets the variable RUNTIME_DIRECTORY.
    """
    in_memory = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return Path(in_memory or settings.DATA_DIR) / "metrics"


def clear_slots(folder: Path) -> None:
    """Create the folder, and delete the counter files of stopped servers.

    The empty lock files stay: deleting one while a process takes it would let two processes have one slot.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for lock_file in folder.glob("*.lock"):
        with lock_file.open("wb") as lock:
            if _can_lock(lock):
                for kind in SIZES:
                    _file(folder, kind, lock_file.stem).unlink(missing_ok=True)


def take_slot(folder: Path) -> tuple[str, IO[bytes]]:
    """Take the first free slot and return its name and its lock file. Closing the lock file frees the slot.

    Raise OSError if the slot's files cannot be written.
    """
    number = 0
    while True:
        lock = (folder / f"{number}.lock").open("wb")
        if _can_lock(lock):
            try:
                _make_room(folder, str(number))
            except OSError:
                lock.close()
                raise
            return str(number), lock
        lock.close()
        number += 1


def _can_lock(lock: IO[bytes]) -> bool:
    """Try to lock the file; return False if another process has it locked. The lock ends with the process."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _make_room(folder: Path, slot: str) -> None:
    for kind, size in SIZES.items():
        with _file(folder, kind, slot).open("ab") as stream:
            stream.write(bytes(max(0, size - stream.tell())))


def _file(folder: Path, kind: str, slot: str) -> Path:
    return folder / f"{kind}_{slot}.db"
