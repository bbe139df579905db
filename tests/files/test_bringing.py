"""Bringing a table's file into a table that exists: people, games, money, twice, and taken back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest
from django.utils.timezone import now

from games.common import days, locks
from games.common.locks import ConcurrentChange
from games.files.services import (
    audit,
    file_reader,
    file_writer,
    import_preview,
    imports,
    member_matching,
    table_import,
)
from games.files.services.import_preview import ImportPreview
from games.models import Payment, Table
from games.money.services import (
    accounting,
    cash_settlement,
    expenses,
    member_merges,
    payments,
    starting_balances,
)
from games.play.services import duplicates, recording
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, Player, PlayerJoined, Struck
from games.tables.services import erasure, membership
from tests.worlds import (
    a_cost,
    a_key,
    a_round,
    balances_of,
    become,
    make_table,
    make_user,
    start,
    the_night,
    with_new_codes,
    won_by,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return make_user("ana")


@pytest.fixture
def home(owner):
    """The table at the site."""
    return make_table(owner)


@pytest.fixture
def cabin():
    """The table on a phone: another table, whose people have the same names."""
    return make_table(make_user("cabin"), people=("Beto", "Ana", "Caro", "Dani"), name="La cabaña")


def text_of(table: Table) -> str:
    return with_new_codes(file_writer.write_table(table))


def look(
    home: Table, text: str, answers: Mapping[str, str] | None = None, at: datetime | None = None
) -> ImportPreview:
    by = home.accesses.get(role="owner").user
    return import_preview.build(
        home, file_reader.read_table(text.encode()), answers or {}, by=by, at=at or now()
    )


def bring(home: Table, text: str, answers: Mapping[str, str] | None = None) -> datetime:
    """Bring this file as its preview says, and return the moment at which it arrived."""
    by, at = home.accesses.get(role="owner").user, now()
    imports.run(
        home,
        lambda: look(home, text, answers, at),
        seen=look(home, text, answers).preview_digest,
        by=by,
        at=at,
    )
    assert [] == audit.check_table(home).differences
    return at


def recorder(table: Table):
    return table.accesses.get(role="owner").user


def won(table: Table, winner: str = "ana", **options):
    """Record a game of four for 100 each."""
    game = start(table, recorder(table), stake=100, reentries=0, **options)
    recording.record(game, won_by(winner), after=1, key=a_key(), by=recorder(table))
    return game


def balances(table: Table) -> dict[str, int]:
    return {slug: amount for slug, amount in balances_of(table).items() if amount}


def left(coming: ImportPreview) -> list[str]:
    return [str(text) for text in coming.skipped]


def paid(table: Table, payer: str, payee: str, amount: int, **how: Any) -> Payment:
    one, other = (table.members.get(slug=slug) for slug in (payer, payee))
    return payments.create(table, one, other, amount, key=a_key(), by=recorder(table), **how)


# --- what comes -------------------------------------------------------------------------------------------------------


def test_a_night_of_another_table_comes_with_its_games_costs_and_payments(home, cabin):
    won(cabin)
    cash_settlement.mark_paid(won(cabin, "beto"), by=recorder(cabin))
    start(cabin, recorder(cabin))
    everybody = tuple(cabin.members.order_by("pk"))
    expenses.create(
        cabin, the_night(cabin), a_cost(everybody[0], 400, everybody), key=a_key(), by=recorder(cabin)
    )
    paid(cabin, "dani", "ana", 100)
    bring(home, text_of(cabin))

    assert {"ana": 100, "beto": 200, "caro": -200, "dani": -100} == balances(home)
    assert balances(cabin) == balances(home)
    assert (2, 1) == (home.games.exclude(ended_at=None).count(), home.games.filter(ended_at=None).count())
    assert [2, 1] == [len(log.log()) for log in home.games.order_by("pk")[1:]]
    assert 4 == home.members.count()


def test_brought_twice_nothing_is_doubled_nor_by_two_who_saw_the_same_preview(home, cabin):
    won(cabin)
    paid(cabin, "dani", "ana", 100)
    text, at = text_of(cabin), now()
    seen = look(home, text).preview_digest
    bring(home, text)
    before = file_writer.write_table(home)
    with pytest.raises(ConcurrentChange):
        imports.run(home, lambda: look(home, text), seen=seen, by=recorder(home), at=at)

    assert (0, 2) == ((coming := look(home, text)).count, coming.known_count)
    bring(home, text)
    assert before == file_writer.write_table(home)


# --- people -----------------------------------------------------------------------------------------------------------


def test_new_people_are_added_only_if_they_are_in_what_comes(home):
    cabin = make_table(make_user("cabin"), people=("Ana", "Beto", "Caro", "Dani", "Primo"))
    start(cabin, recorder(cabin))
    membership.add(cabin, "Nadie")
    coming = look(home, text_of(cabin))
    assert ["Primo"] == [member.name for member in coming.newcomers]
    assert [] == coming.questions  # everybody here is in the file too, so nobody here can be Primo
    bring(home, text_of(cabin))
    assert ["Ana", "Beto", "Caro", "Dani", "Primo"] == list(home.members.values_list("name", flat=True))


def test_a_person_whose_seat_was_struck_comes_with_the_game_that_names_them(home, cabin):
    game, primo = start(cabin, recorder(cabin), late_entry="on"), membership.add(cabin, "Primo")
    joined = PlayerJoined(Player(primo.slug, primo.name), "ana")
    for event in (joined, Struck(2)):
        after = game.records.count()
        recording.record(game, event, after=after, key=a_key(), by=recorder(cabin))
    bring(home, text_of(cabin))

    assert 5 == len(file_reader.read_table(text_of(home).encode()).members)


def test_two_of_the_file_who_are_one_here_are_not_asked_about_and_what_is_between_them_is_left(home, cabin):
    home.members.filter(slug="caro").update(merged_into=home.members.get(slug="ana"))
    won(cabin)
    paid(cabin, "ana", "caro", 5)
    paid(cabin, "caro", "beto", 7)
    coming = look(home, text_of(cabin))
    assert ([], 1) == (coming.questions, coming.count)
    assert ["A person is named twice."] * 2 == [sentence.split(": ")[-1] for sentence in left(coming)]
    bring(home, text_of(cabin))
    assert {"ana": 7, "beto": -7} == balances(home)


@pytest.mark.parametrize("where", ["here", "in the file"])
def test_what_two_who_are_one_bear_of_an_expense_is_added_up(home, cabin, where):
    beto, ana, caro, dani = cabin.members.order_by("pk")
    for payer, sharers in ((dani, (ana, beto, caro, dani)), (ana, (caro,))):
        words = a_cost(payer, 400, sharers)
        expenses.create(cabin, days.night_for(now(), cabin), words, key=a_key(), by=recorder(cabin))
    if where == "here":
        home.members.filter(slug="caro").update(merged_into=home.members.get(slug="ana"))
    else:
        member_merges.merge(caro, ana, seen=member_merges.preview(caro, ana).digest, by=recorder(cabin))
    coming = look(home, text_of(cabin))
    assert ["A person is named twice."] == [sentence.split(": ")[-1] for sentence in left(coming)]
    bring(home, text_of(cabin))

    assert {"ana": -200, "beto": -100, "dani": 300} == balances(home)
    assert {"ana": 200, "beto": 100, "dani": 100} == home.costs.get().borne


def test_who_is_alike_is_asked_for_and_everybody_is_chosen_once(home):
    cabin = make_table(make_user("cabin"), people=("Ana", "Béto", "Carolina", "Dani"))
    game = start(cabin, recorder(cabin), stake=100, reentries=0)
    recording.record(
        game, won_by("ana", "beto", "carolina", "dani"), after=1, key=a_key(), by=recorder(cabin)
    )
    text = text_of(cabin)

    seen = look(home, text)
    assert [("Béto", ""), ("Carolina", member_matching.NEW_MEMBER)] == [
        (one.name, one.answer) for one in seen.questions
    ]
    assert (True, 0) == (seen.is_open, seen.count)
    with pytest.raises(ConcurrentChange):
        bring(home, text)
    assert look(home, text, {"beto": "caro", "carolina": "caro"}).is_open
    assert look(home, text, {"beto": "ana", "carolina": member_matching.NEW_MEMBER}).is_open
    bring(home, text, {"beto": "beto", "carolina": "caro"})
    assert {"ana": 300, "beto": -100, "caro": -100, "dani": -100} == balances(home)


def test_a_copy_of_the_same_table_is_known_by_key_though_names_and_merges_differ(home):
    copy = table_import.create_table(
        file_reader.read_table(text_of(home).encode()), key=a_key(), by=make_user("cabin")
    )
    copy.members.filter(slug="dani").update(name="Daniel")
    won(copy)
    bring(home, text_of(copy))

    assert (["Ana", "Beto", "Caro", "Dani"], -100) == (
        list(home.members.values_list("name", flat=True)),
        balances(home)["dani"],
    )


# --- what is known ----------------------------------------------------------------------------------------------------


@pytest.fixture
def copy(home):
    """A copy of the table at the site, with a game under way in both."""
    start(home, recorder(home), stake=100, reentries=0)
    return table_import.create_table(
        file_reader.read_table(text_of(home).encode()), key=a_key(), by=make_user("cabin")
    )


def played(table: Table, *events, after: int = 1) -> None:
    recording.record(table.games.get(), *events, after=after, key=a_key(), by=recorder(table))


def test_a_known_game_whose_log_continues_ours_gets_the_rest(home, copy):
    played(copy, a_round("ana", beto=5, caro=7, dani=9))
    played(copy, won_by("ana"), after=2)
    at = bring(home, text_of(copy))
    assert (3, 300) == (len(home.games.get().log()), balances(home)["ana"])
    assert [] == left(look(home, text_of(copy)))

    arrival = home.arrivals.get(at=at)
    imports.revert(arrival, by=recorder(home))
    imports.revert(arrival, by=recorder(home))
    assert (0, {}, []) == (
        len(home.games.get().state().rounds),
        balances(home),
        audit.check_table(home).differences,
    )


@pytest.mark.parametrize("is_spot", [False, True])
def test_a_game_that_was_over_here_is_corrected_and_stays_over_since_the_same_round(home, copy, is_spot):
    for table in (home, copy):
        recording.record(table.games.get(), won_by("ana"), after=1, key="over", by=recorder(table))
    if is_spot:
        cash_settlement.mark_paid(home.games.get(), by=recorder(home))
    ended_at, before = home.games.get().ended_at, balances(home)
    nets = {"ana": -100, "beto": 300, "caro": -100, "dani": -100}
    played(copy, Corrected(2, won_by("beto")), after=2)
    at = bring(home, text_of(copy))
    assert (ended_at, {"ana": -400, "beto": 400} if is_spot else nets) == (
        home.games.get().ended_at,
        balances(home),
    )

    imports.revert(home.arrivals.get(at=at), by=recorder(home))
    assert (ended_at, before, []) == (
        home.games.get().ended_at,
        balances(home),
        audit.check_table(home).differences,
    )


def test_one_that_went_on_here_is_skipped_and_one_that_differs_is_named_and_left(home, copy):
    before = text_of(copy)
    played(home, a_round("ana", beto=5, caro=7, dani=9))
    assert (1, 0, []) == ((coming := look(home, before)).known_count, coming.count, coming.skipped)
    played(copy, a_round("ana", beto=6, caro=7, dani=9))
    played(copy, won_by("ana"), after=2)
    (sentence,) = left(look(home, text_of(copy)))
    assert sentence.startswith("Loba de Menos, ")
    assert sentence.endswith(": It differs from the one here.")
    bring(home, text_of(copy))
    assert 2 == len(home.games.get().log())


def test_a_game_that_was_discarded_here_stays_so_and_one_discarded_there_does_not_come(home, copy):
    played(copy, won_by("ana"))
    recording.discard_game(home.games.get(), by=recorder(home))
    assert (1, 0) == (len((coming := look(home, text_of(copy))).skipped), coming.count)
    recording.discard_game(copy.games.get(), by=recorder(copy))
    assert (1, 0, []) == ((coming := look(home, text_of(copy))).ended_count, coming.count, coming.skipped)


def test_a_known_payment_or_cost_that_was_taken_back_there_is_named_and_stands_here(home, copy):
    beto = home.members.get(slug="beto")
    payment = paid(home, "beto", "ana", 50)
    cost = expenses.create(
        home, the_night(home), a_cost(beto, 90, (beto, payment.payee)), key="k", by=recorder(home)
    )
    other = table_import.create_table(
        file_reader.read_table(text_of(home).encode()), key=a_key(), by=make_user("other")
    )
    payments.void(home.payments.get(), by=recorder(home))
    assert (0, 3, []) == ((coming := look(home, text_of(other))).count, coming.known_count, left(coming))
    expenses.void(other.costs.get(), by=recorder(other), reason="No era")
    assert ["Beto, 90: It differs from the one here."] == left(look(home, text_of(other)))
    bring(home, text_of(other))

    cost.refresh_from_db()
    assert cost.counts


def test_starting_balances_come_once(home, cabin):
    starting_balances.record(cabin, {"beto": -500, "ana": 500}, seen=0, key=a_key(), by=recorder(cabin))
    for _time in range(2):
        bring(home, text_of(cabin))
    assert {"ana": 500, "beto": -500} == balances(home)


def test_ticks_of_one_debt_in_two_copies_have_the_same_key_and_those_of_two_debts_never_have(home, cabin):
    def ticked(table):
        """Return the key of a tick of what Beto owes, now the debt of the table's newest entry."""
        debt = next(one for one in accounting.load_accounts(table).debts if one.payer.slug == "beto")
        how = {"version": debt.version, "claims": 0, "by": recorder(table)}
        return debt.version, payments.settle(table, debt.payer, debt.payee, **how).key

    won(home)
    copy = table_import.create_table(
        file_reader.read_table(text_of(home).encode()), key=a_key(), by=make_user("copy")
    )
    won(cabin)
    assert ticked(home) == ticked(copy) != ticked(cabin)

    for table in (home, copy):  # each goes on by itself
        won(table, "caro")
    (version, key), (same_version, other_key) = ticked(home), ticked(copy)
    assert version == same_version
    assert key != other_key


def test_what_comes_is_made_ready_before_others_wait_for_it(home, cabin, monkeypatch):
    held: list[Table] = []
    lock = locks.lock

    def locking(table: Table) -> Table:
        held.append(table)
        return lock(table)

    def arriving(*words: Any, **how: Any) -> Any:
        assert not held, "others wait for this"
        return arrival(*words, **how)

    won(cabin)
    arrival, file = imports._ImportedRows, text_of(cabin)
    monkeypatch.setattr(locks, "lock", locking)
    monkeypatch.setattr(imports, "_ImportedRows", arriving)
    bring(home, file)

    assert {home} == {*held}


# --- who may ----------------------------------------------------------------------------------------------------------


def test_a_debtor_brings_no_payment_past_the_payee_nor_what_only_others_may_forgive(home, cabin):
    become(recorder(home), home.members.get(slug="ana"))
    become(make_user("beto"), home.members.get(slug="beto"))
    paid(cabin, "ana", "beto", 300)
    paid(cabin, "caro", "beto", 5, method="forgiven", role="owner")
    four = tuple(cabin.members.all())
    words = a_cost(cabin.members.get(slug="ana"), 40, four, is_forgiven=True)
    expenses.create(cabin, days.night_for(now(), cabin), words, key=a_key(), by=recorder(cabin))
    assert [
        "Caro → Beto, 5: Only Beto can forgive this.",
        "Ana, 40: You can't record that your own debt is forgiven.",
    ] == left(look(home, text_of(cabin)))
    bring(home, text_of(cabin))
    assert ({}, "claimed") == (balances(home), str(home.payments.get().state))


def test_what_is_recorded_while_a_file_is_made_ready_has_it_made_ready_again_outside_the_lock(
    home, cabin, monkeypatch
):
    won(cabin)
    file, arrival = text_of(cabin), imports._ImportedRows
    made: list[object] = []

    def arriving(*words: Any, **how: Any) -> Any:
        ready = arrival(*words, **how)
        made.append(ready)
        if len(made) < locks.ATTEMPTS:
            membership.add(home, f"Eva {len(made)}")
        return ready

    monkeypatch.setattr(imports, "_ImportedRows", arriving)
    bring(home, file)
    assert (locks.ATTEMPTS, 1) == (len(made), home.games.count())


# --- taking back ------------------------------------------------------------------------------------------------------


def test_taken_back_everything_is_as_before_and_the_file_can_be_brought_again(home, cabin):
    won(home, "caro")
    before = accounting.load_accounts(home).debts
    won(cabin)
    paid(cabin, "dani", "ana", 100)
    text = text_of(cabin)
    for _time in range(2):
        arrival = home.arrivals.get(at=bring(home, text))
        assert 2 == home.games.filter(discarded_at=None).count()
        for _tap in range(2):
            imports.revert(arrival, by=recorder(home))
        assert [] == audit.check_table(home).differences
        assert [(one.payer, one.payee, one.amount) for one in before] == [
            (one.payer, one.payee, one.amount) for one in accounting.load_accounts(home).debts
        ]


def test_it_is_not_taken_back_past_what_somebody_recorded_since(home, cabin):
    start(cabin, recorder(cabin))
    arrival = home.arrivals.get(at=bring(home, text_of(cabin)))
    played(home, a_round("ana", beto=5, caro=7, dani=9))
    with pytest.raises(RuleError, match=r"^Something was recorded there since: Loba de Menos, "):
        imports.revert(arrival, by=recorder(home))
    assert 1 == home.games.filter(discarded_at=None).count()


# --- what is refused --------------------------------------------------------------------------------------------------


def test_more_rows_than_others_can_wait_for_are_refused(home, cabin, monkeypatch):
    monkeypatch.setattr(import_preview, "MOST_ROWS", 1)
    won(cabin)
    look(home, text_of(cabin))
    paid(cabin, "dani", "ana", 6)
    with pytest.raises(RuleError, match=r"^At most 1 games and payments can be brought at once\.$"):
        look(home, text_of(cabin))


def test_a_payment_that_contradicts_itself_brings_nothing_and_is_no_change_meanwhile(home, cabin):
    paid(cabin, "dani", "ana", 6)
    whole = json.loads(text_of(cabin))
    whole["payments"][0] |= {"objection": "no me llegó"}
    with pytest.raises(RuleError, match="rows of this file contradict each other"):
        bring(home, json.dumps(whole))
    assert not home.payments.exists()


def test_so_many_games_under_way_as_the_table_has_no_room_for_are_refused(home, cabin, monkeypatch):
    monkeypatch.setattr(duplicates, "MOST_RUNNING", 1)
    start(cabin, recorder(cabin))
    start(home, recorder(home))
    with pytest.raises(RuleError, match="under way"):
        bring(home, text_of(cabin))
    assert 1 == home.games.count()


def test_what_was_brought_is_listed_with_its_numbers_and_who_took_it_back(home, cabin):
    won(cabin)
    everybody = tuple(cabin.members.order_by("pk"))
    expenses.create(
        cabin, the_night(cabin), a_cost(everybody[0], 400, everybody), key=a_key(), by=recorder(cabin)
    )
    paid(cabin, "dani", "ana", 100)
    arrival = home.arrivals.get(at=bring(home, text_of(cabin)))
    assert (1, 1, 1, None) == (arrival.games, arrival.payments, arrival.expenses, arrival.ended_at)
    before = balances(home)
    assert {0} == set(imports.balances_without(arrival, by=recorder(home)).values())
    assert (before, None) == (balances(home), home.arrivals.get().ended_at)
    imports.revert(arrival, by=recorder(home))

    assert ({}, recorder(home)) == (balances(home), home.arrivals.get().ended_by)


def test_a_user_whose_account_is_deleted_is_no_longer_named_as_who_brought_it(home, cabin):
    bring(home, text_of(cabin))
    home.arrivals.update(user=(left := make_user("otto")))
    erasure.delete_account(left)

    assert home.arrivals.get().user is None
