"""The server killed while phones record, and a backup made meanwhile: nothing is lost or duplicated.

Runs on the server of DATABASE_URL if it is set, in databases of its own.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from django.utils.timezone import now

from games.management import worker_pool
from tests.server_processes import CSRF_TOKEN, ROUNDS_PER_GAME, Phone, Site, record_in_background

PHONES = 8
CLIENTS = 20  # recording while the site is killed
ROUNDS_A_KILL = 75  # at most; what they record between two kills on a fast machine


@pytest.fixture
def site(prepared_site, new_database, tmp_path):
    """`site()` returns a new site that is not running. All are stopped after the test."""
    made: list[Site] = []

    def make() -> Site:
        folder = tmp_path / f"site-{len(made)}" / "data"
        folder.mkdir(parents=True, mode=0o700)
        made.append(Site(folder, prepared_site / "static", new_database()))
        return made[-1]

    yield make
    for each in made:
        each.stop()


def kill_all(site: Site, _chance: Random) -> None:
    site.kill()
    site.start()


def kill_one(site: Site, chance: Random) -> None:
    """Kill a worker, which is replaced, or the parent, after which the site is restarted."""
    time.sleep(worker_pool.LEAST_LIFETIME)  # three that die sooner in a row end the server
    children = Path(f"/proc/{site.pid}/task/{site.pid}/children").read_text(encoding="ascii").split()
    killed = chance.choice([site.pid, *map(int, children)])
    os.kill(killed, signal.SIGKILL)
    if site.server is not None and killed == site.pid:
        site.server.wait()
        time.sleep(2)  # the workers end meanwhile and free the port
        site.start()


def record_through_kills(
    site: Site,
    kills: int,
    kill: Callable[[Site, Random], None] = kill_all,
    *,
    pause: float = 0.05,
    rounds: int = ROUNDS_A_KILL,
) -> None:
    """Let phones record while the site is killed and restarted, at most `rounds` rounds between two kills."""
    chance = Random(20)
    site.start()
    phones = site.create_phones(CLIENTS, 1 + kills * rounds // CLIENTS // ROUNDS_PER_GAME)
    with record_in_background(phones, pause=pause) as odd:
        for _kill in range(kills):
            recorded = sum(len(phone.acknowledged) for phone in phones)
            while sum(len(phone.acknowledged) for phone in phones) < recorded + CLIENTS and not odd:
                time.sleep(0.01)
            time.sleep(chance.random() / 4)
            kill(site, chance)

    assert [] == odd
    key_counts = site.count_keys()
    acknowledged = [key for phone in phones for key in phone.acknowledged]
    attempted = [key for phone in phones for key in phone.attempted]
    print(f"{kills} kills, {len(acknowledged)} rounds acknowledged")
    assert acknowledged == attempted
    assert {1} == {key_counts.get(key, 0) for key in acknowledged}
    assert "Everything adds up." in site.manage("check_books").stdout


@pytest.mark.long
@pytest.mark.parametrize("kills", [20, 1000])
def test_kills_lose_no_round_and_double_none(site, kills):
    record_through_kills(site(), kills)


@pytest.mark.long
def test_kills_of_workers_and_of_their_parent_lose_no_round_and_double_none(site):
    several = site()
    several.options = ["--workers", "2"]
    # A kill takes as long as a start, so each phone records one round a second.
    record_through_kills(several, 20, kill_one, pause=1, rounds=20 * CLIENTS)


@pytest.mark.long
def test_a_backup_made_while_eight_phones_record_holds_all_that_was_acknowledged_before(site):
    theirs, ours = site(), site()
    theirs.start()
    phones = theirs.create_phones(PHONES, 4)
    with record_in_background(phones, pause=0.1) as odd:
        while sum(len(phone.acknowledged) for phone in phones) < 4 * PHONES and not odd:
            time.sleep(0.01)
        before = [key for phone in phones for key in phone.acknowledged]
        made = theirs.manage("backup")
        after = [key for phone in phones for key in phone.acknowledged]
    assert ([], 0) == (odd, made.returncode), made.stderr
    assert len(before) < len(after)  # they recorded meanwhile

    (backup,) = (theirs.folder / "backups").glob("backup-*")
    restored = ours.manage("restore", str(backup))

    assert 0 == restored.returncode, restored.stderr
    key_counts = ours.count_keys()
    print(f"{len(before)} rounds before the copy, {len(after)} after it, {len(key_counts)} in it")
    assert {1} == {key_counts.get(key, 0) for key in before}
    assert set(key_counts) <= {*theirs.count_keys()}
    assert "Everything adds up." in ours.manage("check_books").stdout
    ours.start()
    phones[0].site = ours
    assert 200 == phones[0].get(f"/g/{phones[0].games[0]}/")[0]  # the session is still valid
    assert "Mesa de los jueves" in phones[0].get("/")[1]


@pytest.mark.long
def test_two_servers_on_one_folder_lose_and_double_nothing_while_one_is_killed(site):
    first = site()
    second = Site(first.folder, first.static, first.database)
    starting = Thread(target=second.start)
    starting.start()  # both prepare the same new database
    first.start()
    starting.join()
    try:
        phones = first.create_phones(PHONES, 4)
        wanderer = phones.pop()  # records one game through both servers in turn
        for phone in phones[::2]:
            phone.site = second
        with record_in_background(phones, pause=0.05) as odd:
            for number in range(ROUNDS_PER_GAME):
                wanderer.site = (first, second)[number % 2]
                assert 302 == wanderer.record()[0]
                if number % 15 == 10:
                    second.kill()
                    second.start()
    finally:
        second.stop()

    assert [] == odd
    key_counts = first.count_keys()
    assert [] == [phone for phone in phones if phone.acknowledged != phone.attempted]
    assert {1} == {key_counts.get(key, 0) for phone in [wanderer, *phones] for key in phone.acknowledged}
    assert "Everything adds up." in first.manage("check_books").stdout


# --- eighty entries that waited on a phone, one after the other -----------------------------------------------------

ENTRIES = 80


def build_entries(phone: Phone) -> list[dict[str, object]]:
    """Return as many rounds as a phone sends at once, over all of its games."""
    hands = {"closer": "ana", "closing": "out", **dict.fromkeys(("hand-beto", "hand-caro", "hand-dani"), "0")}
    return [
        {
            **{"form": "round", "table": "", "game": game, "fields": hands, "after": number},
            **{"key": f"{game}-{number}", "at": now().isoformat()},
        }
        for game in phone.games
        for number in range(1, ENTRIES // len(phone.games) + 1)
    ]


def send(phone: Phone, entries: list[dict[str, object]]) -> list[str]:
    """Send entries until each is answered, as a phone does, and return the results."""
    person = json.loads(phone.get("/token/")[1])["person"]
    headers = {"Content-Type": "application/json", "Cookie": phone.cookies, "X-CSRFToken": CSRF_TOKEN}
    answers: list[str] = []
    while len(answers) < len(entries):  # a request has a budget; entries beyond it wait for the next request
        body = json.dumps({"person": person, "entries": entries[len(answers) :]})
        status, answer = phone.site.request("POST", "/waiting/", body, **headers)
        assert 200 == status, answer
        answers += [result["status"] for result in json.loads(answer)["answers"]]
    return answers


@pytest.mark.slow
def test_a_kill_in_the_middle_of_what_waited_loses_no_entry_and_doubles_none(site):
    killed = site()
    killed.start()
    (phone,) = killed.create_phones(1, 5)
    entries = build_entries(phone)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(send, phone, entries)
        third = f"/api/v1/games/{phone.games[2]}/"  # the games before it are recorded
        while json.loads(phone.get(third)[1])["version"] == 1:
            assert not first.done()
        killed.kill()
        with pytest.raises((OSError, HTTPException)):
            first.result()
    recorded = len(killed.count_keys())
    killed.start()

    assert recorded < ENTRIES
    assert ["done"] * ENTRIES == send(phone, entries)
    key_counts = killed.count_keys()
    assert {1} == {key_counts[str(entry["key"])] for entry in entries}
    assert "Everything adds up." in killed.manage("check_books").stdout
