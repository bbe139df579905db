"""A recorder of the API: thousands of fixed calls to every operation, with status, headers and body of each answer.

Run it before and after a change that must not alter responses. It prints each call with another answer.

    python -m tests.api.recorded before.json
    python -m tests.api.recorded after.json --against before.json
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import random
import secrets
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import time_machine

NOW = "2026-11-20T23:00:00+00:00"
DEEPEST = 4  # levels of a body whose parts are replaced
HEADERS = ("ETag", "Retry-After", "Content-Type", "Allow", "WWW-Authenticate")
OTHERS = ("witness", "scorer", "stranger", "nobody")
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 1.5, 2**31 + 1, 10**18 + 1, 10**20),
    *(
        "",
        " ",
        "x",
        "1",
        "ana",
        "ñ" * 50,
        "a" * 101,
        "a" * 1001,
        "A\u0301na",
        "a\u200bb",
        'a"b',
        "\x00",
        "\u202e",
    ),
    *("2026-01-01", "2026-13-01", "1899-01-01", "2026-11-20T10:00:00", "2026-11-20T10:00:00-03:00"),
    *([], [1], ["a"], [True, "b"], [None] * 201, {}, {"a": 1}, {"a": "b", "c": True}),
)
WHOLE: tuple[Any, ...] = (None, [], [1], 1, "x", True, {"a": 1}, {"": 1}, {"ñ" * 60: 1}, "")


@dataclass
class Place:
    """The rows that the calls concern: two tables, their games, and the users who call."""

    full: Any
    plain: Any
    users: dict[str, Any]
    tokens: dict[str, str]
    games: dict[str, str]
    paths: dict[str, list[Any]]
    secret: str
    sessions: dict[str, Any] = field(default_factory=dict)


def main() -> None:
    """Record every call and compare the answers with those of another recording."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--against", type=Path, help="Compare with this recording.")
    parser.add_argument("--only", nargs="*", default=[], help="Ask only these operations.")
    parser.add_argument("--every", type=int, default=1, help="Ask only each nth call.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            **{"DJANGO_SETTINGS_MODULE": "tests.unlimited", "DATA_DIR": f"{folder}/data"},
            **{"ALLOWED_HOSTS": "testserver", "SECRET_KEY": "always the same " * 4, "LOG_LEVEL": "CRITICAL"},
        }
        import logging

        import django
        from django.core.management import call_command

        django.setup()
        logging.disable(logging.CRITICAL)
        call_command("migrate", verbosity=0)
        with time_machine.travel(NOW, tick=False):
            answers = _record(given.only, given.every)
    given.file.write_text(json.dumps(answers, ensure_ascii=False, indent=0), encoding="utf-8")
    print(f"{len(answers)} calls recorded")
    if given.against is not None:
        sys.exit(_compare(json.loads(given.against.read_text(encoding="utf-8")), answers))


def _compare(before: dict[str, Any], after: dict[str, Any]) -> int:
    """Print each difference and return the number of differences."""
    changed = [name for name in after if before.get(name) != after[name]]
    for name in changed[:40]:
        print(f"--- {name[:300]}\n  was {str(before.get(name))[:700]}\n  is  {str(after.get(name))[:700]}")
    print(f"{len(changed)} of {len(after)} answers differ; the other recording has {len(before)}")
    return min(len(changed), 100)


def _record(only: list[str], every: int) -> dict[str, Any]:
    from django.db import transaction

    answers: dict[str, Any] = {}
    with _fixed_chance(0):
        place = _place()

    for number, (name, client, method, path, options) in enumerate(_calls(place)):
        _forget_counts()
        if number % every or (only and name.split()[0] not in only):
            continue
        with _fixed_chance(number), transaction.atomic():
            try:
                response = getattr(client, method)(path, **options)
            except Exception as error:  # a server error is recorded like any response
                answers[name] = [500, {}, repr(error)]
                transaction.set_rollback(True)
                continue
            content = (
                b"".join(response.streaming_content)
                if response.streaming
                else response.content  # a spreadsheet
            ).decode()
            answers[name] = [
                response.status_code,
                {
                    known: ", ".join(sorted(response.headers[known].split(", ")))  # methods come from a set
                    for known in HEADERS
                    if known in response.headers
                },
                content,
            ]
            transaction.set_rollback(True)
    return answers


def _fixed_chance(seed: int) -> Any:
    """Replace the random source of codes, tokens and names, so that every run draws the same."""
    chance = random.Random(seed)

    def choose(values: Any) -> Any:
        return chance.choice(values)

    return mock.patch.multiple(
        secrets,
        choice=choose,
        token_hex=lambda count=16: f"{chance.getrandbits(8 * count):0{2 * count}x}",
        token_urlsafe=lambda count=16: f"{chance.getrandbits(6 * count):0{count}x}",
    )


def _forget_counts() -> None:
    from django.core.cache import caches

    for name in caches:
        caches[name].clear()


# --- the tables -------------------------------------------------------------------------------------------------------


def _place() -> Place:
    from games.models import Role
    from games.people.claims import claim
    from games.people.invitations import LASTS, make_invite
    from games.people.tokens import LIVES, make_token
    from games.play import recording as services
    from tests.full_tables import FullTable, fill
    from tests.tables import a_key, a_round, make_table, make_user, start

    users = {name: make_user(name) for name in ("owner", "second", "scorer", "witness", "stranger")}
    full = fill(FullTable(random.Random(7), users["owner"]), nights=2, games=2)
    plain = make_table(users["owner"])
    for table in (full, plain):
        for name, role in (("second", Role.OWNER), ("scorer", Role.SCORER), ("witness", Role.WITNESS)):
            table.grants.create(user=users[name], role=role)
    claim(plain.members.get(slug="beto"), users["witness"], is_agreed=True)
    claim(plain.members.get(slug="dani"), users["scorer"], is_agreed=False)
    running = start(plain, users["owner"], stake=100, reentries="unlimited")
    services.record(
        running, a_round("ana", beto=120, caro=10, dani=3), after=1, key=a_key(), by=users["owner"]
    )
    over = start(plain, users["owner"], stake=100, reentries=0)
    services.record(
        over, a_round("ana", beto=120, caro=120, dani=120), after=1, key=a_key(), by=users["scorer"]
    )
    undone = start(plain, users["scorer"], variant="carioca_cl")
    services.record(undone, a_round("ana", beto=20, caro=1, dani=0), after=1, key=a_key(), by=users["owner"])
    services.undo(undone, after=2, key=a_key(), by=users["owner"], at=None)
    gone = start(plain, users["owner"], variant="chinchon")
    services.discard_game(gone)
    payments = _payments(plain, users)
    invite, secret = make_invite(plain, Role.SCORER, lasts=LASTS["week"], by=users["owner"])
    tokens = {
        f"token-{role}": make_token(users["owner"], f"un {role}", role, lasts=LIVES["day"])[1]
        for role in (Role.OWNER, Role.SCORER, Role.WITNESS)
    }
    tokens["token-one"] = make_token(users["owner"], "una", Role.SCORER, table=plain, lasts=LIVES["day"])[1]
    paths: dict[str, list[Any]] = {
        "member": ["ana", "beto", "nadie"],
        "other": ["caro"],
        "cost": [*full.costs.values_list("pk", flat=True)[:3], 999],
        "payment": [*payments, *full.payments.values_list("pk", flat=True)[:6], 999],
        "night": [
            "2026-11-20",
            *sorted({str(note.night) for note in full.closing_notes.all()}),
            "2020-01-01",
            "x",
        ],
        "season": [plain.seasons.get().pk, *full.seasons.values_list("pk", flat=True), 2**40],
        "grant": [*plain.grants.values_list("pk", flat=True), 999],
        "invitation": [invite.pk, 999],
        "removal": [1],
        "device": [1],
        "token": [1, 999],
        "what": ["rounds", "results", "payments", "x"],
        "key": ["loba_menos", "points", "nada"],
    }
    games = {"running": running.code, "over": over.code, "undone": undone.code, "gone": gone.code}
    games |= {f"full{number}": game.code for number, game in enumerate(full.games.order_by("pk")[:3])}
    return Place(full, plain, users, tokens, games, paths, secret)


def _payments(table: Any, users: dict[str, Any]) -> list[int]:
    from games.models import Method
    from games.money.payments import dispute, pay
    from tests.tables import a_key

    ana, beto, caro = (table.members.get(slug=slug) for slug in ("ana", "beto", "caro"))
    made = [
        pay(table, caro, beto, 7, method=Method.CASH, key=a_key(), by=users["owner"]),
        pay(
            table, beto, ana, 20, method=Method.TRANSFER, key=a_key(), by=users["witness"], note="la seña", is_claimed=True
        ),
        pay(table, caro, beto, 8, method=Method.CASH, key=a_key(), by=users["owner"], is_asking=False),
    ]  # fmt: skip
    dispute(made[2], by=users["witness"], objection="no llegó")
    return [payment.pk for payment in made]


# --- the calls --------------------------------------------------------------------------------------------------------


def _calls(place: Place) -> Iterator[tuple[str, Any, str, str, dict[str, Any]]]:
    """Yield each call: its name, the client, the method, the address and what is sent."""
    for operation, method, template in _operations():
        nothing: Any = None if method == "get" else {}
        bodies = _bodies(place).get(operation, [nothing])
        for number, path in enumerate(_paths(place, template, operation)):
            for asker in ("owner", *OTHERS, *place.tokens) if number < 2 else ("owner",):
                for sent in bodies:
                    yield _call(place, operation, asker, method, path, sent)
        path = next(_paths(place, template, operation))
        for query in QUERIES.get(operation, ()):
            for where in _paths(place, template, operation):
                yield _call(place, operation, "owner", method, where + query, None)
        if method != "get":
            for sent in (*(changed for body in bodies for changed in _exchanged(body)), *WHOLE):
                yield _call(place, operation, "owner", method, path, sent)
            for headers in KEYS:
                yield _call(place, operation, "owner", method, path, bodies[0], **headers)
            yield _call(place, operation, "owner", method, path, "no JSON")
            for sent in _without_after(bodies) if operation in VERSIONED else ():
                for headers in VERSIONS:
                    yield _call(place, operation, "owner", method, path, sent, **headers)
        else:
            yield _call(place, operation, "owner", method, path, None, **{"if-none-match": "*"})
            yield _call(place, operation, "owner", method, path, None, **{"accept-language": "es-ar"})


KEYS: tuple[dict[str, str], ...] = (
    *({"idempotency-key": key} for key in ("", "a" * 200, "ñ", "key-1")),
    {"accept-language": "es-ar"},
)
VERSIONS: tuple[dict[str, str], ...] = tuple(
    {"if-match": tag}
    for tag in ('"2"', '"2.abcdef"', '"1"', "2", '"x"', '"2", "3"', "*", f'"{10**12}"', 'W/"2"')
)
VERSIONED = {"record", "preview", "undo", "redo", "offer_hand"}
QUERIES = {
    "events": ("?after=1", "?after=x", "?limit=1", "?limit=0", "?cursor=x"),
    "games": ("?limit=1", "?state=ended", "?state=x", "?member=ana", "?winner=x", "?from=2026-01-01&to=2020-01-01"),
    "payments": ("?limit=2", "?cursor=WzFd"),
    "nights": ("?limit=1", "?before=2024-03-20", "?before=x"),
    "plan": ("?limit=2",),
    "changes": ("?since=0", "?since=5", "?since=x", "?since=99999"),
    "player": ("?limit=1", "?season=all", "?drop=1"),
    "standings": ("?season=all", "?by=points", "?by=x", "?least=3", "?drop=2", "?from=2024-03-08"),
    "records": ("?season=all", "?game=loba_menos"),
    "duels": ("?season=all",),
    "duel": ("?season=all",),
    "preview_merge": ("?into=caro", "?into=beto"),
    "preview_carrying_over": (
        "?name=Otra&unit=U&decimals=2&rate=1450",
        "?name=&unit=U&decimals=2&rate=2.5",
        "?name=Otra&unit=U&decimals=9&rate=1",
        "?name=Otra&unit=U&decimals=1&rate=x",
    ),
    "variant": ("?stake=100", "?stake=x", "?direction=left", "?direction=up"),
}  # fmt: skip


def _operations() -> Iterator[tuple[str, str, str]]:
    from games.api.common.schema import openapi

    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            yield operation["operationId"], method, path


def _paths(place: Place, template: str, operation: str) -> Iterator[str]:
    """Yield the paths of an operation: one for each row it can be about, at both tables."""
    codes = [place.plain.code, place.full.code]
    if "/games/{code}" in template:
        codes = list(place.games.values())
    name = next((name for name in place.paths if f"{{{name}}}" in template and name != "other"), "")
    for code in codes if "{code}" in template else [""]:
        for value in place.paths[name] if name else [""]:
            yield template.format(**{**{"code": code, "other": "caro"}, **({name: value} if name else {})})


def _call(
    place: Place, operation: str, asker: str, method: str, path: str, sent: Any, **headers: str
) -> tuple[str, Any, str, str, dict[str, Any]]:
    options: dict[str, Any] = {"headers": {"idempotency-key": "a key", **headers}}
    if sent is not None or method != "get":
        content = sent if isinstance(sent, str) else json.dumps(sent)
        options |= {"data": content, "content_type": "application/json"}
    name = f"{operation} {asker} {method} {path} {json.dumps(sent, ensure_ascii=False)} {headers}"
    return name, _client(place, asker), method, path, options


def _client(place: Place, asker: str) -> Any:
    """Return the client of this user or token."""
    from django.test import Client

    if asker not in place.sessions:
        place.sessions[asker] = Client(headers={"accept-language": "en"})
        if asker in place.users:
            place.sessions[asker].force_login(place.users[asker])
        elif asker in place.tokens:
            place.sessions[asker].defaults["HTTP_AUTHORIZATION"] = f"Bearer {place.tokens[asker]}"
    return place.sessions[asker]


def _without_after(bodies: list[Any]) -> Iterator[Any]:
    for body in bodies:
        yield body
        yield {name: part for name, part in body.items() if name != "after"}


def _exchanged(body: Any) -> Iterator[Any]:
    """Yield altered bodies: each part left out, or replaced by each strange value, or one part too many."""
    for path in _parts(body):
        yield _changed(body, path, remove=True)
        for value in VALUES if len(path) < 3 else VALUES[:: len(path)]:
            yield _changed(body, path, value)
    for path in [(), *_parts(body)]:
        if isinstance(_part(body, path), dict):
            yield _changed(body, (*path, "another"), 1)
    if isinstance(body, dict):
        yield dict(reversed(body.items()))
        yield dict.fromkeys(body)


def _parts(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if len(above) == DEEPEST:
        return
    inside = (
        value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    )
    for name, part in inside:
        yield (*above, name)
        yield from _parts(part, (*above, name))


def _part(body: Any, path: tuple[Any, ...]) -> Any:
    for name in path:
        body = body[name]
    return body


def _changed(body: Any, path: tuple[Any, ...], value: Any = None, *, remove: bool = False) -> Any:
    changed = copy.deepcopy(body)
    inside = _part(changed, path[:-1])
    if remove:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    return changed


def _bodies(place: Place) -> dict[str, list[Any]]:
    from games.money.balances import read_accounts
    from games.money.closings import seen_now
    from games.money.merging import preview_merge
    from games.scoring.text.codec import kind_of, to_data
    from tests.tables import a_round

    table, full = place.plain, place.full
    member = {slug: table.members.get(slug=slug) for slug in ("ana", "beto", "caro", "dani")}
    over = table.games.get(code=place.games["over"])
    grants = list(table.grants.order_by("pk").values_list("pk", flat=True))
    event = {"kind": "round_played", "data": to_data(a_round("ana", caro=5, dani=7))}
    log = [{"kind": kind_of(known), "data": to_data(known)} for known in over.log()]
    notebook = {
        "text": "fecha;Ana;Beto;Eva\n5/3/2026;120;-120;0\n",
        "figures": "money",
        "same": {},
        "joined": {},
    }
    text = "game loba_menos stake=100\nplayers ana beto\nround ana out beto=12\n"
    step = {"after": 2, "at": "2026-11-20T22:59:00-00:00"}
    paid = {"payer": "beto", "payee": "ana", "amount": 15, "method": "transfer"}
    return {
        "rules": [{"variant": "loba_menos", "options": {"stake": 100}, "direction": "left"}],
        "hand": [{"variant": "chinchon", "options": {}, "hand": "[1o 2o 3o 7c 7e 7b 12o]"}],
        "contract": [{"variant": "carioca_cl", "options": {}, "contract": "1", "cards": "[K K K 7 7 * 3 2]"}],
        "score": [
            {"game": text},
            {"format": "anotador-game", "version": 1, "started_at": "x", "events": log, "state": {}},
        ],
        "open_table": [
            {"name": "Otra", "unit": "U$S", "decimals": 2, "language": "es-ar", "timezone": "America/Santiago"},
            {"name": "Otra", "region": "es-CL"},
        ],
        "rename_table": [{"name": "Los viernes"}, {"region": "es-CL"}],
        "change_clock": [{"timezone": "America/Santiago"}],
        "start_game": [
            {
                **{"variant": "loba_menos", "options": {"stake": 5}, "direction": "left", "dealer": 2},
                **{"players": [{"id": "ana"}, {"name": "Eva"}], "apart": ["Eva"]},
                **{"code": "abcdefghjkm", "at": "2026-11-20T22:00:00-00:00"},
            },
            {"variant": "points", "options": {"name": "Generala"}, "players": [{"id": "ana"}, {"id": "beto"}]},
        ],
        "record": [
            {"after": 2, "events": [{"kind": "player_reentered", "data": {"player": "beto"}}]},
            {**step, "events": [{"kind": "player_stayed_out", "data": {"player": "beto"}}, event], "apart": ["Eva"]},
            {"after": 2, "events": [{"kind": "player_joined", "data": {"player": {"name": "Ána"}}}]},
        ],
        "preview": [
            {"after": 2, "events": [{"kind": "corrected", "data": {"number": 2, **_inner(event)}}], "answers": {}},
            {"events": [{"kind": "struck", "data": {"number": 2}}], "answers": {"a": "b"}},
        ],
        "undo": [step],
        "redo": [step],
        "flag": [{"number": 2, "player": "beto", "note": "eran doce"}],
        "offer_hand": [{"after": 2, "hand": "[K 9]"}, {"after": 2, "hand": "", "closing": "out"}],
        "settle_flags": [{"number": 2, "player": "beto"}],
        "add_member": [{"name": "Zulema", "apart": "Zulema"}, {"name": "Ána"}],
        "change_member": [{"name": "Anita", "colour": 3, "apart": "Anita"}, {}],
        "merge_member": [
            {"into": "dani", "seen": preview_merge(member["ana"], member["dani"]).seen},
            {"into": "dani", "seen": "x"},
        ],
        "carry_over": [{"name": "Otra", "unit": "U$S", "decimals": 2, "rate": "1450", "seen": "x"}],
        "open_balances": [
            {"balances": {"ana": 5, "beto": -5}, "seen": seen_now(read_accounts(table))},
            {"balances": {"ana": 5}, "seen": "x"},
        ],
        "pay": [{**paid, "note": "la cena", "day": "2026-11-20", "sure": True}, paid],
        "amend_payment": [
            {"amount": 9, "method": "cash", "note": "eran 9", "day": "2026-11-20", "after": 0, "text": "contamos"},
            {"amount": 9, "method": "cash", "after": 0},
        ],
        **{operation: [{"text": "no llegó"}, {}] for operation in ("dispute_payment", "uphold_payment", "cancel_payment")},
        "share_cost": [
            {"night": "2026-11-20", "payer": "beto", "amount": 1001, "sharers": ["ana", "caro"], "note": "pizza"},
            {"night": "2026-11-20", "payer": "beto", "amount": 1001},
        ],
        "amend_cost": [{"payer": "beto", "amount": 900, "sharers": ["ana"], "after": 0, "text": "era menos"}],
        "cancel_cost": [{"text": "pagó la casa"}, {}],
        "close_night": [{"night": "2026-11-20", "seen": seen_now(read_accounts(table)), "text": "todo bien"}],
        "pay_dues": [
            {"after": 2},
            {"after": 2, "payer": "beto", "payee": "ana", "amount": 100},
            {"after": over.records.count(), "payer": "beto", "payee": "ana", "amount": 100},
        ],
        "set_account": [{"account": "alias.de.ana"}],
        "retire": [{"written_off": 0}, {}],
        **{operation: [{"claimant": place.users["witness"].pk}] for operation in ("accept_claim", "end_claim")},
        "invite": [{"role": "witness", "lasts": "day"}, {"role": "owner"}, {"role": "spare"}, {"role": "scorer"}],
        "look_at_invitation": [{"token": place.secret}, {"token": "x"}],
        "accept_invitation": [{"token": place.secret, "name": "Eva"}, {"token": "x", "name": 1}],
        "hand_over": [{"grant": grants[1]}, {"grant": grants[0]}],
        **{operation: [{"also": [grants[2]]}, {}] for operation in ("remove_grant", "revoke_invitation", "leave_table")},
        "erase_table": [{"name": table.name}, {"name": "x"}],
        "change_season": [{"name": "Verano", "first_day": "2026-11-01", "order": "points"}, {}],
        "close_season": [{"last_day": "2026-11-20", "next_name": "2027", "order": "wins"}],
        "preview_notebook": [notebook, {"text": "fecha;Ana;Bto\n5/3/26;1;-1\n7/3/26;1;2\n", "variant": "chinchon"}],
        "take_notebook_over": [{**notebook, "seen": "x", "paid": True}],
        "take_notebook_back": [{"key": "key"}],
        "import_table": [{}, _file(full)],
    }  # fmt: skip


def _inner(event: dict[str, Any]) -> dict[str, Any]:
    return {"kind": event["kind"], "event": event["data"]}


def _file(table: Any) -> Any:
    from games.notebook.writing import write_table

    return write_table(table)


if __name__ == "__main__":
    main()
