"""An example of a table's file for the API's description.

It is the smallest file from which a table with one old game can be imported.
"""

from __future__ import annotations

from typing import Any

from games.models import EntryKind
from games.notebook.writing import FORMAT, VERSION
from games.scoring.debts import settle
from games.scoring.events import Event
from games.scoring.ledger import nets
from games.scoring.replay import replay
from games.scoring.text.codec import kind_of, to_data
from games.scoring.text.notation import read_line
from games.scoring.text.script import read_script
from games.snapshot import SHAPE

_STARTED_AT = "2019-05-31T22:00:00-03:00"
_SCORED_AT = "2019-06-01T00:30:00-03:00"
_NOT_MERGED = {"merged_into": None, "merged_at": None, "merged_by": None, "retired_at": None}


def _member(slug: str, name: str, colour: int) -> dict[str, Any]:
    return {"id": slug, "name": name, "colour": colour, "account": "", **_NOT_MERGED}


def _batch(at: str, *events: Event) -> dict[str, Any]:
    """Return a batch of the file: events that were recorded together.

    `at` is the time of the recording in ISO 8601, and also the batch's key.
    """
    rows = [{"kind": kind_of(event), "data": to_data(event)} for event in events]
    return {"key": at, "at": at, "by": "guest", "arrived_at": at, "events": rows}


_START = read_script('game loba_menos stake=100\nplayers ana beto caro="Carolina"')[0].events
_ROUND = read_line("round caro out ana=23 beto=[K 7 *]; stop lowest_wins")
_NETS = nets(replay((*_START, *_ROUND)))
_DEBTS = settle((), list(_NETS), _NETS, order=list(_NETS))
_ENTRY = {
    **{
        "number": 1,
        "kind": EntryKind.ENDED,
        "night": "2019-05-31",
        "at": _SCORED_AT,
        "by": None,
        "key": None,
    },
    **{"game": 1, "payment": None, "cost": None, "member": None},
    **{"differences": _NETS, "before": [], "after": [[one.payer, one.payee, one.amount] for one in _DEBTS]},
}


OLD_TABLE: dict[str, Any] = {
    "format": FORMAT,
    "version": VERSION,
    "shape": SHAPE,
    "table": {
        "id": "",
        "name": "Los viernes",
        **{"unit": "$", "decimals": 0, "language": "es-ar", "timezone": "America/Argentina/Buenos_Aires"},
        **{"pays_on_the_spot": False, "created_at": _STARTED_AT},
    },
    "members": [_member("ana", "Ana", 1), _member("beto", "Beto", 2), _member("caro", "Carolina", 3)],
    "seasons": [{"name": "2019", "starts_on": "2019-05-31"}],
    "games": [
        {
            **{"code": "", "key": _STARTED_AT},
            "started_at": _STARTED_AT,
            "night": "2019-05-31",
            "discarded_at": None,
            "batches": [_batch(_STARTED_AT, *_START), _batch(_SCORED_AT, *_ROUND)],
        }
    ],
    **{"payments": [], "costs": [], "entries": [_ENTRY]},
    "debts": [
        {"debtor": one.payer, "creditor": one.payee, "amount": one.amount, "version": 1, "since": 1}
        for one in _DEBTS
    ],
}
