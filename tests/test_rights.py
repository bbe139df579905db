"""Permissions of every page: a stranger learns nothing of a table, and a witness only reads."""

from __future__ import annotations

import re
from datetime import timedelta
from importlib import import_module
from itertools import groupby

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, reverse
from django.utils.timezone import localdate, now

from games.api.urls import urlpatterns as api_addresses
from games.models import Device, Grant, Record, Role, Table
from games.people.guests import make_guest
from games.people.removals import put_out
from games.people.tokens import LIVES, make_token
from games.urls import urlpatterns
from scorekeeper.urls import urlpatterns as site_addresses
from tests.reader import fields, read_page
from tests.tables import a_key, make_user

pytestmark = pytest.mark.django_db

# Pages of any signed-in user, whatever their role at a table, and of nobody else.
OWN = {
    "credentials",
    "end-device",
    "link-for-phone",
    "make-token",
    "revoke-token",
    "delete-account",
}
OPEN = {
    *(
        "home",
        "set-theme",
        "take-advice",
        "login",
        "logout",
        "new-table",
        "bring",
        "link",
        "yours",  # to a stranger it says what is stored; see test_yours.py
        "manifest",
        "service-worker",
        "offline",
        *("token", "waiting"),  # entries are taken only of who is signed in; see test_waiting.py
    ),
    *OWN,
    "sign-in-link",  # open to anybody with the link; see test_sign_in_link.py
    "invitation",  # open to anybody with the link; see test_invitation.py
    "import-table",  # open to anybody with a table's file; see test_import_table.py
}
READ_ONLY = {
    *("sheet", "live-sheet", "board", "live-board", "settlement", "money", "rules", "export"),
    *("table", "table-settings", "export-game", "old-night", "claims"),
    *(
        "totals",
        "season",
        "player",
        "head-to-head",
        "duel",
        "season-summary",
        "year-summary",
        "games",
    ),
}
# Read by owners, scorers and members; see test_accounts.py.
ACCOUNTS = {
    *(
        "accounts",
        "account",
        "payments",
        "payment",
        "nights",
        "night",
        "cost",
    ),
    "download",
}
# Open to a witness too: claim a member or tap a face, which others confirm; leave the table.
ABOUT_ONESELF = {"claim", "leave-table", "faces"}
# Open to a witness who is somebody at the table, for their own hand; see test_own_hand.py.
HANDS = {"own-hand", "preview-own-hand"}
OWNERS_ONLY = {
    *("invites", "revoke-invite", "keep-grant", "end-grant", "undo-removal", "hand-over"),
    *("change-settings", "add-member", "member", "merge-member", "part-member"),
    *("new-phone", "answer-newcomer", "pen"),
    *("opening-balances", "undo-balances"),
    *("begin-season", "change-season", "drop-season", "import-nights", "undo-nights"),
    *("retire", "bring-back", "set-account", "accept-claim"),
    *("erase-table", "bring-table-back"),
}
# Addresses of the API that are open to all, since they serve no table, with the input of each.
GAME = {"game": "game loba_menos\nplayers ana beto"}
API: dict[str, dict[str, str]] = {
    **{
        "api": {},
        "api-schema": {},
        "api-variants": {},
        "api-variant": {},
        "api-unknown": {},
    },
    **{
        "api-hand": {"variant": "chinchon", "hand": "5"},
        "api-score": GAME,
    },
}
# Addresses that serve a table; see api/play/test_rights.py.
API_OF_TABLES = {
    *(
        "api-tables",
        "api-table",
        "api-games",
        "api-game",
        "api-events",
        "api-preview",
        "api-undo",
        "api-redo",
    ),
    *("api-rematch", "api-discard", "api-restore", "api-game-text"),
}
# Addresses of its members, seasons, accounts and files; see api/test_roles.py.
API_OF_SEASONS = {
    *("api-members", "api-member"),
    "api-opening-balances",
    *("api-seasons", "api-season"),
    *("api-standings", "api-records", "api-duels", "api-duel", "api-player"),
    *(
        "api-table-file",
        "api-accounts",
        "api-simplify",
        "api-payments",
        "api-payment",
    ),
    *(f"api-{act}-payment" for act in ("confirm", "dispute", "take-back")),
    *("api-costs", "api-cancel-cost"),
    *(
        "api-nights",
        "api-night",
        "api-spreadsheet",
    ),
}
API_OF_ONESELF = {
    *("api-me", "api-revoke-own-token"),
}
# For holders of a table's file; see tests/api/notebook.
API_FOR_HOLDERS = {"api-table-files"}
UNKNOWN = "zzzzzzzzzzz"

PAGES = [
    page
    for page in urlpatterns
    if isinstance(page, URLPattern) and {"code", "table_code"} & set(page.pattern.converters)
]
NAMES = [page.name for page in PAGES]


def address(name, *, game, table, code=None):
    """Return the address of this page for the game, or for a code that does not exist."""
    (page,) = [page for page in PAGES if page.name == name]
    known = {
        "code": code or game.code,
        "table_code": code or table.code,
        "version": 1,
        "year": localdate().year,
        "after": 1,
        "member": "ana",
        "other": "beto",
        "day": "2026-11-19",
        "what": "results",
    }
    rows = {  # read only if an address names one
        "number": lambda: getattr(table.payments.first(), "pk", 2),
        "season": lambda: getattr(table.seasons.first(), "pk", 1),
        "invite": lambda: getattr(table.invites.first(), "pk", 1),
        "removal": lambda: getattr(table.removals.first(), "pk", 1),
        "grant": lambda: table.grants.order_by("pk").last().pk,
        **dict.fromkeys(("face", "newcomer"), lambda: 1),
    }
    parts = page.pattern.converters
    return reverse(name, kwargs={key: known[key] if key in known else rows[key]() for key in parts})


def seen(response, code):
    """Return a response without its address, CSRF token and request id, which differ between requests."""
    body = response.content.decode().replace(code, "CODE")
    tokens = r'(?<=csrfmiddlewaretoken" value=")\w+|(?<="X-CSRFToken": ")\w+'
    its_own = ("Content-Length", "Location", "X-Request-ID")
    headers = {name: value for name, value in response.headers.items() if name not in its_own}
    location = response.headers.get("Location", "").replace(code, "CODE")
    return response.status_code, headers, location, re.sub(tokens, "TOKEN", body)


def stored():
    """Return everything in the database except sessions and their devices."""
    models: list[type[Model]] = [User, *apps.get_app_config("games").get_models()]
    models.remove(Device)
    return {model.__name__: rows(model._meta.db_table) for model in models}


def rows(name):
    """Return all rows of a database table without Django's models, since this runs a thousand times."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)} ORDER BY 1")
        columns = [column[0] for column in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


def test_every_page_belongs_to_a_table_or_is_known_to_be_open():
    assert OPEN == {page.name for page in urlpatterns} - set(NAMES)


def test_there_are_no_addresses_but_pages_the_api_the_admin_and_the_choice_of_a_language():
    included = {str(part.pattern): part.urlconf_module for part in site_addresses}
    del included["admin/"]  # see test_admin.py
    known = {"": "games.urls", "api/": "games.api.urls", "i18n/": "django.conf.urls.i18n"}

    assert {place: import_module(name) for place, name in known.items()} == included
    about_tables = API_OF_TABLES | API_OF_SEASONS
    assert set(API) | about_tables | API_OF_ONESELF | API_FOR_HOLDERS == {page.name for page in api_addresses}


# --- strangers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["stranger", pytest.param("nobody", marks=pytest.mark.slow)])
def test_a_page_of_others_is_like_one_that_there_is_not(request, page_of, finished, table, who):
    client = request.getfixturevalue(who)
    payload = {"after": "6", "key": a_key(), "change": "strike 6", "answer": "reenter", "player": "ana"}
    before = stored()
    for name in NAMES:
        with page_of(name):
            code = table.code if "table_code" in converters(name) else finished.code
            statuses = set()
            for send in (client.get, client.post, client.head):
                theirs = send(address(name, game=finished, table=table), payload)
                unknown = send(address(name, game=finished, table=table, code=UNKNOWN), payload)
                statuses.add(theirs.status_code)

                assert seen(unknown, UNKNOWN) == seen(theirs, code)
                assert table.name not in theirs.content.decode()
            assert 404 in statuses <= {404, 405}  # one of the methods reaches the page
            assert before == stored()


def converters(name):
    """Return the parameters of this page's address."""
    return next(page.pattern.converters for page in PAGES if page.name == name)


@pytest.mark.slow
def test_who_had_a_grant_that_ended_is_a_stranger(page_of, ana, finished, table):
    Grant.objects.update(expires_at="2026-01-01T00:00Z")
    for name in NAMES:
        with page_of(name):
            where = address(name, game=finished, table=table)

            assert {ana.get(where).status_code, ana.post(where).status_code} <= {404, 405}


@pytest.mark.slow
def test_who_was_removed_is_a_stranger(page_of, waldo, finished, table, owner):
    places = {name: address(name, game=finished, table=table) for name in NAMES}
    put_out(table.grants.get(role=Role.WITNESS), by=owner)
    for name, where in places.items():
        with page_of(name):
            assert {waldo.get(where).status_code, waldo.post(where).status_code} <= {404, 405}


FOR_ITS_OWNER = {
    "table-settings",
    "erase-table",
    "bring-table-back",
    "download",
}  # while an erased table can be brought back


@pytest.mark.slow
def test_an_erased_table_is_not_there_but_for_its_owner_to_bring_it_back(page_of, ana, finished, table):
    table.erased_at = now()
    table.save()
    for name in NAMES:
        with page_of(name):
            where = address(name, game=finished, table=table)
            answers = [ana.get(where), ana.post(where)]

            assert {answer.status_code for answer in answers} <= {404, 405} or name in FOR_ITS_OWNER
            assert name in FOR_ITS_OWNER or any(b"Bring it back" in answer.content for answer in answers)


# At least one page behind each function that checks access.
WAYS_IN = (
    "table",
    "leave-table",
    "erase-table",
    "bring-table-back",
    "download",
    "sheet",
)


def test_after_its_last_day_it_is_not_there_for_anybody(page_of, ana, finished, table):
    type(table).objects.update(erased_at=now() - timedelta(days=8))
    for name in WAYS_IN:
        with page_of(name):
            where = address(name, game=finished, table=table)

            assert {ana.get(where).status_code, ana.post(where).status_code} <= {404, 405}


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize(
    "who", ["waldo", *(pytest.param(who, marks=pytest.mark.slow) for who in ("sonia", "stranger", "nobody"))]
)
def test_to_whoever_does_not_own_it_an_erased_table_is_like_one_that_there_is_not(
    request, page_of, finished, table, who, method
):
    """Compare status, headers and body, and the number of queries."""
    client = request.getfixturevalue(who)
    client.get("/")  # the first page of a day writes the session
    Table.objects.filter(pk=table.pk).update(erased_at=now())
    before = stored()
    for name in WAYS_IN:
        with page_of(name):
            answers = []
            for code, shown in ((None, table.code), (UNKNOWN, UNKNOWN)):
                where = address(name, game=finished, table=table, code=code)
                with CaptureQueriesContext(connection) as queries:
                    response = getattr(client, method)(where, {"after": "6", "key": a_key()})
                shown = shown if code or "table_code" in converters(name) else finished.code
                answers.append((len(queries), seen(response, shown)))

            assert answers[1] == answers[0]
            assert answers[0][1][0] in (404, 405)
            assert before == stored()


def test_a_stranger_is_told_how_to_get_in(stranger, game):
    page = read_page(stranger.get(reverse("sheet", args=[game.code])))

    assert "Nothing at this address" == page.only("h1").text
    assert "Ask the owner of the table for an invitation." in page.only("main").text


@pytest.mark.parametrize("who", ["nobody", "stranger", "waldo", "ana"])
def test_what_the_api_answers_to_all_writes_nothing_and_knows_nobody(request, finished, table, who):
    client = request.getfixturevalue(who)
    before = stored()
    for name, sent in API.items():
        where = reverse(name, kwargs={"key": "chinchon"} if name == "api-variant" else {})
        for method in ("get", "post", "put", "patch", "delete"):
            answer = getattr(client, method)(where, sent, "application/json")

            assert answer.status_code in (200, 404, 405)
            assert table.name not in answer.getvalue().decode()
            assert before == stored()


@pytest.mark.slow
@pytest.mark.parametrize("who", ["nobody", "stranger"])
def test_what_the_api_answers_about_a_table_of_others_is_as_if_there_were_none(
    request, subtests, finished, table, who
):
    client, before = request.getfixturevalue(who), stored()
    client.get("/api/v1/games/warm/")  # the very first request makes more queries
    for place in [place for place in api_addresses if place.name in API_OF_SEASONS]:
        known = {"member": "ana", "other": "beto", "season": table.seasons.get().pk, "payment": 1, "cost": 1}
        known |= {"night": "2026-11-19"}
        known |= {"what": "rounds"}
        for method in ("get", "post", "put", "patch"):
            with subtests.test(page=place.name, method=method):
                answers = set()
                for code in (table.code, UNKNOWN):
                    where = {name: {**known, "code": code}[name] for name in place.pattern.converters}
                    with CaptureQueriesContext(connection) as queries:
                        answer = getattr(client, method)(
                            reverse(place.name, kwargs=where), {}, "application/json"
                        )
                    answers.add((answer.status_code, len(queries), answer.content))

                assert 1 == len(answers)
                assert answers.pop()[0] in (404, 405)
                assert before == stored()


# --- witnesses --------------------------------------------------------------------------------------------------------


def test_a_witness_reads_and_does_not_write(page_of, waldo, finished, table):
    for name in set(NAMES) - {"old-night"}:  # of another game than this
        with page_of(name):
            where = address(name, game=finished, table=table)
            payload = {"after": "6", "key": a_key()}
            answers = {waldo.get(where).status_code, waldo.post(where, payload).status_code}

            if name in ABOUT_ONESELF | HANDS:
                assert 403 not in answers
            else:
                assert answers - {405} == ({200} if name in READ_ONLY else {403})
            assert 6 == Record.objects.count()


# What a witness who is a member may write about themselves: payments, alias, claim.
IN_PERSON = {"pay", "tick", "untick", "set-account", "end-claim", *ABOUT_ONESELF, *HANDS}


STAGES = {
    "reentry": "bust",
    "redo-last": "undone",
    "rematch": "over",
    "restore": "discarded",
    "retire": "discarded",
    "spot": "over",
    "tick": "over",
    "take-back-payment": "paid",
}
# Hand-made posts to pages a witness is not shown. Each of these writes when an owner sends it.
HAND_MADE = {
    "new-game": {"variant": "loba_menos", "seat-1": "ana", "seat-2": "beto", "option-stake": "100"},
    "invites": {"role": "owner", "lasts": "year"},
    "revoke-invite": {},
    "keep-grant": {},
    "end-grant": {},
    "change-settings": {"table-name": "Otra"},
    "erase-table": {"erased-name": "Mesa de los jueves"},
    "add-member": {"name": "Zoe"},
    "member": {"name": "Anita", "colour": "5"},
    "new-phone": {},
    "undo-last": {},
    "redo-last": {},
    "play-round": {"closer": "ana", "closing": "out", **fields(hand_beto=5, hand_caro=4, hand_dani=3)},
    "reentry": {"player": "beto", "answer": "reenter"},
    "changes": {"change": "strike 3", "seen": "strike 3", "confirm": "yes"},
    "rematch": {},
    "leave": {"leave-player": "ana"},
    "adjust": {"penalty-player": "ana", "points": "5", "reason": "x"},
    "deal": {"deal-player": "caro"},
    "stop": {"how": "lowest_wins"},
    "join": {"newcomer-name": "Zoe", "after-player": "ana"},
    "replace": {"seat-player": "ana", "to-name": "Zoe"},
    "discard": {},
    "restore": {},
    "pay": {"payer": "beto", "payee": "ana", "amount": "100", "method": "cash", "sure": "beto ana 100"},
    "tick": {"payer": "beto", "payee": "ana", "version": "1", "claims": "0"},
    "spot": {"paid": "yes"},
    "take-back-payment": {"reason": "no fue"},
    "set-account": {"account": "ana.loba.mp"},
    "retire": {},
    "begin-season": {"name": "Otra"},
    "change-season": {"name": "Otra"},
}
# These only preview; the page "changes" writes.
SHOWS_FIRST = {
    *("correct", "insert-round", "correct-rules", "seats", "live-reentry"),
    "live-hands",
    *("preview-round", "preview-correction", "preview-insertion", "more"),
}
# These need values another page has shown, or a particular user; the tests of each page cover their rights.
BY_THEMSELVES = {
    *(
        "confirm-payment",
        "dispute-payment",
        "share-cost",
        "cancel-cost",
        "simplify",
        "untick",
        "bring-back",
        "drop-season",
    ),
    *("import-nights", "undo-nights", "accept-claim", "end-claim", "undo-removal", "hand-over"),
    *("tonight", "answer-face", "answer-newcomer", "pen"),
    *(
        "bring-table-back",
        "merge-member",
        "part-member",
        "opening-balances",
        "undo-balances",
    ),
}
# All fields at once, for pages not listed above.
ANYTHING = {name: value for payload in HAND_MADE.values() for name, value in payload.items()}


def by_stage(names):
    """Return groups of pages with the stage of the game at which they record."""

    def stage_of(name):
        return STAGES.get(name, "")

    return [(stage, list(group)) for stage, group in groupby(sorted(names, key=stage_of), key=stage_of)]


PEOPLE: dict[str, str] = {}


def person_on(client):
    """Return whose phone its pages say this is, reading it once per session."""
    session = client.cookies["sessionid"].value
    if session not in PEOPLE:
        PEOPLE[session] = client.get("/").context["pseudonym"]
    return PEOPLE[session]


def hand_made(client, name, game):
    """Return what a user who knows the forms could send to this page."""
    season = game.season
    return {
        **HAND_MADE.get(name, ANYTHING),
        "after": str(game.records.count()),
        "key": a_key(),
        "person": person_on(client),
        "season": str(season.pk),
        "payment": str(getattr(game.table.payments.first(), "pk", "")),
        "first_day": (season.starts_on + timedelta(days=name == "begin-season")).isoformat(),
    }


@pytest.mark.parametrize(("stage", "names"), by_stage(HAND_MADE))
def test_what_is_made_by_hand_would_be_written_for_an_owner(
    page_of, ana, waldo, at_stage, table, stage, names
):
    game = at_stage(stage)
    Grant.objects.filter(role=Role.WITNESS).update(expires_at=now() + timedelta(hours=5))
    before = stored()
    for name in names:
        with page_of(name):
            ana.post(address(name, game=game, table=table), hand_made(ana, name, game))

            assert before != stored()


@pytest.mark.parametrize(
    "methods",
    [("post",), pytest.param(("get", "put", "patch", "delete"), marks=pytest.mark.slow, id="others")],
)
@pytest.mark.parametrize(("stage", "names"), by_stage(set(NAMES) - ABOUT_ONESELF - HANDS))
def test_whatever_a_witness_sends_nothing_is_written(page_of, waldo, at_stage, table, stage, names, methods):
    game = at_stage(stage)
    before = stored()
    for name in names:
        payload = hand_made(waldo, name, game)
        for method in methods:
            with page_of(f"{method} {name}"):
                answer = getattr(waldo, method)(address(name, game=game, table=table), payload)

                assert before == stored()
                assert answer.status_code in ({200, 204, 302, 405} if name in READ_ONLY else {403, 405})


@pytest.mark.parametrize(("stage", "names"), by_stage(set(NAMES) - IN_PERSON))
def test_a_member_who_watches_writes_about_themselves_alone(
    page_of, waldo, at_stage, table, claims, stage, names
):
    claims(table.grants.get(role=Role.WITNESS).user, "beto")
    game = at_stage(stage)
    before = stored()
    for name in names:
        with page_of(name):
            answer = waldo.post(address(name, game=game, table=table), hand_made(waldo, name, game))

            assert before == stored()
            assert answer.status_code in (200, 204, 403, 404, 405, 422)


@pytest.mark.parametrize("name", ["pay"])
def test_a_member_who_watches_says_what_they_paid_and_it_counts_nowhere(waldo, table, game, claims, name):
    claims(table.grants.get(role=Role.WITNESS).user, "beto")
    claims(make_user("ana_herself"), "ana")
    where = address(name, game=game, table=table)
    for payer in ("caro", "beto"):
        waldo.post(where, {**hand_made(waldo, name, game), "payer": payer, "sure": f"{payer} ana 100"})

    assert [("beto", True)] == [(one.payer.slug, one.is_claim) for one in table.payments.all()]
    assert 0 == table.payments.counting().count()


def test_every_page_that_writes_was_tried_by_hand():
    assert set(NAMES) == set(HAND_MADE) | (
        SHOWS_FIRST | BY_THEMSELVES | READ_ONLY | ACCOUNTS | ABOUT_ONESELF | HANDS
    )


def test_a_witness_is_offered_nothing_to_write_with(waldo, finished):
    for name in ("sheet", "board", "settlement", "rules", "money"):
        page = read_page(waldo.get(reverse(name, args=[finished.code])))
        links = [link.attrs["href"] for link in page.every("a")]
        writing = ("/correct/", "/round/", "/more/", "/invites/", "/reentry/", "/seats/")

        assert [] == page.every("form")
        assert [] == [link for link in links if any(part in link for part in writing)]


def test_a_witness_is_told_in_words_that_they_only_watch(waldo, game):
    response = waldo.get(reverse("play-round", args=[game.code]))

    assert 403 == response.status_code
    assert "You can watch this table, but not record" == read_page(response).only("h1").text


def test_a_watching_phone_has_no_way_back_to_what_it_may_not_see(waldo, game, table):
    """Live responses check the grant every time."""
    where = reverse("live-sheet", args=[game.code, 0])
    assert 200 == waldo.get(where).status_code
    Grant.objects.filter(role=Role.WITNESS).update(expires_at=now())

    assert 404 == waldo.get(where).status_code


# --- scorers ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def sonia(phone_of, table):
    """A scorer who owns nothing."""
    user = make_user("sonia")
    Grant.objects.create(user=user, table=table, role=Role.SCORER)
    return phone_of(user)


@pytest.mark.parametrize(("stage", "names"), by_stage(set(HAND_MADE) - OWNERS_ONLY))
def test_a_scorer_writes_what_happens_at_the_table(page_of, sonia, at_stage, table, stage, names):
    game = at_stage(stage)
    before = stored()
    for name in names:
        with page_of(name):
            answer = sonia.post(address(name, game=game, table=table), hand_made(sonia, name, game))

            assert answer.status_code in (200, 302)
            assert before != stored()


@pytest.mark.parametrize("method", ["get", "post"])
def test_what_only_owners_do_is_refused_to_a_scorer_in_words(page_of, sonia, at_stage, table, method):
    game = at_stage("")
    before = stored()
    for name in sorted(OWNERS_ONLY):
        with page_of(name):
            payload = hand_made(sonia, name, game) if method == "post" else {}
            answer = getattr(sonia, method)(address(name, game=game, table=table), payload)

            assert answer.status_code in (403, 405)
            assert before == stored()
            if answer.status_code == 403:
                assert "Only an owner of the table can do that." == read_page(answer).only("h1").text


def test_a_scorer_is_not_offered_to_let_others_in(sonia, ana, game):
    links = {
        who: {link.attrs["href"] for link in read_page(client.get(f"/g/{game.code}/more/")).every("a")}
        for who, client in (("sonia", sonia), ("ana", ana))
    }
    invites = {reverse("invites", args=[game.table.code]), f"/t/{game.table.code}/invites/?role=scorer"}

    assert (set(), invites) == (invites & links["sonia"], invites & links["ana"])


# --- what is one's own ------------------------------------------------------------------------------------------------


@pytest.fixture
def everybody(phone_of, nobody, stranger, waldo, sonia, ana, table):
    """A phone for each kind of user, named by what they are at Ana's table. The stranger owns another one."""
    guest, member = make_guest(), make_user("mara")
    Grant.objects.create(user=member, table=table, role=Role.WITNESS)
    table.members.filter(slug="beto").update(user=member, claimed_at=now())
    return {
        **{"nobody": nobody, "guest": phone_of(guest), "owner elsewhere": stranger, "witness": waldo},
        **{"witness who is a member": phone_of(member), "scorer": sonia, "owner": ana},
    }


def own_address(name, pablo):
    """Return the address of this page, for Pablo's token or device if it needs one."""
    (page,) = [page for page in urlpatterns if page.name == name]
    known = {"token": pablo.tokens.get().pk, "device": pablo.devices.get().pk}
    return reverse(name, kwargs={key: known[key] for key in page.pattern.converters})


def test_what_is_ones_own_is_open_to_oneself_in_every_role_and_to_nobody_else(
    subtests, everybody, phone_of, table
):
    pablo = make_user("pablo")
    pablo.set_password("tres lobas negras")
    pablo.save()
    Grant.objects.create(user=pablo, table=table, role=Role.OWNER)
    make_token(pablo, "reloj de Pablo", lasts=LIVES["day"], table=table)
    phone_of(pablo).get("/")

    def pablos_rows():
        return User.objects.filter(pk=pablo.pk).values().get(), *(
            list(mine.values()) for mine in (pablo.tokens, pablo.devices, pablo.grants)
        )

    before = pablos_rows()
    for who, phone in everybody.items():
        for name in sorted(OWN):
            with subtests.test(who=who, page=name):
                where = own_address(name, pablo)
                sent = {"current": "x", "word": "x", "name": "x"}
                answer = phone.post(where, sent)

                assert 405 == phone.get(where).status_code
                if who == "nobody":
                    assert reverse("login") == answer.url
                elif name in ("revoke-token", "end-device"):  # Pablo's, so that nothing happens to others
                    assert 302 == answer.status_code
                else:
                    assert answer.status_code in {200, 422, 409}
                assert "reloj de Pablo" not in answer.content.decode() + phone.get("/you/").content.decode()
                assert before == pablos_rows()


def test_a_form_about_oneself_without_its_token_is_refused(phone_of, owner, table):
    phone = phone_of(owner, enforce_csrf_checks=True)
    make_token(owner, "reloj", lasts=LIVES["day"], table=table)
    phone.get("/")
    before = stored()
    for name in sorted(OWN):
        assert 403 == phone.post(own_address(name, owner), {"word": "delete"}).status_code
    assert before == stored()


def test_no_page_is_opened_by_a_token(subtests, finished, table, owner):
    _token, secret = make_token(owner, "reloj", lasts=LIVES["day"])
    program = Client(headers={"authorization": f"Bearer {secret}"})
    before = stored()
    for name in ("sheet", "table", "invites", "accounts", "download"):
        with subtests.test(page=name):
            assert 404 == program.get(address(name, game=finished, table=table)).status_code
    assert reverse("login") == program.post(reverse("make-token"), {"name": "x"}).headers["Location"]
    assert before == stored()


# --- forgery ----------------------------------------------------------------------------------------------------------


def test_a_form_without_its_token_is_refused_and_writes_nothing(page_of, phone_of, owner, finished, table):
    client = phone_of(owner, enforce_csrf_checks=True)
    before = stored()
    for name in NAMES:
        with page_of(name):
            response = client.post(address(name, game=finished, table=table), {"after": "6", "key": a_key()})

            assert 403 == response.status_code
            assert "This page was open too long" == read_page(response).only("h1").text
            assert before == stored()
