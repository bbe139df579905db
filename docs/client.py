"""A client of Anotador's API: one file, the standard library only. Copy it into your project.

    from client import Client, Stale

    anotador = Client("https://anotador.example", "anotador_…")
    game = anotador.start("TABLE", "loba_menos", ["ana", "beto"])
    game = anotador.record(game["code"], "round ana out beto=23", after=game["after"])

Tokens are made on the page `/you/`; `/api/` links the description and explains each problem.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen
from uuid import uuid4

Answer = dict[str, Any]

TRIES = 5  # of a request that got no answer
PASSING = frozenset({429, 502, 503, 504})  # statuses after which the same request may succeed
LONGEST_WAIT = 60.0  # seconds between two tries
SILENCE = 45.0  # seconds without an answer


class Problem(Exception):
    """A refusal (RFC 9457): its status, its code, its sentence, and all members of the answer."""

    def __init__(self, status: int, members: Answer, wait: float = 0) -> None:
        super().__init__(members.get("detail") or members.get("title") or f"HTTP {status}")
        self.status, self.members, self.wait = status, members, wait
        self.code = str(members.get("code", ""))


class Stale(Problem):
    """Nothing was recorded, because others recorded first.

    `after` is the number of the last event, to be sent next; `since` lists the events that the request had not
    seen. Show them to the person who typed, and record again only what still holds. `since` is empty if the
    request named a number that the game has not reached yet.
    """

    @property
    def after(self) -> int:
        """The number of the last event of the game."""
        return int(self.members["after"])

    @property
    def since(self) -> list[Answer]:
        """The events recorded since `after`, oldest first."""
        return list(self.members.get("since", ()))


class Client:
    """A program at one site, with one token.

    A write carries a key (`Idempotency-Key`). If no answer comes, the client sends the same request again with
    the same key, which records nothing twice. To be safe across a crash of your program as well, store a key of
    your own beside what was typed, and pass it as `key`.
    """

    def __init__(self, site: str, token: str, *, language: str = "en", pause: float = 1.0) -> None:
        self.root = f"{site.rstrip('/')}/api/v1/"
        self.token, self.language, self.pause = token, language, pause

    # --- operations ---------------------------------------------------------------------------------------

    def me(self) -> Answer:
        """Return the tables that the token opens, each with its role, and when the token ends."""
        return self.get("me/")

    def table(self, code: str) -> Answer:
        """Return a table with its members, whose ids are the players of games."""
        return self.get(f"tables/{quote(code)}/")

    def game(self, code: str) -> Answer:
        """Return the state of a game. Its `after` is the version to send with the next write."""
        return self.get(f"games/{quote(code)}/")

    def start(self, table: str, variant: str, players: list[str], *, key: str = "", **options: Any) -> Answer:
        """Start a game with these members, who sit clockwise, and return its state."""
        people = [{"id": player} for player in players]
        body = {"variant": variant, "players": people, **options}
        return self.send("POST", f"tables/{quote(table)}/games/", body, key=key)

    def record(self, game: str, *events: str | Answer, after: int, key: str = "") -> Answer:
        """Record events together, or none of them, and return the new state of the game.

        An event is a line of notation, or an object with `kind` and `data`. Raise Stale if the game has other
        events after number `after`.
        """
        rows = [{"line": event} if isinstance(event, str) else event for event in events]
        return self.send("POST", f"games/{quote(game)}/events/", {"after": after, "events": rows}, key=key)

    def undo(self, game: str, *, after: int, key: str = "") -> Answer:
        """Undo the last step of a game and return its new state. Raise Stale as `record` does."""
        return self.send("POST", f"games/{quote(game)}/undo/", {"after": after}, key=key)

    # --- requests -----------------------------------------------------------------------------------------

    def get(self, path: str, **query: str | int) -> Answer:
        """Return the answer to a GET of this path, without the leading `/api/v1/`."""
        return self._ask("GET", f"{path}?{urlencode(query)}" if query else path, None, {})

    def send(self, method: str, path: str, body: Answer, *, key: str = "") -> Answer:
        """Send a write and return its answer. Without a key it gets a random one."""
        return self._ask(method, path, body, {"Idempotency-Key": key or str(uuid4())})

    def _ask(self, method: str, path: str, body: Answer | None, headers: dict[str, str]) -> Answer:
        """Return the answer. Ask again if none comes, or if a passing problem does."""
        for tried in range(TRIES):
            wait = self.pause * 2**tried
            try:
                with self._open(method, path, body, headers) as response:
                    answer: Answer = json.load(response)
                    return answer
            except Problem as problem:
                if problem.status not in PASSING or tried == TRIES - 1:
                    raise
                wait = max(wait, problem.wait)
            except (OSError, HTTPException):
                if tried == TRIES - 1:
                    raise
            time.sleep(min(wait, LONGEST_WAIT))
        raise AssertionError("the last try returns or raises")

    def _open(self, method: str, path: str, body: Answer | None, headers: dict[str, str]) -> HTTPResponse:
        """Return the open response. Raise Problem for a refusal, OSError or HTTPException without an answer."""
        sent = None if body is None else json.dumps(body).encode()
        request = Request(self.root + path, data=sent, method=method, headers=headers)
        request.add_header("Authorization", f"Bearer {self.token}")
        request.add_header("Accept-Language", self.language)
        if sent is not None:
            request.add_header("Content-Type", "application/json")
        try:
            response: HTTPResponse = urlopen(request, timeout=SILENCE)
        except HTTPError as refusal:
            with refusal:
                raise _problem_of(refusal) from None
        return response


def _problem_of(refusal: HTTPError) -> Problem:
    """Return the problem of this answer. An answer of a proxy has no members."""
    members: Answer = {}
    with suppress(ValueError):
        members = json.loads(refusal.read())
    wait = refusal.headers.get("Retry-After", "")
    kind = Stale if members.get("code") == "stale" and "after" in members else Problem
    return kind(refusal.code, members, float(wait) if wait.isdigit() else 0)
