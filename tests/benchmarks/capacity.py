"""The number of tables that one process can serve, from the CPU time of a running site.

    python -m tests.benchmarks.capacity [ROUNDS, 40]

One phone records at a table, and four others watch it over sockets. All seconds are CPU time of the server
process. The first three figures are the cost of a poll without news, of recording a round, and of its news
for one watcher. The fourth is how often a phone polls between two rounds: every two seconds, as
`scripts/base/live.js` does, until it is told to wait.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from dataclasses import dataclass
from gzip import decompress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import django

from tests.server_processes import CSRF_TOKEN, Site

WATCHERS, POLLS = 4, 400
POLL_INTERVAL, BETWEEN_ROUNDS = 2, 270  # seconds between polls while news is fresh, and between rounds
PEOPLE = ("ana", "beto", "caro", "dani", "eva")
CREATE_TABLES = """
import json, sys, django
django.setup()
from django.test import Client
from django.utils.timezone import now
from games.models import Access, Role
from tests.factories import grant_access, make_table, make_user, start
people, tables = ("Ana", "Beto", "Caro", "Dani", "Eva"), []
for number in range(int(sys.argv[1])):
    users = [make_user(f"{name}-{number}") for name in people]
    table = make_table(users[0], people=people)
    for user, name in zip(users[1:], people[1:]):
        grant_access(user, table, Role.WITNESS, face=name.lower())
    Access.objects.filter(table=table, member__isnull=False).update(confirmed_at=now())
    sessions = []
    for user in users:
        phone = Client()
        phone.force_login(user)
        sessions.append(phone.cookies["sessionid"].value)
    tables.append([start(table, users[0], out_at=500).code, sessions])
print(json.dumps(tables))
"""


@dataclass
class Phone:
    """A phone that keeps its connection, and the address and ticket of the page that it shows."""

    port: int
    session: str
    live: str = ""
    ticket: str = ""

    def __post_init__(self) -> None:
        self.connection = HTTPConnection("127.0.0.1", self.port, timeout=60)

    def ask(self, path: str, fields: dict[str, str] | None = None, *, ticket: str = "") -> int:
        """Send a request, store the page's address and ticket, and return the status."""
        headers = {
            "Cookie": f"sessionid={self.session}; csrftoken={CSRF_TOKEN}",
            "Accept-Encoding": "gzip",
            "X-Ticket": ticket,
        }
        body = None
        if fields is not None:
            body = urlencode({"csrfmiddlewaretoken": CSRF_TOKEN, **fields})
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self.connection.request("POST" if body else "GET", path, body, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        page = (decompress(content) if answer.headers["Content-Encoding"] == "gzip" else content).decode()
        matches = {name: re.search(rf'data-{name}="([^"]+)"', page) for name in ("live", "ticket")}
        self.live = matches["live"][1] if matches["live"] else self.live
        self.ticket = answer.headers["X-Ticket"] or (
            matches["ticket"][1] if matches["ticket"] else self.ticket
        )
        return answer.status

    def poll(self) -> int:
        return self.ask(self.live, ticket=self.ticket)


@dataclass
class Figures:
    """Milliseconds of the server's CPU: a poll without news, a recorded round, its news for one watcher."""

    poll: float
    round: float
    news: float

    @property
    def polls(self) -> int:
        """The number of a phone's polls between two rounds."""
        from games.common import poll_tickets

        return (
            poll_tickets.OFTEN_FOR // POLL_INTERVAL
            + (BETWEEN_ROUNDS - poll_tickets.OFTEN_FOR) // poll_tickets.IDLE
        )

    @property
    def tables(self) -> int:
        """The number of tables that keep half a processor busy, rounded to tens."""
        of_a_round = WATCHERS * (self.polls * self.poll + self.news) + self.round
        return 10 * round(50 * BETWEEN_ROUNDS / of_a_round)

    def __str__(self) -> str:
        return (
            f"A poll without news takes {self.poll:.1f} ms, a round recorded {self.round:.0f} ms, its news "
            f"{self.news:.1f} ms for each who watches, who polls {self.polls} times between two rounds: "
            f"one process is half busy with {self.tables} tables at which {WATCHERS} watch."
        )


def processor_time(site: Site) -> float:
    """Return the CPU time of all threads of the server, in milliseconds."""
    assert site.server is not None
    tasks = Path(f"/proc/{site.server.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1_000_000


def measure_game(site: Site, rounds: int) -> Figures:
    """Return the figures of a game with this many rounds, after a few to warm up."""
    ((code, sessions),) = site.run_program(CREATE_TABLES, 1)
    recorder, *watchers = (Phone(site.port, session) for session in sessions)
    sheet, pad = f"/g/{code}/", f"/g/{code}/round/"
    for phone in (recorder, *watchers):
        assert 200 == phone.ask(sheet)
    costs: list[tuple[float, float]] = []
    for number in range(rounds):
        closer = PEOPLE[number % len(PEOPLE)]
        form = {f"hand-{name}": "3" for name in PEOPLE if name != closer}
        form |= {"after": str(1 + number), "key": f"round {number}", "closer": closer, "closing": "out"}
        began = processor_time(site)
        assert [200, 302, 200] == [recorder.ask(pad), recorder.ask(pad, form), recorder.ask(sheet)]
        recorded = processor_time(site)
        assert [200] * WATCHERS == [phone.poll() for phone in watchers]
        costs.append((recorded - began, (processor_time(site) - recorded) / WATCHERS))
    began = processor_time(site)
    for number in range(POLLS):
        assert 204 == watchers[number % WATCHERS].poll()
    poll, counted = (processor_time(site) - began) / POLLS, costs[rounds // 4 :]
    return Figures(poll, *(sum(column) / len(counted) for column in zip(*counted, strict=True)))


def main() -> None:
    """Print the sentence about the number of tables that the guides quote."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder) / "data", Path(folder) / "static")
        site.start()
        try:
            print(measure_game(site, int(sys.argv[1]) if len(sys.argv) > 1 else 40))
        finally:
            site.stop()


if __name__ == "__main__":
    main()
