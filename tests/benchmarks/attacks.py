"""A benchmark of the dearest requests a stranger may send: CPU seconds, and the longest hold of the write lock.

    python -m tests.benchmarks.attacks [--only WORD]

Everything is stored in a temporary database. The cache of solved hands is emptied before each request, so the first
figure is that of a server just restarted. Waiting for the disk is no part of either figure.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time
from typing import Any
from unittest import mock

from games.scoring.events import Corrected, Event, GameStarted, Player, RoundPlayed
from games.scoring.replay import replay
from games.scoring.text.codec import kind_of, to_data
from games.scoring.text.notation import read_line
from tests.benchmarks.fresh_site import new_site, say
from tests.hard_rounds import game_text, hard_rounds
from tests.reader import read_page

CPU, LOCKED = 1.0, 0.1  # seconds
Ask = tuple[str, Callable[[], Any]]  # the name of a request, and a function that sends it


class Locks:
    """A measurement of the write lock: the CPU seconds of the longest transaction that held it."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._since = 0.0

    @contextmanager
    def watched(self) -> Iterator[Locks]:
        from django.db.backends.sqlite3.base import DatabaseWrapper

        wrapper: Any = DatabaseWrapper
        begin = wrapper._start_transaction_under_autocommit

        def begun(database: Any) -> None:
            begin(database)
            self._since = process_time()

        def ending(end: Any) -> Any:
            def ended(database: Any) -> Any:
                if self._since:
                    self.longest = max(self.longest, process_time() - self._since)
                    self._since = 0.0
                return end(database)

            return ended

        with mock.patch.multiple(
            wrapper,
            _start_transaction_under_autocommit=begun,
            _commit=ending(wrapper._commit),
            _rollback=ending(wrapper._rollback),
        ):
            yield self


def measure(name: str, send: Callable[[], Any]) -> None:
    """Send one request and print its figures beside the goals."""
    from games.scoring.solvers import leftovers

    leftovers._leftovers.cache_clear()
    gc.collect()  # the garbage of earlier requests is no part of this one's figures
    with Locks().watched() as locks:
        began = process_time()
        answer = send()
        if answer.streaming:
            answer.getvalue()
        seconds = process_time() - began
    is_met = seconds <= CPU and locks.longest <= LOCKED and answer.status_code < 500
    figures = f"{seconds:.3f} s CPU, {locks.longest:.3f} s in the write lock"
    say(f"{name} ({answer.status_code})", figures, met=is_met)


def as_json(log: list[Event]) -> list[dict[str, Any]]:
    """Return the events as a program sends them."""
    return [{"kind": kind_of(event), "data": json.loads(json.dumps(to_data(event)))} for event in log]


# --- the requests -----------------------------------------------------------------------------------------------------


class Stage:
    """The setting of the requests: an owner with a browser, and the tables at which they are sent."""

    def __init__(self) -> None:
        from django.test import Client

        from tests.worlds import make_user

        self.owner = make_user()
        self.client = Client(headers={"accept-language": "es-AR"}, raise_request_exception=False)
        self.client.force_login(self.owner)
        self.client.get("/")  # imports the views, as a server does before it answers

    def table(self, people: int = 8, name: str = "Mesa") -> Any:
        from games.models import Member
        from tests.worlds import make_table

        table = make_table(self.owner, people=(), name=name)
        Member.objects.bulk_create(
            Member(table=table, slug=f"p{number}", name=f"P{number}", colour=number % 8 + 1)
            for number in range(people)
        )
        return table

    def game(self, table: Any, log: list[Event]) -> Any:
        """Store a game directly, also one that could not be recorded today."""
        from django.utils.timezone import now

        from games.common.days import night_of, season_on
        from games.models import Game, Record
        from tests.worlds import a_key

        night, begun = night_of(now(), table), now()
        game = Game.objects.create(
            table=table,
            season=season_on(night, table),
            key=a_key(),
            variant=replay(log).variant.key,
            started_at=begun,
            night_number=night.toordinal(),
        )
        Record.objects.bulk_create(
            Record(game=game, number=number, key=a_key(), recorded_at=begun, recorded_by=self.owner, **event)
            for number, event in enumerate(as_json(log), start=1)
        )
        return game

    def get(self, name: str, *args: Any) -> Callable[[], Any]:
        from django.urls import reverse

        return lambda: self.client.get(reverse(name, args=args))

    def post(self, name: str, *args: Any, **form: Any) -> Callable[[], Any]:
        from django.urls import reverse

        return lambda: self.client.post(reverse(name, args=args), form)

    def send(self, name: str, *args: Any, **body: Any) -> Callable[[], Any]:
        """Return a function that sends this body to the API."""
        from django.urls import reverse

        from tests.worlds import a_key

        headers = {"Idempotency-Key": a_key()}
        where, text = reverse(name, args=args), json.dumps(body)
        return lambda: self.client.post(where, text, content_type="application/json", headers=headers)


def of_many_members(stage: Stage) -> Iterator[Ask]:
    """Yield requests about a table of 500 members with debts or credits."""
    from django.utils.timezone import now

    from games.models import Method, Payment
    from games.money.payments import enter_payments

    table, chance = stage.table(500, "Quinientos"), random.Random(500)
    members = list(table.members.all())
    Payment.objects.bulk_create(
        Payment(
            table=table,
            payer=payer,
            payee=payee,
            amount=chance.randint(1, 10**6),
            method=Method.CASH,
            key=f"a{number}",
            made_at=now(),
            recorded_by=stage.owner,
        )
        for number, (payer, payee) in enumerate(chance.sample(members, 2) for _payment in range(1000))
    )
    enter_payments(list(table.payments.order_by("pk")), at=now(), by=stage.owner)
    for name in ("accounts", "lobby", "new-game", "season", "my-face", "api-accounts", "api-table-detail"):
        yield f"500 members: {name}", stage.get(name, table.code)
    paid = {"payer": "p1", "payee": "p2", "amount": "10", "method": "cash", "sure": "p1 p2 10", "key": "k1"}
    yield "500 members: a payment", stage.post("pay", table.code, **paid)
    yield "500 members: somebody retires", stage.post("member", table.code, "p9", act="retire")


def of_hard_hands(stage: Stage) -> Iterator[Ask]:
    """Yield requests about 30 rounds of eight slow hands, four of them corrected, and about 20 and 30 that are sent."""
    log = hard_rounds(30)
    rounds = [number for number, event in enumerate(log, start=1) if isinstance(event, RoundPlayed)]
    first = log[rounds[0] - 1]
    assert isinstance(first, RoundPlayed)
    table = stage.table()
    game = stage.game(table, [*log, *(Corrected(number, first) for number in rounds[1:5])])
    for name, *place in (("sheet",), ("play-round",), ("correct", rounds[-1]), ("api-game-detail",)):
        yield f"30 hard rounds: {name}", stage.get(name, game.code, *place)
    yield "30 hard rounds: API undo", stage.send("api-game-undo", game.code, after=len(game.log()))
    for count in (30, 20):  # thirty are refused, twenty are not
        some = hard_rounds(count)
        new = stage.game(table, some[:1])
        yield f"{count} hard rounds: API score", stage.send("api-score", game=game_text(some))
        batch = stage.send("api-game-events", new.code, after=1, events=as_json(some[1:]))
        yield f"{count} hard rounds: API batch", batch


def of_long_logs(stage: Stage) -> Iterator[Ask]:
    """Yield requests about games with the maximum number of events, half of them corrections."""
    table = stage.table(3)
    three = tuple(Player(f"p{number}", f"P{number}") for number in range(3))
    (played,) = read_line("round p0 out p1=1 p2=0")
    assert isinstance(played, RoundPlayed)
    log: list[Event] = [GameStarted("loba_menos", (("out_at", 500), ("stake", 100)), three), *[played] * 498]
    game = stage.game(table, [*log, *(Corrected(2 + number, played) for number in range(498))])
    yield "500 corrections: sheet", stage.get("sheet", game.code)
    yield "500 corrections: API undo", stage.send("api-game-undo", game.code, after=len(game.log()))
    lines = "game loba_menos out_at=500\nplayers p0 p1 p2\n" + "round p0 out p1=1 p2=0\n" * 400
    corrected = lines + "correct 2 round p0 out p1=2 p2=0\n" * 400
    yield "400 corrections: API score", stage.send("api-score", game=corrected)
    yield "4000 expectations: API score", stage.send("api-score", game=lines + "expect pot 0\n" * 4000)
    for number in range(30):
        stage.game(stage.table(3, f"Mesa {number}"), log)
    yield "30 tables with long games: home", stage.get("home")


def of_files(stage: Stage) -> Iterator[Ask]:
    """Yield imports of tables' files and old notebooks of the maximum size."""
    from django.core.files.uploadedfile import SimpleUploadedFile

    from games.files.writing import write_table

    table = stage.table(8)
    stage.game(table, hard_rounds(2))
    whole = json.loads(write_table(table))
    for count, name in ((20, "ab"), (500, "cd"), (1500, "ef")):  # the last is refused: too many steps
        games = [{**whole["games"][0], "code": "", "key": f"g{number}"} for number in range(count)]
        unknown = {**whole["table"], "id": whole["table"]["id"][:-2] + name}
        text = json.dumps({**whole, "table": unknown, "games": games})
        file = SimpleUploadedFile("mesa.json", text.encode())
        yield f"a file with {2 * count} hard rounds", stage.post("import-table", file=file, key=f"k-{count}")
    nights = "\n".join(
        f"{1 + n % 28}/{1 + n // 28 % 12}/{2000 + n // 336}\t"
        + "\t".join(str(n * k % 90) for k in range(1, 9))
        for n in range(390)
    )
    head = "fecha\t" + "\t".join(f"Nombre{k}" for k in range(8)) + "\n"
    notebook = {"text": head + nights, "figures": "fewest"}
    page, code = "import-nights", stage.table(0).code
    yield "an old notebook of 390 nights: the preview", stage.post(page, code, **notebook)
    preview = read_page(stage.post(page, code, **notebook)()).only("form", class_="sheetform").fields
    taken = {**notebook, "take": "1", "key": preview["key"], "seen": preview["seen"]}
    yield "an old notebook of 390 nights: brought in", stage.post(page, code, **taken)


STAGES = {"members": of_many_members, "hands": of_hard_hands, "logs": of_long_logs, "files": of_files}


def main() -> None:
    """Print the processor time of each chosen request, and its longest hold of the write lock."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", choices=STAGES)
    chosen = options.parse_args().only
    with new_site(), mock.patch("games.tables.tables.TABLES_A_DAY", 1000):
        stage = Stage()
        for name, asks in STAGES.items():
            if chosen in (None, name):
                for ask in asks(stage):
                    measure(*ask)


if __name__ == "__main__":
    main()
