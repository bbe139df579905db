"""`/metrics`: who may read it, and that it counts what phones and programs did, in every process."""

from __future__ import annotations

import errno
import json
import math
import os
import re
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from http.client import HTTPException
from io import StringIO
from pathlib import Path
from threading import Event, Thread, Timer
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver, reverse
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.mmap_dict import MmapedDict, mmap_key
from prometheus_client.multiprocess import MultiProcessCollector

from games.locks import lock
from games.management import slots
from games.management.slots import clear_slots, take_slot
from games.models import Grant, Role
from games.people import traffic
from games.people.erasing import erase
from games.people.guesses import OF_NAME_HERE
from games.play import recording as services
from games.tickets import BY_TICKET_ALONE
from scorekeeper import requests
from scorekeeper.metrics import meters, site
from scorekeeper.metrics.page import PATH
from tests.meters import increases, samples_of
from tests.outside import Site
from tests.tables import a_key, a_round, make_table, make_user, start

TOKEN = "t" * 40
WAITS, WAITED = (f"anotador_write_lock_wait_seconds_{part}{{}}" for part in ("count", "sum"))


def polled_by(sheet):
    """Return the address that a sheet polls, and its ticket."""
    live, ticket = (re.search(rf'data-{name}="([^"]+)"', sheet) for name in ("live", "ticket"))
    assert live
    assert ticket
    return live[1], ticket[1]


def increase(before, after, key):
    return int(after[key] - before[key])


@pytest.fixture
def scrape(client):
    """`scrape()` returns the samples that a program on this machine reads."""
    return lambda: samples_of(client.get(PATH).content.decode())


@pytest.fixture(autouse=True)
def counted_anew(monkeypatch):
    monkeypatch.setattr(site, "HOLDS", 0)


# --- who may read it ---------------------------------------------------------------------------------------


def answer_of(path, address="127.0.0.1", method="get", **headers):
    response = getattr(Client(REMOTE_ADDR=address), method)(path, headers=headers)
    names = {name: value for name, value in response.items() if name != requests.HEADER}
    return response.status_code, names, re.sub(r"[0-9a-f]{8,}|\w{64}", "", response.content.decode())


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
def test_a_program_on_this_machine_reads_it(address):
    status, headers, text = answer_of(PATH, address, host="localhost:8000")

    assert (200, "no-store") == (status, headers["Cache-Control"])
    assert headers["Content-Type"].startswith("text/plain; version=")
    assert "# HELP anotador_requests_total Requests by view, method and status." in text


@pytest.mark.django_db
def test_a_program_elsewhere_reads_it_with_the_token_under_any_host_name_and_without_https(settings):
    settings.METRICS_TOKEN, settings.SECURE_SSL_REDIRECT = TOKEN, True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

    for scheme in ("Bearer", "bearer"):
        asked_with = {
            "authorization": f"{scheme} {TOKEN}",
            "host": "10.1.2.3:8000",
            "x-forwarded-for": "10.0.0.1",
        }
        assert 200 == answer_of(PATH, "192.0.2.7", **asked_with)[0]


OTHERS = {
    "another machine": {"address": "192.0.2.7"},
    "a Unix socket": {"address": ""},
    "a proxy here": {"x-forwarded-for": "192.0.2.7"},
    "a proxy here, by its standard header": {"forwarded": "for=192.0.2.7"},
    "a proxy here, by nginx's example": {"x-real-ip": "192.0.2.7"},
    "a proxy that says only the scheme": {"x-forwarded-proto": "http"},
    "a proxy that says only itself": {"via": "1.1 proxy"},
    "the wrong token": {"address": "192.0.2.7", "authorization": f"Bearer {TOKEN}x"},
    "a token that is none": {"address": "192.0.2.7", "authorization": "Bearer ñ"},
    "the token as a password": {"address": "192.0.2.7", "authorization": f"Basic {TOKEN}"},
    "a form": {"method": "post"},
}


@pytest.mark.django_db
@pytest.mark.parametrize("who", OTHERS)
def test_for_everybody_else_it_is_an_unknown_address(settings, who):
    settings.METRICS_TOKEN = TOKEN
    status, headers, page = answer_of(PATH, **OTHERS[who])

    assert 404 == status
    assert (status, headers, page) == answer_of("/no-such-page", **OTHERS[who])


@pytest.mark.django_db
def test_without_a_token_of_the_site_an_empty_one_opens_nothing():
    assert 404 == answer_of(PATH, "192.0.2.7", authorization="Bearer ")[0]


@pytest.mark.django_db
def test_over_https_a_proxy_is_here_so_the_address_proves_nothing(settings):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

    assert 404 == answer_of(PATH)[0]


@pytest.mark.django_db
def test_a_page_of_another_site_cannot_lead_a_browser_here_under_its_own_name():
    assert answer_of("/no-such-page", host="evil.example") == answer_of(PATH, host="evil.example")
    assert 400 == answer_of(PATH, host="evil.example")[0]


# --- what it counts ----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_requests_are_counted_by_view_method_and_status(scrape, phone_of, owner, game):
    before = scrape()
    phone = phone_of(owner)
    phone.get(f"/g/{game.code}/")
    phone.get(f"/g/{game.code}/")
    phone.head(f"/g/{game.code}/")
    phone.get("/g/unknown/")
    phone.get(f"/no-such-page/{game.code}/")
    phone.generic("BREW", "/login/")
    phone.get("/api/v1/tables/")
    after = scrape()

    assert {
        "GET 200 sheet": 2,
        "HEAD 405 sheet": 1,
        "GET 404 sheet": 1,
        "GET 404 none": 1,
        "other 405 login": 1,
        "GET 200 api-tables": 1,
        "GET 200 none": 1,  # the first look at the metrics
    } == increases(before, after, "anotador_requests_total")
    assert {"sheet": 4, "none": 2, "login": 1, "api-tables": 1} == increases(
        before, after, "anotador_request_seconds_count"
    )


@pytest.mark.django_db
def test_polls_are_counted_by_their_answer(scrape, phone_of, owner, table, game):
    watcher = make_user("waldo")
    Grant.objects.create(user=watcher, table=table, role=Role.WITNESS)
    phone, stranger = phone_of(watcher), phone_of(make_user("zoe"))
    live, ticket = polled_by(phone.get(f"/g/{game.code}/").content.decode())
    before = scrape()

    assert [204, 204] == [phone.get(live, headers={"x-ticket": ticket}).status_code for _poll in range(2)]
    assert 204 == phone.get(live).status_code
    assert 404 == stranger.get(live).status_code
    services.record(game, a_round("ana", beto=5, caro=6, dani=7), after=1, key=a_key(), by=owner)
    assert 200 == phone.get(live, headers={"x-ticket": ticket}).status_code
    after = scrape()

    assert {"unchanged, by ticket": 2, "unchanged": 1, "news": 1, "other": 1} == increases(
        before, after, "anotador_polls_total"
    )
    assert {"GET 204 live-sheet": 3, "GET 200 live-sheet": 1, "GET 404 live-sheet": 1} == {
        key: n for key, n in increases(before, after, "anotador_requests_total").items() if "live" in key
    }


@pytest.mark.django_db
def test_a_poll_that_its_ticket_does_not_answer_is_counted_once(scrape, game):
    before = scrape()
    live = reverse("live-sheet", args=[game.code, 1])
    alone: dict[str, Any] = {BY_TICKET_ALONE: True}

    assert 202 == Client().get(live, headers={"x-ticket": "old"}, **alone).status_code
    assert {} == increases(before, scrape(), "anotador_polls_total")


def test_every_polled_page_is_known_by_its_name():
    polled = {
        name: pattern
        for name, (matches) in get_resolver().reverse_dict.lists()
        if isinstance(name, str)
        for pattern, parameters in matches[0][0]
        if "version" in parameters
    }

    assert {name for name in polled if name.startswith(meters.LIVE)} == set(polled)
    assert [name.removeprefix(meters.LIVE) for name in polled] == [
        pattern.split("/")[2] for pattern in polled.values()
    ]


@pytest.mark.django_db
def test_requests_over_a_rate_limit_are_counted(scrape, phone_of, owner):
    phone, wrong = phone_of(), {"username": owner.username, "password": "x"}
    before = scrape()
    statuses = [phone.post("/login/", wrong).status_code for _guess in range(OF_NAME_HERE.most + 2)]

    assert 2 == statuses.count(429) == increase(before, scrape(), "anotador_throttled_requests_total{}")


@pytest.mark.django_db
def test_pages_over_their_limit_are_counted_among_them_under_their_view(scrape, nobody, limited, monkeypatch):
    monkeypatch.setattr(traffic, "PAGES_HERE", replace(traffic.PAGES_HERE, most=1))
    before = scrape()
    for _time in range(3):
        nobody.get("/login/")
    after = scrape()

    assert 2 == increase(before, after, "anotador_throttled_requests_total{}")
    assert {"GET 429 login": 2} == {
        kind: count
        for kind, count in increases(before, after, "anotador_requests_total").items()
        if "429" in kind
    }


@pytest.mark.django_db
def test_slow_queries_are_counted_and_it_is_said_from_when_on_one_is_slow(client, scrape, monkeypatch, owner):
    assert f"Queries over {requests.SLOW_QUERY} s." in client.get(PATH).content.decode()
    before = scrape()
    monkeypatch.setattr(requests, "SLOW_QUERY", -1.0)
    client.force_login(owner)
    with CaptureQueriesContext(connection) as queries:
        client.get("/")
    monkeypatch.undo()

    assert 0 < len(queries) == increase(before, scrape(), "anotador_slow_queries_total{}")


@pytest.mark.django_db(transaction=True)
def test_how_long_a_round_waited_for_the_write_lock_is_counted(scrape, phone_of):
    owner = make_user("ana")
    game, phone = start(make_table(owner), owner), phone_of(owner)
    is_locked, may_end = Event(), Event()

    def write_long():
        with transaction.atomic():
            lock(game.table)
            is_locked.set()
            may_end.wait(10)
        connection.close()

    phone.get(f"/g/{game.code}/")  # notes the device
    before = scrape()
    phone.get(f"/g/{game.code}/")
    assert 0 == increase(before, scrape(), WAITS)
    other = Thread(target=write_long)
    other.start()
    is_locked.wait(10)
    Timer(0.3, may_end.set).start()
    hands = {"hand-beto": 0, "hand-caro": 0, "hand-dani": 0}
    form = {"after": 1, "key": a_key(), "closer": "ana", "closing": "out", **hands}
    assert 302 == phone.post(f"/g/{game.code}/round/", form).status_code
    other.join()
    after = scrape()

    assert increase(before, after, WAITS) >= 1
    assert 0.1 < after[WAITED] - before[WAITED] < 10


# --- the state of the site ---------------------------------------------------------------------------------


def test_tables_rounds_and_the_size_of_the_database_are_shown(home, client):
    owner = make_user("ana")
    game = start(make_table(owner), owner)
    erased = make_table(owner, name="Gone")
    erase(erased, name=erased.name, by=owner)
    for number in (1, 2):
        services.record(game, a_round("ana", beto=5, caro=6, dani=7), after=number, key=a_key(), by=owner)
    samples = samples_of(client.get(PATH).content.decode())

    assert (1, 2) == (samples["anotador_tables{}"], samples["anotador_rounds{}"])
    least = (home / "db.sqlite3").stat().st_size
    assert least <= samples["anotador_database_bytes{}"] <= least + 5_000_000


@pytest.mark.django_db
def test_both_counts_are_reused_for_a_minute(scrape, monkeypatch, owner):
    monkeypatch.setattr(site, "HOLDS", 60)
    scrape()
    before = scrape()["anotador_tables{}"]
    make_table(owner)

    assert before == scrape()["anotador_tables{}"]


def test_the_age_of_the_last_backup_is_shown_wherever_it_was_made(home, client, tmp_path, time_machine):
    age = "anotador_last_backup_age_seconds{}"
    assert math.inf == samples_of(client.get(PATH).content.decode())[age]

    time_machine.move_to("2026-11-20 12:00:00+00:00", tick=False)
    call_command("backup", "--to", str(tmp_path / "elsewhere"), stdout=StringIO())
    time_machine.move_to("2026-11-21 13:00:00+00:00", tick=False)
    assert 25 * 60 * 60 == samples_of(client.get(PATH).content.decode())[age]


@pytest.mark.django_db
def test_without_its_database_the_rest_is_shown(scrape, monkeypatch):
    def gone():
        raise OperationalError("connection refused")

    monkeypatch.setattr(site, "count_tables_and_rounds", gone)
    samples = scrape()

    assert "anotador_throttled_requests_total{}" in samples
    assert [] == [key for key in samples if key.startswith(("anotador_tables", "anotador_database"))]


# --- several processes -------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(slots, "SIZES", dict.fromkeys(slots.SIZES, 2**16))
    clear_slots(tmp_path / "metrics")
    return tmp_path / "metrics"


def count_in(folder, slot, amount):
    """Count this many requests as a process with this slot does."""
    file = MmapedDict(str(folder / f"counter_{slot}.db"))
    key = mmap_key("a", "a_total", [], [], "")
    file.write_value(key, file.read_value(key)[0] + amount, 0)
    file.close()


def counted_in(folder):
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(folder))
    return samples_of(generate_latest(registry).decode())["a_total{}"]


def test_each_process_has_a_slot_of_its_own_and_its_successor_counts_on(folder):
    first, first_lock = take_slot(folder)
    second, second_lock = take_slot(folder)
    count_in(folder, first, 3)
    count_in(folder, second, 4)
    first_lock.close()  # the first process is killed
    third, third_lock = take_slot(folder)
    count_in(folder, third, 2)

    assert (["0", "1", "0"], 9) == ([first, second, third], counted_in(folder))
    for lock_file in (second_lock, third_lock):
        lock_file.close()


def test_a_new_server_begins_from_nothing_and_leaves_the_counts_of_a_running_one(folder):
    slot, stopped = take_slot(folder)
    other, running = take_slot(folder)
    count_in(folder, slot, 3)
    count_in(folder, other, 4)
    stopped.close()
    clear_slots(folder)

    assert 4 == counted_in(folder)
    running.close()


def test_a_slot_without_room_for_its_files_is_given_back(folder, monkeypatch):
    def full(*_words):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(slots, "_make_room", full)
        with pytest.raises(OSError, match="No space"):
            take_slot(folder)

    slot, lock_file = take_slot(folder)
    lock_file.close()
    assert "0" == slot


def test_its_files_are_in_memory_where_systemd_provides_that(monkeypatch, settings):
    assert settings.DATA_DIR / "metrics" == slots.slots_folder()

    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/anotador:/run/other")

    assert Path("/run/anotador/metrics") == slots.slots_folder()


FILLED = """
import os
from prometheus_client import values
from pathlib import Path
import django
django.setup()
from django.urls import get_resolver
from scorekeeper.metrics import meters
views = [name for name in get_resolver().reverse_dict if isinstance(name, str)]
for view in views:
    for method in [*meters.METHODS, meters.OTHER]:
        meters.count_request(view, method, 405)
    for status in (200, 302, 403, 404, 409, 422, 429):
        meters.count_request(view, "GET", status)
        meters.count_request(view, "POST", status)
    meters.DURATIONS.labels(view).observe(1)
print(*(file.stat().st_size for file in Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).glob("*.db")))
"""


def test_a_process_has_room_in_advance_for_every_view_so_that_a_full_disk_kills_none(tmp_path):
    clear_slots(tmp_path)
    environment = {
        **os.environ,
        slots.FOLDER: str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "scorekeeper.settings",
    }
    sizes = subprocess.run(
        [sys.executable, "-c", FILLED],
        env=environment,
        cwd=site_settings.BASE_DIR,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()

    assert sorted(slots.SIZES.values()) == sorted(map(int, sizes))


TOLD = """
import django
django.setup()
from scorekeeper.metrics import meters
meters.count_request("home", "GET", 200)
print(meters.counts() is meters.REGISTRY)
"""


def test_a_process_that_cannot_write_there_serves_nevertheless_and_says_so(tmp_path):
    environment = {
        **os.environ,
        slots.FOLDER: str(tmp_path / "gone"),
        "DJANGO_SETTINGS_MODULE": "scorekeeper.settings",
    }
    ended = subprocess.run(
        [sys.executable, "-c", TOLD],
        env=environment,
        cwd=site_settings.BASE_DIR,
        check=True,
        capture_output=True,
        text=True,
    )

    assert "True" == ended.stdout.strip()
    assert f"{tmp_path / 'gone'} cannot be written" in ended.stderr


@pytest.mark.slow
def test_two_processes_show_together_what_a_script_did(tmp_path, monkeypatch):
    """The requests go over many connections, so that both processes answer some; then both are killed."""
    monkeypatch.setenv("ACCESS_LOG", "1")
    running = Site(tmp_path / "data", static=tmp_path / "static")
    running.folder.mkdir(mode=0o700)
    running.start()
    try:
        (phone,) = running.seats(1)
        before = samples_of(running.request("GET", PATH)[1])
        act(running, phone)
        after = samples_of(running.request("GET", PATH)[1])
        counting = [file for file in (running.folder / "metrics").glob("counter_*.db") if has_counted(file)]
        running.kill_workers()
        wait_for(running)
        successors = samples_of(running.request("GET", PATH)[1])
    finally:
        running.stop()

    assert DONE == increases(before, after, "anotador_requests_total")
    assert {"unchanged, by ticket": 50, "unchanged": 5} == increases(before, after, "anotador_polls_total")
    assert (1, 10) == (successors["anotador_tables{}"], successors["anotador_rounds{}"])
    assert 2 == len(counting)
    log = (tmp_path / f"server-{running.port}.log").read_text()
    lines = [json.loads(line) for line in log.splitlines() if line.startswith('{"at"')]
    logged = Counter(f"{line['method']} {line['status']} {line['view']}" for line in lines)
    assert {kind: count for kind, count in DONE.items() if kind != "GET 200 none"} == {
        kind: logged[kind] for kind in DONE if kind != "GET 200 none"
    }
    lost = {
        key for key, value in after.items() if key.startswith("anotador_requests") and successors[key] < value
    }
    assert set() == lost


DONE = {
    "GET 200 sheet": 31,
    "POST 302 play-round": 10,
    "GET 204 live-sheet": 55,
    "GET 404 sheet": 20,
    "GET 404 none": 20,
    "GET 401 api-tables": 15,
    "POST 411 none": 3,
    "GET 200 none": 21,  # health checks, and the first look at the metrics
}


def act(running, phone):
    """Send the requests of `DONE`."""
    for _round in range(10):
        assert 302 == phone.record()[0]
    address = f"/g/{phone.game}/"
    live, ticket = polled_by(phone.get(address)[1])
    ticketed = {"Cookie": phone.cookies, "X-Ticket": ticket}
    kinds = [
        *[("GET", address, {"Cookie": phone.cookies})] * 30,
        *[("GET", live, ticketed)] * 50,
        *[("GET", live, {"Cookie": phone.cookies})] * 5,
        *[("GET", "/g/unknown/", {})] * 20,
        *[("GET", "/no-such-page/", {})] * 20,
        *[("GET", "/api/v1/tables/", {})] * 15,
        *[("GET", "/healthz", {})] * 20,
        *[("POST", "/login/", {"Transfer-Encoding": "chunked"})] * 3,
    ]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda one: running.request(one[0], one[1], **one[2]), kinds))


def has_counted(file):
    return any(value for _key, value, _at, _place in MmapedDict.read_all_values_from_file(str(file)))


def wait_for(running):
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(OSError, HTTPException):
            running.request("GET", "/healthz")
            return
        time.sleep(0.1)
    raise TimeoutError
