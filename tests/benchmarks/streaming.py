"""Programs that follow tables by their streams, each from an address of its own, for the benchmark of watching."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urlsplit

AT_ONCE = 20  # streams that are opened at the same time
LAST_CHUNK = b"0\r\n"  # ends the response, but not the connection


@dataclass
class Report:
    """The streams that opened and ended, and the milliseconds between storing a change and its arrival."""

    is_open: int = 0
    ended: int = 0
    delays: list[float] = field(default_factory=list)

    def take_delays(self) -> list[float]:
        """Return the delays since the last call."""
        taken, self.delays = self.delays, []
        return taken


@contextmanager
def following(address: str, programs: Sequence[Mapping[str, str]]) -> Iterator[Report]:
    """Hold a stream open for each program during the `with` block, which begins once all are open."""
    report, is_over = Report(), threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(_follow_all(address, programs, report, is_over)))
    thread.start()
    try:
        until = time.monotonic() + 240
        while report.is_open < len(programs):
            assert thread.is_alive(), "the programs ended"
            assert time.monotonic() < until, f"{report.is_open} streams opened"
            time.sleep(0.1)
        yield report
    finally:
        is_over.set()
        thread.join()


async def _follow_all(
    address: str, programs: Sequence[Mapping[str, str]], report: Report, is_over: threading.Event
) -> None:
    turns = asyncio.Semaphore(AT_ONCE)
    streams = [asyncio.create_task(_follow(address, program, report, turns)) for program in programs]
    while not is_over.is_set():
        await asyncio.sleep(0.1)
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)


async def _follow(address: str, program: Mapping[str, str], report: Report, turns: asyncio.Semaphore) -> None:
    where = urlsplit(address)
    async with turns:
        reader, writer = await asyncio.open_connection(
            where.hostname, where.port, local_addr=(program["from"], 0)
        )
        writer.write(
            f"GET {program['stream']} HTTP/1.1\r\nHost: {where.netloc}\r\nCookie: {program['cookie']}\r\n\r\n".encode()
        )
        while not (line := await reader.readline()).startswith(b'{"seen"'):
            assert line, "the stream was refused"
    report.is_open += 1
    try:
        while (line := await reader.readline()) and line != LAST_CHUNK:
            if line.startswith(b'{"number"'):
                stored_at = datetime.fromisoformat(json.loads(line)["at"])
                report.delays.append((time.time() - stored_at.timestamp()) * 1000)
        report.ended += 1
    finally:
        writer.close()
