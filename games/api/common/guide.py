"""The guide on `/api/`: requests in curl and Python that record and undo rounds, and follow a table.

Each step is written once. Its curl command, the button that sends it (`static/api/trying.js`) and the tests
are made from the same request; the Python uses `docs/client.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.scoring.words import Text, _

LAST_SEEN = {"Last-Event-ID": "0"}


@dataclass(frozen=True)
class Step:
    """A step of the guide: an HTTP request, and the Python code that does the same.

    In `path`, `$TABLE` and `$GAME` stand for the code of the table and of a game.
    """

    id: str
    title: Text
    text: Text
    python: str
    path: str
    method: str = "GET"
    body: Mapping[str, Any] | None = None
    key: str = ""
    is_open: bool = False  # the response is a stream
    language: str = ""  # the language of the answer; "" for the site's default

    @property
    def curl(self) -> str:
        """The curl command, with shell variables for the site, the token and the codes."""
        lines = [f'curl{" -N" if self.is_open else ""} "$SITE/api/v1/{self.path}"']
        lines.append('-H "Authorization: Bearer $TOKEN"')
        if self.is_open:
            lines += [f'-H "{name}: {value}"' for name, value in LAST_SEEN.items()]
        if self.language:
            lines.append(f'-H "Accept-Language: {self.language}"')
        if self.key:
            lines.append(f'-H "Idempotency-Key: {self.key}"')
        if self.body is not None:
            lines += ['-H "Content-Type: application/json"', f"-d '{self.sent}'"]
        return " \\\n  ".join(lines)

    @property
    def sent(self) -> str:
        """The body of the request as JSON text; "" if the request has no body."""
        return "" if self.body is None else json.dumps(self.body)


STEPS = (
    Step(
        "step-me",
        _("What the token allows"),
        _(
            "The token's tables, each with its code and your role. tables/CODE/ lists the "
            "members with their ids. The examples play with ana and beto."
        ),
        'for table in anotador.me()["tables"]:\n    print(table["code"], table["role"])',
        "me/",
    ),
    Step(
        "step-start",
        _("Start a game"),
        _(
            "Choose a key for each write: a repeat with it is recorded once. The answer has "
            "the game's code and, in “after”, its last event's number."
        ),
        'game = anotador.start(TABLE, "loba_menos", ["ana", "beto"], options={"stake": 100}, key="game-1")\n'
        'print(game["code"], game["after"])',
        "tables/$TABLE/games/",
        "POST",
        {"variant": "loba_menos", "players": [{"id": "ana"}, {"id": "beto"}], "options": {"stake": 100}},
        "game-1",
    ),
    Step(
        "step-round",
        _("Record a round"),
        _(
            "An event is a line of the notation, explained below, or an object. “after” is "
            "the last event that you have seen."
        ),
        'game = anotador.record(game["code"], "round ana out beto=23", after=game["after"], key="round-1")\n'
        'for player in game["players"]:\n    print(player["name"], player["total"])',
        "games/$GAME/events/",
        "POST",
        {"after": 1, "events": [{"line": "round ana out beto=23"}]},
        "round-1",
    ),
    Step(
        "step-late",
        _("When others were first"),
        _(
            "This program missed a round, so the answer is 409 and nothing is recorded. "
            "“since” has the missed events, “after” the number to send next."
        ),
        'try:\n    anotador.record(game["code"], "round beto out ana=11", after=1, key="round-2")\n'
        "except Stale as stale:\n    print(stale.since, stale.after)",
        "games/$GAME/events/",
        "POST",
        {"after": 1, "events": [{"line": "round beto out ana=11"}]},
        "round-2",
    ),
    Step(
        "step-again",
        _("Record it after all"),
        _("Check what happened, then send the same round with the current number."),
        'game = anotador.game(game["code"])\n'
        'game = anotador.record(game["code"], "round beto out ana=11", after=game["after"], key="round-2")',
        "games/$GAME/events/",
        "POST",
        {"after": 2, "events": [{"line": "round beto out ana=11"}]},
        "round-2",
    ),
    Step(
        "step-undo",
        _("Undo it"),
        _("The last step is undone by one more event. Nothing is ever deleted."),
        'game = anotador.undo(game["code"], after=game["after"], key="undo-1")',
        "games/$GAME/undo/",
        "POST",
        {"after": 3},
        "undo-1",
    ),
    Step(
        "step-stop",
        _("Stop the game"),
        _("The same address takes every event. Here the two agree to stop, and the lower total wins."),
        'game = anotador.record(game["code"], "stop lowest_wins", after=game["after"], key="stop-1")',
        "games/$GAME/events/",
        "POST",
        {"after": 4, "events": [{"line": "stop lowest_wins"}]},
        "stop-1",
    ),
    Step(
        "step-money",
        _("Who pays whom"),
        _("The payments that the game calls for by itself. What is still owed is in the accounts."),
        """for paid in anotador.get(f"games/{game['code']}/settlement/")["transfers"]:\n"""
        """    print(paid["from"], paid["to"], paid["amount"])""",
        "games/$GAME/settlement/",
    ),
    Step(
        "step-feed",
        _("What changed"),
        _("The feed has every change of the table, numbered without gaps. Ask again with “seen” as “since”."),
        'for change in anotador.changes(TABLE):\n    print(change["number"], change["what"])',
        "tables/$TABLE/changes/?since=0",
    ),
    Step(
        "step-stream",
        _("Follow without asking again"),
        _(
            "Changes, as they happen. After a disconnect, continue from the last number; "
            "none is lost or repeated. “discarded_at” marks discarded games."
        ),
        'for change in anotador.follow(TABLE, since=0):\n    print(change["number"], change["what"])\n'
        "    break  # leave this line out to follow for ever",
        "tables/$TABLE/changes/stream/",
        is_open=True,
    ),
)


def settings_in_curl(site: str, token: str, table: str) -> str:
    """Return the assignments of the shell variables that the curl commands use."""
    return f"SITE={site}\nTOKEN={token}\nTABLE={table}"


def settings_in_python(site: str, token: str, table: str) -> str:
    """Return the first lines of the Python program: import, code of the table, and client."""
    return f'from client import Client, Stale\n\nTABLE = "{table}"\nanotador = Client("{site}", "{token}")'
