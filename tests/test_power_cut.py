"""Everything acknowledged survives a power cut.

`strace` logs the server's writes and its syncs to disk. From that log the tests build the worst disk that a
power cut could leave: one without any unsynced data.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.server_processes import Site

ROUNDS = 12
CALL = re.compile(r"(\w+)\((?:\d+<([^>]*)>)?(?:, )?(.*)\) += (-?\d+)")
ANSWERS = {"sendto", "write", "writev", "sendmsg"}
TRACED = ",".join(("pwrite64,fsync,fdatasync,ftruncate,unlink", *sorted(ANSWERS)))
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="of SQLite's files"),
]


@pytest.fixture
def site(prepared_site, tmp_path):
    """A site that is set up but not running."""
    made = Site(tmp_path / "data", static=prepared_site / "static")
    made.folder.mkdir(mode=0o700)
    yield made
    made.stop()


@dataclass
class Disk:
    """The content of some files, and the part of it that would survive a power cut."""

    folder: Path
    forgetting: str = ""  # syncs of files with this suffix are ignored
    contents: dict[str, bytearray] = field(default_factory=dict)
    synced: dict[str, bytes] = field(default_factory=dict)
    linked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for file in self.folder.iterdir():
            if file.is_file():
                self.contents[str(file)] = bytearray(file.read_bytes())
                self.synced[str(file)] = file.read_bytes()
                self.linked.add(str(file))

    def apply(self, call: str, path: str, arguments: str) -> None:
        """Apply a logged system call to these files."""
        if call == "pwrite64":
            text, length, offset = arguments.rsplit(", ", 2)
            written = read_hex(text.strip('"'))
            assert int(length) == len(written)
            file = self.contents.setdefault(path, bytearray())
            file.extend(bytes(max(int(offset) + len(written) - len(file), 0)))
            file[int(offset) : int(offset) + len(written)] = written
        elif call == "ftruncate":
            del self.contents.get(path, bytearray())[int(arguments) :]  # none if only its length counts
        elif call == "unlink":
            gone = read_hex(arguments.strip('"')).decode()
            self.contents.pop(gone, None)
            self.synced.pop(gone, None)
        elif path == str(self.folder):
            self.linked |= self.contents.keys()
        elif path in self.contents and not (self.forgetting and path.endswith(self.forgetting)):
            self.synced[path] = bytes(self.contents[path])

    def rounds(self, cut: Path) -> int:
        """Return the number of records in the database that a power cut would leave on this disk."""
        cut.mkdir()
        for path in self.linked & self.synced.keys():
            (cut / Path(path).name).write_bytes(self.synced[path])
        with closing(sqlite3.connect(cut / "db.sqlite3")) as database:
            assert [("ok",)] == database.execute("PRAGMA integrity_check").fetchall()
            ((count,),) = database.execute("SELECT count(*) FROM games_record").fetchall()
        shutil.rmtree(cut)
        return int(count)


def calls(log: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the successful system calls of the log in order: name, file, other arguments."""
    unfinished: dict[str, str] = {}
    with log.open() as lines:
        for line in lines:
            process, _blank, rest = line.partition(" ")
            if rest.rstrip().endswith("<unfinished ...>"):
                unfinished[process] = rest.strip().removesuffix("<unfinished ...>")
                continue
            resumed = re.match(r" *<\.\.\. \w+ resumed>", rest)
            whole = unfinished.pop(process, "") + rest[resumed.end() :] if resumed else rest
            call = CALL.match(whole.strip())
            if call and int(call[4]) >= 0:
                yield call[1], read_hex(call[2] or "").decode(errors="replace"), call[3]


def read_hex(text: str) -> bytes:
    """Decode the output of `strace -xx`."""
    return bytes.fromhex(text.replace("\\x", "")) if text.startswith("\\x") else text.encode()


def surviving_rounds(log: Path, cut: Path, *disks: Disk) -> list[tuple[int, ...]]:
    """Return, for each acknowledged round, how many entries each disk would have after a power cut."""
    entries: list[tuple[int, ...]] = []
    for call, path, arguments in calls(log):
        if call not in ANSWERS:
            for disk in disks:
                disk.apply(call, path, arguments)
        elif '"' in arguments and read_hex(arguments.split('"')[1]).startswith(b"HTTP/1.1 302"):
            entries.append(tuple(disk.rounds(cut) for disk in disks))
    return entries


@pytest.mark.skipif(shutil.which("strace") is None, reason="no strace here")
def test_what_was_acknowledged_is_there_after_a_power_cut(site, tmp_path):
    site.start()
    (phone,) = site.create_phones(1)
    site.stop()
    log = tmp_path / "strace.log"
    before = site.folder.rename(tmp_path / "before")
    shutil.copytree(before, site.folder)
    site.start(
        "strace", "-f", "-y", "-xx", "-s", "70000", "--seccomp-bpf", "-o", str(log), "-e", f"trace={TRACED}"
    )
    for _round in range(ROUNDS):
        phone.get(f"/g/{phone.game}/")
        assert 302 == phone.record()[0]
    site.stop()
    shutil.rmtree(site.folder)
    before.rename(site.folder)  # as it was before, under the names in the log

    # The start of the game and the rounds. The second disk ignores syncs of the write-ahead log and so has
    # only the start, which proves that a loss would be noticed.
    disks = Disk(site.folder), Disk(site.folder, forgetting="-wal")
    assert [(1 + recorded, 1) for recorded in range(1, ROUNDS + 1)] == surviving_rounds(
        log, tmp_path / "cut", *disks
    )
