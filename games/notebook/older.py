"""Upgrade tables' files that earlier versions of the app wrote to the present format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def upgraded(value: dict[str, Any]) -> dict[str, Any]:
    """Return the file's content in the present format. Invalid content is not reported here."""
    while (bring_up := _BRINGS_UP.get(value.get("version"))) is not None:
        value = bring_up(value)
    return value


def _from_1(value: dict[str, Any]) -> dict[str, Any]:
    """Upgrade version 1 to 2: give each payment an empty history, and note that it needed no confirmation.

    In version 1 every payment counted at once. The moment at which it was made becomes `recorded_at` too.
    """
    payments = value.get("payments")
    if isinstance(payments, list):
        payments = [_payment_from_1(payment) for payment in payments]
    return {**value, "version": 2, "payments": payments}


def _payment_from_1(payment: Any) -> Any:
    if not isinstance(payment, dict):
        return payment
    unsaid: dict[str, object] = {"claimed_at": None, "accepted_at": None, "paid_on": None, "steps": []}
    return {**payment, **unsaid, "recorded_at": payment.get("made_at")}


def _from_2(value: dict[str, Any]) -> dict[str, Any]:
    """Upgrade version 2 to 3: add new fields to closing notes and members.

    In version 2 only the last night could be closed, so the moment of closing becomes `as_of`. The time of a
    member's merge was not stored and stays unknown.
    """
    notes, members = value.get("closing_notes"), value.get("members")
    if isinstance(notes, list):
        notes = [{**note, "as_of": note.get("made_at")} if isinstance(note, dict) else note for note in notes]
    if isinstance(members, list):
        members = [_member_from_2(member) for member in members]
    return {**value, "version": 3, "closing_notes": notes, "members": members}


def _member_from_2(member: Any) -> Any:
    return {**member, "merged_at": None, "merged_by": None} if isinstance(member, dict) else member


def _from_3(value: dict[str, Any]) -> dict[str, Any]:
    """Upgrade version 3 to 4: add empty times of arrival: version 3 has no times at which entries arrived at the site."""
    games, payments = value.get("games"), value.get("payments")
    if isinstance(games, list):
        games = [_game_from_3(game) for game in games]
    if isinstance(payments, list):
        payments = [_unarrived(payment) for payment in payments]
    return {**value, "version": 4, "games": games, "payments": payments}


def _game_from_3(game: Any) -> Any:
    if not isinstance(game, dict) or not isinstance(batches := game.get("batches"), list):
        return game
    return {**game, "batches": [_unarrived(batch) for batch in batches]}


def _unarrived(entry: Any) -> Any:
    return {**entry, "arrived_at": None} if isinstance(entry, dict) else entry


def _from_4(value: dict[str, Any]) -> dict[str, Any]:
    """Upgrade version 4 to 5: add the fields for settled nights, empty, and an empty list of shared costs.

    In version 4 no payment named the night that it settled, and settling a night never included earlier debts
    (`settles_before`).
    """
    table, payments, plans = value.get("table"), value.get("payments"), value.get("plans")
    if isinstance(table, dict):
        table = {**table, "settles_before": False}
    if isinstance(payments, list):
        payments = [{**one, "night": None} if isinstance(one, dict) else one for one in payments]
    if isinstance(plans, list):
        plans = [{**plan, "cost": None} if isinstance(plan, dict) else plan for plan in plans]
    return {**value, "version": 5, "table": table, "payments": payments, "plans": plans, "costs": []}


def _from_5(value: dict[str, Any]) -> dict[str, Any]:
    """Upgrade version 5 to 6: add an empty identity of the table, empty codes of games, and new keys.

    The keys are made from positions in the file. Payments that were recorded together get the same key, from
    the number of their batch.
    """
    table = value.get("table")
    if isinstance(table, dict):
        table = {**table, "id": ""}
    return {
        **value,
        "version": 6,
        "table": table,
        "games": _each(value.get("games"), _game_from_5),
        "payments": _each(value.get("payments"), _payment_from_5),
        "costs": _each(value.get("costs"), lambda number, cost: {**cost, "key": f"imported-{number}"}),
    }


def _each(rows: Any, upgrade: Callable[[int, dict[str, Any]], dict[str, Any]]) -> Any:
    """Return the list `rows` with each row upgraded. `upgrade` gets a row's number, from 1, and the row.

    If `rows` is not a list, return it unchanged.
    """
    if not isinstance(rows, list):
        return rows
    return [
        upgrade(number, row) if isinstance(row, dict) else row for number, row in enumerate(rows, start=1)
    ]


def _game_from_5(number: int, game: dict[str, Any]) -> dict[str, Any]:
    game = {**game, "code": "", "key": f"imported-{number}"}
    batches, after = game.get("batches"), 0
    if not isinstance(batches, list):
        return game
    keyed: list[Any] = []
    for batch in batches:
        keyed.append({**batch, "key": f"imported-{after + 1}"} if isinstance(batch, dict) else batch)
        events = batch.get("events") if isinstance(batch, dict) else None
        after += len(events) if isinstance(events, list) else 0
    return {**game, "batches": keyed}


def _payment_from_5(_number: int, payment: dict[str, Any]) -> dict[str, Any]:
    batch = payment.get("batch")
    return {**payment, "key": f"imported-{batch}"} if isinstance(batch, int) else payment


_BRINGS_UP: Mapping[object, Callable[[dict[str, Any]], dict[str, Any]]] = {
    1: _from_1,
    2: _from_2,
    3: _from_3,
    4: _from_4,
    5: _from_5,
}
