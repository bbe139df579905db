"""A comparison of every answer of two versions to the same requests, to check that a refactoring changed
none.

    .venv/bin/python -m tests.benchmarks.same_answers write before.jsonl      # in the old checkout
    .venv/bin/python -m tests.benchmarks.same_answers write after.jsonl       # in this one
    .venv/bin/python -m tests.benchmarks.same_answers compare before.jsonl after.jsonl

An owner, a scorer, a viewer, a user without a table and a stranger crawl, in two languages, the pages of the
demo's table and of the table stored by the release in `RELEASE`: each link, each part that a page loads, each
form as filled in, and the described API. Clock, secret and random numbers are fixed. Each request is rolled
back, so that none depends on another. `MASKED` lists what may differ.
"""

from __future__ import annotations

import argparse
import io
import json
import logging
import os
import random
import re
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import time_machine

RELEASE = "1.1.0"
NOON = "2026-11-25T15:00Z"
LANGUAGES = ("es-AR", "en")
MOST_ANSWERS = 800  # for one reader in one language
MOST_ALIKE = 8  # addresses of one view, and likewise forms
MASKED = {
    re.compile(r"/static/[\w/.-]+"): "/static/…",  # scripts and styles may be renamed
    re.compile(r'RELEASE = "\w{12}"|"RELEASE": "\w{12}"'): "RELEASE = …",  # the digest of their names
    re.compile(r"(?<=\.dev0) \(\w+\)"): "",  # the commit
    re.compile(r"\n{2,}"): "\n",  # empty lines left by template tags
}


class PageRequest(NamedTuple):
    method: str
    address: str
    fields: tuple[tuple[str, str], ...] = ()


def write(file: Path) -> None:
    """Write a line for each answer: the reader, the language, the request, and the status, headers and body."""
    with tempfile.TemporaryDirectory() as folder, time_machine.travel(NOON, tick=False):
        os.urandom = random._urandom = NUMBERS.read  # type: ignore[attr-defined]
        _set_up(folder)
        with open(file, "w", encoding="utf-8") as lines:
            for answer in _answers():
                lines.write(json.dumps(answer, ensure_ascii=False) + "\n")


def _set_up(folder: str) -> None:
    """Create a database with the release's rows and the demo's in this folder."""
    import sqlite3

    import django

    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "scorekeeper.settings",
        "ANOTADOR_ENV": "",
        "DATA_DIR": folder,
        "DATABASE_URL": "",
        "SECRET_KEY": "the secret of one site, which is the same in each of these answers",
        "ALLOWED_HOSTS": "testserver",
    }
    django.setup()
    logging.disable()
    from django.conf import settings
    from django.core.management import call_command

    from tests.releases import read_release_file

    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    uncached = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
    settings.CACHES = dict.fromkeys(settings.CACHES, uncached)
    with closing(sqlite3.connect(settings.DATABASES["default"]["NAME"])) as database:
        database.executescript(read_release_file(RELEASE, "sql"))
    call_command("migrate", verbosity=0)
    call_command("demo", verbosity=0, stdout=io.StringIO())


class FixedNumbers:
    """Random numbers in place of the system's. `begin` restarts them."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self._numbers = random.Random(81)

    def read(self, count: int) -> bytes:
        return self._numbers.randbytes(count)


NUMBERS = FixedNumbers()


def _answers() -> Iterator[list[Any]]:
    """Yield the answers to every reader in every language."""
    from games.models import Table

    demo, full = Table.objects.order_by("-pk")[0], Table.objects.order_by("pk")[0]
    readers = _readers(demo, full)
    for (name, user), language in product(readers.items(), LANGUAGES):
        yield from _crawl(name, user, language, (demo, full))


def _readers(*tables: Any) -> dict[str, Any]:
    """Return a user for each role at both tables; None is a stranger."""
    from django.contrib.auth.models import User
    from django.utils.timezone import now

    from games.models import Access, Role

    readers: dict[str, Any] = {}
    for role in (Role.OWNER, Role.SCORER, Role.WITNESS):
        readers[role] = user = User.objects.create_user(f"reader-{role}")
        for table in tables:
            member = table.members.exclude(accesses__user__username__startswith="reader-").first()
            Access.objects.create(
                user=user, table=table, role=role, member=member, confirmed_at=now(), confirmed_by=user
            )
    return {**readers, "nobody": User.objects.create_user("reader-nobody"), "stranger": None}


def _crawl(name: str, user: Any, language: str, tables: tuple[Any, ...]) -> Iterator[list[Any]]:
    """Yield the answers to one reader, page by page as they are discovered."""
    from django.test import Client
    from django.urls import Resolver404, resolve

    client = Client(headers={"accept-language": language}, raise_request_exception=False)
    if user is not None:
        client.force_login(user)
    cookies = {key: morsel.value for key, morsel in client.cookies.items()}
    waiting = deque(dict.fromkeys(_initial_requests(tables)))
    seen, alike = set(waiting), Counter[tuple[str, str]]()
    count = 0
    while waiting and count < MOST_ANSWERS:
        request = waiting.popleft()
        try:
            view = resolve(urlsplit(request.address).path).view_name
        except Resolver404:
            view = ""
        alike[view, request.method] += 1
        if alike[view, request.method] > MOST_ALIKE:
            continue
        count += 1
        response, body = _ask(client, cookies, request)
        headers: dict[str, Any] = {key: _mask(value) for key, value in response.headers.items()}
        headers |= {"Allow": sorted(headers.get("Allow", "").split(", "))}  # Django takes it from a set
        yield [name, language, *request, response.status_code, headers, body]
        for next_request in _linked_requests(request, response, body):
            if next_request not in seen:
                seen.add(next_request)
                waiting.append(next_request)


def _ask(client: Any, cookies: dict[str, str], request: PageRequest) -> tuple[Any, str]:
    """Return the response and its body. Everything the request wrote is rolled back."""
    from django.db import transaction

    NUMBERS.begin()
    client.cookies.clear()
    client.cookies.load({**cookies, "csrftoken": "c" * 32})
    with transaction.atomic():
        if request.method == "GET":
            response = client.get(request.address)
        else:
            response = client.post(request.address, dict(request.fields))
        content = response.getvalue()
        transaction.set_rollback(True)
    return response, _mask(content.decode(errors="backslashreplace"))


def _mask(text: str) -> str:
    for pattern, mask in MASKED.items():
        text = pattern.sub(mask, text)
    return text


def _initial_requests(tables: tuple[Any, ...]) -> Iterator[PageRequest]:
    """Yield the first requests: addresses without parts, those of these tables and games, and the API's."""
    from django.urls import URLPattern, reverse

    from games.urls import urlpatterns
    from tests.page_urls import PAGES, page_url

    for page in urlpatterns:
        if isinstance(page, URLPattern) and page.name and not page.pattern.converters:
            yield PageRequest("GET", reverse(page.name))
    yield from (
        PageRequest("GET", address)
        for address in ("/admin/", "/api/schema/", "/api/problems/", "/robots.txt")
    )
    for table in tables:
        games = [*{game.variant: game for game in table.games.order_by("pk")}.values()]
        for page_name in PAGES:
            for game in games:
                yield PageRequest("GET", page_url(page_name, game=game, table=table))
        yield PageRequest("GET", f"/api/v1/tables/{table.code}/")
        for part in (
            "members",
            "games",
            "payments",
            "costs",
            "accounts",
            "nights",
            "standings",
            "records",
            "events",
        ):
            yield PageRequest("GET", f"/api/v1/tables/{table.code}/{part}/")
        for game in games:
            yield PageRequest("GET", f"/api/v1/games/{game.code}/")
            yield PageRequest("GET", f"/api/v1/games/{game.code}/events/")


def _linked_requests(request: PageRequest, response: Any, body: str) -> Iterator[PageRequest]:
    """Yield the page's links, parts to load, and forms as requests."""
    from tests.reader import read_page

    if not response.headers.get("Content-Type", "").startswith("text/html") or not body:
        if location := response.headers.get("Location"):
            yield from _site_requests(PageRequest("GET", urljoin(request.address, location)))
        return
    page = read_page(response)
    for node in page.every():
        for key in ("href", "hx-get"):
            if (target := node.attrs.get(key)) and node.tag != "link":
                yield from _site_requests(
                    PageRequest("GET", urljoin(request.address, target.partition("#")[0]))
                )
    for form in page.every("form"):
        target = urljoin(request.address, form.attrs.get("action", "") or request.address)
        fields = tuple(sorted(form.fields.items()))
        if form.attrs.get("method", "get").lower() == "post":
            buttons = [node for node in form.every("button") if node.attrs.get("name")]
            pressed: list[tuple[tuple[str, str], ...]]
            pressed = [((node.attrs["name"], node.attrs.get("value", "")),) for node in buttons] or [()]
            for button in pressed:
                yield from _site_requests(PageRequest("POST", target, (*fields, *button)))


def _site_requests(request: PageRequest) -> Iterator[PageRequest]:
    """Yield the request if it is for a page of this site that does not end the session."""
    parts = urlsplit(request.address)
    if not parts.netloc and parts.path.startswith("/") and not parts.path.startswith("/static/"):
        yield request


def compare(before: Path, after: Path) -> bool:
    """Print how many answers are equal, and the first that differ. Return whether all are equal."""
    earlier, later = (
        [
            [*line[:6], {**line[6], "Content-Length": None}, _mask(line[7])]  # counts what is masked
            for line in map(json.loads, file.read_text(encoding="utf-8").splitlines())
        ]
        for file in (before, after)
    )
    same = sum(old_answer == other for old_answer, other in zip(earlier, later, strict=False))
    print(f"{len(earlier)} answers before, {len(later)} after; the same: {same}")
    print("by status:", dict(sorted(Counter(line[5] for line in later).items())))
    for old_answer, other in [pair for pair in zip(earlier, later, strict=False) if pair[0] != pair[1]][:5]:
        print("before:", *old_answer[:6], "\nafter: ", *other[:6])
        lines = zip(old_answer[-1].splitlines(), other[-1].splitlines(), strict=False)
        for was, new_line in [pair for pair in lines if pair[0] != pair[1]][:5]:
            print("   ", was[:300], "\n    ", new_line[:300])
    return earlier == later


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=["write", "compare"])
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    if options.action == "write":
        write(options.files[0])
    else:
        sys.exit(not compare(*options.files))


if __name__ == "__main__":
    main()
