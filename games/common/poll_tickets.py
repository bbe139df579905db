"""Poll tickets: signed permissions to poll a page. With htmx's polling, each poll would read the session.

A live page carries a ticket for the URL that it polls next. The ticket is signed for that URL, which contains
the `PageVersion` shown, and for the session's cookie, so it is invalid for another version or another phone.
While nothing is new, a valid ticket gets an empty response.

A ticket may also name a copy of the page that several readers share (`games/play/views/sheet.py`). It then
gets the copy of a newer event, with the next ticket, provided the table's revision is the same. Every change
that takes away a right raises the revision (`bump_revision`, `bump_revisions` in `games/common/locks.py`):
the next poll is then checked in full, and refused. A ticket expires with the access and after a few minutes
at the latest, in case a right ends at the very moment when the ticket is issued. The next ticket expires at
the same time.

To poll another URL, add its `<version:version>` to the URLs, and its page to `TABLE_VERSIONS` if it belongs
to a table. Its page prints `poll_context`, and its view answers with `no_news` (both in
`games/tables/views/lobby.py`) if nothing is new.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from gzip import compress
from time import monotonic, process_time, time
from typing import NamedTuple

from django.core.cache import caches
from django.db import connection
from django.http import HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from games.models import Table

HEADER = "X-Ticket"
LIFETIME = 5 * 60  # seconds that a ticket is valid
SALT = "games.common.tickets"

OFTEN_FOR = 30  # seconds after news while phones poll as often as they like
IDLE = 5  # seconds between two polls after that
MOST_BUSY = 20  # seconds added when the process uses a whole processor; none up to half of one

# This query reads only two indexes. The records of a game are numbered from 1, without gaps.
VERSION = """
    SELECT "games_table"."revision", (
        SELECT MAX("games_record"."number") FROM "games_record" WHERE "games_record"."game_id" = "games_game"."id"
    )
    FROM "games_game" INNER JOIN "games_table" ON "games_table"."id" = "games_game"."table_id"
    WHERE "games_game"."code" = %s
"""
# Pages of a table: the lobby shows no game, the home page and the accounts do, and a result waits for the next
# game.
_TABLE_VERSION = 'SELECT "revision", "version" FROM "games_table" WHERE "code" = %s'
TABLE_VERSIONS = {
    "people": 'SELECT "revision", 0 FROM "games_table" WHERE "code" = %s',
    "home": _TABLE_VERSION,
    "accounts": _TABLE_VERSION,
    "next": """
        SELECT "games_table"."revision", "games_table"."version"
        FROM "games_game" INNER JOIN "games_table" ON "games_table"."id" = "games_game"."table_id"
        WHERE "games_game"."code" = %s
    """,
}


class PageVersion(NamedTuple):
    """The version of a page: its table's revision, and the number of the newest event or write that it shows.

    Every change to the page raises one of them; a change of somebody's rights raises the revision.
    """

    revision: int
    number: int = 0

    @classmethod
    def of(cls, table: Table) -> PageVersion:
        """Return the version of a page that shows all of a table."""
        return cls(table.revision, table.version)

    def __str__(self) -> str:
        return f"{self.revision}-{self.number}"


class VersionConverter:
    """A URL converter for versions, as in `/g/<code>/sheet/3-12/`."""

    regex = "[0-9]{1,10}-[0-9]{1,10}"

    def to_python(self, text: str) -> PageVersion:
        return PageVersion(*map(int, text.split("-")))

    def to_url(self, version: PageVersion) -> str:
        return str(version)


@dataclass(frozen=True)
class PollTicket:
    """A permission to poll `address` with the session of this cookie until `ends`, a Unix timestamp.

    `copy` names the shared copy that the reader gets, "" for a page of their own. `since` is when the latest
    news reached the phone, 0 if that is unknown.
    """

    address: str
    cookie: str
    ends: int
    since: int = 0
    copy: str = ""

    @classmethod
    def read(cls, text: str, address: str, cookie: str) -> PollTicket | None:
        """Return the ticket; None unless it was issued for this URL and cookie and has not expired."""
        claims, _colon, signature = text.rpartition(":")
        if not constant_time_compare(signature, _signature(address, cookie, claims)):
            return None
        ends, since, copy = claims.split(":")
        return cls(address, cookie, int(ends), int(since), copy) if time() < int(ends) else None

    def __str__(self) -> str:
        claims = f"{self.ends}:{self.since}:{self.copy}"
        return f"{claims}:{_signature(self.address, self.cookie, claims)}"

    def answer(self) -> HttpResponse | None:
        """Return the response to a poll with this ticket, after one query; None if the session has to be checked."""
        page, seen_version, _end = self.address.rsplit("/", 2)
        current_version = _current_version(page)
        if current_version is not None and seen_version == str(current_version):
            return self.without_news()
        if (
            current_version is None
            or not self.copy
            or seen_version.partition("-")[0] != str(current_version.revision)
        ):
            return None
        return replace(self, address=f"{page}/{current_version}/", since=int(time())).cached_page()

    def without_news(self) -> HttpResponse:
        """Return the empty response. For an idle page it says how many seconds the phone should wait."""
        is_idle = time() - self.since >= OFTEN_FOR
        return HttpResponse(status=204, headers={"Retry-After": str(_idle_interval())} if is_idle else None)

    def cached_page(self) -> HttpResponse | None:
        """Return the shared copy of the page, with this ticket; None if it is not cached."""
        packed = caches["drawn"].get(f"{self.address}:{self.copy}")
        return None if packed is None else self._response(packed)

    def share(self, page: bytes) -> HttpResponse:
        """Cache this page for everybody whose ticket names its copy, and return it with this ticket."""
        packed = compress(page)
        caches["drawn"].set(f"{self.address}:{self.copy}", packed)
        return self._response(packed)

    def _response(self, packed: bytes) -> HttpResponse:
        headers = {HEADER: str(self), "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return HttpResponse(packed, headers=headers)


def issue(
    address: str, cookie: str, *, until: datetime | None = None, since: int = 0, copy: str = ""
) -> PollTicket:
    """Return a ticket for this URL and this session's cookie.

    It expires after `LIFETIME` seconds or at `until`, whichever is earlier.
    """
    end = time() + LIFETIME
    return PollTicket(
        address, cookie, int(end if until is None else min(end, until.timestamp())), since, copy
    )


def _current_version(page: str) -> PageVersion | None:
    """Return the present version of a page, given its URL without the version; None if there is no such page.

    The URL has `g` and the game's code, or `t` and the table's, then the name of the page.
    """
    _empty, _kind, code, name, *_rest = page.split("/")
    with connection.cursor() as cursor:
        cursor.execute(TABLE_VERSIONS.get(name, VERSION), [code])
        row: tuple[int, int] | None = cursor.fetchone()
    return PageVersion(*row) if row else None


def _signature(address: str, cookie: str, claims: str) -> str:
    return salted_hmac(SALT, f"{cookie}\n{address}\n{claims}", algorithm="sha256").hexdigest()


class ProcessLoad:
    """The share of a processor that this process has used in the last few seconds."""

    def __init__(self) -> None:
        self._share, self._at, self._used = 0.0, monotonic(), process_time()

    def share(self) -> float:
        """Return the share, measured at most every five seconds."""
        at, used = monotonic(), process_time()
        if at - self._at >= IDLE:
            self._share = (used - self._used) / (at - self._at)
            self._at, self._used = at, used
        return self._share


LOAD = ProcessLoad()


def _idle_interval() -> int:
    """Return the seconds between two polls of an idle page; more while the process is busy."""
    return IDLE + round(MOST_BUSY * min(max(2 * LOAD.share() - 1, 0), 1))
