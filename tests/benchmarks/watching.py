"""Watching phones on `manage.py serve`: polls a second, and the delay that phones cause each other.

It measures four things:

    polls without news, with a ticket and without one in turns (`wrk`, from Debian's package)
    the time that a page takes while sixteen requests have sent only a part of their bodies
    evenings of twenty scorers and many phones that poll as `static/base/live.js` does (`phones.mjs`, in Node)
    such evenings with 500 phones, with 500 programs that follow by a stream, and with both; then rights removed

    python -m tests.benchmarks.watching [--nginx | --streams] [SECONDS of each evening, 40] [PHONES, 200 1000 2000]

Each phone has an address of its own. With `--nginx` there are only the evenings, each directly and with the phones
behind nginx in turns (`docs/nginx.conf`), which forwards their addresses. With `--streams` there are only the last ones.
Their figures are also given as ratios within the run, which hold on a busy machine too.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles
from subprocess import PIPE
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.benchmarks.goals import say
from tests.benchmarks.served import manage, served, settings_in
from tests.benchmarks.streaming import Report, following
from tests.proxied import HOST, LOOPBACK, Proxy, nginx

NGINX, TURNS = "--nginx", 2
STREAMS, FOLLOWING = "--streams", 500
ENDS_WITHIN, SETTLES = (
    30,
    2,
)  # seconds until a stream without rights has ended, and in which no other one ends

ROUNDS, SECONDS, CONNECTIONS = 5, 4, 16
HALVES = 16
TABLES, EVENINGS = 20, (200, 1000, 2000)
PLAYERS = ("ana", "beto", "caro", "dani", "eva")
SCORER_RESTS = 20.0  # seconds: beside twenty of them, a round is recorded somewhere every second
PHONES = Path(__file__).with_name("phones.mjs")

# Run inside a shell of the project: tables of whoever owns and records, a game under way at each, and those who watch
# there; a session for each of them.
SETUP = """
import json
from django.db import transaction
from django.test import Client
from games.models import Grant, Role
from tests.tables import make_table, make_user, start
TABLES, PHONES = {tables}, {phones}

def signed_in(user, address=""):
    client = Client(headers={{"host": "127.0.0.1"}})
    client.force_login(user)
    if address:  # only a scorer needs the token of a page
        client.get(address)
    return client.cookies, "; ".join(f"{{name}}={{one.value}}" for name, one in client.cookies.items())

tables, phones = [], []
for number in range(TABLES):
    owner = make_user(f"owner{{number}}")
    game = start(make_table(owner, people=("Ana", "Beto", "Caro", "Dani", "Eva")), owner, ace=1)
    cookies, cookie = signed_in(owner, f"/g/{{game.code}}/")
    tables.append({{"cookie": cookie, "code": game.code, "token": cookies["csrftoken"].value, "place": number}})
    tables[-1] |= {{"key": game.table_id, "api": f"/api/v1/tables/{{game.table.code}}/"}}
with transaction.atomic():
    for number in range(PHONES):
        user, table = make_user(f"phone{{number}}"), tables[number % TABLES]
        grant = Grant.objects.create(user=user, table_id=table["key"], role=Role.WITNESS)
        phones.append({{"cookie": signed_in(user)[1], "sheet": f"/g/{{table['code']}}/", "table": table["api"]}})
        phones[-1] |= {{"stream": f"{{table['api']}}changes/stream/", "end": f"{{table['api']}}grants/{{grant.pk}}/remove/"}}
        phones[-1]["from"] = f"127.1.{{number // 250}}.{{number % 250 + 1}}"
print(json.dumps([tables, phones]))
"""


def main() -> None:
    """Print the measured figures and the goals."""
    words = [word for word in sys.argv[1:] if word not in (NGINX, STREAMS)]
    seconds, *evenings = [int(word) for word in words] or [40]
    with tempfile.TemporaryDirectory() as folder:
        settings = settings_in(folder) | {"ALLOWED_HOSTS": f"127.0.0.1,{HOST}", "TRUSTED_PROXIES": LOOPBACK}
        manage(settings, "migrate")
        manage(settings, "collectstatic", "--no-input")
        setup = SETUP.format(tables=TABLES, phones=max(2 * FOLLOWING, *(evenings or EVENINGS)))
        tables, phones = json.loads(manage(settings, "shell", "--no-imports", "-c", setup).splitlines()[-1])
        with served(settings) as address:
            if NGINX in sys.argv:
                for count in evenings or EVENINGS:
                    _compare(address, tables, phones[:count], seconds)
                return
            if STREAMS in sys.argv:
                return _polls_and_streams(address, tables, phones, seconds)
            _looks_in_vain(address, tables[0])
            _half_sent(address, tables[0])
            for count in evenings or EVENINGS:
                _evening(address, tables, phones[:count], seconds)
            _polls_and_streams(address, tables, phones, seconds)


@dataclass(frozen=True)
class Load:
    """The load of an evening: used CPUs, megabytes, and the median milliseconds of a poll without news."""

    cpu: float
    memory: float
    poll: float


def _polls_and_streams(
    address: str, tables: Sequence[dict[str, Any]], phones: Sequence[dict[str, str]], seconds: int
) -> None:
    """Compare evenings of as many phones that poll, programs that follow by a stream, and both together."""
    polling, streaming = phones[:FOLLOWING], phones[FOLLOWING : 2 * FOLLOWING]
    polls = _evening(address, tables, polling, seconds)
    with following(address, streaming) as report:
        streams = _evening(address, tables, (), seconds)
        _say_streams(report)
        both = _evening(address, tables, polling, seconds)
        _say_streams(report)
        _remove_rights(address, tables[0], streaming, report)
    ratios = [
        f"{one.cpu / polls.cpu:.2f}x CPU, {one.memory / polls.memory:.2f}x memory" for one in (streams, both)
    ]
    print(f"      of {FOLLOWING} polls alone: streams alone {ratios[0]}; both {ratios[1]}")
    print(
        f"      a poll without news takes {both.poll / polls.poll:.2f} times as long beside the streams (p50)"
    )


def _say_streams(report: Report) -> None:
    delays = report.take_delays()
    print(f"        {report.is_open:,} streams, ended: {report.ended}; {len(delays):,} changes arrived:")
    print(f"        {in_quantiles(delays)}", flush=True)


def _remove_rights(
    address: str, table: dict[str, Any], streaming: Sequence[dict[str, str]], report: Report
) -> None:
    """Remove the grants of all programs of a table while they follow it: only their streams end."""
    removed = [program for program in streaming if program["table"] == table["api"]]
    headers = {"Cookie": table["cookie"], "X-CSRFToken": table["token"], "Content-Type": "application/json"}
    before, began = report.ended, time.perf_counter()
    for program in removed:
        request = urllib.request.Request(address + program["end"], b"{}", headers, method="POST")
        urllib.request.urlopen(request, timeout=60).close()
    took = time.perf_counter() - began
    while report.ended < before + len(removed) and time.perf_counter() - began < took + ENDS_WITHIN:
        time.sleep(0.05)
    waited = time.perf_counter() - began - took
    time.sleep(SETTLES)
    ended = report.ended - before
    figure = f"{ended} of {FOLLOWING}, the last one {waited:.1f} s after the last removal"
    say(f"{len(removed)} rights removed end as many streams", figure, met=ended == len(removed))


def _compare(
    address: str, tables: Sequence[dict[str, Any]], watching: Sequence[dict[str, str]], seconds: int
) -> None:
    """Compare an evening of these phones with one on which they are behind nginx."""
    port = int(urlsplit(address).port or 0)
    with tempfile.TemporaryDirectory() as folder, nginx(Path(folder), port) as proxy:
        for _turn in range(TURNS):
            print("      directly:")
            direct = _evening(address, tables, watching, seconds)
            print("      behind nginx:")
            behind = _evening(address, tables, watching, seconds, proxy)
            print(
                f"      a poll without news takes {behind.poll / direct.poll:.1f} times as long behind nginx (p50)"
            )


def _looks_in_vain(address: str, table: dict[str, Any]) -> None:
    """Compare the rate of polls with a ticket with that of polls without one, in turns.

    A poll without a ticket costs as much as every poll did before there were tickets.
    """
    live, ticket = shown(address, table)
    rates = [
        (wrk(address + live, table["cookie"], ticket), wrk(address + live, table["cookie"]))
        for _ in range(ROUNDS)
    ]
    ratio = median(by_ticket / in_full for by_ticket, in_full in rates)
    best = [max(rate) for rate in zip(*rates, strict=True)]
    figure = f"{ratio:.1f}x, at best {best[0]:,.0f}/s and {best[1]:,.0f}/s"
    say("looks in vain by ticket ≥ 3x those without", figure, met=ratio >= 3)
    say("looks in vain ≥ 1,500/s", f"{best[0]:,.0f}/s", met=best[0] >= 1500)


def _half_sent(address: str, table: dict[str, Any]) -> None:
    live, ticket = shown(address, table)
    with half_sent_bodies(address, table["cookie"]):
        began = time.perf_counter()
        with urllib.request.urlopen(f"{address}/login/", timeout=60) as page:
            page.read()
        waited = time.perf_counter() - began
        rate = wrk(address + live, table["cookie"], ticket)
    figure = f"{waited:.2f} s, and {rate:,.0f} looks/s"
    say(f"a page beside {HALVES} half-sent bodies ≤ 1 s", figure, met=waited <= 1)


def _evening(
    address: str,
    tables: Sequence[dict[str, Any]],
    watching: Sequence[dict[str, str]],
    seconds: int,
    proxy: Proxy | None = None,
) -> Load:
    """Let these phones poll while a scorer records at each of the tables, and print the times.

    The phones poll through the proxy, if there is one.
    """
    where = (
        {"address": address} if proxy is None else {"address": proxy.origin, "trusted": str(proxy.trusted)}
    )
    order = json.dumps({**where, "seconds": seconds, "phones": watching})
    took: list[float] = []
    over = threading.Event()
    scorers = [threading.Thread(target=_score, args=(address, table, took, over)) for table in tables]
    with subprocess.Popen(["node", str(PHONES)], stdin=PIPE, stdout=PIPE, text=True) as phones:
        assert phones.stdin
        phones.stdin.write(order)
        phones.stdin.close()
        for scorer in scorers:
            scorer.start()
        before, began = cpu_of(server_of(address)), time.time()
        time.sleep(seconds)
        cpu = (cpu_of(server_of(address)) - before) / (time.time() - began)
        memory = memory_of(server_of(address))
        over.set()
        for scorer in scorers:
            scorer.join()
        assert phones.stdout
        report = json.loads(phones.stdout.read())
    looks = {status: count for status, count in report["took"].items() if count}
    print(
        f"      {len(watching):,} phones, {len(tables)} scorers: {cpu:.2f} CPU, {memory:.0f} MB; failed: {report['failed']}"
    )
    for status, count in looks.items():
        print(f"        {len(count):,} looks with {status}: {in_quantiles(count)}")
    print(f"        {len(took):,} rounds recorded: {in_quantiles([one * 1000 for one in took])}", flush=True)
    return Load(cpu, memory, float(median(looks.get("204", [0]))))


def _score(address: str, table: dict[str, Any], took: list[float], over: threading.Event) -> None:
    """Record a round now and then through the form; players go out in turns, so that nobody is ever bust."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=60)
    headers = {"Cookie": table["cookie"], "Content-Type": "application/x-www-form-urlencoded"}
    place = f"/g/{table['code']}/round/"
    over.wait(table["place"] * SCORER_RESTS / TABLES)
    for closer in cycle(PLAYERS):
        connection.request("GET", place, headers=headers)
        page = connection.getresponse().read().decode()
        sent = {name: _field(page, name) for name in ("after", "key")}
        hands = {f"hand-{name}": "1" for name in PLAYERS if name != closer}
        how = {"closer": closer, "closing": "out", "csrfmiddlewaretoken": table["token"]}
        began = time.perf_counter()
        connection.request("POST", place, urlencode({**sent, **hands, **how}), headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        took.append(time.perf_counter() - began)
        assert answer.status == 302, answer.status
        if over.wait(SCORER_RESTS):
            return


def _field(page: str, name: str) -> str:
    match = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert match, name
    return match[1]


def shown(address: str, table: dict[str, Any]) -> tuple[str, str]:
    """Return the address that the sheet polls, and its ticket."""
    request = urllib.request.Request(f"{address}/g/{table['code']}/", headers={"Cookie": table["cookie"]})
    with urllib.request.urlopen(request) as page:
        text = page.read().decode()
    live, ticket = (re.search(rf'data-{name}="([^"]+)"', text) for name in ("live", "ticket"))
    assert live
    assert ticket
    return live[1], ticket[1]


def wrk(address: str, cookie: str, ticket: str = "") -> float:
    """Return the responses per second of a few connections that poll without pause; all are empty."""
    headers = ["-H", f"Cookie: {cookie}", *(["-H", f"X-Ticket: {ticket}"] if ticket else [])]
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", *headers, address]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", output)
    assert rate
    assert "Non-2xx" not in output, output
    return float(rate[1])


@contextmanager
def half_sent_bodies(address: str, cookie: str) -> Iterator[None]:
    """Hold connections open, for the `with` block, that have sent only a part of a form."""
    where = urlsplit(address)
    sent = (
        f"POST /new/ HTTP/1.1\r\nHost: {where.netloc}\r\nCookie: {cookie}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nab"
    )
    with ExitStack() as phones:
        for _phone in range(HALVES):
            connection = socket.create_connection((str(where.hostname), int(where.port or 80)))
            phones.enter_context(connection).sendall(sent.encode())
        yield


def server_of(address: str) -> list[int]:
    """Return the process ids of the server at this address."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,args="], check=True, capture_output=True, text=True
    )
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
    port = str(urlsplit(address).port)
    return [
        int(pid)
        for pid, _parent, *command in rows
        if command and "granian" in command[0] and port in command[0]
    ]


def cpu_of(processes: Sequence[int]) -> float:
    """Return the total CPU seconds that these processes have used."""
    ticks = 0
    for process in processes:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_of(processes: Sequence[int]) -> float:
    """Return the memory of these processes in MB; memory shared with others is divided among them."""
    shares = [Path(f"/proc/{process}/smaps_rollup").read_text() for process in processes]
    matches = [re.search(r"^Pss:\s+(\d+)", share, re.MULTILINE) for share in shares]
    return sum(int(one[1]) for one in matches if one) / 1024


def in_quantiles(milliseconds: Sequence[Any]) -> str:
    """Return the median, the 95th and the 99th percentile as text, "too few" for less than two values."""
    if len(milliseconds) < 2:
        return "too few"
    cut = quantiles(milliseconds, n=100)
    return f"p50 {cut[49]:.0f} ms, p95 {cut[94]:.0f} ms, p99 {cut[98]:.0f} ms"


if __name__ == "__main__":
    main()
