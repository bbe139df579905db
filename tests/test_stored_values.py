"""Values that rows, sessions, phones and open pages keep through an update: salted, hashed or read back by
name.

Renaming or moving code must not change them. A failing test here means that something stored or shown before
an update no longer works after it: a link, a form sent twice, a signed key, a phone's own data.
"""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.contrib.auth.models import User
from django.core.signing import Signer
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import translation
from rest_framework.response import Response

from games.common import locks, poll_tickets, request_handling
from games.common.rate_limits import RateLimit
from games.files.services import notebook_games, notebook_reader
from games.files.services.import_preview import ImportPreview
from games.files.services.member_matching import MatchQuestion
from games.files.views.files import ARRIVAL_SIGNER
from games.models import Entry, EntryKind, Game, Link, Member, Payment, SharedCost, Table
from games.money.services import debt_settlement
from games.money.services.member_merges import MergePreview
from games.play.services.writer import Batch, NewGame
from games.play.views import settlement
from games.scoring.events import GameStarted, Player
from games.scoring.ledger import Transfer
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.tables.api.views import _compute_etag
from games.tables.services import devices, guests, links, parked_sessions, setup, users
from games.tables.views import lobby, login
from scorekeeper import middleware

NOON = datetime(2026, 11, 25, 15, tzinfo=UTC)


@pytest.fixture(autouse=True)
def fixed_secret(settings):
    """Give the site a fixed secret."""
    settings.SECRET_KEY = "the secret of one site, which is the same in each of these tests"


@pytest.fixture
def table():
    return Table(
        pk=7,
        code="jueves",
        identity="a table's identity",
        name="Jueves",
        unit="$",
        timezone="America/Argentina/Buenos_Aires",
    )


@pytest.fixture
def ana(table):
    return Member(pk=1, table=table, slug="ana", name="Ana")


@pytest.fixture
def beto(table):
    return Member(pk=2, table=table, slug="beto", name="Beto")


@pytest.fixture
def phone():
    """A request with the cookie that signs form keys."""
    request = RequestFactory().get("/")
    request.META["CSRF_COOKIE"] = "the cookie of one phone"
    return request


def _start_state() -> GameState:
    players = (Player("ana", "Ana"), Player("beto", "Beto"))
    return replay([GameStarted("loba_menos", (), players)])


# --- rows -------------------------------------------------------------------------------------------------------------


def test_links_and_tokens_are_found_by_the_digest_stored_with_them():
    assert "ab925f4a457651b9e8311dea6a78c3f53a4b6eaa9bd7a7edc8855425dfd20c6f" == locks.hash_token(
        "the token of a link"
    )


def test_a_table_has_the_code_that_follows_from_the_key_of_the_form_that_opened_it():
    assert "jmq26s9c62d" == setup.secret_code("42 the key of a form")
    assert "j69yg8wrs89" == setup._code_for_form_key("the-key-of-a-form", User(pk=42))


def test_a_guest_has_the_user_name_that_follows_from_the_key_of_the_form_that_made_them():
    assert "guest-27fdd1d89046145e3f46" == guests._username_for_form_key("the key of a form")


def test_tonights_link_shows_the_token_that_follows_from_its_row():
    assert "eX0gXSdKlKrYJCgue-CleM2EV2i-SXUl" == links.tonight_token(Link(pk=5, table_id=7, made_at=NOON))


@pytest.mark.django_db
def test_a_ticked_debt_has_the_key_that_follows_from_it(table, ana, beto):
    table.save()
    Entry.objects.create(
        table=table,
        number=2,
        kind=EntryKind.PAID,
        night=NOON.date(),
        at=NOON,
        differences={},
        before=[],
        after=[],
    )

    assert "tick b241c0611ed39b3fc5e7dbdedc4abefc" == debt_settlement._settlement_key(table, ana, beto, 2, 1)
    assert "tick 2f63203490c1b4431f3f144f4951dc3d" == debt_settlement._settlement_key(table, ana, beto, 0, 0)


# --- pages that are open, and the data of phones ----------------------------------------------------------------------


def test_a_ticket_is_valid_for_its_address_and_cookie():
    ticket = poll_tickets.PollTicket(
        "/g/mesa/sheet/1-2/", "the cookie of a session", 1_800_000_000, 1_700_000_000, "anybody"
    )

    assert (
        "1800000000:1700000000:anybody:c80afc86fbcc4c67e15e839e841446b651d90e6bf8924802ee1b5dafb0418238"
        == str(ticket)
    )


def test_a_form_key_is_signed_for_the_phone_that_shows_it(phone):
    assert "b51f4ebbc6794300c5af" == guests._signature(phone, "the key of a form")


def test_a_phone_keeps_its_data_under_the_mark_of_its_user():
    assert "959cc17feed2" == users.opaque_id(User(pk=42))


def test_the_moment_at_which_a_file_arrived_is_signed():
    signer = Signer(salt=ARRIVAL_SIGNER.salt)  # the view's own has the secret of its import

    assert "2026-11-25T15:00:00+00:00:Pp-djv_-2hMOgVnc_V5yKaOGXeXkmiyNCEpLy3u85g0" == signer.sign(
        NOON.isoformat()
    )


def test_the_question_whether_to_merge_two_members_has_the_digest_of_their_debts(ana, beto):
    debts = (Transfer("beto", "ana", 30),)
    preview = MergePreview(ana, beto, (30, -30), 0, debts, (), [Payment(pk=9)], Game(), None)

    assert "a52fdc8d79f262b3" == preview.digest


def test_the_question_whether_to_import_a_file_has_the_digest_of_its_rows(table, ana, beto):
    preview = ImportPreview(
        "the digest of a file",
        [MatchQuestion("beto", "Beto", "+")],
        newcomers=[ana, beto],
        games=[NewGame(Game(key="a game"), [Batch(0, (), "k", NOON, User(), NOON)], _start_state())],
        payments=[Payment(key="a payment")],
        costs=[SharedCost(key="an expense")],
        openings=[Entry(key="a balance")],
    )

    assert "514f7832db00ab70" == preview.preview_digest


def test_nights_of_an_old_notebook_have_the_digest_of_their_figures(table):
    notebook = notebook_reader.read_notebook(
        "noche;Ana;Beto\n3/11/26;100;-100\n", table, today=date(2026, 11, 25)
    )

    assert (
        "896024c66f040f24616cc08b11337975e83829b86517ac3766cf2473efa29be6"
        == notebook_games.build_contents(table, notebook, variant="loba_menos").digest
    )


# --- sessions and caches ----------------------------------------------------------------------------------------------


def test_a_session_has_these_variables():
    assert [
        "table",
        "act",
        "signed_out",
        "was_guest",
        "noted_under",
        "may_set_password_until",
        "warned_on",
        "confirmation",
        "renewed_at",
        "used_by",
        "replaces",
    ] == [
        request_handling.CURRENT_TABLE,
        request_handling.NOTICE,
        login.SIGNED_OUT,
        users.WAS_GUEST,
        devices.SESSION_VARIABLE,
        links.PASSWORD_RESET_UNTIL,
        settlement.WARNED_ON,
        lobby.LAST_CONFIRMATION,
        middleware.RENEWED_AT,
        parked_sessions.USED_BY,
        parked_sessions.REPLACES,
    ]


def test_the_cookie_with_parked_sessions_is_signed(time_machine):
    time_machine.move_to(NOON)
    response = HttpResponse()
    parked_sessions.set_cookie(response, ["the-key"])

    assert "the-key:1xWETY:GYHhkUOVfudj8pErFJPYodSJ760mGMPdmraq_82tDHI" == response.cookies["parked"].value


def test_the_phone_that_used_a_parked_session_is_known_by_its_cookie(phone):
    assert (
        "e40957ca60c422857d10493f091f24cf3b2eda4d8432e70d9055aa123a732f4f"
        == parked_sessions._phone_digest(phone)
    )


def test_what_is_counted_is_stored_under_the_hash_of_whom_it_counts(time_machine):
    time_machine.move_to(NOON)

    assert "tries:37dad677cf0b3997d0f5dd0d7889f84b11002e3ca73b0ae1bdb6d7e9b46fdb8a:29926980" == RateLimit(
        "tries", 5, 60
    )._counter("192.0.2.7")


def test_the_use_of_a_link_is_remembered_for_the_form_that_used_it():
    assert (
        "signed-in:315ca9fa63d3b18af5dd8e9268045037964c498ca36da89a31994fee202f444d"
        == links._repeat_cache_key(Link(token_hash="the digest of a token"), "the key of a form")
    )


# --- the API ----------------------------------------------------------------------------------------------------------


def test_the_tag_of_an_answer_is_the_digest_of_its_language_and_body():
    with translation.override("es-ar"):
        written = Response({"name": "Jueves", "at": NOON}, headers={"ETag": '"12"'})

        assert '"12.78162f667f0e"' == _compute_etag(written)
        assert '"7365d029861e"' == _compute_etag(HttpResponse("a file"))
