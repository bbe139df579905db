"""Request bodies that make sense at their table, which random generation would hardly ever produce."""

from __future__ import annotations

from typing import Any

from django.utils.timezone import now

from games.models import Game, Table, is_code
from games.nights import night_of
from games.scoring.text.codec import to_data
from tests.tables import PEOPLE, a_round, last_night

LATE = 40  # steps of a walk
OF_THE_GUEST = 7  # every seventh step is sent as a member who is a witness


def sensible(operation: str, place: dict[str, Any], turn: int) -> dict[str, Any] | None:
    """Return the fields of a sensible body for this operation; None where any generated body will do.

    `turn` is the number of the step in a walk, so that the bodies of different steps differ.
    """
    make, code = MADE.get(operation), place.get("code", "")
    if make is None or (code and not is_code(code)):
        return None
    try:
        return make(code, turn)
    except (Table.DoesNotExist, Game.DoesNotExist):  # the code of another table or of none
        return None


def _table(code: str, turn: int) -> dict[str, Any]:
    return {"name": "Los jueves", "unit": "$", "decimals": turn % 3}


def _game(code: str, turn: int) -> dict[str, Any]:
    members = list(Table.objects.get(code=code).members.active()[:4])
    players: list[dict[str, str]] = [{"id": member.slug} for member in members]
    if len(players) < 2:
        players += [{"name": name} for name in PEOPLE]
    if turn % 3 == 0:
        options = {"name": f"Generala {turn % 2}", "settlement": "pot", "stake": 100, "target": 50}
        return {"variant": "points", "options": options, "players": players}
    return {"variant": "loba_menos", "options": {"stake": 100}, "players": players}


def _round(code: str, turn: int) -> dict[str, Any]:
    """Return the body of a round; every second one ends the game, since all but the closer get 120 points."""
    points = 10 if turn % 2 else 120
    state = Game.objects.get(code=code).state()
    first, *others = [player.id for player in state.players]
    if state.rules.asks_closer:
        played = a_round(first, closing="out", **dict.fromkeys(others, points))
    else:
        played = a_round(None, closing="played", **dict.fromkeys(others, points), **{first: -points})
    return {"events": [{"kind": "round_played", "data": to_data(played)}]}


def _night(code: str, turn: int) -> dict[str, Any]:
    table = Table.objects.get(code=code)
    return {"night": (last_night(table) or night_of(now(), table)).isoformat()}


def _season(code: str, turn: int) -> dict[str, Any]:
    return {
        "first_day": night_of(now(), Table.objects.get(code=code)).isoformat(),
        "name": f"Temporada {turn}",
    }


def _payment(code: str, turn: int) -> dict[str, Any]:
    """Return the body of a payment between a member who has a user and one who has none.

    The first pays in the steps that are sent as that user, and is paid in all others.
    """
    known = Table.objects.get(code=code).members.active()
    guest, other = known.exclude(user=None).first(), known.filter(user=None).first()
    ends = ("payer", "payee") if turn % OF_THE_GUEST == 0 else ("payee", "payer")
    between = {end: member.slug for end, member in zip(ends, (guest, other), strict=True) if member}
    return {**between, "amount": 100 + turn, "method": "cash", "confirm": True}


def _cost(code: str, turn: int) -> dict[str, Any]:
    """Return the body of a shared cost, which one member paid for two."""
    sharers = [member.slug for member in Table.objects.get(code=code).members.active()[:2]]
    payer = sharers[0] if sharers else "nadie"
    return {"payer": payer, "sharers": sharers, "amount": 101 + turn, "note": "pizza"}


def _erased(code: str, turn: int) -> dict[str, Any]:
    """Return the body of an erasure, with the table's right name only late in a walk.

    After an erasure the walk can only restore the table.
    """
    return {"name": Table.objects.get(code=code).name if turn > LATE else "otra"}


def _notebook(code: str, turn: int) -> dict[str, Any]:
    return {"text": "fecha;Ana;Beto\n5/3/2026;120;-120\n", "figures": "money"}


MADE = {
    "open_table": _table,
    "erase_table": _erased,
    "start_game": _game,
    "record": _round,
    "preview": _round,
    "begin_season": _season,
    "preview_notebook": _notebook,
    "take_notebook_over": _notebook,
    "pay": _payment,
    "share_cost": lambda code, turn: {**_cost(code, turn), "night": _night(code, turn)["night"]},
    "invite": lambda code, turn: {"role": ("witness", "owner", "scorer")[turn % 3], "lasts": "day"},
    "add_member": lambda code, turn: {"name": f"Zulema {turn}"},
    "set_account": lambda code, turn: {"account": f"zulema.{turn}"},
    "change_season": lambda code, turn: {"name": f"Temporada {turn}"},
    **dict.fromkeys(("dispute_payment", "take_back_payment"), lambda code, turn: {"reason": "no llegó"}),
    "cancel_cost": lambda code, turn: {"reason": "no era"},
    "change_member": lambda code, turn: {"colour": 2},
    **dict.fromkeys(("rematch", "undo", "redo", "discard", "restore", "retire"), lambda code, turn: {}),
    **dict.fromkeys(("remove_grant", "revoke_invitation", "leave_table"), lambda code, turn: {"also": []}),
}
