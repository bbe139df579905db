"""A suspended user: their sessions and tokens stop, their tables go on, and no queued entry is lost."""

from __future__ import annotations

import pytest
from django.contrib.auth.hashers import get_hasher
from django.contrib.auth.models import User

from games.desk.acts import (
    Outdated,
    delete_user,
    end_sessions,
    let_in,
    release_user,
    suspend_user,
)
from games.models import Act, OperatorAct, Role
from games.notebook.books.audit import check_table
from games.people.guests import make_guest
from games.people.tokens import LIVES, make_token
from games.people.users import mark_of
from tests.desk.test_suspended_tables import bring, statuses, typed
from tests.reader import read_page
from tests.tables import become, let_in_as, make_table, start

pytestmark = pytest.mark.django_db

WHY = "insults other players"
PASSWORD = "cuatro lobas negras"


@pytest.fixture
def beto(db):
    return User.objects.create_user("beto", password=PASSWORD)


@pytest.fixture
def phone(phone_of, beto, table):
    let_in_as(beto, table, Role.SCORER)
    return phone_of(beto)


def test_a_suspended_users_session_gets_503_with_the_reason_until_the_release(
    phone, beto, ana, game, operator, contact
):
    """A round queued on the phone is recorded after the release; meanwhile the owner plays on."""
    suspend_user(beto, by=operator, reason=WHY)
    page = phone.get(f"/g/{game.code}/")

    assert 503 == page.status_code
    assert WHY in read_page(page).text
    assert contact in read_page(page).text
    for address in ("/", "/pocket/", "/token/", "/new/", "/yours/data/"):
        assert 503 == phone.get(address).status_code
    assert 503 == bring(phone, beto, typed(game, "k1", 1)).status_code
    assert (503, "unavailable") == _status_and_code(phone.get(f"/api/v1/games/{game.code}/"))
    assert 200 == ana.get(f"/g/{game.code}/").status_code
    release_user(beto, by=operator, reason="they said sorry")
    assert ["done"] == statuses(bring(phone, beto, typed(game, "k1", 1)))
    assert beto == game.records.get(number=2).recorded_by


def test_every_page_on_a_suspended_users_phone_is_still_marked_with_that_user(phone, beto, nobody, operator):
    """A page marked with no user would make the phone delete drafts, cached pages and the carried app."""
    suspend_user(beto, by=operator, reason=WHY)
    for address in ("/", "/login/", "/there-is-nothing/"):
        assert mark_of(beto) == read_page(phone.get(address)).only("main").attrs["data-person"]
    assert "" == read_page(nobody.get("/login/")).only("main").attrs["data-person"]


def _status_and_code(answer):
    return answer.status_code, answer.json()["code"]


def test_a_suspended_user_cannot_sign_in_and_reads_the_reason_only_with_the_right_password(
    nobody, beto, operator
):
    suspend_user(beto, by=operator, reason=WHY)
    right = nobody.post("/login/", {"username": "beto", "password": PASSWORD, "mine": "no"})
    wrong = nobody.post("/login/", {"username": "beto", "password": "otra cosa", "mine": "no"})

    assert (422, 422) == (right.status_code, wrong.status_code)
    assert WHY in read_page(right).text
    assert WHY not in read_page(wrong).text
    assert "_auth_user_id" not in nobody.session


@pytest.mark.parametrize("name", ["beto", "olga", "nobody-here"])
def test_a_wrong_password_is_hashed_once_for_a_suspended_and_for_an_unknown_name(
    name, nobody, beto, operator, monkeypatch
):
    """Otherwise the response time would reveal that a name is suspended."""
    suspend_user(beto, by=operator, reason=WHY)
    hasher, hashed = type(get_hasher()), []
    encode = hasher.encode

    def count(self, *words):
        hashed.append(words)
        return encode(self, *words)

    monkeypatch.setattr(hasher, "encode", count)
    nobody.post("/login/", {"username": name, "password": "otra cosa", "mine": "no"})

    assert 1 == len(hashed)


def test_a_suspended_users_token_gets_401_until_the_release(nobody, beto, phone, game, operator):
    _token, secret = make_token(beto, "reloj", Role.SCORER, lasts=LIVES["day"])
    bearer = {"authorization": f"Bearer {secret}"}
    suspend_user(beto, by=operator, reason=WHY)

    assert 401 == nobody.get(f"/api/v1/games/{game.code}/", headers=bearer).status_code
    release_user(beto, by=operator, reason="they said sorry")
    assert 200 == nobody.get(f"/api/v1/games/{game.code}/", headers=bearer).status_code


def test_a_suspended_guest_keeps_their_only_session(phone_of, operator):
    """A new table or another person's sign-in would replace the session, and the guest account would be lost."""
    guest = make_guest()
    table = make_table(guest)
    phone = phone_of(guest)
    suspend_user(guest, by=operator, reason=WHY)
    for address in ("/new/", "/login/", "/credentials/", "/logout/"):
        assert 503 == phone.post(address, {"name": "Mesa"}).status_code
    release_user(guest, by=operator, reason="they said sorry")

    assert 200 == phone.get(f"/t/{table.code}/").status_code


def test_another_user_can_sign_in_on_a_suspended_users_phone(phone, beto, operator):
    suspend_user(beto, by=operator, reason=WHY)

    assert 200 == phone.get("/login/").status_code
    phone.post("/login/", {"username": "olga", "password": "tres lobas negras", "mine": "no"})
    assert 200 == phone.get("/operator/").status_code


def test_a_guest_whose_phone_a_suspended_user_signed_in_on_gets_back_to_their_own_tables(
    phone_of, beto, operator
):
    lender = make_guest()
    table = make_table(lender)
    phone = phone_of(lender)
    phone.post("/login/", {"username": "beto", "password": PASSWORD, "mine": "no"})
    suspend_user(beto, by=operator, reason=WHY)
    form = read_page(phone.get("/")).only("form")

    assert ("/logout/", "Back to this phone's tables") == (
        form.attrs["action"],
        form.only("button").text,
    )
    phone.post("/logout/")
    assert 200 == phone.get(f"/t/{table.code}/").status_code


def test_a_suspended_users_own_phone_offers_no_way_back_to_other_tables(phone, beto, operator):
    suspend_user(beto, by=operator, reason=WHY)

    assert [] == read_page(phone.get("/")).every("form")


def test_a_suspended_users_typed_hands_are_shown_without_mention_of_the_owners(phone, beto, game, operator):
    suspend_user(beto, by=operator, reason=WHY)
    page = read_page(phone.post(f"/g/{game.code}/round/", typed(game, "k1", 1)["fields"]))

    assert "write them down" in page.text
    assert "[K 7]" in page.text
    assert "an owner of the table" not in page.text


def test_a_suspended_users_live_page_gets_503_at_the_next_poll(phone_of, waldo, table, game, operator):
    user = User.objects.get(username="waldo")
    news = read_page(waldo.get(f"/g/{game.code}/")).only("p", id="news")
    poll, headers = news.attrs["data-live"], {"x-ticket": news.attrs["data-ticket"]}
    suspend_user(user, by=operator, reason=WHY)

    assert 503 == waldo.get(poll, headers=headers).status_code


def test_a_deleted_account_is_not_suspended_and_cannot_be_released(phone, beto, operator):
    delete_user(beto, by=operator, reason="as they asked in a letter")

    assert 200 == phone.get("/").status_code
    with pytest.raises(Outdated):
        release_user(beto, by=operator, reason="cannot be undone")


def test_an_account_deleted_by_an_operator_leaves_its_tables_records_consistent(
    phone, beto, table, game, ana, operator
):
    become(beto, table.members.get(slug="beto"))
    bring(phone, beto, typed(game, "k1", 1))
    suspend_user(beto, by=operator, reason=WHY)
    delete_user(beto, by=operator, reason="as they asked in a letter")
    beto.refresh_from_db()

    assert [] == list(check_table(table).differences)
    assert (False, "deleted-") == (beto.is_active, beto.username[:8])
    assert not table.grants.filter(user=beto).exists()
    assert 200 == ana.get(f"/g/{game.code}/").status_code


def test_an_operator_ends_a_users_sessions_but_never_a_guests(phone_of, beto, phone, operator):
    phone.get("/")
    end_sessions(beto, by=operator, reason="a lost phone")

    assert "_auth_user_id" not in phone.session
    with pytest.raises(Outdated):
        end_sessions(make_guest(), by=operator, reason="they would lose everything")


def test_an_operators_sign_in_link_signs_in_a_user_who_lost_the_password(nobody, beto, operator):
    token = let_in(beto, by=operator, reason="called by phone")
    nobody.post(f"/in/{token}/")

    assert str(beto.pk) == nobody.session["_auth_user_id"]


def test_only_an_operator_acts_on_users_and_never_on_themselves(beto, owner, operator):
    from django.core.exceptions import PermissionDenied

    for act in (suspend_user, release_user, end_sessions, let_in, delete_user):
        with pytest.raises((PermissionDenied, Outdated)):
            act(beto, by=owner, reason=WHY)
    for act in (suspend_user, release_user, delete_user):
        with pytest.raises(Outdated):
            act(operator, by=operator, reason=WHY)
    beto.refresh_from_db()

    assert beto.is_active
    assert [] == list(OperatorAct.objects.all())
    suspend_user(beto, by=operator, reason=f"  {WHY}\n twice ")
    assert [(operator, beto, Act.USER_SUSPENDED, f"{WHY} twice")] == [
        (act.by, act.user, act.what, act.reason) for act in OperatorAct.objects.all()
    ]


def test_members_keep_recording_at_the_table_of_a_suspended_user(phone_of, beto, operator):
    table = make_table(beto)
    game = start(table, beto)
    sonia = User.objects.create_user("sonia")
    let_in_as(sonia, table, Role.SCORER)
    suspend_user(beto, by=operator, reason=WHY)
    phone = phone_of(sonia)

    assert ["done"] == statuses(bring(phone, sonia, typed(game, "k1", 1)))
