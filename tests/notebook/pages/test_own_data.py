"""A user's own data as a file: everything that is stored about them, without secrets or data of others."""

from __future__ import annotations

import json

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import now

from games.models import (
    ClosingNote,
    CostStep,
    Device,
    Face,
    Flag,
    Grant,
    HandSource,
    Invite,
    Member,
    Method,
    Newcomer,
    Offer,
    Payment,
    PaymentStep,
    Record,
    Removal,
    Role,
    SharedCost,
    SignInLink,
    Token,
)
from games.money.amendments import Words, amend
from games.money.closings import last_night
from games.money.costs import CostWords, amend_cost, cancel_cost, share_cost
from games.money.merging import merge, preview_merge
from games.money.payments import cancel, dispute
from games.nights import night_of
from games.people.claims import end_claim
from games.people.invitations import LASTS, accept_invite, make_invite, make_new_phone
from games.people.leaving import leave
from games.people.members import add_member
from games.people.owners import hand_over
from games.people.removals import put_out, revoke_invite
from games.people.sign_in_links import make_link
from games.people.tokens import LIVES, make_token
from games.play.flags import raise_flag
from tests.tables import a_key, make_table, make_user

pytestmark = pytest.mark.django_db

ADDRESS = reverse("own-data")


def data_of(phone):
    response = phone.get(ADDRESS)
    assert ("application/json", 'attachment; filename="anotador.json"') == (
        response.headers["Content-Type"],
        response.headers["Content-Disposition"],
    )
    return json.loads(response.content)


def test_the_file_has_the_users_tables_members_entries_and_payments(ana, owner, table, finished, pay, claims):
    claims(owner, "ana")
    pay("beto", "ana", 100)
    raise_flag(finished, finished.state(), 2, "caro", note="mmm", by=owner)
    make_invite(table, Role.WITNESS, lasts=LASTS["week"], by=owner)
    make_token(owner, "reloj", Role.SCORER, lasts=LIVES["day"], table=table)
    ana.get("/")
    data = data_of(ana)

    assert ("anotador-person", 1) == (data["format"], data["version"])
    assert "ana" == data["account"]["name"]
    assert [(table.code, table.name, "owner", False)] == [
        (one["code"], one["name"], one["role"], one["removed"]) for one in data["tables"]
    ]
    assert [("ana", "Ana")] == [(one["id"], one["name"]) for one in data["members"]]
    assert ["witness"] == [one["role"] for one in data["invitations"]]
    assert [("reloj", table.code, "scorer")] == [
        (one["name"], one["table"], one["role"]) for one in data["tokens"]
    ]
    assert 1 == len(data["devices"])
    assert [(finished.code, 6)] == [(one["game"], one["entries"]) for one in data["recorded"]]
    assert [("beto", "ana", 100, True)] == [
        (one["payer"], one["payee"], one["amount"], one["recorded_by_you"]) for one in data["payments"]
    ]
    assert [("caro", "mmm")] == [(one["player"], one["note"]) for one in data["doubts"]]


def test_the_file_has_no_secrets(ana, owner, table):
    _invite, link = make_invite(table, Role.WITNESS, lasts=LASTS["week"], by=owner)
    _token, secret = make_token(owner, "reloj", Role.SCORER, lasts=LIVES["day"])
    owner.set_unusable_password()
    written = json.dumps(data_of(ana))
    hidden = (link, secret, Token.objects.get().token_hash, owner.password, ana.session.session_key)

    assert [] == [one for one in hidden if one in written]


def test_the_file_has_no_data_of_others(ana, stranger, waldo, table, finished, pay):
    pay("beto", "ana", 100)
    for phone in (stranger, waldo):
        data = data_of(phone)
        assert [] == data["recorded"] == data["payments"] == data["members"] == data["doubts"]
    assert ["Otra mesa"] == [one["name"] for one in data_of(stranger)["tables"]]


def test_a_members_file_has_their_payments(waldo, table, finished, pay, claims):
    pay("beto", "ana", 100)
    pay("caro", "ana", 50)
    claims(table.grants.get(role=Role.WITNESS).user, "beto")

    assert [("beto", 100, False)] == [
        (one["payer"], one["amount"], one["recorded_by_you"]) for one in data_of(waldo)["payments"]
    ]


def test_the_file_of_a_removed_user_has_nothing_from_after_the_removal(phone_of, owner, table, finished, pay):
    sonia = make_user("sonia")
    Grant.objects.create(user=sonia, table=table, role=Role.SCORER)
    table.members.filter(slug="beto").update(user=sonia, claimed_at=now())
    pay("caro", "ana", 50, by=sonia)
    put_out(table.grants.get(user=sonia), by=owner)
    table.members.filter(slug="beto").update(name="Bertoldo", account="bertoldo.mp")
    type(table).objects.update(name="Mesa secreta")
    pay("beto", "ana", 100)
    data = data_of(phone_of(sonia))

    assert [(None, True)] == [(one["name"], one["removed"]) for one in data["tables"]]
    assert [(None, None)] == [(one["name"], one["account"]) for one in data["members"]]
    assert [50] == [one["amount"] for one in data["payments"]]


def test_the_file_of_a_user_who_left_has_their_entries_without_later_changes(
    phone_of, owner, table, finished, pay
):
    """Sonia recorded 50 for the taxi; later Ana amends and cancels that payment.

    Those steps belong to the table, which Sonia has left.
    """
    sonia = make_user("sonia")
    Grant.objects.create(user=sonia, table=table, role=Role.SCORER)
    paid = pay("caro", "ana", 50, note="taxi", by=sonia)
    amend(paid, Words(60, Method.CASH, "mine"), after=0, by=sonia, is_keeper=True, text="typo")
    doubt = raise_flag(finished, finished.state(), 2, "caro", note="mmm", by=sonia)
    leave(table, by=sonia)
    amend(paid, Words(70, Method.TRANSFER, "secret"), after=1, by=owner, is_keeper=True, text="hidden")
    cancel(paid, by=owner, text="whisper")
    type(doubt).objects.update(resolved_at=now())
    data = data_of(phone_of(sonia))

    assert [(50, "cash", "taxi")] == [(one["amount"], one["method"], one["note"]) for one in data["payments"]]
    assert [("amended", "typo", 60, "mine")] == [
        (one["turn"], one["text"], one["payment"]["amount"], one["payment"]["note"])
        for one in data["payment_steps"]
    ]
    assert not {"cancelled_at", "accepted_at", "objection"} & data["payments"][0].keys()
    assert "resolved_at" not in data["doubts"][0]
    assert [] == [word for word in ("secret", "hidden", "whisper") if word in json.dumps(data)]


# The part of the file for each model that refers to a user.
PARTS = {
    Device.user: "devices",
    Token.user: "tokens",
    Grant.user: "tables",
    Invite.made_by: "invitations",
    Invite.replaces: "new_phones",
    Invite.used_by: "new_phones",
    SignInLink.user: "sign_in_links",
    Removal.made_by: "removals",
    Member.user: "members",
    Member.merged_by: "merged",
    Face.user: "faces",
    Face.agreed_by: "faces",
    Newcomer.user: "faces",
    Offer.user: "hands",
    HandSource.brought_by: "hands",
    Record.recorded_by: "recorded",
    Flag.by: "doubts",
    Payment.recorded_by: "payments",
    Payment.cancelled_by: "payments",
    PaymentStep.by: "payment_steps",
    SharedCost.recorded_by: "costs",
    SharedCost.cancelled_by: "costs",
    CostStep.by: "cost_steps",
    ClosingNote.made_by: "closing_notes",
}


def test_the_file_has_every_model_that_refers_to_the_user(ana, owner, table, finished, pay, close, claims):
    """Ana does everything that stores a row; a new model that refers to users must be added to the file."""
    claims(owner, "ana")
    paid = pay("beto", "ana", 100)
    dispute(paid, by=owner, objection="not here")
    cancel(paid, by=owner)
    raise_flag(finished, finished.state(), 2, "caro", note="mmm", by=owner)
    _share_a_pizza(table, owner)
    close(text="late again")
    anita, her = add_member(table, "Anita"), table.members.get(slug="ana")
    merge(anita, her, seen=preview_merge(anita, her).seen, by=owner)
    make_token(owner, "reloj", Role.SCORER, lasts=LIVES["day"], table=table)
    revoke_invite(make_invite(table, Role.WITNESS, lasts=LASTS["week"], by=owner)[0], by=owner)
    _sit_down(table, finished, owner, her)
    _lose_a_phone(table, owner)
    make_link(owner)
    ana.get("/")
    data = data_of(ana)
    fields = {
        getattr(kind, field.name): kind._base_manager.filter(**{field.name: owner}).count()
        for kind in apps.get_app_config("games").get_models()
        for field in kind._meta.concrete_fields
        if field.related_model is User
    }

    assert PARTS.keys() == fields.keys()
    assert [] == [str(field) for field, rows in fields.items() if not (rows and data[PARTS[field]])]
    assert ["disputed", "cancelled"] == [one["turn"] for one in data["payment_steps"]]
    assert [("amended", 800), ("cancelled", 800)] == [
        (one["turn"], one["cost"]["amount"]) for one in data["cost_steps"]
    ]
    assert ["not here"] == [one["objection"] for one in data["payments"]]
    assert ["late again"] == [one["text"] for one in data["closing_notes"]]
    assert [True] == [one["revoked_an_invitation"] for one in data["removals"]]


def _share_a_pizza(table, owner):
    """Record a cost that Beto paid for Ana and Beto, amend it, and cancel it."""
    night = last_night(table)
    ana, beto = table.members.filter(slug__in=("ana", "beto"))
    assert night is not None
    cost = share_cost(table, night, CostWords(beto, 1000, (ana, beto)), key=a_key(), by=owner)
    amend_cost(cost, CostWords(beto, 800, (ana, beto)), after=0, by=owner)
    cancel_cost(cost, by=owner)


def _sit_down(table, game, user, member):
    """Store that this user chose a player, gave a name, and sent two hands, of which one was recorded."""
    night = {"table": table, "user": user, "night": night_of(now(), table)}
    Face.objects.create(**night, member=member, agreed_at=now(), agreed_by=user)
    Newcomer.objects.create(**night, name="Lucho")
    Offer.objects.create(game=game, player="ana", user=user, round_number=2, after=2, hand="[K]")
    HandSource.objects.create(game=game, number=2, player="ana", brought_by=user, is_changed=False)


def _lose_a_phone(table, owner):
    """Let another owner replace this owner's phone, and this owner another member's."""
    other = make_user("otra")
    accept_invite(make_invite(table, Role.OWNER, lasts=LASTS["week"], by=owner)[0], other)
    hand_over(table.grants.get(user=other), by=owner)
    make_new_phone(table.members.get(slug="ana"), by=other)
    end_claim(table.members.get(slug="ana"), of=owner.pk)
    accept_invite(make_new_phone(table.members.get(slug="dani"), by=other)[0], owner)


def test_the_number_of_queries_does_not_grow_with_the_number_of_tables(
    ana, owner, finished, django_assert_num_queries
):
    ana.get("/")
    data_of(ana)
    with CaptureQueriesContext(connection) as few:
        data_of(ana)
    for name in ("Una", "Otra"):
        make_table(owner, name=name)
    with django_assert_num_queries(len(few)):
        data_of(ana)


def test_the_file_is_not_cached_and_post_gets_405(ana, owner):
    ana.get("/")

    assert "no-store" in ana.get(ADDRESS).headers["Cache-Control"]
    assert 405 == ana.post(ADDRESS).status_code
