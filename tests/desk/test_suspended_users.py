"""A user whom an operator suspends: their phones and programs stop, their tables go on, and nothing is lost."""

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


def test_their_session_stops_with_the_reason_and_goes_on_after_the_release(
    phone, beto, ana, game, operator, contact
):
    """A round that waits on the phone arrives after the release; meanwhile the owner plays on."""
    suspend_user(beto, by=operator, reason=WHY)
    page = phone.get(f"/g/{game.code}/")

    assert 503 == page.status_code
    assert WHY in read_page(page).text
    assert contact in read_page(page).text
    for address in ("/", "/pocket/", "/token/", "/new/", "/yours/data/"):
        assert 503 == phone.get(address).status_code
    assert 503 == bring(phone, beto, typed(game, "k1", 1)).status_code
    assert (503, "unavailable") == _told(phone.get(f"/api/v1/games/{game.code}/"))
    assert 200 == ana.get(f"/g/{game.code}/").status_code
    release_user(beto, by=operator, reason="they said sorry")
    assert ["done"] == statuses(bring(phone, beto, typed(game, "k1", 1)))
    assert beto == game.records.get(number=2).recorded_by


def test_every_page_their_phone_shows_is_still_theirs(phone, beto, nobody, operator):
    """A page of nobody would make the phone delete drafts, kept pages and the carried app."""
    suspend_user(beto, by=operator, reason=WHY)
    for address in ("/", "/login/", "/there-is-nothing/"):
        assert mark_of(beto) == read_page(phone.get(address)).only("main").attrs["data-person"]
    assert "" == read_page(nobody.get("/login/")).only("main").attrs["data-person"]


def _told(answer):
    return answer.status_code, answer.json()["code"]


def test_they_cannot_sign_in_and_only_the_right_password_says_why(nobody, beto, operator):
    suspend_user(beto, by=operator, reason=WHY)
    right = nobody.post("/login/", {"username": "beto", "password": PASSWORD, "mine": "no"})
    wrong = nobody.post("/login/", {"username": "beto", "password": "otra cosa", "mine": "no"})

    assert (422, 422) == (right.status_code, wrong.status_code)
    assert WHY in read_page(right).text
    assert WHY not in read_page(wrong).text
    assert "_auth_user_id" not in nobody.session


@pytest.mark.parametrize("name", ["beto", "olga", "nobody-here"])
def test_a_wrong_password_costs_the_same_for_every_name(name, nobody, beto, operator, monkeypatch):
    """Otherwise the time of the answer would tell that a name is suspended."""
    suspend_user(beto, by=operator, reason=WHY)
    hasher, hashed = type(get_hasher()), []
    encode = hasher.encode

    def count(self, *words):
        hashed.append(words)
        return encode(self, *words)

    monkeypatch.setattr(hasher, "encode", count)
    nobody.post("/login/", {"username": name, "password": "otra cosa", "mine": "no"})

    assert 1 == len(hashed)


def test_their_tokens_stop_and_go_on(nobody, beto, phone, game, operator):
    _token, secret = make_token(beto, "reloj", Role.SCORER, lasts=LIVES["day"])
    bearer = {"authorization": f"Bearer {secret}"}
    suspend_user(beto, by=operator, reason=WHY)

    assert 401 == nobody.get(f"/api/v1/games/{game.code}/", headers=bearer).status_code
    release_user(beto, by=operator, reason="they said sorry")
    assert 200 == nobody.get(f"/api/v1/games/{game.code}/", headers=bearer).status_code


def test_a_suspended_guest_keeps_the_only_session_they_have(phone_of, operator):
    """A new table or another person's sign-in would replace the session: then nothing could be restored."""
    guest = make_guest()
    table = make_table(guest)
    phone = phone_of(guest)
    suspend_user(guest, by=operator, reason=WHY)
    for address in ("/new/", "/login/", "/credentials/", "/logout/"):
        assert 503 == phone.post(address, {"name": "Mesa"}).status_code
    release_user(guest, by=operator, reason="they said sorry")

    assert 200 == phone.get(f"/t/{table.code}/").status_code


def test_somebody_else_may_sign_in_on_their_phone(phone, beto, operator):
    suspend_user(beto, by=operator, reason=WHY)

    assert 200 == phone.get("/login/").status_code
    phone.post("/login/", {"username": "olga", "password": "tres lobas negras", "mine": "no"})
    assert 200 == phone.get("/operator/").status_code


def test_who_lent_them_the_phone_takes_it_back(phone_of, beto, operator):
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


def test_on_a_phone_of_their_own_there_is_nothing_to_take_back(phone, beto, operator):
    suspend_user(beto, by=operator, reason=WHY)

    assert [] == read_page(phone.get("/")).every("form")


def test_the_hands_they_typed_are_shown_without_a_word_about_the_owners(phone, beto, game, operator):
    suspend_user(beto, by=operator, reason=WHY)
    page = read_page(phone.post(f"/g/{game.code}/round/", typed(game, "k1", 1)["fields"]))

    assert "write them down" in page.text
    assert "[K 7]" in page.text
    assert "an owner of the table" not in page.text


def test_a_live_page_of_theirs_stops_at_the_next_poll(phone_of, waldo, table, game, operator):
    user = User.objects.get(username="waldo")
    news = read_page(waldo.get(f"/g/{game.code}/")).only("p", id="news")
    poll, headers = news.attrs["data-live"], {"x-ticket": news.attrs["data-ticket"]}
    suspend_user(user, by=operator, reason=WHY)

    assert 503 == waldo.get(poll, headers=headers).status_code


def test_a_deleted_account_or_an_unknown_session_is_not_suspended(phone, beto, operator):
    delete_user(beto, by=operator, reason="as they asked in a letter")

    assert 200 == phone.get("/").status_code
    with pytest.raises(Outdated):
        release_user(beto, by=operator, reason="cannot be undone")


def test_an_account_that_an_operator_deletes_leaves_clean_books(phone, beto, table, game, ana, operator):
    become(beto, table.members.get(slug="beto"))
    bring(phone, beto, typed(game, "k1", 1))
    suspend_user(beto, by=operator, reason=WHY)
    delete_user(beto, by=operator, reason="as they asked in a letter")
    beto.refresh_from_db()

    assert [] == list(check_table(table).differences)
    assert (False, "deleted-") == (beto.is_active, beto.username[:8])
    assert not table.grants.filter(user=beto).exists()
    assert 200 == ana.get(f"/g/{game.code}/").status_code


def test_sessions_end_but_never_a_guests(phone_of, beto, phone, operator):
    phone.get("/")
    end_sessions(beto, by=operator, reason="a lost phone")

    assert "_auth_user_id" not in phone.session
    with pytest.raises(Outdated):
        end_sessions(make_guest(), by=operator, reason="they would lose everything")


def test_who_lost_the_password_is_let_in_by_a_link(nobody, beto, operator):
    token = let_in(beto, by=operator, reason="called by phone")
    nobody.post(f"/in/{token}/")

    assert str(beto.pk) == nobody.session["_auth_user_id"]


def test_nobody_but_an_operator_acts_and_no_operator_on_themselves(beto, owner, operator):
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


def test_a_table_of_a_suspended_user_goes_on(phone_of, beto, operator):
    table = make_table(beto)
    game = start(table, beto)
    sonia = User.objects.create_user("sonia")
    let_in_as(sonia, table, Role.SCORER)
    suspend_user(beto, by=operator, reason=WHY)
    phone = phone_of(sonia)

    assert ["done"] == statuses(bring(phone, sonia, typed(game, "k1", 1)))
