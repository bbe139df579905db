"""Offered hands: sent by the players' phones, shown to the scorer, and recorded as the sources of a round."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils.timezone import now

from games.common import locks
from games.files.services import audit, file_reader, file_writer, table_import
from games.models import Game, HandSource, Offer
from games.play.services import hand_offers, recording
from games.play.services.hand_offers import RoundOver, SubmittedHand
from games.play.services.snapshots import Snapshot
from games.scoring.errors import RuleError
from games.scoring.events import PlayerLeft
from games.tables.services import lobby
from tests.factories import build_round, confirm_as_member, grant_access, make_user, new_key, start

pytestmark = pytest.mark.django_db

PHONES = ("ana", "beto", "caro", "dani")


@pytest.fixture
def phones(confirm_as):
    """`phones["ana"]` is a user confirmed as Ana."""
    return {slug: confirm_as(make_user(f"phone-{slug}"), slug) for slug in PHONES}


@pytest.fixture
def unconfirmed_phones(phones, table):
    """The same users, none of them confirmed."""
    table.accesses.filter(user__in=phones.values()).update(confirmed_at=None, confirmed_by=None)
    return phones


def test_a_phone_that_changes_its_player_or_loses_its_access_loses_the_hand_that_it_sent(
    game, table, unconfirmed_phones, owner
):
    for slug in ("beto", "caro", "dani"):
        send(game, unconfirmed_phones[slug], "7 7")
    lobby.claim(table, unconfirmed_phones["beto"], face=table.members.get(slug="ana"))
    lobby.revoke(table.accesses.get(user=unconfirmed_phones["caro"]), by=owner)

    assert ["dani"] == [*round_hands(game).senders]


def test_a_tapped_face_offers_until_somebody_else_is_confirmed_to_be_it(game, table, unconfirmed_phones):
    send(game, unconfirmed_phones["beto"], "7 7")
    assert ["beto"] == [*round_hands(game).senders]

    confirm_as_member(make_user("rosa"), table.members.get(slug="beto"))
    assert [] == [*round_hands(game).senders]
    with pytest.raises(RuleError, match="not in this round"):
        send(game, unconfirmed_phones["beto"], "7 7")


def test_who_is_not_confirmed_does_not_open_the_hands_of_others(game, unconfirmed_phones):
    send(game, unconfirmed_phones["beto"], "23")
    send(game, unconfirmed_phones["ana"], closing="out")
    assert {} == round_hands(game).visible_offers()

    confirm_as_member(unconfirmed_phones["ana"], game.table.members.get(slug="ana"))
    assert {"ana", "beto"} == {*round_hands(game).visible_offers()}


def send(game, user, text="", closing="", after=None):
    after = len(game.log()) if after is None else after
    return hand_offers.submit(game, SubmittedHand(text, after, closing), by=user)


def round_hands(game):
    game.table.refresh_from_db()
    return hand_offers.load_for_round(game, Snapshot.load(game))


def record(game, event, by, *offer_pks, after=None):
    after = len(game.log()) if after is None else after
    return recording.record(game, event, after=after, key=new_key(), by=by, offer_ids=offer_pks)


def sources(game):
    return [
        (row.number, row.player, row.brought_by.username, row.is_changed) for row in game.hand_sources.all()
    ]


# --- whose they are ---------------------------------------------------------------------------------------------------


def test_who_has_no_player_or_is_asked_to_re_enter_cannot_send_a_hand(game, phones, owner):
    record(game, build_round("ana", beto=105, caro=3, dani=4), owner)

    for user in (phones["beto"], phones["caro"], make_user("waldo")):  # nobody is dealt in before the answer
        with pytest.raises(RuleError, match="You are not in this round"):
            send(game, user, "23")
    assert hand_offers.find_player_for_user(game, Snapshot.load(game), phones["caro"]) is None
    assert 0 == game.offers.count()


def test_an_impossible_hand_is_refused_at_its_field(subtests, game, phones):
    for text, closing, field, sentence in [
        ("", "", "hand-beto", "Beto's hand is missing."),
        ("[K K K K K K K K K]", "", "hand-beto", "K"),
        ("seven", "", "hand-beto", "seven"),
        (501 * "1", "", "hand-beto", "At most 500 characters fit here"),
        ("", "stock", "closing", "does not end"),
        ("", "chinchon", "closing", "does not end"),
    ]:
        with subtests.test(text=text, closing=closing):
            with pytest.raises(RuleError, match=sentence) as refusal:
                send(game, phones["beto"], text, closing)
            assert (field, 0) == (refusal.value.field, game.offers.count())


def test_a_hand_is_solved_before_anybody_waits_and_what_changes_meanwhile_counts(
    game, table, phones, owner, monkeypatch
):
    done, solve, lock = [], hand_offers.parse_hand, locks.lock
    changes = {
        "ana": lambda: None,
        "beto": lambda: lobby.revoke(table.accesses.get(user=phones["beto"]), by=owner),
        "caro": lambda: record(game, ROUND, owner),
        "dani": lambda: recording.discard_game(Game.objects.get(pk=game.pk)),
    }

    def note_solving(hand, state, player):
        done.append("solved")
        return solve(hand, state, player)

    def note_locking(row):
        if sender in changes:  # the change itself locks too
            change = changes.pop(sender)
            change()
            done.append("locked")
        return lock(row)

    monkeypatch.setattr(hand_offers, "parse_hand", note_solving)
    monkeypatch.setattr(locks, "lock", note_locking)
    refusals = {"beto": RuleError, "caro": RoundOver, "dani": RuleError}
    for sender in tuple(changes):
        game.table.refresh_from_db()
        with pytest.raises(refusals[sender]) if sender in refusals else nullcontext():
            send(game, phones[sender], "23")

    assert ["solved", "locked"] * 4 == done
    assert ["ana"] == [offer.player for offer in game.offers.all()]


# --- how long they stand ----------------------------------------------------------------------------------------------

ROUND = build_round("ana", beto=1, caro=2, dani=3)


def test_a_player_who_leaves_loses_their_offered_hand(game, phones, owner):
    for slug in ("beto", "caro"):
        send(game, phones[slug], "23")
    record(game, PlayerLeft("beto"), owner)
    assert ["caro"] == list(round_hands(game).senders)


# --- who sees them ----------------------------------------------------------------------------------------------------


def test_two_different_hands_from_two_phones_of_one_player_are_disputed_and_not_used(
    game, table, unconfirmed_phones
):
    other = grant_access(make_user("other"), table, face="beto").user
    confirm_as_member(unconfirmed_phones["ana"], table.members.get(slug="ana"))
    send(game, unconfirmed_phones["beto"], "[K 9]")
    send(game, other, "[9 K]")
    send(game, unconfirmed_phones["ana"], closing="out")
    assert ({"ana", "beto"}, ()) == (
        round_hands(game).offers_for_pad().keys(),
        round_hands(game).conflicting_players,
    )

    send(game, other, "[9 Q]")
    assert (["ana"], ("beto",)) == (
        list(round_hands(game).offers_for_pad()),
        round_hands(game).conflicting_players,
    )


def test_a_disputed_hand_of_the_closer_does_not_close_the_round(game, table, unconfirmed_phones):
    other = grant_access(make_user("other"), table, face="ana").user
    send(game, unconfirmed_phones["ana"], closing="out")
    send(game, other, "[9 K]")
    assert ({}, None) == (round_hands(game).offers_for_pad(), round_hands(game).closing_offer)


def test_a_points_game_shows_the_hands_once_every_player_has_sent_one(table, owner, phones):
    game = start(table, owner, variant="points")
    for slug in ("beto", "caro", "dani"):
        send(game, phones[slug], "15")
    assert {} == round_hands(game).offers_for_pad()
    assert (False, True, True) == tuple(
        round_hands(game).can_look(player) for player in ("ana", "beto", None)
    )
    send(game, phones["ana"], "-5")
    assert {*PHONES} == round_hands(game).offers_for_pad().keys()


# --- what is kept -----------------------------------------------------------------------------------------------------


def test_an_offer_of_another_round_or_game_is_not_stored_as_a_source(game, table, phones, owner):
    old = send(game, phones["beto"], "23")
    other_offer = send(start(table, owner), phones["beto"], "23")
    record(game, ROUND, owner)
    record(game, build_round("ana", beto=23, caro=1, dani=9), owner, old.pk, other_offer.pk)
    assert [] == sources(game)


def test_of_two_unsure_of_one_player_the_source_is_the_one_whose_hand_was_recorded(
    game, table, unconfirmed_phones, owner
):
    other = grant_access(make_user("other"), table, face="beto").user
    offers = [send(game, unconfirmed_phones["beto"], "23"), send(game, other, "24")]
    record(game, build_round("ana", beto=24, caro=1, dani=9), owner, *(offer.pk for offer in offers))
    assert [(2, "beto", "other", False)] == sources(game)


def test_an_exported_table_keeps_its_hand_sources_after_an_import(game, phones, owner, table):
    record(game, ROUND, owner, send(game, phones["beto"], "1").pk)
    again = table_import.create_table(
        file_reader.read_table(file_writer.write_table(table).encode()), by=owner, key=new_key(), again=True
    )

    row = HandSource.objects.get(game__table=again)
    assert (2, "beto", False) == (row.number, row.player, row.is_changed)
    assert [] == audit.check_table(again).differences


def test_the_clean_command_deletes_offers_after_three_days(game, phones):
    send(game, phones["beto"], "1")
    call_command("clean")
    assert 1 == Offer.objects.count()
    Offer.objects.update(offered_at=now() - timedelta(days=3))
    call_command("clean")
    assert 0 == Offer.objects.count()
