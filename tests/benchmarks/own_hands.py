"""Own hands (mi mano) on their way from players' phones to the scorer's pad, on `manage.py serve`.

The pad polls every second, as `static/play/offered.js` does. Four phones send a hand, each at a random moment of the
last twenty seconds of a round, and the scorer records the round when all have arrived. Measured is the time from the
tap on a phone to the poll whose answer has its hand: first at one table, whose rounds follow each other at once; then
at many tables, each somewhere in its first round when the evening begins. Their rounds last three minutes; real ones
last longer.

    python -m tests.benchmarks.own_hands [SECONDS of each evening, 120] [TABLES, 1 200]
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.benchmarks.goals import say
from tests.benchmarks.served import manage, served, settings_in
from tests.benchmarks.watching import cpu_of, in_quantiles, server_of

OFTEN = 1.0  # seconds between two polls of a pad
PLAYING = 160.0  # seconds a round is played before its hands are sent, where there are many tables
SENDING = 20.0  # seconds in which the phones of a table send their hands
GOAL = 2500  # ms
CLOSER, OTHERS = "ana", ("beto", "caro", "dani", "eva")

# Run inside a shell of the project: tables whose owner is Ana and records, and four phones that tapped their faces.
SETUP = """
import json
from django.middleware.csrf import CSRF_SECRET_LENGTH
from django.test import Client
from django.utils.crypto import get_random_string
from games.people.tonight import come_in, show_tonight
from tests.tables import make_table, make_user, start

def signed_in(user):
    client, csrf = Client(), get_random_string(CSRF_SECRET_LENGTH)
    client.force_login(user)
    return {{"csrf": csrf, "cookie": f"sessionid={{client.cookies['sessionid'].value}}; csrftoken={{csrf}}"}}

tables = []
for number in range({tables}):
    owner = make_user(f"owner{{number}}")
    table = make_table(owner, people=("Ana", "Beto", "Caro", "Dani", "Eva"))
    game, night = start(table, owner, ace=1), show_tonight(table, by=owner)
    sheet = f"/g/{{game.code}}/"
    phones = {{}}
    for member in table.members.exclude(slug="ana"):
        user = make_user(f"{{member.slug}}{{number}}")
        come_in(night, user, member=member)
        phones[member.slug] = signed_in(user)
    tables.append({{"sheet": sheet, "scorer": signed_in(owner), "phones": phones}})
print(json.dumps(tables))
"""


class Evening:
    """The scorer and the phones of one table, one request after the other; `took` has the times in ms."""

    def __init__(self, address: str, table: dict[str, Any], took: list[float], playing: float) -> None:
        self.connection = HTTPConnection(urlsplit(address).netloc, timeout=60)
        self.sheet, self.scorer, self.phones = table["sheet"], table["scorer"], table["phones"]
        self.took, self.polls, self.playing = took, 0, playing

    def play(self, over: threading.Event) -> None:
        """Play rounds until the evening is over."""
        self._play_round(over, random.random() * self.playing)
        while not over.is_set():
            self._play_round(over, self.playing)

    def _play_round(self, over: threading.Event, playing: float) -> None:
        page = self._ask(self.scorer, f"{self.sheet}round/").decode()
        after, key = (_value(page, f'name="{name}" value="([^"]*)"') for name in ("after", "key"))
        offers, ticket = (_value(page, f'data-{name}="([^"]*)"') for name in ("offers", "ticket"))
        offers = re.sub(r"\d+/$", "0/", offers)
        played = time.monotonic() + playing
        sendings = sorted((played + random.random() * SENDING, player) for player in OTHERS)
        sent: dict[str, float] = {}
        next_poll = time.monotonic() + OFTEN
        while sent or sendings:
            soonest = min(next_poll, sendings[0][0]) if sendings else next_poll
            if over.wait(max(0.0, soonest - time.monotonic())):
                return
            if sendings and sendings[0][0] <= next_poll:
                _moment, player = sendings.pop(0)
                sent[player] = time.monotonic()
                self._ask(
                    self.phones[player], f"{self.sheet}hand/", {"after": after, f"hand-{player}": "7 7"}
                )
                continue
            news, headers = self._poll(f"{offers}?closer={CLOSER}", ticket)
            ticket = headers or ticket
            if news:
                offers, ticket = news["live"], news["ticket"]
                arrived = {hand["player"] for hand in news["hands"]} & sent.keys()
                self.took += [(time.monotonic() - sent.pop(player)) * 1000 for player in arrived]
            next_poll = time.monotonic() + OFTEN
        hands = {f"hand-{player}": "7 7" for player in OTHERS}
        how = {"closer": CLOSER, "closing": "out", "after": after, "key": key}
        self._ask(self.scorer, f"{self.sheet}round/", {**hands, **how})

    def _poll(self, address: str, ticket: str) -> tuple[dict[str, Any], str]:
        self.polls += 1
        self.connection.request("GET", address, headers={"Cookie": self.scorer["cookie"], "X-Ticket": ticket})
        answer = self.connection.getresponse()
        body = answer.read()
        assert answer.status in (200, 204), answer.status
        return json.loads(body) if answer.status == 200 else {}, answer.headers.get("X-Ticket", "")

    def _ask(self, phone: dict[str, str], address: str, fields: dict[str, str] | None = None) -> bytes:
        headers = {"Cookie": phone["cookie"], "Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode({**fields, "csrfmiddlewaretoken": phone["csrf"]}) if fields else None
        self.connection.request("POST" if fields else "GET", address, body, headers)
        answer = self.connection.getresponse()
        page = answer.read()
        assert answer.status == (302 if fields else 200), (answer.status, address)
        return page


def main() -> None:
    """Print the times and the goal for each number of tables."""
    seconds, *counts = [int(word) for word in sys.argv[1:]] or [120]
    counts = counts or [1, 200]
    with tempfile.TemporaryDirectory() as folder:
        settings = settings_in(folder)
        manage(settings, "migrate")
        manage(settings, "collectstatic", "--no-input")
        setup = SETUP.format(tables=max(counts))
        tables = json.loads(manage(settings, "shell", "--no-imports", "-c", setup).splitlines()[-1])
        with served(settings) as address:
            for count in counts:
                _measure(address, tables[:count], seconds)


def _measure(address: str, tables: Sequence[dict[str, Any]], seconds: int) -> None:
    took: list[float] = []
    over = threading.Event()
    evenings = [Evening(address, table, took, PLAYING if len(tables) > 1 else 0) for table in tables]
    threads = [threading.Thread(target=evening.play, args=(over,)) for evening in evenings]
    before = cpu_of(server_of(address))
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    over.set()
    for thread in threads:
        thread.join()
    cpu = (cpu_of(server_of(address)) - before) / seconds
    polls = sum(evening.polls for evening in evenings)
    print(f"      {len(tables)} tables of five: {len(took):,} hands, {polls:,} polls, {cpu:.2f} CPU")
    worst = sorted(took)[int(len(took) * 0.95)] if took else float("inf")
    say(f"a hand on the pad in p95 ≤ {GOAL:,} ms", in_quantiles(took), met=worst <= GOAL)


def _value(page: str, pattern: str) -> str:
    match = re.search(pattern, page)
    assert match, pattern
    return match[1]


if __name__ == "__main__":
    main()
