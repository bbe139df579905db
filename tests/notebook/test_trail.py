"""The audit trail: changes made directly in the database are reported, and an anchor proves an earlier
state.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils.timezone import now

from games import trail
from games.chain import payment_hashes
from games.models import CostStep, Member, Method, Payment, Role, SharedCost, TrailEntry
from games.money import payments
from games.money.costs import CostWords, amend_cost, share_cost
from games.money.holders import set_account
from games.nights import night_of
from games.notebook.books.audit import check_table
from games.notebook.reading import read_table
from games.notebook.restoring import restore_table
from games.notebook.writing import write_table
from games.people.claims import claim
from games.people.deletion import delete_account
from games.people.erasing import erase
from games.people.invitations import LASTS, accept_invite, make_invite, make_new_phone
from games.people.removals import undo_removal
from games.play import recording as services
from games.season.seasons import close_season
from games.trail import anchor_of
from tests.commands import output_and_error_of
from tests.tables import a_key, a_round, make_table, make_user, start
from tests.test_chain import execute, past_the_guards

pytestmark = pytest.mark.django_db


@pytest.fixture
def scorer(table, owner):
    """A user who accepted an invitation and whose claim to be Beto was accepted."""
    invite, _token = make_invite(table, Role.SCORER, lasts=LASTS["day"], by=owner)
    user = make_user("beto_himself")
    accept_invite(invite, user)
    claim(table.members.get(slug="beto"), user, is_agreed=True)
    return user


@pytest.fixture
def game(table, owner, scorer):
    """A table after some months: a game with two rounds, a payment, an alias, and a closed season."""
    close_season(table.seasons.get(), last_day=night_of(now(), table), next_name="Verano")
    set_account(table.members.get(slug="ana"), "ana.loba.mp")
    payer, payee = (table.members.get(slug=slug) for slug in ("beto", "ana"))
    payments.pay(table, payer, payee, 60, method=Method.CASH, key=a_key(), by=scorer)
    game = start(table, owner, stake=100)
    for points in (5, 6):
        play(game, scorer, points)
    return game


def play(game, by, points):
    services.record(
        game, a_round("ana", beto=points, caro=2, dani=3), after=len(game.log()), key=a_key(), by=by
    )


def differences(table):
    """Return the differences as `check_books` prints them."""
    return [str(difference) for difference in check_table(table).differences]


def forge_payment(game):
    """Change a payment's amount and replace its link by one that fits."""
    execute("UPDATE games_payment SET amount = 6")
    payment = Payment.objects.get()
    (link,) = payment_hashes(payment, (), None, before="")
    execute("UPDATE games_paymentlink SET hash = %s", link)
    execute("UPDATE games_plan SET lines = '[]'")


def take_last_round(game):
    """Delete the last record together with its link."""
    execute("DELETE FROM games_change WHERE record_id = (SELECT max(id) FROM games_record)")
    execute("UPDATE games_table SET newest_change = newest_change - 1")
    execute("DELETE FROM games_record WHERE number = 3")
    execute("DELETE FROM games_eventlink WHERE number = 3")


FORGED = {
    "who recorded a round": (
        "UPDATE games_record SET recorded_by_id = (SELECT min(id) FROM auth_user) WHERE number = 3",
        "event",
    ),
    "when": ("UPDATE games_record SET recorded_at = '2026-01-01 00:00:00' WHERE number = 3", "event"),
    "when it arrived": ("UPDATE games_record SET arrived_at = NULL WHERE number = 3", "event"),
    "a claim": ("UPDATE games_member SET user_id = NULL, claimed_at = NULL WHERE slug = 'beto'", "member"),
    "all grants": ("DELETE FROM games_grant", "grant"),
    "a role": ("UPDATE games_grant SET role = 'owner'", "grant"),
    "an alias": ("UPDATE games_member SET account = 'mine.all.mine' WHERE slug = 'ana'", "member"),
    "a season's first day": (
        "UPDATE games_season SET starts_on = '2020-01-01' WHERE ends_on IS NOT NULL",
        "season",
    ),
    "a payment with its link": (forge_payment, "payment link"),
    "the last record with its link": (take_last_round, "event"),
    "an entry of the trail": ("UPDATE games_trailentry SET data = '{}' WHERE number = 2", "trail entry"),
    "the first entry of the trail": ("DELETE FROM games_trailentry WHERE number = 1", "trail entry"),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_change_made_directly_in_the_database_is_reported(game, what):
    assert [] == differences(game.table)
    how, expected = FORGED[what]
    with past_the_guards():
        how(game) if callable(how) else execute(how)
    named = differences(game.table)

    assert named
    assert any(line.startswith(expected) for line in named)


def test_data_removed_by_the_app_itself_is_no_difference(game, scorer, owner):
    """Beto deletes the account; Ana's alias is removed, and with it the salt of its hash."""
    set_account(game.table.members.get(slug="ana"), "")
    delete_account(scorer)

    assert [] == differences(game.table)
    assert {""} == set(Member.objects.values_list("account_salt", flat=True))
    erase(game.table, name=game.table.name, by=owner)
    execute("UPDATE games_table SET erased_at = %s", now() - timedelta(days=8))
    call_command("clean", stdout=StringIO())
    assert 0 == TrailEntry.objects.count()


def test_a_replaced_and_restored_phone_is_no_difference(game, owner):
    invite, _token = make_new_phone(game.table.members.get(slug="beto"), by=owner)
    accept_invite(invite, make_user("beto_again"))
    assert [] == differences(game.table)
    undo_removal(game.table.removals.get(), by=owner)

    assert [] == differences(game.table)


def test_equal_aliases_have_unequal_hashes(game):
    for slug in ("beto", "caro"):
        set_account(game.table.members.get(slug=slug), "ana.loba.mp")
    newest: dict[str, Any] = {}
    for entry in game.table.trail.all():
        newest |= json.loads(entry.data)

    assert 3 == len({content[-1] for name, content in newest.items() if name.startswith("member ")} - {None})


# --- anchors ----------------------------------------------------------------------------------------------------------


def against(earlier):
    """Return what `check_books --against` prints, without its last line, and its error."""
    output, error = output_and_error_of("check_books", "--against", str(earlier))
    return [line for line in output.splitlines() if "replayed in" not in line], error


def test_an_anchor_is_found_at_its_trail_entry(game, scorer):
    anchor, entries = anchor_of(game.table), game.table.trail.count()
    play(game, scorer, 7)
    (line, verdict), error = against(anchor.upper())

    assert f"entry {entries} of {entries + 1}." in line
    assert ("Everything adds up.", "") == (verdict, error)
    assert 24 == len(anchor.replace("-", ""))


def test_an_anchor_from_before_a_forgery_is_unknown_although_the_trail_was_rewritten(game, scorer):
    """Somebody with access to the database rewrites the round, its link and the whole trail; the anchor is
    older.
    """
    anchor = anchor_of(game.table)
    with past_the_guards():
        execute("UPDATE games_record SET recorded_by_id = (SELECT min(id) FROM auth_user) WHERE number = 3")
        execute("DELETE FROM games_trailentry")
        begin_again(game.table)
    _lines, error = against(anchor)

    assert [] == differences(game.table)
    assert error.startswith("No table of this site has had this anchor")


def test_a_backup_of_postgresql_names_each_table_whose_history_was_rewritten(table, owner, tmp_path):
    """Such a backup is a dump with a list of anchors. Two of three tables are forged, the first one too."""
    games = [start(place, owner) for place in (table, *(make_table(owner, name=name) for name in ("B", "C")))]
    anchors = "".join(f"{game.table.code} {anchor_of(game.table)}\n" for game in games)
    (tmp_path / "ANCHORS").write_text(f"{anchors}gonesincethen ABCD-EFGH\n", encoding="ascii")
    (tmp_path / "SHA256SUMS").touch()
    assert (["Everything adds up."], "") == against(tmp_path)
    forger, forged = make_user("forger"), [games[0], games[2]]
    with past_the_guards():
        for game in forged:
            execute(f"UPDATE games_record SET recorded_by_id = {forger.pk} WHERE game_id = {game.pk}")
            execute(f"DELETE FROM games_trailentry WHERE table_id = {game.table.pk}")
            begin_again(game.table)
    lines, error = against(tmp_path)

    assert [game.table.code for game in forged] == [
        game.table.code for game in games for line in lines if f"({game.table.code}), its audit trail" in line
    ]
    assert "2 differences." == error


def test_a_backup_of_postgresql_from_before_the_trails_is_refused(table, tmp_path):
    (tmp_path / "SHA256SUMS").touch()

    assert against(tmp_path)[1].endswith(
        "It has no list of anchors: a release without an audit trail made it."
    )


def begin_again(table):
    """Write a new trail for the table's present state, as a forger could."""
    for entry in trail.entries(table, trail.whole(table)):
        entry.save(force_insert=True)


def test_a_round_changed_since_the_tables_file_is_reported(game, scorer, tmp_path):
    file = tmp_path / "table.json"
    file.write_text(write_table(game.table, with_anchor=True), encoding="utf-8")
    play(game, scorer, 7)
    assert (["Everything adds up."], "") == against(file)
    with past_the_guards():
        execute("UPDATE games_record SET recorded_at = '2026-01-01 00:00:00' WHERE number = 3")
    lines, error = against(file)

    assert any("game of " in line and "number 3 is not what it was in the file" in line for line in lines)
    assert "2 differences." == error


def test_a_shared_cost_changed_since_the_tables_file_is_reported(game, scorer, tmp_path):
    file, table = tmp_path / "table.json", game.table
    ana, beto, *_others = table.members.all()
    words = CostWords(beto, 1000, (ana,), "pizza")
    cost = share_cost(table, date.fromordinal(game.night_number), words, key=a_key(), by=scorer)
    file.write_text(write_table(table), encoding="utf-8")
    amend_cost(cost, replace(words, amount=900), after=0, by=scorer)
    assert (["Everything adds up."], "") == against(file)
    SharedCost.objects.update(note="helado")
    CostStep.objects.update(note="helado")
    lines, _error = against(file)

    assert any("costs: number 1 is not what it was in the file" in line for line in lines)


@pytest.mark.parametrize("text", ["{}", "no JSON", '{"format": "anotador-table", "version": 5}'])
def test_an_invalid_anchor_or_file_is_refused(game, tmp_path, text):
    file = tmp_path / "file"
    file.write_text(text, encoding="utf-8")

    assert against(file)[1].endswith("It is neither an anchor, nor a backup, nor the file of a table.")
    assert against("nowhere")[1] == "nowhere is neither an anchor of 24 letters nor a file or folder."


def test_a_tables_file_has_its_anchor_and_the_imported_table_a_trail_of_its_own(game):
    text = write_table(game.table, with_anchor=True)
    again = restore_table(read_table(text.encode()), key=a_key(), by=make_user("nora"))

    assert f'"anchor":"{anchor_of(game.table)}"' in text
    assert [] == differences(again)
    assert anchor_of(game.table) != anchor_of(again)
