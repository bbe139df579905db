"""Tables' files that a stranger could make, each with a lot of something that the reader goes through.

They follow from a small file with every part: each of its objects with invented keys, each of its lists with
many items, and rows that multiply one another.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import pairwise
from typing import Any, TypeAlias

from games.common import schema_version
from games.files.services import file_writer
from games.play.api.event_schemas import LINES, event_example
from games.scoring.text.codec import to_data
from games.scoring.text.notation import parse_line

File: TypeAlias = dict[str, Any]
Place: TypeAlias = tuple[str | int, ...]

MOMENT, NIGHT = "2026-01-02T21:00:00+00:00", "2026-01-02"
PEOPLE = ("ana", "beto", "caro", "eva")
AMENDMENTS = ("correct 1 game loba_menos stake=200", "correct 1 players ana beto")


def write(file: object) -> bytes:
    return json.dumps(file, separators=(",", ":"), sort_keys=True).encode()


# --- rows -------------------------------------------------------------------------------------------------------------


def new_file(people: Iterable[str] = PEOPLE, **rows: list[Any]) -> File:
    """Return a file with these members, and with these rows by the names of their lists."""
    table = {
        **{"id": "", "name": "Mesa", "unit": "$", "decimals": 0, "language": "es-ar", "region": ""},
        **{"timezone": "America/Argentina/Buenos_Aires", "pays_on_the_spot": False, "fewest": False},
        "created_at": MOMENT,
    }
    seasons = [{"name": "2026", "starts_on": "2026-01-01", "order": ""}]
    money: File = {"payments": [], "costs": [], "entries": [], "debts": []}
    return {
        **{"format": file_writer.FORMAT, "version": file_writer.VERSION, "shape": schema_version.SHAPE},
        **{"table": table, "members": [*map(member, people)], "seasons": seasons, "games": []},
        **money,
        **rows,
    }


def names(count: int) -> list[str]:
    return [f"m{number}" for number in range(count)]


def member(slug: str, **more: object) -> File:
    merge = {"merged_into": None, "merged_at": None, "merged_by": None}
    row = {"id": slug, "name": slug, "colour": 1, "account": "", "retired_at": None}
    return {**row, **merge, **more}


def game(key: object, *events: File, **more: object) -> File:
    """Return a game whose events were recorded one by one."""
    batches = [
        {"key": f"b{number}", "at": MOMENT, "by": "Ana", "arrived_at": MOMENT, "events": [event]}
        for number, event in enumerate(events)
    ]
    row = {"code": "", "key": f"g{key}", "started_at": MOMENT, "night": NIGHT, "discarded_at": None}
    return {**row, "batches": batches, **more}


def started(players: Iterable[str] = PEOPLE[:3]) -> File:
    seats = [{"id": slug, "name": slug} for slug in players]
    return {"kind": "game_started", "data": {**event_example("game_started")["data"], "players": seats}}


def round_without_points(players: Iterable[str] = PEOPLE[:3]) -> File:
    closer, *others = players
    data = {"closer": closer, "closing": "out", "hands": [[slug, "0"] for slug in others]}
    return {"kind": "round_played", "data": data}


def payment(key: object, payer: str = "ana", payee: str = "beto", **more: object) -> File:
    dates = {"made_at": MOMENT, "paid_on": None, "recorded_at": MOMENT, "arrived_at": MOMENT}
    answers = {"is_claim": False, "confirmed_at": None, "confirmed_by": "", "disputed_at": None}
    end = {"disputed_by": "", "objection": "", "ended_at": None, "ended_by": "", "reason": ""}
    row = {"key": f"p{key}", "payer": payer, "payee": payee, "amount": 1, "method": "cash", "note": ""}
    return {**row, **dates, **answers, **end, "by": "Ana", **more}


def expense(key: object, borne: Mapping[str, int], payer: str = "ana", **more: Any) -> File:
    dates = {"night": NIGHT, "made_at": MOMENT, "recorded_at": MOMENT, "arrived_at": MOMENT}
    end = {"ended_at": None, "ended_by": "", "reason": ""}
    row = {"key": f"c{key}", "payer": payer, "amount": sum(borne.values()), "borne": borne, "note": ""}
    return {**row, **dates, **end, "forgiven": False, "by": "Ana", **more}


def corrected_expense(key: object, borne: Mapping[str, int]) -> list[File]:
    """Return an expense of several payers with every optional field, and the version that replaces it."""
    paid = {"ana": sum(borne.values()) - 1, "beto": 1}
    answers: File = {"proposer": "ana", "accepted_at": MOMENT, "accepted_by": "Ana"}
    refusal: File = {"refused_at": None, "refused_by": "", "objection": ""}
    replaced: File = {"replaced_at": MOMENT, "replaced_by": "Ana"}
    first = expense(key, borne, paid=paid, **answers, **refusal, **replaced, replaces=None)
    return [first, expense(f"{key}-2", borne, replaces=1)]


def equal_expense(key: object, sharers: Iterable[str]) -> File:
    """Return an expense of a file of version 1.0, which names the sharers."""
    row = expense(key, {"ana": 100})
    del row["borne"]
    return {**row, "sharers": [*sharers]}


def entry(number: int, differences: Mapping[str, int], **more: object) -> File:
    """Return a ledger entry, of starting balances unless `more` names another kind."""
    causes = {"game": None, "payment": None, "cost": None, "member": None, "key": f"e{number}"}
    row = {"number": number, "kind": "opened", "night": NIGHT, "at": MOMENT, "by": "Ana"}
    return {**row, **causes, "differences": differences, "before": [], "after": [], **more}


def debts_in_circles(people: list[str], count: int) -> list[list[Any]]:
    """Return as many lines of debts among these people, all of different pairs."""
    return [
        [people[number % len(people)], people[(number + 1 + number // len(people)) % len(people)], 1]
        for number in range(count)
    ]


# --- each object and each list ----------------------------------------------------------------------------------------


def sample_file() -> File:
    """Return a small file with every part, every field and every kind of event."""
    hand = {"number": 2, "player": "ana", "brought_by": "Ana", "is_changed": False}
    spot = {"nets": {"ana": 0, "beto": 0}, "at": MOMENT, "by": "Ana"}
    first = game("", started(), round_without_points(), hands=[hand], spot=spot)
    amendments = [{"kind": "corrected", "data": to_data(parse_line(line)[0])} for line in AMENDMENTS]
    others = [event_example(kind) for kind in LINES] + amendments
    games = [
        game(number, event) if number < 2 else game(number, started(), round_without_points(), event)
        for number, event in enumerate(others)  # the first two begin a game
    ]
    line = [["beto", "ana", 1]]
    return new_file(
        games=[first, *games],
        payments=[payment("")],
        costs=[*corrected_expense("", {"ana": 2, "beto": 3}), equal_expense("e", PEOPLE)],
        entries=[entry(1, {"ana": 1, "beto": -1}, after=line), entry(2, {"ana": 0, "beto": 0}, before=line)],
        debts=[{"debtor": "beto", "creditor": "ana", "amount": 1, "version": 1}],
    )


def enlarged_files(count: int) -> Iterator[tuple[str, File]]:
    """Yield the sample with about so many values more in each object or list of it, by name.

    An object gets invented keys; a list gets its first item again and again, and once with other names.
    """
    sample = sample_file()
    for place, part in _parts(sample, ()):
        if isinstance(part, dict):
            keys = {f"x{number}": 0 for number in range(count)}
            yield _enlarged(sample, place, "invented keys", {**part, **keys})
        else:
            item = part[0] if part else 0
            items = range(count // (1 + write(item).count(b",")))
            yield _enlarged(sample, place, "an item again and again", [item for _number in items])
            yield _enlarged(sample, place, "many items", [_renamed(item, number) for number in items])


def _enlarged(sample: File, place: Place, how: str, part: Any) -> tuple[str, File]:
    """Return the name and the file with this part in its place, without the games that have no part in it."""
    file = {**sample, "games": sample["games"][:1]}
    match place:
        case ():
            file = part
        case ("games", int(number), *rest):
            file["games"] = [_replaced(sample["games"][number], rest, part)]
        case _:
            file = _replaced(file, place, part)
    return f"{'/'.join(map(str, place)) or 'the file'}: {how}", file


def _replaced(value: Any, place: Sequence[str | int], part: Any) -> Any:
    """Return a copy of the value with this part in its place."""
    if not place:
        return part
    step, *rest = place
    changed = copy(value)
    changed[step] = _replaced(value[step], rest, part)
    return changed


def _renamed(item: Any, number: int) -> Any:
    """Return the item with another name or key."""
    match item:
        case str():
            return f"x{number}"
        case [str(), *rest]:
            return [f"x{number}", *rest]
        case {"id": _} | {"key": _} | {"starts_on": _}:
            name = next(name for name in ("id", "key", "starts_on") if name in item)
            return {**item, name: f"x{number}"}
        case _:
            return item


def _parts(value: Any, place: Place) -> Iterator[tuple[Place, Any]]:
    """Yield the objects and lists in a value with their places, in lists only those in the first item.

    Games differ in their last event, so those in the last event of each game are yielded too.
    """
    if isinstance(value, dict):
        yield place, value
        for name, part in value.items():
            yield from _parts(part, (*place, name))
    elif isinstance(value, list):
        yield place, value
        for item in value[:1]:
            yield from _parts(item, (*place, 0))
        if place == ("games",):
            for number in range(1, len(value)):
                last = len(value[number]["batches"]) - 1
                (event,) = value[number]["batches"][last]["events"]
                yield from _parts(event, (*place, number, "batches", last, "events", 0))


# --- rows that multiply one another -----------------------------------------------------------------------------------


def shares(count: int, expenses: int = 4) -> File:
    people = names(count)
    return new_file(people, costs=[expense(key, dict.fromkeys(people, 1), "m0") for key in range(expenses)])


def payers(count: int, expenses: int = 4) -> File:
    people = names(count)
    paid = dict.fromkeys(people, 1)
    borne = {**paid, "m0": 2, "m1": 0}
    return new_file(people, costs=[expense(key, borne, "m0", paid=paid) for key in range(expenses)])


def sharers(count: int, expenses: int = 4) -> File:
    people = names(count)
    costs = [equal_expense(key, people) | {"payer": "m0"} for key in range(expenses)]
    return new_file(people, costs=costs)


def few_sharers_of_many(count: int, people: int = 0) -> File:
    slugs = names(people or count)
    costs = [equal_expense(key, slugs[:2]) | {"payer": slugs[-1]} for key in range(count)]
    return new_file(slugs, costs=costs)


def lines_of_debts(count: int, entries: int = 4) -> File:
    people = names(count)
    lines = debts_in_circles(people, count)
    differences = dict.fromkeys(people, 0)
    return new_file(
        people,
        entries=[entry(number + 1, differences, before=lines, after=lines) for number in range(entries)],
    )


def lines_of_payments(count: int, entries: int = 4) -> File:
    people = names(count)
    lines = debts_in_circles(people, count)
    differences = {**dict.fromkeys(people, 0), "m0": 1, "m1": -1}
    return new_file(
        people,
        payments=[payment(number, "m0", "m1") for number in range(entries)],
        entries=[
            entry(
                number + 1, differences, kind="paid", payment=number + 1, key=None, before=lines, after=lines
            )
            for number in range(entries)
        ],
    )


def debts_beside_entries(count: int, entries: int = 0) -> File:
    """Return a file where half of the people have debts with the other half, and later entries with nobody else."""
    left, right = names(2 * count)[:count], names(2 * count)[count:]
    owing = [
        entry(number, dict.fromkeys((*left, other), 0), after=[[slug, other, 1] for slug in left])
        for number, other in enumerate(right, start=1)
    ]
    few = dict.fromkeys(left, 0)
    later = [entry(len(owing) + number, few) for number in range(1, (entries or count) + 1)]
    return new_file((*left, *right), entries=[*owing, *later])


def debts_of_many(count: int, people: int = 0) -> File:
    slugs = names(people or count)
    debt = {"debtor": slugs[-1], "creditor": slugs[-2], "amount": 1, "version": 1}
    first = entry(1, dict.fromkeys(slugs[:2], 0))
    return new_file(slugs, entries=[first], debts=[debt] * count)


def games_in_seasons(count: int, seasons: int = 0) -> File:
    starts = [f"{2100 + number // 12}-{1 + number % 12:02}-01" for number in range(seasons or count)]
    rows = [{"name": "s", "starts_on": day, "order": ""} for day in starts]
    return new_file(seasons=rows, games=[game(number, started()) for number in range(count)])


def entries_of_games(count: int) -> File:
    games = [game(number, started()) for number in range(count)]
    of_last = {"kind": "ended", "game": count, "key": None}
    return new_file(
        games=games, entries=[entry(number + 1, {"ana": 0}, **of_last) for number in range(count)]
    )


def batches(count: int) -> File:
    return new_file(games=[game("", started(), *[round_without_points()] * count)])


def chain_of_merges(count: int, batches: int = 0) -> File:
    """Return members who were merged one into the next, and a long game of the first and another."""
    slugs = names(count)
    rows = [
        member(slug, merged_into=into, merged_at=MOMENT, merged_by="Ana") for slug, into in pairwise(slugs)
    ]
    players = (slugs[0], "zoe")
    rounds = [round_without_points(players)] * (batches or count)
    return {
        **new_file(games=[game("", started(players), *rounds)]),
        "members": [*rows, member(slugs[-1]), member("zoe")],
    }


def offered_hands(count: int, rounds: int = 0) -> File:
    log = [started(), *[round_without_points()] * (rounds or count)]
    hands = [
        {"number": 2 + number, "player": player, "brought_by": "Ana", "is_changed": False}
        for number in range(rounds or count)
        for player in PEOPLE[:3]
    ]
    return new_file(games=[game("", *log, hands=hands)])


def spot_nets(count: int, games: int = 4) -> File:
    people = names(count)
    spot = {"nets": dict.fromkeys(people, 0), "at": MOMENT, "by": "Ana"}
    return new_file(people, games=[game(number, started(people[:2]), spot=spot) for number in range(games)])


def players_of_a_game(count: int) -> File:
    people = names(count)
    return new_file(people[:500], games=[game("", started(people))])


def cards(count: int, games: int = 2) -> File:
    """Return games whose rounds have long hands, all different."""
    rounds = [
        {"kind": "round_played", "data": {"closer": "ana", "closing": "out", "hands": [["beto", hand]]}}
        for number in range(games * count)
        for hand in (
            "{K}" * (600 - number % 600) + "{Q}" * (number % 600) + "[" + "7 " * (number // 600) + "]",
        )
    ]
    logs = [rounds[first::games] for first in range(games)]
    return new_file(games=[game(number, started(), *log) for number, log in enumerate(logs)])


def versions_of_an_expense(count: int) -> File:
    """Return an expense that was corrected again and again."""
    replaced: File = {"replaced_at": MOMENT, "replaced_by": "Ana"}
    costs = [expense(number, {"beto": 1}, replaces=number or None, **replaced) for number in range(count)]
    return new_file(costs=[*costs, expense(count, {"beto": 1}, replaces=count)])


# By name: the file, and the arguments of the largest one that is still read.
MULTIPLIED: Mapping[str, tuple[Callable[..., File], tuple[int, ...]]] = {
    "expenses of 500 shares": (shares, (500, 800)),
    "expenses of 500 payers": (payers, (500, 420)),
    "expenses of 500 named sharers": (sharers, (500, 400)),
    "expenses of two named sharers among 500": (few_sharers_of_many, (3900, 500)),
    "entries with 2,000 lines of debts": (lines_of_debts, (500, 118)),
    "entries of payments with lines of debts": (lines_of_payments, (500, 116)),
    "entries of people with many other debts": (debts_beside_entries, (250, 100)),
    "debts among 500 members": (debts_of_many, (10_000, 500)),
    "games in 500 seasons": (games_in_seasons, (1450, 500)),
    "entries of games": (entries_of_games, (1000,)),
    "a game recorded one by one": (batches, (900,)),
    "members merged into one another": (chain_of_merges, (498, 900)),
    "hands from phones": (offered_hands, (900, 900)),
    "games paid on the spot by 500": (spot_nets, (500, 550)),
    "a game of thousands": (players_of_a_game, (80_000,)),
    "long hands": (cards, (260,)),
    "versions of an expense": (versions_of_an_expense, (7200,)),
}
