"""A site as phones see it: server processes with their own data folder, which a test can kill."""

from __future__ import annotations

import http.client
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import urlencode

BASE = Path(__file__).parents[1]
TIMEOUT = 60  # seconds
START_TIMEOUT = 240  # seconds; on a busy machine a new database and compressed static files take a minute
NEXT_STYLES = "app.0123456789ab.css"  # the style sheet of `install_next_version`
ROUNDS_PER_GAME = 40  # rounds of a game; longer ones are slower to replay
CSRF_TOKEN = "k" * 32
CREATE_PHONES = """
import json, sys, django
django.setup()
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from games.models import MOST_RUNNING
from tests.factories import make_table, make_user, start
seats = []
for number in range(int(sys.argv[1])):
    user = make_user(f"ana-{number}")
    session = SessionStore()
    session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session.save()
    games = range(int(sys.argv[2]))
    tables = [make_table(user) for _table in games[::MOST_RUNNING]]
    seats.append([session.session_key, [start(tables[game // MOST_RUNNING], user).code for game in games]])
print(json.dumps(seats))
"""
COUNT_KEYS = """
import json, django
django.setup()
from collections import Counter
from games.models import Record
print(json.dumps(Counter(Record.objects.values_list("key", flat=True))))
"""


def free_port() -> int:
    """Return an unused port, below the range that the system uses for outgoing connections."""
    while True:
        port = secrets.choice(range(20_000, 32_000))
        with socket.socket() as trial, suppress(OSError):
            trial.bind(("", port))
            return port


@dataclass
class Site:
    """A site with its data in `folder` or, on PostgreSQL, also in the database at this URL.

    Several sites can share the folder of static files. `variables` are additional environment variables.
    """

    folder: Path
    static: Path
    database: str = ""
    server: subprocess.Popen[bytes] | None = None
    port: int = field(default_factory=free_port)
    variables: Mapping[str, str] = field(default_factory=dict)
    options: Sequence[str] = ()  # of `serve`

    @property
    def environment(self) -> dict[str, str]:
        environment = {
            name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "SECRET_KEY"}
        }
        environment |= {
            "DATA_DIR": str(self.folder),
            "STATIC_ROOT": str(self.static),
            "DJANGO_SETTINGS_MODULE": "tests.settings_without_limits",
            **self.variables,
        }
        return {**environment, "DATABASE_URL": self.database} if self.database else environment

    def manage(self, *args: str) -> subprocess.CompletedProcess[str]:
        """Run a `manage.py` command and return the completed process."""
        return self._run("manage.py", *args)

    def run_program(self, program: str, *args: object) -> Any:
        """Run a small Python program on the site's database and return the JSON that it prints."""
        ended = self._run("-c", program, *map(str, args))
        assert 0 == ended.returncode, ended.stderr
        return json.loads(ended.stdout)

    def create_phones(self, phones: int, games: int = 1) -> list[Phone]:
        """Return signed-in phones, each with a table and games of its own."""
        return [
            Phone(self, session, codes) for session, codes in self.run_program(CREATE_PHONES, phones, games)
        ]

    def count_keys(self) -> dict[str, int]:
        """Return how often each idempotency key occurs in the records."""
        counts: dict[str, int] = self.run_program(COUNT_KEYS)
        return counts

    def start(self, *before: str) -> None:
        """Start the server and wait until it answers.

        `before` is the command line of a wrapper for the server, such as `strace`.
        """
        command = [
            *before,
            sys.executable,
            "manage.py",
            "serve",
            "--bind",
            "127.0.0.1",
            "--port",
            str(self.port),
            *self.options,
        ]
        log_file = self.static.parent / f"server-{self.port}.log"
        with log_file.open("ab") as log:
            self.server = subprocess.Popen(
                command, cwd=BASE, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        until = time.monotonic() + START_TIMEOUT
        while time.monotonic() < until:
            assert self.server.poll() is None, log_file.read_text()
            with suppress(OSError, http.client.HTTPException):
                self.request("GET", "/login/")
                return
            time.sleep(0.05)
        raise TimeoutError("the server does not answer")

    @property
    def pid(self) -> int:
        assert self.server is not None
        return self.server.pid

    def request(self, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str]:
        """Return a response's status and text. Raise OSError or HTTPException if there is none."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        try:
            connection.request(method, path, body or None, {"Accept-Language": "en", **headers})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def install_next_version(self, static: Path) -> None:
        """Give the stopped site the files of a version whose style sheet has another name."""
        shutil.copytree(self.static, static)
        manifest = static / "staticfiles.json"
        names = json.loads(manifest.read_text())
        (styles,) = static.glob(names["paths"]["app.css"])
        for file in static.glob(f"{styles.name}*"):
            file.rename(static / file.name.replace(styles.name, NEXT_STYLES))
        names["paths"]["app.css"] = NEXT_STYLES
        manifest.write_text(json.dumps(names))
        self.static = static

    def kill(self) -> None:
        """Kill all its processes at once, as in a power cut; unlike there, data not yet on disk is kept."""
        assert self.server is not None
        with suppress(ProcessLookupError):
            os.killpg(self.server.pid, signal.SIGKILL)
        self.server.wait()

    def stop(self) -> None:
        """Stop it as Ctrl+C does."""
        if self.server is not None and self.server.poll() is None:
            self.server.terminate()
            try:
                self.server.wait(TIMEOUT)
            except subprocess.TimeoutExpired:
                self.kill()

    def _run(self, *args: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *args]
        return subprocess.run(command, cwd=BASE, env=self.environment, text=True, capture_output=True)


@dataclass
class Phone:
    """A phone that records round after round, retries each until it is acknowledged, and lists them."""

    site: Site
    session: str
    games: Sequence[str]
    attempted: list[str] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)

    def post(self, path: str, **fields: object) -> tuple[int, str]:
        """Post a form and return the status and text of the response."""
        body = urlencode({"csrfmiddlewaretoken": CSRF_TOKEN, **fields})
        kind = "application/x-www-form-urlencoded"
        return self.site.request("POST", path, body, **{"Content-Type": kind, "Cookie": self.cookies})

    def get(self, path: str) -> tuple[int, str]:
        return self.site.request("GET", path, Cookie=self.cookies)

    @property
    def game(self) -> str:
        """The code of the game that it is recording now."""
        return self.games[len(self.acknowledged) // ROUNDS_PER_GAME]

    @property
    def cookies(self) -> str:
        return f"sessionid={self.session}; csrftoken={CSRF_TOKEN}"

    def record(self) -> tuple[int, str]:
        """Record the next round, or retry one that was not acknowledged. Return the status and text."""
        number = len(self.acknowledged)
        key = f"{self.game}-{number}"
        if key not in self.attempted:
            self.attempted.append(key)
        hands = {"hand-beto": 0, "hand-caro": 0, "hand-dani": 0}
        after = 1 + number % ROUNDS_PER_GAME
        answer = self.post(
            f"/g/{self.game}/round/", after=after, key=key, closer="ana", closing="out", **hands
        )
        if answer[0] == 302:
            self.acknowledged.append(key)
        return answer


@contextmanager
def record_in_background(phones: Sequence[Phone], *, pause: float = 0.0) -> Iterator[list[tuple[int, str]]]:
    """Let all phones record during the `with` block, then retry until their last rounds are acknowledged.

    Yields a list of the responses that neither acknowledge a round nor ask to try again.
    """
    stop_event, odd = Event(), list[tuple[int, str]]()

    def go_on(phone: Phone) -> None:
        until = None
        while until is None or (len(phone.attempted) > len(phone.acknowledged) and time.monotonic() < until):
            if len(phone.acknowledged) == ROUNDS_PER_GAME * len(phone.games):
                odd.append((0, "no game is left to record in"))
                return
            try:
                answer = phone.record()
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)
            else:
                if answer[0] not in {302, 503}:
                    odd.append(answer)
                    return
                time.sleep(pause)
            if stop_event.is_set() and until is None:
                until = time.monotonic() + TIMEOUT

    threads = [Thread(target=go_on, args=(phone,)) for phone in phones]
    for thread in threads:
        thread.start()
    try:
        yield odd
    finally:
        stop_event.set()
        for thread in threads:
            thread.join()
