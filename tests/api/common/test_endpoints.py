"""Endpoints give API clients the same permissions as pages give users; a refusal is a problem response."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User
from django.urls import path

from games.api.common.endpoints import Endpoint, answer, somebody
from games.api.common.serializers import Body, Whole
from games.api.common.writing import HIGHEST, after_sent, key_sent
from games.keys import KeyReused
from games.locks import StaleGame
from games.models import Grant, Role
from games.money.balances import StaleAccounts
from games.names import Alike
from games.people.tokens import LIVES, make_token
from games.play.recording import NotOver
from games.scoring.errors import NotationError, RuleError
from games.scoring.events import PlayerReentered
from games.scoring.words import Amount, _
from tests.tables import make_table, make_user, start

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]
RAISED: dict[str, Exception] = {}


class Seen(Body):
    """A request body with the version that the client saw."""

    after = Whole(min_value=0, max_value=HIGHEST)


class TableSeen(Endpoint):
    def get(self, request, code):
        return answer({"name": self.table_opened(code).name, "role": self.role})

    def post(self, request, code):
        return answer({"name": self.table_opened(code, for_writing=True).name, "role": self.role})

    def put(self, request, code):
        return answer({"name": self.table_opened(code, for_owning=True).name, "role": self.role})


class AccountsSeen(Endpoint):
    def get(self, request, code):
        return answer({"name": self.accounts_opened(code).name, "role": self.role})


class GameSeen(Endpoint):
    def get(self, request, code):
        game = self.game_opened(code)
        return answer({"table": game.table.name, "role": self.role}, version=len(game.log()))

    def post(self, request, code):
        self.game_opened(code, for_writing=True)
        sent = self.sent(Seen)
        return answer({"after": after_sent(request, sent), "key": key_sent(request)}, status=201)


class Guests(Endpoint):
    def post(self, request):
        return answer({"user": somebody(request, key=key_sent(request)).pk})


class Own(Endpoint):
    def get(self, request):
        return answer({"user": self.user.pk})


class Raising(Endpoint):
    def get(self, request, code):
        self.table_opened(code)
        raise RAISED["now"]


urlpatterns = [
    path("api/v1/t/<slug:code>/", TableSeen.as_view()),
    path("api/v1/a/<slug:code>/", AccountsSeen.as_view()),
    path("api/v1/g/<slug:code>/", GameSeen.as_view()),
    path("api/v1/raising/<slug:code>/", Raising.as_view()),
    path("api/v1/guests/", Guests.as_view()),
    path("api/v1/own/", Own.as_view()),
]


@dataclass
class Token:
    """A stand-in for the token with which a program authenticates."""

    role: str
    table_id: int | None = None
    reads_money: bool = True
    records: bool = True


@pytest.fixture
def game(owner, table):
    return start(table, owner)


@pytest.fixture
def person(table):
    """`person(role)` returns a new user with this role at the table."""

    def one(role):
        user = make_user(role)
        Grant.objects.create(user=user, table=table, role=role)
        return user

    return one


@pytest.mark.parametrize(
    ("role", "read", "written", "owned"),
    [(Role.WITNESS, 200, 403, 403), (Role.SCORER, 200, 200, 403), (Role.OWNER, 200, 200, 200)],
)
def test_a_token_has_its_makers_present_role_at_its_table_or_at_all_and_one_that_reads_writes_nothing(
    program_of, table, owner, role, read, written, owned
):
    elsewhere = make_table(owner, name="Otra")
    _token, one = make_token(owner, "reloj", lasts=LIVES["day"], table=table)
    _token, every = make_token(owner, "reloj", lasts=LIVES["day"])
    _token, reading = make_token(owner, "reloj", lasts=LIVES["day"], reads_only=True)
    client = program_of(enforce_csrf_checks=True).client

    def asked(secret, code):
        headers = {"authorization": f"Bearer {secret}"}
        return [
            getattr(client, method)(f"/api/v1/t/{code}/", headers=headers).status_code
            for method in ("get", "post", "put")
        ]

    Grant.objects.filter(user=owner).update(role=role)
    assert [read, written, owned] == asked(one, table.code) == asked(every, table.code)
    assert ([404, 404, 404], [read, written, owned]) == (
        asked(one, elsewhere.code),
        asked(every, elsewhere.code),
    )
    assert [200, 403, 403] == asked(reading, table.code)


def test_the_etag_of_a_game_contains_its_version(program_for, owner, game):
    assert re.fullmatch(r'"1\.[0-9a-f]{12}"', program_for(owner).get(f"g/{game.code}/").headers["ETag"])


# --- writes -----------------------------------------------------------------------------------------------------------


def test_a_write_takes_an_idempotency_key_and_the_version_in_the_body_or_in_if_match(
    program_for, owner, game
):
    program, path = program_for(owner), f"g/{game.code}/"
    tagged = {"idempotency-key": "k", "if-match": '"7"'}

    assert {"after": 7, "key": "k"} == program.write(path, {"after": 7}, key="k").body
    assert {"after": 7, "key": "k"} == program.post(path, {}, headers=tagged).body
    assert {"after": 7, "key": "k"} == program.post(path, {"after": 7}, headers=tagged).body


WRONG_BODY = [
    ({"after": 1}, {}, "Idempotency-Key"),
    ({"after": 1}, {"idempotency-key": ""}, "Idempotency-Key"),
    ({"after": 1}, {"idempotency-key": "k" * 65}, "Idempotency-Key"),
    ({"after": 1}, {"idempotency-key": "a\x7f"}, "Idempotency-Key"),
    ({}, {"idempotency-key": "k"}, "after"),
    ({"after": "1"}, {"idempotency-key": "k"}, "after"),
    ({"after": True}, {"idempotency-key": "k"}, "after"),
    ({"after": -1}, {"idempotency-key": "k"}, "after"),
    ({"after": 10**20}, {"idempotency-key": "k"}, "after"),
    ({"after": 1}, {"idempotency-key": "k", "if-match": '"2"'}, "after"),
    ({}, {"idempotency-key": "k", "if-match": "*"}, "If-Match"),
    ({}, {"idempotency-key": "k", "if-match": '"1", "2"'}, "If-Match"),
    ({}, {"idempotency-key": "k", "if-match": '"one"'}, "If-Match"),
    ({}, {"idempotency-key": "k", "if-match": '"²"'.encode().decode("latin-1")}, "If-Match"),
    ({"after": 1, "more": 1}, {"idempotency-key": "k"}, "more"),
]


def test_a_write_with_an_invalid_key_version_or_field_is_misshapen_and_names_the_field(
    subtests, program_for, owner, game
):
    for body, headers, field in WRONG_BODY:
        with subtests.test(body=body):
            answer = program_for(owner).post(f"g/{game.code}/", body, headers=headers)

            assert (400, "misshapen") == answer.problem[:2]
            assert {"field": field} == answer.place


SINCE = (PlayerReentered("beto"),)


@pytest.mark.parametrize(
    ("raised", "status", "code", "more"),
    [
        (RuleError(_("No: {fee}.", fee=Amount(1500)), field="fee", number=3), 422, "refused", {"number": 3}),
        (NotationError(_("What is this?"), field="hand"), 422, "unreadable", {"field": "hand"}),
        (Alike("Jose", "José"), 422, "alike", {"field": "name"}),
        (KeyReused(), 409, "key_reused", {}),
        (StaleAccounts(), 409, "stale", {}),
        (NotOver(), 422, "refused", {}),
        (
            StaleGame(after=4, since=SINCE),
            409,
            "stale",
            {
                "version": "5",
                "after": 5,
                "since": [{"number": 5, "kind": "player_reentered", "data": {"player": "beto"}}],
            },
        ),
    ],
    ids=lambda raised: type(raised).__name__ if isinstance(raised, Exception) else None,
)
def test_an_exception_of_a_service_becomes_a_problem_response(
    program_for, owner, table, raised, status, code, more
):
    RAISED["now"] = raised
    answer = program_for(owner).get(f"raising/{table.code}/")

    assert (status, code) == answer.problem[:2]
    assert more.items() <= answer.body.items()


def test_an_amount_in_a_refusal_is_in_the_tables_currency(program_for, owner, table):
    RAISED["now"] = RuleError(_("Pay {fee}.", fee=Amount(1500)))

    assert "Pay $\u00a01,500." == program_for(owner).get(f"raising/{table.code}/").problem[2]


# --- guests -----------------------------------------------------------------------------------------------------------


def test_an_anonymous_client_that_posts_becomes_one_guest(program):
    first, again = (program.write("guests/", {}, key="k").body["user"] for _ in range(2))

    assert first == again == program.get("own/").body["user"]


def test_an_anonymous_client_without_a_csrf_token_does_not_become_a_guest(program_of):
    program = program_of(enforce_csrf_checks=True)

    assert (403, "forbidden") == program.write("guests/", {}, key="k").problem[:2]
    assert 0 == User.objects.count()


def test_two_anonymous_clients_with_the_same_idempotency_key_become_two_guests(program_of):
    def guest_of(cookie):
        program = program_of()
        program.client.cookies["csrftoken"] = cookie * 32
        return program.write("guests/", {}, key="1").body["user"]

    assert guest_of("a") == guest_of("a")
    assert guest_of("a") != guest_of("b")


def test_an_operation_on_ones_own_data_without_a_session_is_a_401(program):
    assert (401, "unauthenticated") == program.get("own/").problem[:2]
