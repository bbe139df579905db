"""A benchmark of the most expensive requests a stranger can send, over a socket to a server that logs each of
them.

    python -m tests.benchmarks.attacks [--only WORD]

It prints for each request the server's CPU time, its longest hold of the write lock, the growth of its
memory, and the length of the answer and of the longest log line. It exits with 1 if a figure is above its
goal or a status is unexpected. Everything is stored in a temporary folder.

There are two goals: a request refused for its length must cost little; one that is valid, or is refused only
after counting replay steps, may cost more. The caches of solved hands are emptied before each request, so its
figure is that of a server just restarted. No figure includes waiting for the disk.

Then eight requests about a whole table come at once, and others whose writers wait: `/healthz` must answer.
"""

from __future__ import annotations

import argparse
import gc
import json
import mmap
import os
import random
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest import mock

import django
from django.core.management import call_command
from django.test import override_settings
from django.urls import reverse
from django.utils.timezone import now

from games.scoring.events import Corrected, Event, GameStarted, Player, RoundPlayed
from games.scoring.replay import replay
from games.scoring.text.codec import to_data
from games.scoring.text.notation import parse_line
from tests.benchmarks.attacked_fields import FORMS
from tests.benchmarks.goals import report
from tests.hard_rounds import game_text, hard_rounds
from tests.server_processes import free_port

CHEAP, REFUSED, VALID, LOCKED = 0.1, 0.5, 1.0, 0.1  # seconds of CPU time, and of holding the write lock
LONGEST_ANSWER, LONGEST_LINE = 100_000, 1_000  # refused requests: bytes of the answer, and letters of the log
AT_ONCE, HEALTHY = 8, 1.0  # requests at once, and the seconds in which `/healthz` answers beside them
SLOW_SECONDS = 30
MOST_VALUES = 460_000  # keys or items that the reader of a table's file still reads
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
BOUNDARY = "a-boundary"
LIGATURE = "\ufdfa"  # expands to eighteen letters
HALF = "\ud800"  # half of a surrogate pair


def accents(count: int) -> str:
    """Return a text of accents out of order, which is slow to normalize."""
    return "a" + "\u0301\u0316" * (count // 2)


LONG_TEXTS = {
    "ten times too long": "x" * 20_000,
    "accents out of order": accents(20_000),
    "ligatures": LIGATURE * 20_000,
    "half a letter": HALF * 10,
}


@dataclass(frozen=True)
class Attack:
    """A request, its expected statuses, and the goal for its CPU time."""

    name: str
    method: str
    path: str
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    right: Callable[[int], bool] = lambda status: status < 500
    most: float = VALID
    is_short: bool = True  # whether an answer must be short if its goal is cheap
    raw: bytes = b""  # the bytes to send in place of all this

    @property
    def raw_request(self) -> bytes:
        if self.raw:
            return self.raw
        headers = {
            "Host": "localhost",
            "Connection": "close",
            "Content-Length": str(len(self.body)),
            **self.headers,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"{self.method} {self.path} HTTP/1.1\r\n{head}\r\n".encode("latin-1", "replace") + self.body


# --- the server -------------------------------------------------------------------------------------------


def serve(port: int, shared: str) -> None:
    """Serve the site of DATA_DIR, and write the longest hold of the write lock to the file `shared`."""
    django.setup()
    from games.files.services import table_import
    from games.files.views import files
    from games.management import http_server
    from games.management.commands.serve import bind_sockets
    from games.scoring.solvers import leftovers

    with open(shared, "r+b") as file:
        longest = mmap.mmap(file.fileno(), 8)

    def note(seconds: float) -> None:
        longest[:] = struct.pack("d", max(seconds, struct.unpack("d", longest[:])[0]))

    def forget(*_signal: object) -> None:
        leftovers._cached_solver.cache_clear()
        gc.collect()  # keep garbage of earlier requests out of the next one's figures
        longest[:] = bytes(8)

    watch_lock(note)
    signal.signal(signal.SIGUSR1, forget)
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # no collected files
    table_import.IMPORT_LIMIT = replace(table_import.IMPORT_LIMIT, most=100_000)
    files.PREVIEW_LIMIT = replace(files.PREVIEW_LIMIT, most=100_000)
    with override_settings(STORAGES={"staticfiles": plain}), bind_sockets("127.0.0.1", port) as sockets:
        http_server.create_server(sockets).run()


def watch_lock(note: Callable[[float], object]) -> None:
    """Call `note` with the CPU time of each hold of the write lock, in all connections of this process."""
    from django.db.backends.sqlite3.base import DatabaseWrapper

    wrapper: Any = DatabaseWrapper
    begin, ends = wrapper._start_transaction_under_autocommit, (wrapper._commit, wrapper._rollback)

    def begun(database: Any) -> None:
        begin(database)
        database.held_since = time.thread_time()

    def ending(end: Any) -> Any:
        def ended(database: Any) -> Any:
            since = database.__dict__.pop("held_since", None)
            if since is not None:
                note(time.thread_time() - since)
            return end(database)

        return ended

    wrapper._start_transaction_under_autocommit = begun
    wrapper._commit, wrapper._rollback = map(ending, ends)


class Server:
    """A server process, which measures the cost of each request."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._log, self._shared = folder / "log", folder / "shared"
        self._shared.write_bytes(bytes(8))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.attacks", "--serve", str(self.port), str(self._shared)],
            stdout=self._log.open("wb"),
            stderr=subprocess.STDOUT,
        )
        self._wait_for(lambda: self.ask(Attack("", "GET", "/healthz"))[0] == 200)
        self.ask(Attack("", "GET", "/"))  # imports the views, as a server does before it answers

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()

    def ask(self, attack: Attack) -> tuple[int, bytes]:
        """Send a request and return its status and answer; the status is 0 if the connection was dropped."""
        received = b""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=120) as connection:
                with suppress(ConnectionError):  # the server has answered and stopped reading
                    connection.sendall(attack.raw_request)
                while piece := connection.recv(1 << 16):
                    received += piece
        except ConnectionError:
            pass
        return (int(received[9:12]), received) if received.startswith(b"HTTP/1.") else (0, received)

    def read_slowly(self, attack: Attack) -> None:
        """Send a request, read a kilobyte of the answer each second, and go away after a while."""
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", self.port))
            connection.sendall(attack.raw_request)
            for _second in range(SLOW_SECONDS):
                connection.recv(1000)
                time.sleep(1)

    def measure(self, attack: Attack) -> bool:
        """Send a request and print its figures beside the goals. Return whether they are met."""
        self._process.send_signal(signal.SIGUSR1)
        self.ask(Attack("", "GET", "/healthz"))
        logged, memory, before = self._log.stat().st_size, self._memory(), self._seconds()
        status, answer = self.ask(attack)
        seconds, grown = self._seconds() - before, self._memory() - memory
        locked = struct.unpack("d", self._shared.read_bytes())[0]
        with self._log.open("rb") as log:
            log.seek(logged)
            longest = max(map(len, log.read().decode().splitlines()), default=0)
        is_short = attack.most == VALID or not attack.is_short or len(answer) <= LONGEST_ANSWER
        is_met = (
            attack.right(status)
            and seconds <= attack.most
            and locked <= LOCKED
            and is_short
            and longest <= LONGEST_LINE
        )
        report(
            f"{attack.name} ({status})",
            f"{seconds:.2f} s CPU, {locked:.3f} s in the lock, {grown:+.0f} MB, "
            f"answer {len(answer)}, log line {longest}",
            met=is_met,
        )
        return is_met

    def _seconds(self) -> float:
        stat = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / TICKS_PER_SECOND

    def _memory(self) -> float:
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1000

    def _wait_for(self, happened: Callable[[], bool]) -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                if happened():
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise SystemExit(self._log.read_text())


# --- the requests -----------------------------------------------------------------------------------------------------


def as_json(log: list[Event]) -> list[dict[str, Any]]:
    return [{"kind": event.kind, "data": json.loads(json.dumps(to_data(event)))} for event in log]


class Stage:
    """The setting of the requests: an owner with a browser, and their tables."""

    def __init__(self) -> None:
        from django.conf import settings
        from django.test import Client

        from tests.factories import make_user

        self.owner = make_user()
        client = Client()
        client.force_login(self.owner)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        self._token = "a" * 32
        self._cookies = f"{settings.CSRF_COOKIE_NAME}={self._token}"
        self._signed_in = f"{self._cookies}; {settings.SESSION_COOKIE_NAME}={session}"

    def headers(self, kind: str = "", *, is_anonymous: bool = False) -> dict[str, str]:
        """Return the headers of the owner's browser, or of one where nobody is signed in."""
        cookies = self._cookies if is_anonymous else self._signed_in
        headers = {"Cookie": cookies, "X-CSRFToken": self._token, "Accept-Language": "es-AR"}
        return headers | ({"Content-Type": kind} if kind else {})

    def table(self, people: int = 8, name: str = "Mesa") -> Any:
        from games.models import Member
        from tests.factories import make_table

        table = make_table(self.owner, people=(), name=name)
        Member.objects.bulk_create(
            Member(table=table, slug=f"p{number}", name=f"P{number}", colour=number % 8 + 1)
            for number in range(people)
        )
        return table

    def game(self, table: Any, log: list[Event]) -> Any:
        """Store a game directly, even one that could not be recorded today."""
        from games.common import days
        from games.models import Game, Record
        from tests.factories import new_key

        night, started_at = days.night_for(now(), table), now()
        game = Game.objects.create(
            table=table,
            season=days.season_on(night, table),
            key=new_key(),
            variant=replay(log).variant.key,
            started_at=started_at,
            night_number=night.toordinal(),
        )
        Record.objects.bulk_create(
            Record(
                game=game,
                number=number,
                key=new_key(),
                recorded_at=started_at,
                recorded_by=self.owner,
                **event,
            )
            for number, event in enumerate(as_json(log), start=1)
        )
        return game

    def get(self, attack: str, name: str, *args: Any) -> Attack:
        """Return the owner's request for a page."""
        return Attack(attack, "GET", reverse(name, args=args), headers=self.headers())

    def post(self, attack: str, name: str, *args: Any, **form: Any) -> Attack:
        """Return a valid form sent by the owner."""
        return self.form(attack, reverse(name, args=args), form, most=VALID)

    def form(
        self, attack: str, path: str, form: Mapping[str, Any], *, is_anonymous: bool = False, **right: Any
    ) -> Attack:
        """Return a form with these fields; a value in bytes is a file."""
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        headers = self.headers(kind, is_anonymous=is_anonymous)
        return Attack(attack, "POST", path, _multipart(form), headers, **{"most": REFUSED, **right})

    def send(self, attack: str, name: str, *args: Any, **body: Any) -> Attack:
        """Return a valid API request from the owner's program."""
        return self.json(attack, reverse(name, args=args), body, most=VALID)

    def json(self, attack: str, path: str, body: Any, *, method: str = "POST", **right: Any) -> Attack:
        """Return an API request with this JSON body from the owner's program."""
        from tests.factories import new_key

        headers = self.headers("application/json") | {"Idempotency-Key": new_key()}
        text = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return Attack(attack, method, path, text, headers, **{"most": REFUSED, **right})

    def waiting(self) -> dict[str, Any]:
        """Return a body for `/waiting/` with an entry whose game is half of a surrogate pair."""
        from games.tables.services import users

        entry = {
            "form": "round",
            "table": "",
            "game": HALF,
            "fields": {},
            "after": 1,
            "key": "k",
            "at": "2026-01-01T00:00:00Z",
        }
        return {"person": users.opaque_id(self.owner), "entries": [entry]}


def _multipart(form: Mapping[str, Any]) -> bytes:
    parts = b""
    for name, value in form.items():
        file = '; filename="f.txt"' if isinstance(value, bytes) else ""
        content = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'.encode()
        parts += head + content + b"\r\n"
    return parts + f"--{BOUNDARY}--\r\n".encode()


def table_of_payments(stage: Stage, name: str, count: int) -> Any:
    """Return a table of 500 members with so many payments among them."""
    from games.common import locks
    from games.models import Method, Payment
    from games.money.services import payments

    table, chance = stage.table(500, name), random.Random(500)
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
        for number, (payer, payee) in enumerate(chance.sample(members, 2) for _payment in range(count))
    )
    table_payments = list(table.payments.order_by("pk"))
    payments.post(table_payments, version=locks.bump_version(table), at=now(), by=stage.owner)
    return table


def member_attacks(stage: Stage) -> Iterator[Attack]:
    """Yield requests about a table of 500 members with debts or credits."""
    table = table_of_payments(stage, "Quinientos", 1000)
    for name in ("accounts", "lobby", "new-game", "season", "my-face", "api-accounts", "api-table-detail"):
        yield stage.get(f"500 members: {name}", name, table.code)
    paid = {"payer": "p1", "payee": "p2", "amount": "10", "method": "cash", "sure": "p1 p2 10", "key": "k1"}
    yield stage.post("500 members: a payment", "pay", table.code, **paid)
    yield stage.post("500 members: somebody retires", "member", table.code, "p9", act="retire")


def hard_hand_attacks(stage: Stage) -> Iterator[Attack]:
    """Yield requests about 30 rounds of eight slow hands, four of them corrected, and sending 20 and 30."""
    log = hard_rounds(30)
    rounds = [number for number, event in enumerate(log, start=1) if isinstance(event, RoundPlayed)]
    first = log[rounds[0] - 1]
    assert isinstance(first, RoundPlayed)
    table = stage.table()
    game = stage.game(table, [*log, *(Corrected(number, first) for number in rounds[1:5])])
    for name, *place in (("sheet",), ("play-round",), ("correct", rounds[-1]), ("api-game-detail",)):
        yield stage.get(f"30 hard rounds: {name}", name, game.code, *place)
    yield stage.send("30 hard rounds: API undo", "api-game-undo", game.code, after=len(game.log()))
    for count in (30, 20):  # thirty are refused, twenty are not
        some = hard_rounds(count)
        new = stage.game(table, some[:1])
        yield stage.send(f"{count} hard rounds: API score", "api-score", game=game_text(some))
        yield stage.send(
            f"{count} hard rounds: API batch", "api-game-events", new.code, after=1, events=as_json(some[1:])
        )


def long_log_attacks(stage: Stage) -> Iterator[Attack]:
    """Yield requests about games with the maximum number of events, half of them corrections."""
    table = stage.table(3)
    three = _three_players()
    (played,) = parse_line("round p0 out p1=1 p2=0")
    assert isinstance(played, RoundPlayed)
    log: list[Event] = [GameStarted("loba_menos", (("out_at", 500), ("stake", 100)), three), *[played] * 498]
    game = stage.game(table, [*log, *(Corrected(2 + number, played) for number in range(498))])
    yield stage.get("500 corrections: sheet", "sheet", game.code)
    yield stage.send("500 corrections: API undo", "api-game-undo", game.code, after=len(game.log()))
    lines = "game loba_menos out_at=500\nplayers p0 p1 p2\n" + "round p0 out p1=1 p2=0\n" * 400
    corrected = lines + "correct 2 round p0 out p1=2 p2=0\n" * 400
    yield stage.send("400 corrections: API score", "api-score", game=corrected)
    yield stage.send("4000 expectations: API score", "api-score", game=lines + "expect pot 0\n" * 4000)
    for number in range(30):
        stage.game(stage.table(3, f"Mesa {number}"), log)
    yield stage.get("30 tables with long games: home", "home")


def file_attacks(stage: Stage) -> Iterator[Attack]:
    """Yield imports of tables' files and old notebooks of the maximum size."""
    from games.files.services import file_writer

    table = stage.table(8)
    stage.game(table, hard_rounds(2))
    whole = json.loads(file_writer.write_table(table))
    for count, name in ((20, "ab"), (500, "cd"), (1500, "ef")):  # the last is refused: too many steps
        games = [{**whole["games"][0], "code": "", "key": f"g{number}"} for number in range(count)]
        unknown = {**whole["table"], "id": whole["table"]["id"][:-2] + name}
        text = json.dumps({**whole, "table": unknown, "games": games})
        file = text.encode()
        yield stage.post(f"a file with {2 * count} hard rounds", "import-table", file=file, key=f"k-{count}")
    for name, sent in costly_attacks():
        form = {"file": sent, "key": f"c-{name}"}
        most = VALID if name in VALID_FILES else REFUSED
        status = 302 if name in VALID_FILES else 422
        yield stage.form(f"a file: {name}", reverse("import-table"), form, right=status.__eq__, most=most)
    nights = "\n".join(
        f"{1 + n % 28}/{1 + n // 28 % 12}/{2000 + n // 336}\t"
        + "\t".join(str(n * k % 90) for k in range(1, 9))
        for n in range(390)
    )
    head = "fecha\t" + "\t".join(f"Nombre{k}" for k in range(8)) + "\n"
    notebook = {"text": head + nights, "figures": "fewest"}
    yield stage.post(
        "an old notebook of 390 nights: the preview", "import-nights", stage.table(0).code, **notebook
    )


VALID_FILES = {
    *("games in 500 seasons", "entries of games", "a game recorded one by one", "hands from phones"),
    "games paid on the spot by 500",
}


def costly_attacks() -> Iterator[tuple[str, bytes]]:
    """Yield the largest tables' files that are read, and some that are longer, by name."""
    from tests import costly_files

    for name, (build, largest) in costly_files.MULTIPLIED.items():
        yield name, costly_files.write(build(*largest))
    for name, file in costly_files.enlarged_files(MOST_VALUES):
        yield name, costly_files.write(file)
    yield "2,000 expenses of 500 shares", costly_files.write(costly_files.shares(500, 2000))
    yield "300 entries with lines of debts", costly_files.write(costly_files.lines_of_debts(500, 300))
    keys = dict.fromkeys((f"x{number}" for number in range(800_000)), 0)
    yield "800,000 keys", costly_files.write(costly_files.new_file(entries=[costly_files.entry(1, keys)]))


def long_text_attacks(stage: Stage) -> Iterator[Attack]:
    """Yield every form and API operation with long texts in each field, and every list with 30,000 items."""
    from drf_spectacular.generators import SchemaGenerator

    from tests.page_urls import PAGES, page_url, url_parts

    table = stage.table(3, "Textos")
    game = stage.game(table, [GameStarted("loba_menos", (), _three_players())])
    known = {**url_parts(table), "member": "p1"}
    for page, fields in FORMS.items():
        token = ["x" * 32] if page == "invitation" else []
        of_table = page in PAGES
        path = page_url(page, game=game, table=table, known=known) if of_table else reverse(page, args=token)
        for name in fields:
            for kind, text in LONG_TEXTS.items():
                filled = {name if name[-1] != "-" else f"{name}p1": text, "key": "k"}
                yield stage.form(f"{page}, {name}: {kind}", path, filled, right=_is_refused_or_done)
    schema = SchemaGenerator().get_schema(request=None, public=True)
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            for name in _body_fields(operation, schema["components"]["schemas"]):
                code = game.code if "/games/{" in path else table.code
                where = path.format_map({**known, "code": code})
                for kind, value in {
                    **LONG_TEXTS,
                    "30,000 items": [{}] * 30_000,
                    "a long item": [accents(20_000)],
                }.items():
                    attack = f"{operation['operationId']}, {name}: {kind}"
                    yield stage.json(
                        attack, where, {name: value}, method=method.upper(), right=_is_refused_or_done
                    )


def _body_fields(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterable[str]:
    if "requestBody" not in operation:
        return ()
    body = operation["requestBody"]["content"]["application/json"]["schema"].get("$ref", "")
    properties: Mapping[str, Any] = schemas.get(body.rpartition("/")[2], {}).get("properties", {})
    return properties.keys()


def _is_refused_or_done(status: int) -> bool:
    """Return whether this is the status of a form that was accepted, or refused in one of the usual ways."""
    return status in (200, 201, 302, 303, 400, 403, 404, 405, 409, 413, 415, 422, 429)


def _three_players() -> tuple[Player, ...]:
    return tuple(Player(f"p{number}", f"P{number}") for number in range(3))


def known_attacks(stage: Stage) -> Iterator[Attack]:
    """Yield requests that once blocked a site, each with the right status."""
    from games.tables.services import links

    heads: tuple[tuple[str, str, str, dict[str, str], int], ...] = (
        ("a long address", "GET", "/" + "a" * 30_000, {}, 431),
        ("an address of 12 kB", "GET", "/" + "a" * 12_000, {}, 414),
        ("an address of 3 kB", "GET", "/" + "a" * 3_000, {}, 414),
        ("an address of 12 kB of dashes", "GET", "/t/" + "-" * 12_000, {}, 414),
        ("a long Origin", "POST", "/login/", {"Origin": "http://" + "a" * 12_000}, 400),
        ("a long Host", "GET", "/", {"Host": "/" + "a" * 12_000}, 400),
        ("4,000 NUL", "GET", "/" + "%00" * 4000, {}, 414),
        ("a Content-Length of 5,000 digits", "POST", "/login/", {"Content-Length": "9" * 5000}, 400),
        ("an encoded parameter", "GET", "/", {"Content-Type": "a; b*=punycode''" + "zz99" * 3000}, 400),
    )
    for name, method, path, headers, status in heads:
        yield Attack(name, method, path, headers=headers, right=status.__eq__, most=REFUSED)
    slow = (
        b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n-'
        + b"99999aaaa" * 100_000
        + b"\r\n--x--\r\n"
    )
    kind = {"Content-Type": "multipart/form-data; boundary=x; charset=punycode"}
    yield Attack("a form in punycode", "POST", "/import/", slow, kind, (400).__eq__, REFUSED)
    table = stage.table(3, "Conocidos")
    game = stage.game(table, [GameStarted("loba_menos", (), _three_players())])
    for name, text in (
        ("a long option", f'game points name="{accents(80_000)}"\nplayers a b\n'),
        ("a long player", f"game points\nplayers {accents(40_000)} b\n"),
        ("a long dealer", f"game points dealer={accents(50_000)}\nplayers a b\n"),
        ("a long statement", f"game points\nplayers a b\nreenter {accents(100_000)}"),
    ):
        yield stage.json(f"score: {name}", "/api/v1/score/", {"game": text}, right=(422).__eq__)
    tonight = f"/i/{links.tonight_token(links.get_or_create_tonight(table, by=stage.owner))}/"
    of_table, of_game = f"/t/{table.code}/", f"/g/{game.code}/"
    by_nobody: tuple[tuple[str, dict[str, str], int], ...] = (
        ("/new/", {"new-1": accents(50_000)}, 422),
        ("/new/", {"table-name": accents(100_000)}, 422),
        ("/new/", {"unit": accents(100_000)}, 422),
        ("/new/", {"option-name": accents(100_000)}, 422),
        ("/new/", {"table-name": LIGATURE * 100_000}, 422),
        (tonight, {"name": "x" * 1_500_000}, 413),
    )
    for path, form_fields, status in by_nobody:
        name = f"{path[:5]}, {len(next(iter(form_fields.values())))} letters in {next(iter(form_fields))}, by nobody"
        yield stage.form(name, path, form_fields, is_anonymous=True, right=status.__eq__)
    forms: tuple[tuple[str, dict[str, Any], int], ...] = (
        (f"{of_table}accounts/pay/", {"note": "x" * 2_400_000}, 413),
        (f"{of_table}accounts/pay/", {"note": accents(40_000)}, 422),
        (f"{of_game}adjust/", {"reason": "x" * 2_400_000}, 413),
        (f"{of_game}adjust/", {"reason": accents(100_000)}, 422),
        (f"{of_table}members/", {"name": accents(100_000)}, 422),
        (f"{of_table}accounts/of/p1/", {"account": accents(100_000)}, 422),
        (f"{of_table}settings/change/money/", {"unit": accents(100_000)}, 422),
        ("/you/tokens/", {"name": accents(100_000)}, 422),
        (
            f"{of_table}seasons/begin/",
            {"name": accents(30_000), "first_day": "2024-05-31", "order": "money"},
            422,
        ),
        (f"{of_game}round/", {"hand-p1": "K " * 1_100_000}, 413),
        *((f"{of_table}notebook/", {"file": file, "look": "1"}, 422) for file in _notebooks()),
        ("/import/", {"file": b"[" + b"[]," * 3_400_000 + b"1]"}, 422),
        (f"{of_table}import/", {"file": b"[" + b"[]," * 3_400_000 + b"1]", "look": "1"}, 422),
    )
    for path, form, status in forms:
        filled = {key: f"{len(value):,}" for key, value in form.items()}
        yield stage.form(
            f"{path.replace(table.code, 'T').replace(game.code, 'G')} {filled}",
            path,
            form,
            right=status.__eq__,
        )
    events = f"/api/v1/games/{game.code}/events/"
    for name, body in (
        ("30,000 events", [{"kind": "round_played"}] * 30_000),
        ("a long reason", [_adjustment("x" * 1_000_000)]),
        ("a long reason of accents", [_adjustment(accents(100_000))]),
        ("a long hand", [{"kind": "round_played", "data": {"hands": {"p1": "[" + "K " * 300_000 + "]"}}}]),
    ):
        yield stage.json(f"events: {name}", events, {"after": 1, "events": body}, right=(400).__eq__)
    cost = {"payer": "p1", "amount": 100, "sharers": ["p1"] * 100_000}
    yield stage.json(
        "costs: 100,000 sharers", f"/api/v1/tables/{table.code}/costs/", cost, right=(400).__eq__
    )
    whole = b"[" + b"[]," * 3_400_000 + b"1]"
    of_program = stage.headers("application/json") | {"Idempotency-Key": "k"}
    yield Attack(
        "table-files: brackets",
        "POST",
        "/api/v1/table-files/",
        whole,
        of_program,
        {400, 422}.__contains__,
        REFUSED,
    )
    yield stage.json("waiting: half a letter as a game", "/waiting/", stage.waiting(), right=(200).__eq__)


def socket_attacks(stage: Stage) -> Iterator[Attack]:
    """Yield what no browser, program or proxy would send over a socket."""
    chunked = "POST /login/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
    million = b"a" * 1_000_000
    bodies = {
        "a control line of 15 MB": b"1;a=" + million * 15,
        "a trailer of 15 MB": b"0\r\nX: " + million * 15,
        "12 MB of one-byte chunks": b"1\r\na\r\n" * 2_000_000,
        "8 MB of empty lines": b"\r\n" * 4_000_000,
    }
    for name, body in bodies.items():
        for expects in ("", "Expect: 100-continue\r\n"):
            raw = f"{chunked}{expects}\r\n".encode() + body
            yield Attack(f"{name} {expects.strip()}", "POST", "", right=REFUSED_OR_RESET, most=CHEAP, raw=raw)
    get = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    heads = {
        "30 kB of blanks in a head": (get + b"X: " + b" " * 30_000 + b"\x00\r\n\r\n", 400),
        "15 kB of blanks in a head": (get + b"X: " + b" " * 15_000 + b"\x00\r\n\r\n", 400),
        "30,000 digits in a request line": (b"GET a://" + b"1" * 30_000 + b"  x\r\n\r\n", 400),
        "15,000 digits in a request line": (b"GET a://" + b"1" * 15_000 + b"  x\r\n\r\n", 400),
        "10,000 fields": (get + b"X:\r\n" * 10_000 + b"\r\n", 431),
        "a megabyte of line ends": (b"\r\n" * 500_000 + get + b"Connection: close\r\n\r\n", 200),
        "15,500 semicolons": (get + b'Content-Type: a;b="' + b";" * 12_000 + b'"\r\n\r\n', 400),
        "a thousand pipelined requests": ((get + b"\r\n") * 1000, 200),
    }
    for name, (raw, status) in heads.items():
        yield Attack(name, "GET", "", right=status.__eq__, most=CHEAP, raw=raw)
    part = b'--x\r\nContent-Disposition: form-data; name="a"%b\r\n\r\n1\r\n'
    parts = {
        "470 parts with a kilobyte of parameters": part % (b";a" * 450) * 470,
        "3,990 parts with an open quote": part % b';b="' * 3990,
        "4,000 names in punycode": part % b"; name*=punycode''zz99zz99" * 4000,
    }
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    for name, body in parts.items():
        yield Attack(name, "POST", "/login/", body + b"--x--\r\n", kind, {400, 413}.__contains__, CHEAP)
    table = stage.table(3, "Cables")
    game = stage.game(table, [GameStarted("loba_menos", (), _three_players())])
    htmx = {"HX-Request": "true", "HX-Current-URL": "http://["}
    yield Attack("a page that is none", "GET", f"/g/{game.code}/", b"", stage.headers() | htmx, (200).__eq__)
    form_body = "&".join(f"name-{number}={'%3C' * 600}" for number in range(240)).encode()
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Origin": "http://localhost"}
    yield Attack("a form of < without its token", "POST", "/login/", form_body, kind, (403).__eq__, REFUSED)


REFUSED_OR_RESET = {0, 400}.__contains__  # the client may still be sending when the server closes


def bulk_attacks(stage: Stage) -> Iterator[Attack]:
    """Yield requests about two hundred, or several thousand, rows that a user can multiply."""
    from django.contrib.auth.models import User
    from django.test import Client

    from games.files.services import file_reader, file_writer, table_import
    from games.models import Table
    from games.tables.services import users
    from tests import bulk_actions
    from tests.factories import SECRET, make_user

    guest = make_user("guest-of-many")
    User.objects.create_user("wanda", password=SECRET)
    bulk_actions.tables(200, guest)
    ticked = "".join(f"&along={pk}" for pk in guest.accesses.values_list("pk", flat=True))
    phone = Client()
    phone.force_login(guest)
    session = phone.cookies["sessionid"].value
    cookies = {"Cookie": f"csrftoken={'a' * 32}; sessionid={session}", "X-CSRFToken": "a" * 32}
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    sign_in = f"username=wanda&password={SECRET.replace(' ', '+')}{ticked}".encode()
    yield Attack("a guest of 200 tables signs in", "POST", "/login/", sign_in, cookies | kind, (302).__eq__)
    table = stage.table(8, "Muchas")
    game = stage.game(table, [GameStarted("loba_menos", (), _three_players())])
    hands = {"closer": "p0", "closing": "out", "hand-p1": "1", "hand-p2": "1"}
    entries = [
        {
            **{"form": "round", "table": "", "game": game.code, "fields": hands, "after": number},
            **{"key": f"w{number}", "at": now().isoformat()},
        }
        for number in range(1, 201)
    ]
    body = {"person": users.opaque_id(stage.owner), "entries": entries}
    yield stage.json("200 entries that waited", "/waiting/", body, most=VALID, right=(200).__eq__)
    tiny = stage.table(3, "Chicas")
    stage.game(tiny, [GameStarted("loba_menos", (("stake", 0),), _three_players()), *_winning_events()])
    whole = json.loads(file_writer.write_table(tiny))
    for count, end in ((200, "ab"), (900, "cd"), (4000, "ef")):
        games = [{**whole["games"][0], "code": "", "key": f"t{number}"} for number in range(count)]
        unknown = {**whole["table"], "id": whole["table"]["id"][:-2] + end, "name": f"{count} chicas"}
        file = json.dumps({**whole, "table": unknown, "games": games}).encode()
        if count < 4000:
            yield stage.post(f"a file of {count} tiny games", "import-table", file=file, key=f"t-{count}")
        else:  # more than a page accepts at once; the command line has no such limit
            table_import.create_table(file_reader.read_table(file), key=f"t-{count}", by=stage.owner)
        yield from night_attacks(stage, Table.objects.get(name=unknown["name"]))


def _winning_events() -> list[Event]:
    return list(parse_line("round p0 out p1=101 p2=101"))


def night_attacks(stage: Stage, table: Any) -> Iterator[Attack]:
    """Yield the pages that list a table's night of many games."""
    from datetime import date

    name = table.name
    day = date.fromordinal(table.games.latest("pk").night_number).isoformat()
    yield stage.get(f"{name}: chosen", "table", table.code)
    yield replace(stage.get(f"{name}: the first page", "home"), most=REFUSED)
    yield replace(stage.get(f"{name}: the night", "night", table.code, day), most=REFUSED)
    yield replace(stage.get(f"{name}: the accounts", "accounts", table.code), most=0.7)
    yield replace(
        stage.get(f"{name}: the results as CSV", "download", table.code, "results"),
        most=REFUSED,
        is_short=False,
    )


def _adjustment(reason: str) -> dict[str, Any]:
    return {"kind": "points_adjusted", "data": {"player": "p1", "points": 5, "reason": reason}}


def _notebooks() -> Iterator[bytes]:
    """Yield old notebooks that each have too much of one thing."""
    names = ";".join(f"{number}" + LIGATURE * 4700 for number in range(100))
    yield f"\ufefffecha;{names}".encode("utf-16-le")
    yield b"fecha;Ana\n" + b"1;2\n" * 120_000
    yield b"fecha;Ana\n1/1/2024;1" + b";z" * 240_000
    yield b"x\n" * 249_000
    yield b"fecha;Ana;B;C;D\n" + b"1/1/2024;z;z;z;z\n" * 29_000
    yield b"fecha;Ana\n1/1/2024;1\n" + b";2\n" * 160_000


def writers_wait(server: Server, stage: Stage, database: Path) -> bool:
    """Let ten writers wait for a lock held by another process. Return whether `/healthz` answers meanwhile."""
    table = stage.table(3, "Espera")
    write = stage.form("", f"/t/{table.code}/members/", {"name": "Eva"})

    def timed(attack: Attack) -> tuple[int, float]:
        began = time.monotonic()
        return server.ask(attack)[0], time.monotonic() - began

    with sqlite3.connect(database, isolation_level=None) as holder, ThreadPoolExecutor(11) as pool:
        holder.execute("BEGIN IMMEDIATE")
        writers = [pool.submit(timed, write) for _writer in range(10)]
        time.sleep(0.3)
        status, healthy = timed(Attack("", "GET", "/healthz"))
        answers = [writer.result() for writer in writers]
        holder.execute("ROLLBACK")
    slowest = max(seconds for _status, seconds in answers)
    is_met = (
        status == 200
        and healthy <= 0.2
        and slowest <= 3
        and {503} == {answer_status for answer_status, _seconds in answers}
    )
    report(
        "ten writers wait",
        f"/healthz after {healthy:.2f} s, the last writer after {slowest:.2f} s",
        met=is_met,
    )
    return is_met


def tables_wait(server: Server, stage: Stage) -> Iterator[str]:
    """Let many ask for a whole table at once. Yield the names of the crowds beside which the site stood still."""
    from tests import costly_files

    table = table_of_payments(stage, "Muchos a la vez", 1950)
    address = reverse("bring-file", args=[stage.table(3, "Otra").code])
    files = {
        name: costly_files.write(build(*largest))
        for name, (build, largest) in costly_files.MULTIPLIED.items()
    }
    crowds = {
        **{
            f"files: {name}": stage.form("", address, {"file": file, "look": "1"})
            for name, file in files.items()
        },
        **{f"exports: {what}": stage.get("", "download", table.code, what) for what in ("table", "entries")},
        "the accounts for the group": replace(
            stage.get("", "accounts", table.code), path=f"{reverse('accounts', args=[table.code])}?send"
        ),
    }
    for name, attack in crowds.items():
        with ThreadPoolExecutor(AT_ONCE) as pool:
            answers = [pool.submit(server.ask, attack) for _client in range(AT_ONCE)]
            slowest = slowest_health(server, answers)
        statuses = sorted(answer.result()[0] for answer in answers)
        is_met = slowest <= HEALTHY and set(statuses) <= {200, 422, 429}
        report(f"eight {name}", f"{statuses}, /healthz after {slowest:.2f} s", met=is_met)
        if not is_met:
            yield name
    export = crowds["exports: entries"]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        readers = []
        for _client in range(AT_ONCE):
            readers.append(pool.submit(server.read_slowly, export))
            time.sleep(SLOW_SECONDS / AT_ONCE / 2)  # one export takes two seconds of computing
        time.sleep(SLOW_SECONDS / AT_ONCE)
        status, _answer = server.ask(export)
        slowest = slowest_health(server, readers)
    is_met = status == 200 and slowest <= HEALTHY
    report(
        "eight read an export at 1 kB/s", f"another ({status}), /healthz after {slowest:.2f} s", met=is_met
    )
    if not is_met:
        yield "slow readers"


def slowest_health(server: Server, work: Collection[Future[Any]]) -> float:
    """Ask `/healthz` every tenth of a second until this work is done. Return the longest time to an answer."""
    slowest = 0.0
    while not all(piece.done() for piece in work):
        began = time.monotonic()
        server.ask(Attack("", "GET", "/healthz"))
        slowest = max(slowest, time.monotonic() - began)
        time.sleep(0.1)
    return slowest


STAGES: Mapping[str, Callable[[Stage], Iterator[Attack]]] = {
    "members": member_attacks,
    "hands": hard_hand_attacks,
    "logs": long_log_attacks,
    "files": file_attacks,
    "known": known_attacks,
    "wire": socket_attacks,
    "multiplied": bulk_attacks,
    "texts": long_text_attacks,
}


def main() -> None:
    """Print the cost of each chosen request. Exit with 1 if one misses its goal."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--only", choices=[*STAGES, "queue", "lane"])
    options.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.serve:
        serve(int(chosen.serve[0]), chosen.serve[1])
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "tests.settings_without_limits",
            "DATA_DIR": f"{folder}/data",
            "ALLOWED_HOSTS": "localhost",
            "ACCESS_LOG": "1",
        }
        missed = _find_missed(Path(folder), chosen.only)
    print(f"{len(missed)} missed")
    raise SystemExit(bool(missed))


def _find_missed(folder: Path, only: str | None) -> list[str]:
    """Measure the chosen requests. Return the names of those that miss a goal."""
    django.setup()
    call_command("migrate", verbosity=0)
    server = Server(folder)
    with mock.patch("games.tables.services.setup.TABLES_A_DAY", 1000), closing(server):
        stage = Stage()
        attacks = (attack for name, asks in STAGES.items() if only in (None, name) for attack in asks(stage))
        missed = [attack.name for attack in attacks if not server.measure(attack)]
        if only in (None, "queue") and not writers_wait(server, stage, folder / "data" / "db.sqlite3"):
            missed.append("ten writers wait")
        if only in (None, "lane"):
            missed += tables_wait(server, stage)
        return missed


if __name__ == "__main__":
    main()
