"""Everybody's rights: every page and every API operation, requested by everybody, known at the table or not.

The addresses come from the URL resolver. A hidden page answers with a 404 like an unknown code's; a visible
page answers a forbidden action with a 403. Nothing is written in either case. `LOWEST` says who may do what.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, resolve, reverse
from django.utils.timezone import now

from games.api_urls import urlpatterns as api_addresses
from games.common.api import schema
from games.models import Access, Role, Table
from games.money.services import expenses
from games.tables.services import links, lobby, pens, tokens
from games.urls import urlpatterns
from scorekeeper.urls import urlpatterns as site_addresses
from tests.factories import (
    build_expense,
    confirm_as_member,
    get_last_night,
    grant_access,
    make_table,
    make_user,
    start,
)
from tests.page_urls import PAGES, is_game_page, page_url, url_parts
from tests.reader import read_page

pytestmark = pytest.mark.django_db

# --- what is expected -------------------------------------------------------------------------------------------------

# Each level includes the ones before. "for good" is a viewer with a lasting access as a member, and "pen" one
# who has the pen tonight.
LEVELS = ("watch", "for good", "pen", "score", "own")


def parse_action_names(pages: str, api: str = "") -> set[str]:
    """Return the names of these pages, and of these API operations prefixed with "api"."""
    operations = {f"api {name.strip()}" for name in api.split(",") if name}
    return {name.strip() for name in pages.split(",") if name} | operations


# The lowest level that may do an action: pages by name, API operations by "api" and their name. An entry with
# a method is about this method alone.
LOWEST = {
    "watch": parse_action_names(
        """
        lobby, live-lobby, live-home, table, my-face, change-access, take-over, table-settings, table-part, games,
        old-night, season, player, sheet, get correct, live-look, live-sheet, board, live-board, own-hand, settlement,
        live-result, rules, export
        """,
        api="""
        table, table_events, games, game, events, export_game_text, members, seasons, standings, records, duels,
        player
        """,
    ),
    "for good": parse_action_names(
        """
        accounts, get account, live-accounts, live-account, live-night, tick, flag, pay, payment, get cost, share-cost, night,
        download, pen
        """,
        api="""
        accounts, payments, payment, pay, confirm_payment, dispute_payment, take_back_payment,
        costs, share_cost, see_cost, nights, night, export_table, export_spreadsheet
        """,
    ),
    "pen": parse_action_names(
        """
        new-game, rematch, undo-last, redo-last, play-round, live-hands, reentry, live-reentry, post correct,
        insert-round, changes, correct-rules, seats, more, leave, adjust, deal, stop, won, join,
        replace, recorded-rounds, between
        """
    ),
    "score": parse_action_names(
        """
        post lobby, post season, get member, confirm-all, fewest, post cost, correct-cost, spot, discard,
        restore
        """,
        api="""
        start_game, record, preview, undo, redo, rematch, discard, restore, fewest, correct_cost, accept_cost,
        refuse_cost, cancel_cost
        """,
    ),
    "own": parse_action_names(
        """
        make-link, end-link, add-member, member, merge-member, part-member, change-settings,
        erase-table, bring-table-back, post account, import-nights, bring-file, opening-balances,
        undo-balances, begin-season, change-season, drop-season
        """,
        api="rename_table, add_member, change_member, open_balances, begin_season, change_season",
    ),
}
# Pages of no table: open to all, or to signed-in users about themselves alone.
OPEN = parse_action_names("""
    home, set-theme, login, logout, new-table, bring, import-table, link, example,
    yours, manifest, service-worker, offline, token, waiting, network, invitation, sign-in-link,
    sign-in-again
    """)
USER_PAGES = parse_action_names(
    "credentials, end-device, link-for-phone, make-token, revoke-token, delete-account"
)
# API operations on no table: open to all, and those that need a user.
API_OPEN = {"variants", "variant", "hand", "score", "import_table"}
API_USER_OPERATIONS = {"me", "revoke_own_token", "tables", "open_table"}


# --- the actions ------------------------------------------------------------------------------------------------------

UNKNOWN = "zzzzzzzzzzz"
PREVIEWED = (
    "play-round",
    "own-hand",
    "correct",
    "insert-round",
    "changes",
)  # where a form asks what it would do


@dataclass(frozen=True)
class Action:
    """A request to a page or an API operation, and its address for the code of a table or a game."""

    method: str
    name: str
    is_game_action: bool
    address: Callable[[str], str]

    @property
    def level(self) -> int:
        """The index in LEVELS of the lowest level that may do the action."""
        page = self.name.removeprefix("preview ")
        for key in (f"{self.method} {page}", page):
            for level, actions in enumerate(LOWEST.values()):
                if key in actions:
                    return level
        raise KeyError(self.name)

    @property
    def is_api(self) -> bool:
        return self.name.startswith("api ")

    def ask(self, client: Client, code: str) -> Any:
        """Send the request with an empty form or body."""
        options = (
            {"data": "{}", "content_type": "application/json"}
            if self.is_api and self.method not in ("get", "head")
            else {}
        )
        headers = {"accept-language": "en", "idempotency-key": "asked"}
        return getattr(client, self.method)(self.address(code), headers=headers, **options)


def operations() -> Iterator[tuple[str, str, str]]:
    """Yield path, method and name of every API operation."""
    for path, methods in schema.openapi()["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation["operationId"]


def actions(table) -> list[Action]:
    """Return GET and POST of every page of a table or a game, its previews, and every API operation on one."""
    known = url_parts(table)

    def of_page(name):
        return lambda code: page_url(name, game=None, table=table, code=code, known=known)

    def of_operation(path):
        return lambda code: path.format_map({**known, "code": code})

    def of_preview(name):
        return lambda code: f"{of_page(name)(code)}?preview"

    both = [(name, method) for name in PAGES for method in ("get", "post")]
    pages = [Action(method, name, is_game_page(name), of_page(name)) for name, method in both]
    previews = [Action("post", f"preview {name}", is_game_page(name), of_preview(name)) for name in PREVIEWED]
    return [*pages, *previews] + [
        Action(method, f"api {name}", "/games/{" in path, of_operation(path))
        for path, method, name in operations()
        if "{code}" in path
    ]


def sample_actions(candidates: list[Action]) -> list[Action]:
    """Return an action of each level and method among these."""
    return list({(action.level, action.method): action for action in candidates}.values())


def sample_by_module(candidates: list[Action]) -> list[Action]:
    """Return an action of each level, method and module of views among these."""

    def key(action: Action) -> Hashable:
        view = resolve(action.address(UNKNOWN).partition("?")[0]).func
        return action.level, action.method, action.is_api, action.is_game_action, view.__module__

    return list({key(action): action for action in candidates}.values())


# Every action in each test takes a minute and is run by name.
each_module_or_all = pytest.mark.parametrize(
    "choose", [sample_by_module, pytest.param(list, marks=pytest.mark.long)]
)


# --- who asks ---------------------------------------------------------------------------------------------------------


def tonight():
    return now() + timedelta(hours=3)


def create_access(table, role, **more) -> Access:
    """Return an access for a new user."""
    return grant_access(make_user(f"user_{table.accesses.count()}"), table, role, **more)


def confirm_access(access: Access) -> Access:
    access.confirmed_at = now()
    access.save()
    return access


def end_access(access: Access) -> Access:
    access.ended_at = now()
    access.save()
    return access


def confirm_member(access: Access, slug: str) -> Access:
    return confirm_as_member(access.user, access.table.members.get(slug=slug))


def give_pen(access: Access) -> Access:
    pens.store_pen(access)
    return access


# Users by their level at the table; None is no level.
USERS: dict[str, tuple[str | None, Callable[[Table], Any]]] = {
    "nobody signed in": (None, lambda _table: None),
    "signed in elsewhere": (None, lambda _table: make_table(make_user("sara"), name="Otra").accesses.get()),
    "expired": (None, lambda table: create_access(table, Role.OWNER, until=now() - timedelta(seconds=1))),
    "ended": (None, lambda table: end_access(confirm_member(create_access(table, Role.OWNER), "caro"))),
    "unconfirmed face": (
        "watch",
        lambda table: create_access(table, Role.WITNESS, face="dani", until=tonight()),
    ),
    "face for tonight": (
        "watch",
        lambda table: confirm_access(create_access(table, Role.WITNESS, face="dani", until=tonight())),
    ),
    "watch": ("watch", lambda table: create_access(table, Role.WITNESS)),
    "for good": ("for good", lambda table: confirm_member(create_access(table, Role.WITNESS), "caro")),
    "pen": ("pen", lambda table: give_pen(confirm_member(create_access(table, Role.WITNESS), "caro"))),
    "score": ("score", lambda table: create_access(table, Role.SCORER)),
    "score tonight": ("score", lambda table: create_access(table, Role.SCORER, face="dani", until=tonight())),
    "score, the debtor": ("score", lambda table: confirm_member(create_access(table, Role.SCORER), "beto")),
    "own": ("own", lambda table: table.accesses.owners().get()),
}
ENDED = {"expired": "The night is over", "ended": "Your access was ended"}
ALWAYS = {"ended"}  # the others are long: every run asks at the border of each action
# Users who have another kind's level for a different reason. They try only one action of each level.
OTHER_KIND = (
    *("signed in elsewhere", "expired", "unconfirmed face", "face for tonight", "score tonight"),
    "score, the debtor",
)


USUAL = [
    who if who in ALWAYS else pytest.param(who, marks=pytest.mark.long)
    for who in USERS
    if who not in OTHER_KIND
]


@pytest.fixture
def game(finished, table, owner, pay):
    """A finished game of the table, which has a row for every kind of address."""
    pay("beto", "ana", 50)
    ana, beto = table.members.order_by("pk")[:2]
    expenses.create(
        table, get_last_night(table), build_expense(ana, 100, (ana, beto), ""), key="cost", by=owner
    )
    links.create_personal(table, role=Role.SCORER, by=owner)
    create_access(table, Role.WITNESS)
    return finished


def client_of_kind(subject: str, table: Table) -> Client:
    """Return the phone of this kind of user, which has opened a page today."""
    access = USERS[subject][1](table)
    client = Client()
    if access is not None:
        client.force_login(access.user)
    client.get("/")
    client.get("/api/v1/variants/")
    return client


def token_client(access: Access, **limits) -> Client:
    """Return a program with a token of the access's user, which was used today."""
    secret = tokens.create(access.user, "reloj", **limits)[1]
    client = Client(enforce_csrf_checks=True, headers={"authorization": f"Bearer {secret}"})
    client.get("/api/v1/variants/")
    return client


# --- what is answered -------------------------------------------------------------------------------------------------


class AccessCheck:
    """Requests actions of a table and its game as one user, and rolls back what they write.

    `ended` is what the pages say if the user's access has ended, "" if they never had one.
    """

    def __init__(self, client: Client, table: Table, game, *, ended: str = "") -> None:
        self.client, self.table, self.game, self.ended = client, table, game, ended
        self.requests = 0
        # By kind of action: the parts of the answer for an unknown code, and its number of queries.
        self.unknown_answers: dict[Hashable, tuple[list[Any], int]] = {}

    def get_code(self, action: Action) -> str:
        return self.game.code if action.is_game_action else self.table.code

    def ask(self, action: Action, code: str = "") -> tuple[Any, list[str]]:
        """Return the answer and the queries that it took."""
        self.requests += 1
        cache.clear()
        queries: list[str] = []

        def note_query(
            execute, sql, *args
        ):  # Django's own capture needs a query for each parameter on SQLite
            queries.append(sql)
            return execute(sql, *args)

        with transaction.atomic(), connection.execute_wrapper(note_query):
            answer = action.ask(self.client, code or self.get_code(action))
            answer.getvalue()
            transaction.set_rollback(True)
        return answer, queries

    def check_is_not_there(self, action: Action) -> None:
        """Assert that the answer is a 404 that cannot be told from that of an unknown code.

        Only whoever had access reads on a page that it has ended.
        """
        answer, queries = self.ask(action)
        *unlike, told = comparable_answer(answer, self.get_code(action))
        tells_end = self.ended and answer.status_code == 404 and not action.is_api
        if tells_end:
            assert self.ended in told
        parts = [*unlike, without_reason(told) if tells_end else told], len(queries)
        kind = (action.method, action.is_api, action.is_game_action, bool(tells_end))
        if self.unknown_answers.get(kind) != parts:  # the first of its kind, or answered in a way of its own
            unknown, as_unknown = self.ask(action, UNKNOWN)
            *alike, usual = comparable_answer(unknown, UNKNOWN)
            usual = without_reason(usual) if tells_end else usual
            self.unknown_answers[kind] = [*alike, usual], len(as_unknown)

        assert self.unknown_answers[kind] == parts
        assert answer.status_code == 404 or (answer.status_code == 405 and not action.is_api)
        assert self.table.name not in answer.getvalue().decode()
        assert [] == writes(queries)

    def check_is_refused(self, action: Action) -> None:
        answer, queries = self.ask(action)

        assert answer.status_code in (403, 405)
        assert [] == writes(queries)

    def check(self, action: Action, level: str | None) -> None:
        """Assert that the answer is the right one for a user with this level; None is no level."""
        if level is None:
            self.check_is_not_there(action)
        elif action.level <= LEVELS.index(level):
            self.check_is_open(action)
        else:
            self.check_is_refused(action)

    def check_is_open(self, action: Action) -> int:
        """Assert that the role suffices, and return the status.

        An empty form may still be refused for what it lacks.
        """
        answer, queries = self.ask(action)

        assert answer.status_code in (200, 201, 204, 302, 400, 404, 405, 409, 415, 422)
        assert action.method != "get" or (answer.status_code in (200, 204, 302, 405) and not writes(queries))
        return int(answer.status_code)


VARYING_HEADERS = ("Content-Length", "X-Request-ID")


def comparable_answer(answer, code: str) -> tuple[Any, ...]:
    """Return the content of an answer without its code, CSRF token and request id."""
    csrf_tokens = r'(?<=csrfmiddlewaretoken" value=")\w+|(?<="X-CSRFToken": ")\w+'
    body = re.sub(csrf_tokens, "TOKEN", answer.getvalue().decode().replace(code, "CODE"))
    headers = {name: value for name, value in answer.headers.items() if name not in VARYING_HEADERS}
    return answer.status_code, {name: value.replace(code, "CODE") for name, value in headers.items()}, body


def without_reason(page: str) -> str:
    """Return a page that was not found without its heading and its text."""
    text = re.sub(r"<h1 .*?</h1>|<div class=\"card prose\">.*?</div>", "", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", text)


def writes(queries: list[str]) -> list[str]:
    return [
        sql
        for sql in queries
        if sql.startswith(("INSERT", "UPDATE", "DELETE")) and "django_session" not in sql
    ]


def test_every_address_has_its_place_in_this_file():
    included = {str(part.pattern): part.urlconf_module for part in site_addresses}
    del included["admin/"]  # see test_admin.py
    known = {"": "games.urls", "api/": "games.api_urls", "i18n/": "django.conf.urls.i18n"}
    action_names = {re.sub("^(get|post) ", "", name) for name in set().union(*LOWEST.values())}
    of_tables = {f"api {name}" for path, _method, name in operations() if "{code}" in path}
    api_paths = {path for path, _method, _name in operations()}
    unspoken = {page.name for page in api_addresses if isinstance(page, URLPattern)} - {
        "api",
        "api-simplify",  # refused: the setting replaced it
        "api-problems",
        "api-schema",
        "api-unknown",
    }

    assert {place: import_module(name) for place, name in known.items()} == included
    assert action_names == set(PAGES) | of_tables
    assert OPEN | USER_PAGES == {page.name for page in urlpatterns} - set(PAGES)
    assert API_OPEN | API_USER_OPERATIONS == {
        name for path, _method, name in operations() if "{code}" not in path
    }
    assert len(unspoken) == len(api_paths)


@pytest.mark.parametrize("subject", USUAL)
def test_what_one_may_not_see_is_like_what_there_is_not_and_what_one_may_not_do_is_refused(
    subtests, table, game, subject
):
    level = USERS[subject][0]
    asking = AccessCheck(client_of_kind(subject, table), table, game, ended=ENDED.get(subject, ""))
    for action in actions(table):
        with subtests.test(action=f"{action.method} {action.name}"):
            asking.check(action, level)
    assert len(actions(table)) <= asking.requests


@pytest.mark.parametrize(("subject", "lowest"), list(itertools.pairwise(LEVELS)))
def test_who_is_one_level_too_low_is_refused(subtests, table, game, subject, lowest):
    """Nor is anybody lower, since each level includes the ones before."""
    asking = AccessCheck(client_of_kind(subject, table), table, game)
    for action in actions(table):
        if action.level == LEVELS.index(lowest):
            with subtests.test(action=f"{action.method} {action.name}"):
                asking.check_is_refused(action)


@each_module_or_all
@pytest.mark.parametrize("subject", LEVELS)
def test_the_lowest_level_that_may_do_something_may(subtests, table, game, subject, choose):
    """Its head may be requested alone, too."""
    asking = AccessCheck(client_of_kind(subject, table), table, game)
    at_border = [action for action in actions(table) if action.level == LEVELS.index(subject)]
    for action in choose(at_border):
        with subtests.test(action=f"{action.method} {action.name}"):
            status = asking.check_is_open(action)
            if action.method == "get":
                head, queries = asking.ask(replace(action, method="head"))
                assert (status, []) == (head.status_code, writes(queries))


@pytest.mark.parametrize("subject", OTHER_KIND)
def test_another_reason_for_a_level_makes_no_difference(table, game, subject):
    asking = AccessCheck(client_of_kind(subject, table), table, game, ended=ENDED.get(subject, ""))
    for action in sample_actions(actions(table)):
        asking.check(action, USERS[subject][0])


# --- programs ---------------------------------------------------------------------------------------------------------


def api_actions(table) -> list[Action]:
    return [action for action in actions(table) if action.is_api]


def test_a_token_has_the_role_of_its_maker(subtests, table, game):
    asking = AccessCheck(token_client(create_access(table, Role.SCORER), table=table), table, game)
    for action in api_actions(table):
        with subtests.test(action=f"{action.method} {action.name}"):
            asking.check(action, "score")


def test_a_token_does_not_have_the_pen_of_its_maker(subtests, table, game):
    access = give_pen(confirm_member(create_access(table, Role.WITNESS), "caro"))
    asking = AccessCheck(token_client(access, table=table), table, game)
    for action in api_actions(table):
        with subtests.test(action=f"{action.method} {action.name}"):
            asking.check(action, "for good")


def test_the_pen_of_tonight_opens_no_finished_game_of_another_night(subtests, table, game, owner):
    game.night_number -= 7
    game.save()
    phone = client_of_kind("pen", table)
    asking = AccessCheck(phone, table, game)
    for action in actions(table):
        if action.is_game_action and not action.is_api and action.name in LOWEST["pen"] - {"rematch"}:
            with subtests.test(action=f"{action.method} {action.name}"):
                asking.check_is_refused(action)


def test_a_token_that_only_reads_reads_and_computes_and_records_nothing(subtests, table, game, owner):
    program = token_client(table.accesses.get(user=owner), table=table)
    owner.tokens.update(reads_only=True)
    asking = AccessCheck(program, table, game)
    for action in api_actions(table):
        with subtests.test(action=f"{action.method} {action.name}"):
            answer, queries = asking.ask(action)
            is_read_only = b'"code":"read_only"' in answer.getvalue().replace(b" ", b"")

            assert (action.method != "get" and action.name != "api preview") == is_read_only
            assert (403 if is_read_only else answer.status_code, []) == (answer.status_code, writes(queries))


@pytest.mark.parametrize("path", ["score/", "hand/"])
def test_a_token_that_only_reads_may_score_what_is_not_stored(table, owner, path):
    program = token_client(table.accesses.get(user=owner))
    owner.tokens.update(reads_only=True)

    assert 400 == program.post(f"/api/v1/{path}", b"{}", content_type="application/json").status_code


def test_a_token_of_another_table_opens_nothing(subtests, table, game, owner):
    other_access = make_table(owner, name="Otra").accesses.get()
    asking = AccessCheck(token_client(other_access, table=other_access.table), table, game)
    for action in api_actions(table):
        with subtests.test(action=f"{action.method} {action.name}"):
            asking.check_is_not_there(action)


def test_no_page_is_opened_by_a_token(table, game, owner):
    asking = AccessCheck(token_client(table.accesses.get(user=owner)), table, game)
    pages = [action for action in actions(table) if not action.is_api and action.method == "get"]
    for action in sample_actions(pages):
        asking.check_is_not_there(action)


# --- an erased table --------------------------------------------------------------------------------------------------

FOR_ITS_OWNER = parse_action_names("table-settings, erase-table, bring-table-back, download")


@pytest.mark.parametrize(
    ("subject", "choose"),
    [
        ("for good", sample_by_module),
        pytest.param("for good", list, marks=pytest.mark.long),
        ("score", sample_actions),
    ],
)
def test_an_erased_table_is_like_what_there_is_not(subtests, table, game, subject, choose):
    asking, acts = AccessCheck(client_of_kind(subject, table), table, game), actions(table)
    Table.objects.update(erased_at=now())
    for action in choose(acts):
        with subtests.test(action=f"{action.method} {action.name}"):
            asking.check_is_not_there(action)


@each_module_or_all
def test_its_owner_can_bring_an_erased_table_back_for_seven_days(subtests, table, game, choose):
    asking, every = AccessCheck(client_of_kind("own", table), table, game), actions(table)
    offered = [action for action in every if action.name in FOR_ITS_OWNER]
    acts = list({id(action): action for action in (*choose(every), *offered)}.values())
    Table.objects.update(erased_at=now() - timedelta(days=1))
    for action in acts:
        with subtests.test(action=f"{action.method} {action.name}"):
            answer, _queries = asking.ask(action)
            is_offered = action.name in FOR_ITS_OWNER

            assert is_offered or answer.status_code in (404, 405)
            assert is_offered or action.is_api or answer.status_code == 405 or offers_return(answer)
    Table.objects.update(erased_at=now() - timedelta(days=8))
    for action in (*sample_actions(acts), *(action for action in acts if action.name in FOR_ITS_OWNER)):
        asking.check_is_not_there(action)


def offers_return(answer) -> bool:
    return b"Restore it" in answer.getvalue()


# --- what depends on whom it is about ---------------------------------------------------------------------------------

# For each user who presses a button: the status of the answer, for another user's access or their own.
ACTS = {
    "watch": {"confirm": 403, "unseat": 403, "end": 403, "score": 403, "unseat own": 302, "end own": 302},
    "for good": {"confirm": 403, "unseat": 403, "end": 403, "score": 403, "unseat own": 422, "end own": 302},
    "score": {"confirm": 302, "unseat": 302, "end": 403, "score": 403, "unseat own": 302, "end own": 302},
    "own": {"confirm": 302, "unseat": 302, "end": 302, "score": 302, "unseat own": 302, "end own": 422},
}


@pytest.mark.parametrize("subject", ACTS)
def test_who_may_confirm_unseat_end_and_raise_somebody(subtests, table, game, subject):
    phone, face = (
        client_of_kind(subject, table),
        create_access(table, Role.WITNESS, face="dani", until=tonight()),
    )
    user_access = table.accesses.get(user=phone.session["_auth_user_id"])
    for act, status in ACTS[subject].items():
        with subtests.test(act=act), transaction.atomic():
            word, _blank, whose = act.partition(" ")
            where = reverse("change-access", args=[table.code, (user_access if whose else face).pk])
            data = {"act": Role.SCORER if word == "score" else word, "member": "" if whose else "dani"}

            assert status == phone.post(where, data).status_code
            transaction.set_rollback(True)


# --- polls ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["board", "lobby"])
def test_the_next_poll_after_an_access_has_ended_is_a_404(table, game, owner, name):
    """Even with a ticket or ETag from before. `test_tickets.py` has every way to end an access."""
    access = create_access(table, Role.WITNESS)
    phone = Client()
    phone.force_login(access.user)
    running = start(table, owner)
    page = phone.get(reverse(name, args=[table.code if name == "lobby" else running.code]))
    news = next(node for node in read_page(page).every() if "data-live" in node.attrs).attrs
    headers = {"X-Ticket": news["data-ticket"], "If-None-Match": page.headers.get("ETag", "*")}
    api = f"/api/v1/games/{running.code}/"
    known = {"If-None-Match": phone.get(api).headers["ETag"]}

    assert (204, 304) == (status(phone, news["data-live"], headers), status(phone, api, known))
    lobby.revoke(access, by=owner)
    assert (404, 404) == (status(phone, news["data-live"], headers), status(phone, api, known))


def status(phone, where: str, headers: dict[str, str]) -> int:
    return int(phone.get(where, headers=headers).status_code)


# --- oneself ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("subject", ["nobody signed in", "signed in elsewhere", "score"])
def test_what_is_ones_own_is_about_oneself_alone(subtests, table, game, subject):
    pablo = create_access(table, Role.OWNER).user
    token_client(pablo.accesses.get())
    other = Client()
    other.force_login(pablo)
    other.get("/")
    known = {"token": pablo.tokens.get().pk, "device": pablo.devices.get().pk}
    phone = client_of_kind(subject, table)
    for page in urlpatterns:
        if page.name in USER_PAGES:
            with subtests.test(page=page.name), transaction.atomic():
                where = reverse(page.name, kwargs={part: known[part] for part in page.pattern.converters})
                answer = phone.post(where, {"current": "x", "word": "x", "name": "x"})

                assert 405 == phone.get(where).status_code
                assert subject != "nobody signed in" or reverse("login") == answer.headers["Location"]
                assert 200 == other.get(reverse("yours")).status_code
                assert (1, True) == (pablo.tokens.valid().count(), User.objects.get(pk=pablo.pk).is_active)
                transaction.set_rollback(True)
