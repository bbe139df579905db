"""Memory of `manage.py serve`: 20,000 mixed requests, and how much the resident memory of its processes grows.

Eight threads are twenty phones at tables of their own. In turns each does what phones do on a night: it polls,
records a round, looks at pages, asks the API, exports and imports a file, and makes mistakes. The processes first
answer some thousand requests, which load the code and fill the caches.

    python -m tests.benchmarks.memory [REQUESTS, 20000]
"""

from __future__ import annotations

import http.client
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

from tests.benchmarks.goals import say
from tests.outside import FORGERY, Phone, Site

PHONES, THREADS, GAMES = 20, 8, 2
REQUESTS, WARM = 20_000, 4_000
POLLS = 12  # after each round
MOST = 10  # per cent
LINE = "between-two-fields"
FORM = "application/x-www-form-urlencoded"

Asked = tuple[str, str, bytes | None, dict[str, str]]


def main() -> None:
    """Print the memory as the requests are answered, and the goal."""
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder, "data"), Path(folder, "static"))
        site.manage("migrate")
        phones = site.seats(PHONES, GAMES)
        site.start()
        try:
            _measure(site, phones, requests)
        finally:
            site.stop()


def _measure(site: Site, phones: Sequence[Phone], requests: int) -> None:
    evening = [_Evening(site, phone) for phone in phones]
    print(f"      after the start: {resident(site):.0f} MB", flush=True)
    _answer(evening, WARM)
    first = resident(site)
    print(f"      after {WARM:,} requests: {first:.0f} MB", flush=True)
    for part in range(1, 5):
        _answer(evening, requests // 4)
        print(f"      after {part * requests // 4:,} more: {resident(site):.0f} MB", flush=True)
    growth = 100 * (resident(site) / first - 1)
    statuses = sum((phone.statuses for phone in evening), Counter[int]())
    print(f"      answers: {dict(sorted(statuses.items()))}")
    say(f"memory after {requests:,} requests grows < {MOST} %", f"{growth:+.1f} %", met=growth < MOST)


def resident(site: Site) -> float:
    """Return the resident memory in MB of the server's processes together."""
    assert site.server is not None
    pid = site.server.pid
    workers = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    texts = [Path(f"/proc/{process}/status").read_text() for process in (pid, *workers)]
    return (
        sum(int(size) for text in texts for size in re.findall(r"^VmRSS:\s+(\d+)", text, re.MULTILINE)) / 1024
    )


def _answer(evening: Sequence[_Evening], requests: int) -> None:
    """Send this many requests, each phone its share."""
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(lambda phone: phone.send(requests // len(evening)), evening))


class _Evening:
    """The requests of one phone."""

    def __init__(self, site: Site, phone: Phone) -> None:
        self.statuses = Counter[int]()
        self._site, self._phone = site, phone
        self._requests = self._round_after_round()
        self._text = ""

    def send(self, requests: int) -> None:
        """Send the next requests over one connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self._site.port, timeout=120)
        for _request in range(requests):
            method, path, body, headers = next(self._requests)
            named = {"Cookie": self._phone.cookies, "Accept-Language": "en", **headers}
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            self._text = answer.read().decode("latin-1")
            self.statuses[answer.status] += 1
        connection.close()

    def _round_after_round(self) -> Iterator[Asked]:
        yield _get("/")
        (table,) = set(re.findall(r"/t/\w+/", self._text))
        while True:
            game = f"/g/{self._phone.game}/"
            yield from self._watch(game)
            yield from self._record(game)
            yield from (
                _get(path) for path in ("/", table, f"{table}accounts/", f"{table}season/", "/nothing/")
            )
            yield from (_get(f"{game}{page}/") for page in ("money", "rules", "more", "board"))
            yield "GET", game, None, {"Accept-Encoding": "gzip"}
            yield _get(f"/api/v1{game.replace('/g/', '/games/')}")
            yield _post("/login/", username="nobody", password="wrong")
            yield _get(f"{table}export/table/")
            yield _upload(self._text.ljust(100_000))

    def _watch(self, game: str) -> Iterator[Asked]:
        yield _get(game)
        (live,), (ticket,) = (
            re.findall(rf'data-{name}="([^"]+)"', self._text) for name in ("live", "ticket")
        )
        for _poll in range(POLLS):
            yield "GET", live, None, {"X-Ticket": ticket}

    def _record(self, game: str) -> Iterator[Asked]:
        yield _get(f"{game}round/")
        after, key = (re.search(rf'name="{name}" value="([^"]*)"', self._text) for name in ("after", "key"))
        assert after
        assert key
        hands = {"hand-beto": "0", "hand-caro": "0", "hand-dani": "0", "closer": "ana", "closing": "out"}
        yield _post(f"{game}round/", after=after[1], key=key[1], **hands)
        self._phone.acknowledged.append(key[1])


def _get(path: str) -> Asked:
    return "GET", path, None, {}


def _post(path: str, **typed: str) -> Asked:
    body = urlencode({"csrfmiddlewaretoken": FORGERY, **typed}).encode()
    return "POST", path, body, {"Content-Type": FORM}


def _upload(text: str) -> Asked:
    fields = {"csrfmiddlewaretoken": FORGERY, "key": "k", 'file"; filename="table.json': text}
    parts = [
        f'--{LINE}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{fields[name]}\r\n'
        for name in fields
    ]
    body = "".join((*parts, f"--{LINE}--\r\n")).encode("latin-1")
    return "POST", "/import/", body, {"Content-Type": f"multipart/form-data; boundary={LINE}"}


if __name__ == "__main__":
    main()
