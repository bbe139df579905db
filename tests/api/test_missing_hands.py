"""Corrections that lack hands: the refusal and the preview name them, and what they say to write is accepted.

`browser/test_missing_hands.py` has the pad with scripts; `play/views/test_missing_hands.py` has the pages without
scripts.
"""

from __future__ import annotations

import pytest

from games.scoring.text.notation import parse_line
from tests.factories import start

pytestmark = pytest.mark.django_db

LINES = (
    "round ana cut ana=1 beto=10 caro=101 dani=20",
    "stay_out caro",
    "round beto cut ana=10 beto=2 dani=30",
    "round ana cut ana=3 beto=20 dani=12",
)
LINE_4 = "correct 4 round beto cut ana=10 beto=2 dani=30 caro=HAND"
LINE_5 = "correct 5 round ana cut ana=3 beto=20 dani=12 caro=HAND"


@pytest.fixture
def path(table, owner, write):
    game = start(table, owner, variant="chinchon", packs=2, stake=1000)
    for line in LINES:
        write(game, *parse_line(line))
    return f"games/{game.code}/"


def send(owner_program, path, line, where="events"):
    body = {"after": 5, "events": [{"line": line}]}
    return owner_program.post(f"{path}{where}/", body, key=line[:60])


def test_refusals_name_the_rounds_and_events_and_obeyed_they_are_accepted(owner_program, path):
    late = send(owner_program, path, "reenter caro")
    assert (422, "refused", "player") == late.problem
    assert (
        "Caro was out after round 1 (event 3). If they came back, write: correct 3 reenter caro ; " + LINE_4
        == late.body["detail"]
    )
    line = f"correct 3 reenter caro ; {LINE_4.replace('HAND', '15')}"
    lacking = send(owner_program, path, line)
    assert (422, "refused", "hand-caro") == lacking.problem
    assert (
        f"Caro's hand is missing in round 3 (event 5). Write on the same line: {LINE_5}"
        == lacking.body["detail"]
    )
    obeyed = send(owner_program, path, f"{line} ; {LINE_5.replace('HAND', '4')}")
    assert (200, 39) == (obeyed.status, obeyed.body["players"][2]["total"])


def test_a_preview_names_what_is_missing_in_each_conflict(owner_program, path):
    conflict, _next = send(owner_program, path, "correct 3 reenter caro", "preview").body["conflicts"] + [
        None
    ]
    assert ("missed_rounds", 4, 2, "hands", ["caro"]) == tuple(
        conflict[name] for name in ("kind", "number", "round", "missing", "missing_players")
    )
    bust = f"correct 3 reenter caro ; {LINE_4.replace('HAND', '90')}"
    (asked,) = send(owner_program, path, bust, "preview").body["conflicts"]
    assert ("no_answer", 5, 3, "answer", "caro") == tuple(
        asked[name] for name in ("kind", "number", "round", "missing", "player")
    )
