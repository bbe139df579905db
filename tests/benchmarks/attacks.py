"""A benchmark of the dearest requests a stranger may send: CPU seconds, and the longest hold of the write lock.

    python -m tests.benchmarks.attacks [--only WORD] [--json FILE]

Everything is stored in a temporary database. The caches of the process are emptied before each request, so the first
figure is that of a server just restarted. Waiting for the disk is no part of either figure.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle, permutations
from pathlib import Path
from time import process_time
from typing import Any
from unittest import mock

from games.scoring.events import (
    Corrected,
    Event,
    GameStarted,
    Player,
    PlayerReentered,
    RoundPlayed,
    RulesAgreed,
)  # fmt: skip
from games.scoring.replay import apply, replay
from games.scoring.text.notation import read_line
from tests.benchmarks.fresh_site import new_site
from tests.benchmarks.goals import say

CPU, LOCKED = 1.0, 0.1  # seconds
HARD = (
    "p0 cut p0=[5b 5b 6b 6b 7b 4e 8b] p1=[8b 9b 9e 10b 10b 11b 9o] p2=[* * 12b * 2c 2c 1o] p3=[10c 4c 4c 5c 6e 6c 12o] p4=[3c 7c 8c 3b 9c 9c 10c] p5=[8e 5c 11c 9b 12c 1e 1e] p6=[2e 2e 3e 3e 7b 4e 5e] p7=[5e 6e 11c 7e 7e * 8e]",
    "p0 cut p0=[* * 5b 7e 8e 6o 6e] p1=[11e 8b 8b 8e 8o 8c 3c] p2=[2b 6c 9c 4e 5e 12c 10o] p3=[9e 9c 9o 9b 9e 9o 1o] p4=[3o 4b 10o 6b 10c 11b 8o] p5=[11b * 5o 11e 11c 11c 11o] p6=[12c 12b 6c 1e 12e 12o 8c] p7=[5o 10e 10b 12o * 11o 4o]",
)  # rounds of two packs with jokers: a search found that these take longest to solve
CONGA = (("pack", 50), ("packs", 2), ("wilds", "jokers"), ("out_at", 500), ("settlement", "none"))
EIGHT = tuple(Player(f"p{number}", f"P{number}") for number in range(8))


@dataclass(frozen=True)
class Ask:
    """A request to be measured: its name in the printed table, and a function that sends it."""

    name: str
    send: Callable[[], Any]


def hard_rounds(count: int) -> list[Event]:
    """Return the log of `count` rounds whose hands are slow to solve; every bust player re-enters."""
    log: list[Event] = [GameStarted("chinchon", CONGA, EIGHT)]
    state = replay(log)
    suits = (str.maketrans("oceb", "".join(other)) for other in permutations("oceb"))
    # In other suits the same rounds are as slow, and no cached result helps with the next one.
    rounds = cycle(
        f"round p0 cut {text.removeprefix('p0 cut ').translate(other)}" for other in suits for text in HARD
    )
    while len(state.rounds) < count:
        event: Event
        if state.pending:
            event = PlayerReentered(state.pending[0].id)
        else:
            (event,) = read_line(next(rounds))
        state = apply(state, len(log) + 1, event)  # type: ignore[arg-type]
        log.append(event)
    return log


def game_text(log: list[Event]) -> str:
    """Return the game in the notation."""
    from games.scoring.text.writing import write_event

    options = " ".join(f"{name}={value}" for name, value in CONGA)
    people = " ".join(player.id for player in EIGHT)
    return "\n".join([f"game chinchon {options}", f"players {people}", *map(write_event, log[1:])]) + "\n"


# --- measuring ----------------------------------------------------------------------------------------------


class Locks:
    """A measurement of the write lock: the CPU seconds of the longest transaction that held it."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._since = 0.0

    @contextmanager
    def watched(self) -> Iterator[Locks]:
        from django.db.backends.sqlite3.base import DatabaseWrapper

        Wrapper: Any = DatabaseWrapper

        begin, commit, rollback = (
            Wrapper._start_transaction_under_autocommit,
            Wrapper._commit,
            Wrapper._rollback,
        )

        def begun(wrapper: Any) -> None:
            begin(wrapper)
            self._since = process_time()

        def ended(end: Any) -> Any:
            def ending(wrapper: Any) -> Any:
                if self._since:
                    self.longest = max(self.longest, process_time() - self._since)
                    self._since = 0.0
                return end(wrapper)

            return ending

        Wrapper._start_transaction_under_autocommit = begun
        Wrapper._commit, Wrapper._rollback = ended(commit), ended(rollback)
        try:
            yield self
        finally:
            Wrapper._start_transaction_under_autocommit = begin
            Wrapper._commit, Wrapper._rollback = commit, rollback


def forget() -> None:
    """Empty the cache of solved hands, as a restart does."""
    from games.scoring.solvers import leftovers

    leftovers._leftovers.cache_clear()


def measured(ask: Ask) -> dict[str, Any]:
    """Send one request, print its line of the printed table and return its figures by name."""
    forget()
    gc.collect()  # the garbage of earlier requests is no part of this one's figures
    with Locks().watched() as locks:
        began = process_time()
        answer = ask.send()
        if answer.streaming:
            answer.getvalue()
        seconds = process_time() - began
    status = answer.status_code
    line = {
        "request": ask.name,
        "status": status,
        "cpu": round(seconds, 3),
        "locked": round(locks.longest, 3),
    }
    is_met = seconds <= CPU and locks.longest <= LOCKED and status < 500
    if status >= 400:
        print("      ", answer.content[:200])
    say(f"{ask.name} ({status})", f"{seconds:.3f} s CPU, {locks.longest:.3f} s in the write lock", met=is_met)
    return line


# --- the requests -------------------------------------------------------------------------------------------


class Stage:
    """The setting of the requests: an owner with a browser, and the tables at which they are sent."""

    def __init__(self) -> None:
        from django.test import Client

        from tests.tables import make_user

        self.owner = make_user()
        self.client = Client(headers={"accept-language": "es-AR"}, raise_request_exception=False)
        self.client.force_login(self.owner)
        self.client.get("/")  # imports the views, as a server does before it answers

    def table(self, people: int = 8, name: str = "Mesa") -> Any:
        from games.models import Member
        from tests.tables import make_table

        table = make_table(self.owner, people=(), name=name)
        Member.objects.bulk_create(
            Member(table=table, slug=f"p{number}", name=f"P{number}", colour=number % 8 + 1)
            for number in range(people)
        )
        return table

    def game(self, table: Any, log: list[Event]) -> Any:
        """Store a game directly, also one that could not be recorded today."""
        from django.utils.timezone import now

        from games.models import Game, Record
        from games.nights import night_of, season_on
        from games.scoring.text.codec import kind_of, to_data
        from tests.tables import a_key

        night = night_of(now(), table)
        state = replay(log)
        game = Game.objects.create(
            table=table, season=season_on(night, table), key=a_key(), variant=state.variant.key,
            started_at=now(), night_number=night.toordinal(),
        )  # fmt: skip
        Record.objects.bulk_create(
            Record(
                game=game, number=number, kind=kind_of(event), data=json.loads(json.dumps(to_data(event))),
                key=a_key(), recorded_at=now(), recorded_by=self.owner,
            )
            for number, event in enumerate(log, start=1)
        )  # fmt: skip
        return game

    def get(self, name: str, *args: Any) -> Callable[[], Any]:
        from django.urls import reverse

        return lambda: self.client.get(reverse(name, args=args))

    def post(self, name: str, *args: Any, **form: Any) -> Callable[[], Any]:
        from django.urls import reverse

        return lambda: self.client.post(reverse(name, args=args), form)

    def send(self, name: str, *args: Any, **body: Any) -> Callable[[], Any]:
        from django.urls import reverse

        from tests.tables import a_key

        return lambda: self.client.post(
            reverse(name, args=args), json.dumps(body), content_type="application/json",
            headers={"Idempotency-Key": a_key()},
        )  # fmt: skip


def of_five_hundred(stage: Stage) -> Iterator[Ask]:
    """Yield requests about a table of 500 members with debts or credits."""
    from django.utils.timezone import now

    from games.models import Method, Payment
    from games.money.debts import enter_payments
    from games.people.links import night_token

    table = stage.table(500, "Quinientos")
    members, chance = list(table.members.all()), random.Random(500)
    Payment.objects.bulk_create(
        Payment(
            table=table, payer=payer, payee=chance.choice([one for one in members if one != payer]),
            amount=chance.randint(1, 10**6), method=Method.CASH, key=f"a{number}", made_at=now(), recorded_by=stage.owner,
        )
        for number, payer in enumerate(members * 2)
    )  # fmt: skip
    enter_payments(list(table.payments.order_by("pk")), at=now(), by=stage.owner)
    code = table.code
    yield Ask("500 members: accounts", stage.get("accounts", code))
    form = {"payer": "p1", "payee": "p2", "amount": "10", "method": "cash", "sure": "p1 p2 10", "key": "k1"}
    yield Ask("500 members: a payment", stage.post("pay", code, **form))
    yield Ask("500 members: one account", stage.get("account", code, "p1"))
    yield Ask("500 members: the table", stage.get("lobby", code))
    yield Ask("500 members: a new game", stage.get("new-game", code))
    yield Ask("500 members: season", stage.get("season", code))
    yield Ask("500 members: a player", stage.get("player", code, "p1"))
    yield Ask("500 members: API accounts", stage.get("api-accounts", code))
    yield Ask(
        "500 members: API payment",
        stage.send("api-payment-list", code, payer="p3", payee="p4", amount=7, method="cash", sure=True),
    )
    yield Ask("500 members: API table", stage.get("api-table-detail", code))
    yield Ask("500 members: tonight's code", stage.post("lobby", code))
    yield Ask("500 members: the faces", stage.get("my-face", code))
    yield Ask("500 members: tonight's link", stage.get("invitation", night_token(table.links.get())))
    yield Ask("500 members: API me", stage.get("api-me"))
    yield Ask("a link for another phone", stage.post("link-for-phone"))
    yield Ask("500 members: somebody retires", stage.post("account", code, "p9", act="retire"))


def of_hard_hands(stage: Stage) -> Iterator[Ask]:
    """Yield requests about 30 rounds of eight slow hands, first as recorded, then with four corrections."""
    table = stage.table()
    log = hard_rounds(30)
    rounds = [number for number, event in enumerate(log, start=1) if isinstance(event, RoundPlayed)]
    first = log[rounds[0] - 1]
    assert isinstance(first, RoundPlayed)
    longer = [*log, *(Corrected(number, first) for number in rounds[1:5])]
    for name, game in (
        ("30 hard rounds", stage.game(table, log)),
        ("and 4 corrections", stage.game(table, longer)),
    ):
        code = game.code
        yield Ask(f"{name}: sheet", stage.get("sheet", code))
        yield Ask(f"{name}: a round about to be entered", stage.get("play-round", code))
        yield Ask(f"{name}: a round about to be corrected", stage.get("correct", code, rounds[-1]))
        yield Ask(f"{name}: API game", stage.get("api-game-detail", code))
        yield Ask(f"{name}: API undo", stage.send("api-game-undo", code, after=len(game.log())))
    from games.scoring.text.codec import kind_of, to_data

    for count in (30, 20):  # thirty are refused, twenty are not
        some = hard_rounds(count)
        events = [{"kind": kind_of(event), "data": json.loads(json.dumps(to_data(event)))} for event in some]
        new = stage.game(table, some[:1])
        name = f"{count} hard rounds"
        yield Ask(f"{name}: API score, as text", stage.send("api-score", game=game_text(some)))
        yield Ask(f"{name}: API score, as JSON", stage.send("api-score", events=events))
        yield Ask(f"{name}: API preview", stage.send("api-game-preview", new.code, events=events[1:]))
        yield Ask(f"{name}: API batch", stage.send("api-game-events", new.code, after=1, events=events[1:]))
    yield Ask(
        "30 hard rounds: API other rules", stage.send(
            "api-game-preview", stage.game(table, log).code,
            events=[{"kind": "corrected", "data": {"number": 1, "kind": "rules_agreed", "event": to_data(
                RulesAgreed("chinchon", (*CONGA, ("wild_value", 3))))}}])
    )  # fmt: skip
    values = "\n".join(
        f"correct 1 game chinchon {' '.join(f'{name}={value}' for name, value in CONGA)} wild_value={1 + number % 99}"
        for number in range(500)
    )
    yield Ask(
        "rules agreed 500 times: API score", stage.send("api-score", game=game_text(log[:2]) + values + "\n")
    )


def of_own_hands(stage: Stage) -> Iterator[Ask]:
    """Yield requests about own hands in a game of slow hands, of which eighty phones have sent theirs."""

    from games.models import Offer
    from tests.tables import become, let_in_as, make_user

    table = stage.table(name="Manos")
    log = hard_rounds(20)
    while waiting := replay(log).pending:
        log.append(PlayerReentered(waiting[0].id))
    game = stage.game(table, log)
    become(stage.owner, table.members.get(slug="p0"))
    for number in range(80):
        user = make_user(f"phone-{number}")
        member = table.members.get(slug=f"p{number % 8}")
        let_in_as(user, table, face=member.slug)
        Offer.objects.create(
            game=game,
            player=member.slug,
            user=user,
            round_number=21,
            after=len(log),
            hand=f"[{number % 7 + 1}o]",
        )
    form = {"after": str(len(log)), "hand-p0": "[5b 5b 6b 6b 7b 4e 8b]", "closer": "other"}
    yield Ask("own hands of 80 phones: sent", stage.post("own-hand", game.code, **form))
    yield Ask("own hands of 80 phones: the scorer's poll", stage.get("live-hands", game.code, 0))


def of_long_logs(stage: Stage) -> Iterator[Ask]:
    """Yield requests about games with the maximum number of events, half of them corrections."""
    table = stage.table(3)
    three = tuple(Player(f"p{number}", f"P{number}") for number in range(3))
    start = GameStarted("loba_menos", (("out_at", 500), ("stake", 100)), three)
    (played,) = read_line("round p0 out p1=1 p2=0")
    assert isinstance(played, RoundPlayed)
    rounds: list[Event] = [start, *[played] * 498]
    corrected = [*rounds, *(Corrected(2 + number, played) for number in range(498))]
    from games.scoring.events import GameStopped, Stop

    over = [*rounds, GameStopped(Stop.LOWEST_WINS), *(Corrected(2 + number, played) for number in range(498))]
    for name, log in (("500 corrections", corrected), ("a game over, then 500 corrections", over)):
        game = stage.game(table, log)
        code = game.code
        if log is over:
            from django.db import transaction
            from django.utils.timezone import now

            from games.play.writer import project

            with transaction.atomic():
                project(game, game.state(), at=now())
            yield Ask(f"{name}: settlement", stage.get("settlement", code))
            yield Ask(f"{name}: discard, cold", stage.send("api-game-discard", code))
            yield Ask(f"{name}: restore, cold", stage.send("api-game-restore", code))
            yield Ask(f"{name}: accounts", stage.get("accounts", table.code))
        yield Ask(f"{name}: sheet", stage.get("sheet", code))
        yield Ask(f"{name}: home", stage.get("home"))
        yield Ask(f"{name}: API undo", stage.send("api-game-undo", code, after=len(log)))
    game = stage.game(table, rounds)
    struck = {"kind": "corrected", "data": {"number": 1, "kind": "players_seated", "event": {
        "players": [{"id": "p0", "name": "P0"}, {"id": "p1", "name": "P1"}]}}}  # fmt: skip
    yield Ask(
        "500 rounds that fit no more: API preview", stage.send("api-game-preview", game.code, events=[struck])
    )
    from games.scoring.text.codec import kind_of, to_data

    lines = "game loba_menos out_at=500\nplayers p0 p1 p2\n" + "round p0 out p1=1 p2=0\n" * 400
    yield Ask(
        "API score: 400 corrections",
        stage.send("api-score", game=lines + "correct 2 round p0 out p1=2 p2=0\n" * 400),
    )
    yield Ask("API score: 4000 expectations", stage.send("api-score", game=lines + "expect pot 0\n" * 4000))
    for number in range(30):
        stage.game(stage.table(3, f"Mesa {number}"), corrected)
    yield Ask("30 tables with long games: home", stage.get("home"))
    events = [
        {"kind": kind_of(event), "data": json.loads(json.dumps(to_data(event)))} for event in rounds[1:]
    ]
    new = stage.game(table, rounds[:1])
    yield Ask(
        "a batch of 100 rounds: API", stage.send("api-game-events", new.code, after=1, events=events[:100])
    )


def of_files(stage: Stage) -> Iterator[Ask]:
    """Yield imports of table files and old notebooks of the maximum size."""
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.urls import reverse

    from games.models import Table
    from games.notebook.writing import write_table

    table = stage.table(8)
    stage.game(table, hard_rounds(2))
    whole = json.loads(write_table(table))
    hard = dict(whole["games"][0])

    def several(count: int, **parts: Any) -> list[Any]:
        return [{**hard, "code": "", "key": f"g{number}", **parts} for number in range(count)]

    def bring(name: str, **parts: Any) -> Ask:
        elsewhere = {
            **whole["table"],
            "created_at": f"{1900 + sum(map(ord, name)) % 99}-01-01T00:00:00+00:00",
        }  # a moment unlike that of any table here, because the file of a known table is refused
        text = json.dumps({**whole, "table": elsewhere, **parts})
        return Ask(
            f"{name} ({len(text) / 2**20:.1f} MiB)",
            lambda: stage.client.post(
                "/import/", {"file": SimpleUploadedFile("mesa.json", text.encode()), "key": f"k-{name}"[:60]}
            ),
        )

    yield bring("a file with 40 hard rounds", games=several(20))
    yield bring("a file of nothing but games begun", games=several(8000, batches=hard["batches"][:1]))
    yield bring("a file with 1,000 rounds", games=several(500))
    many = Table.objects.latest("pk").code
    for name in ("table-settings", "season", "home", "accounts"):
        yield Ask(f"a table of many games: {name}", stage.get(name, *([many] if name != "home" else [])))
    for what in ("table", "results", "payments"):
        yield Ask(f"a table of many games: download {what}", stage.get("download", many, what))
    yield bring("a file with 3,000 rounds", games=several(1500))
    yield bring("a file with 2,000 payments", **_payments(stage, 2000))
    yield bring("a file with 10,000 payments", **_payments(stage, 10_000))
    notes = "\n".join(
        f"{1 + n % 28}/{1 + n // 28 % 12}/{2000 + n // 336}\t"
        + "\t".join(str((n * k) % 90) for k in range(1, 9))
        for n in range(2990)
    )
    head = "fecha\t" + "\t".join(f"Nombre{k}" for k in range(8)) + "\n"
    table = stage.table(0)
    address = reverse("import-nights", args=[table.code])
    if address:
        yield Ask(
            "an old notebook of 2,990 nights", lambda: stage.client.post(address, {"text": head + notes})
        )


def _payments(stage: Stage, count: int) -> dict[str, Any]:
    """Return the lists of a file with so many payments between eight people, and their entries and debts."""
    from django.utils.timezone import now

    from games.models import Payment
    from games.money.debts import enter_payments
    from games.notebook.writing import write_table

    table, chance = stage.table(8, f"{count} pagos"), random.Random(count)
    members = list(table.members.all())
    Payment.objects.bulk_create(
        Payment(
            table=table, payer=payer, payee=payee, amount=chance.randint(1, 10**6), method="cash", key=f"p{number}",
            made_at=now(), recorded_by=stage.owner,
        )
        for number, (payer, payee) in enumerate(chance.sample(members, 2) for _payment in range(count))
    )  # fmt: skip
    enter_payments(list(table.payments.order_by("pk")), at=now(), by=stage.owner)
    whole = json.loads(write_table(table))
    return {"games": [], **{name: whole[name] for name in ("members", "payments", "entries", "debts")}}


def of_entries(stage: Stage) -> Iterator[Ask]:
    """Yield syncs of a phone with entries that waited, which are all refused or all slow to record."""
    from games.people.users import mark_of
    from tests.waiting import an_entry

    def send(games: list[Any]) -> Callable[[], Any]:
        hands = {"closer": "p0", "closing": "out", **{f"hand_p{n}": "9" for n in range(1, 8)}}
        entries = [an_entry("round", game=game.code, after=1, **hands) for game in games]
        return stage.send("waiting", person=mark_of(stage.owner), entries=entries)

    easy = [GameStarted("loba_menos", (), EIGHT[:4]), *read_line("round p0 out p1=9 p2=8 p3=7")]
    tables = [stage.table(8, f"Mesa {number}") for number in range(10)]
    games = [stage.game(tables[number % 10], easy) for number in range(200)]
    yield Ask("200 entries, each about a game that went on", send(games))
    hard = [stage.game(tables[number % 10], hard_rounds(14)) for number in range(20)]
    yield Ask("20 entries about hard games that went on", send(hard))


def of_floods(stage: Stage) -> Iterator[Ask]:
    """Yield requests over their rate limits: a page, a poll, and the largest forms, which are shown again."""
    from games.people import limits
    from tests.play.pages.test_tickets import Watching

    watching = Watching(stage.client, f"/g/{stage.game(stage.table(), hard_rounds(1)).code}/")
    ticket, fields = {"X-Ticket": watching.ticket}, {f"name-{number}": "<" for number in range(990)}
    pages, forms, polls = (replace(limit, most=0) for limit in (limits.PAGES, limits.FORMS, limits.POLLS))
    with (
        mock.patch.multiple(limits, PAGES=pages, FORMS=forms),
        mock.patch("scorekeeper.middleware.POLLS", polls),
    ):
        yield Ask("over the limit: a page", stage.get("home"))
        yield Ask("over the limit: a poll", lambda: stage.client.get(watching.live, headers=ticket))
        yield Ask("over the limit: a form of 2.4 MB", stage.post("new-table", stake='<"' * 1_200_000))
        yield Ask("over the limit: a form of 990 fields", stage.post("new-table", **fields))


STAGES = {
    "members": of_five_hundred,
    "hands": of_hard_hands,
    "own hands": of_own_hands,
    "logs": of_long_logs,
    "files": of_files,
    "entries": of_entries,
    "floods": of_floods,
}


def main() -> None:
    """Print the processor time of each chosen request, and its longest hold of the write lock."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", choices=STAGES)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    with new_site(), mock.patch("games.people.tables.TABLES_A_DAY", 1000):
        stage = Stage()
        lines = [
            measured(ask)
            for name, asks in STAGES.items()
            if chosen.only in (None, name)
            for ask in asks(stage)
        ]
    if chosen.json:
        chosen.json.write_text(json.dumps(lines, indent=1))


if __name__ == "__main__":
    main()
