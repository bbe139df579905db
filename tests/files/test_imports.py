"""Importing a table's file into an existing table: people, games, money, twice, and reverted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from games.common import days, locks
from games.common.locks import ConcurrentChange
from games.files.presenters import import_text
from games.files.services import (
    audit,
    file_reader,
    file_writer,
    import_preview,
    import_size,
    imports,
    member_matching,
    table_import,
)
from games.files.services.import_preview import ImportPreview
from games.models import Payment, Table
from games.money.services import (
    accounting,
    cash_settlement,
    debt_settlement,
    expenses,
    member_merges,
    payments,
    starting_balances,
)
from games.play.services import duplicates, recording
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, Player, PlayerJoined, Struck
from games.tables.services import erasure, membership
from tests.factories import (
    build_expense,
    build_round,
    confirm_as_member,
    get_last_night,
    load_balances,
    loba_start,
    make_table,
    make_user,
    new_key,
    start,
    winning_round,
    with_new_codes,
)

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def owner():
    return make_user("ana")


def export_text(table: Table) -> str:
    return with_new_codes(file_writer.write_table(table))


def preview_file(
    home: Table, text: str, answers: Mapping[str, str] | None = None, at: datetime | None = None
) -> ImportPreview:
    by = home.accesses.get(role="owner").user
    return import_preview.build(
        home, file_reader.read_table(text.encode()), answers or {}, by=by, at=at or now()
    )


def import_file(home: Table, text: str, answers: Mapping[str, str] | None = None) -> datetime:
    """Import this file as previewed, and return the time of the import."""
    by, at = home.accesses.get(role="owner").user, now()
    imports.run(
        home,
        lambda: preview_file(home, text, answers, at),
        seen=preview_file(home, text, answers).preview_digest,
        by=by,
        at=at,
    )
    assert [] == audit.check_table(home).differences
    return at


def get_owner(table: Table):
    return table.accesses.get(role="owner").user


def play_won_game(table: Table, winner: str = "ana", **options):
    """Record a game of four for 100 each."""
    game = start(table, get_owner(table), stake=100, reentries=0, **options)
    recording.record(game, winning_round(winner), after=1, key=new_key(), by=get_owner(table))
    return game


def nonzero_balances(table: Table) -> dict[str, int]:
    return {slug: amount for slug, amount in load_balances(table).items() if amount}


def skipped_texts(preview: ImportPreview) -> list[str]:
    return [str(text) for text in preview.skipped]


def record_payment(table: Table, payer: str, payee: str, amount: int, **how: Any) -> Payment:
    payer_member, other = (table.members.get(slug=slug) for slug in (payer, payee))
    return payments.create(table, payer_member, other, amount, key=new_key(), by=get_owner(table), **how)


# --- rows that are imported -------------------------------------------------------------------------------------------


def test_the_games_expenses_and_payments_of_another_table_are_imported(home, cabin):
    play_won_game(cabin)
    cash_settlement.mark_paid(play_won_game(cabin, "beto"), by=get_owner(cabin))
    start(cabin, get_owner(cabin))
    everybody = tuple(cabin.members.order_by("pk"))
    expenses.create(
        cabin,
        get_last_night(cabin),
        build_expense(everybody[0], 400, everybody),
        key=new_key(),
        by=get_owner(cabin),
    )
    record_payment(cabin, "dani", "ana", 100)
    import_file(home, export_text(cabin))

    assert {"ana": 100, "beto": 200, "caro": -200, "dani": -100} == nonzero_balances(home)
    assert nonzero_balances(cabin) == nonzero_balances(home)
    assert (2, 1) == (home.games.exclude(ended_at=None).count(), home.games.filter(ended_at=None).count())
    assert [2, 1] == [len(log.log()) for log in home.games.order_by("pk")[1:]]
    assert 4 == home.members.count()


def test_importing_twice_or_from_one_preview_on_two_phones_doubles_nothing(home, cabin):
    play_won_game(cabin)
    record_payment(cabin, "dani", "ana", 100)
    text, at = export_text(cabin), now()
    seen = preview_file(home, text).preview_digest
    import_file(home, text)
    before = file_writer.write_table(home)
    with pytest.raises(ConcurrentChange):
        imports.run(home, lambda: preview_file(home, text), seen=seen, by=get_owner(home), at=at)

    assert (0, 2) == ((preview := preview_file(home, text)).count, preview.known_count)
    import_file(home, text)
    assert before == file_writer.write_table(home)


# --- people -----------------------------------------------------------------------------------------------------------


def test_only_new_people_who_occur_in_imported_rows_are_added(home):
    cabin = make_table(make_user("cabin"), people=("Ana", "Beto", "Caro", "Dani", "Primo"))
    start(cabin, get_owner(cabin))
    membership.add(cabin, "Nadie")
    preview = preview_file(home, export_text(cabin))
    assert ["Primo"] == [member.name for member in preview.newcomers]
    assert [] == preview.questions  # everybody here is in the file too, so nobody here can be Primo
    import_file(home, export_text(cabin))
    assert ["Ana", "Beto", "Caro", "Dani", "Primo"] == list(home.members.values_list("name", flat=True))


def test_a_person_whose_seat_was_struck_is_imported_with_their_game(home, cabin):
    game, primo = start(cabin, get_owner(cabin), late_entry="on"), membership.add(cabin, "Primo")
    join_event = PlayerJoined(Player(primo.slug, primo.name), "ana")
    for event in (join_event, Struck(2)):
        after = game.records.count()
        recording.record(game, event, after=after, key=new_key(), by=get_owner(cabin))
    import_file(home, export_text(cabin))

    assert 5 == len(file_reader.read_table(export_text(home).encode()).members)


def test_two_people_of_the_file_who_are_one_here_raise_no_question_and_rows_between_them_are_skipped(
    home, cabin
):
    home.members.filter(slug="caro").update(merged_into=home.members.get(slug="ana"))
    play_won_game(cabin)
    record_payment(cabin, "ana", "caro", 5)
    record_payment(cabin, "caro", "beto", 7)
    preview = preview_file(home, export_text(cabin))
    assert ([], 1) == (preview.questions, preview.count)
    assert ["Someone is named twice."] * 2 == [
        sentence.split(": ")[-1] for sentence in skipped_texts(preview)
    ]
    import_file(home, export_text(cabin))
    assert {"ana": 7, "beto": -7} == nonzero_balances(home)


@pytest.mark.parametrize("where", ["here", "in the file"])
def test_the_shares_of_two_merged_sharers_are_added_up(home, cabin, where):
    beto, ana, caro, dani = cabin.members.order_by("pk")
    for payer, sharers in ((dani, (ana, beto, caro, dani)), (ana, (caro,))):
        expense = build_expense(payer, 400, sharers)
        expenses.create(cabin, days.night_for(now(), cabin), expense, key=new_key(), by=get_owner(cabin))
    if where == "here":
        home.members.filter(slug="caro").update(merged_into=home.members.get(slug="ana"))
    else:
        member_merges.merge(caro, ana, seen=member_merges.preview(caro, ana).digest, by=get_owner(cabin))
    preview = preview_file(home, export_text(cabin))
    assert ["Someone is named twice."] == [sentence.split(": ")[-1] for sentence in skipped_texts(preview)]
    import_file(home, export_text(cabin))

    assert {"ana": -200, "beto": -100, "dani": 300} == nonzero_balances(home)
    assert {"ana": 200, "beto": 100, "dani": 100} == home.costs.get().borne


def test_a_person_with_a_similar_name_is_a_question_and_each_member_is_chosen_once(home):
    cabin = make_table(make_user("cabin"), people=("Ana", "Béto", "Carolina", "Dani"))
    game = start(cabin, get_owner(cabin), stake=100, reentries=0)
    recording.record(
        game, winning_round("ana", "beto", "carolina", "dani"), after=1, key=new_key(), by=get_owner(cabin)
    )
    text = export_text(cabin)

    seen = preview_file(home, text)
    assert [("Béto", ""), ("Carolina", member_matching.NEW_MEMBER)] == [
        (question.name, question.answer) for question in seen.questions
    ]
    assert (True, 0) == (seen.is_open, seen.count)
    with pytest.raises(ConcurrentChange):
        import_file(home, text)
    assert preview_file(home, text, {"beto": "caro", "carolina": "caro"}).is_open
    assert preview_file(home, text, {"beto": "ana", "carolina": member_matching.NEW_MEMBER}).is_open
    import_file(home, text, {"beto": "beto", "carolina": "caro"})
    assert {"ana": 300, "beto": -100, "caro": -100, "dani": -100} == nonzero_balances(home)


def test_people_of_a_copy_of_the_table_are_matched_by_id_although_names_differ(home):
    copy = table_import.create_table(
        file_reader.read_table(export_text(home).encode()), key=new_key(), by=make_user("cabin")
    )
    copy.members.filter(slug="dani").update(name="Daniel")
    play_won_game(copy)
    import_file(home, export_text(copy))

    assert (["Ana", "Beto", "Caro", "Dani"], -100) == (
        list(home.members.values_list("name", flat=True)),
        nonzero_balances(home)["dani"],
    )


# --- rows that are known here -----------------------------------------------------------------------------------------


@pytest.fixture
def copy(home):
    """A copy of the table at the site, with a game in progress in both."""
    start(home, get_owner(home), stake=100, reentries=0)
    return table_import.create_table(
        file_reader.read_table(export_text(home).encode()), key=new_key(), by=make_user("cabin")
    )


def record_events(table: Table, *events, after: int = 1) -> None:
    recording.record(table.games.get(), *events, after=after, key=new_key(), by=get_owner(table))


def test_a_known_game_with_more_events_in_the_file_is_continued(home, copy):
    record_events(copy, build_round("ana", beto=5, caro=7, dani=9))
    record_events(copy, winning_round("ana"), after=2)
    at = import_file(home, export_text(copy))
    assert (3, 300) == (len(home.games.get().log()), nonzero_balances(home)["ana"])
    assert [] == skipped_texts(preview_file(home, export_text(copy)))

    arrival = home.arrivals.get(at=at)
    imports.revert(arrival, by=get_owner(home))
    imports.revert(arrival, by=get_owner(home))
    assert (0, {}, []) == (
        len(home.games.get().state().rounds),
        nonzero_balances(home),
        audit.check_table(home).differences,
    )


@pytest.mark.parametrize("is_spot", [False, True])
def test_an_imported_correction_of_a_finished_game_keeps_its_end(home, copy, is_spot):
    for table in (home, copy):
        recording.record(table.games.get(), winning_round("ana"), after=1, key="over", by=get_owner(table))
    if is_spot:
        cash_settlement.mark_paid(home.games.get(), by=get_owner(home))
    ended_at, before = home.games.get().ended_at, nonzero_balances(home)
    nets = {"ana": -100, "beto": 300, "caro": -100, "dani": -100}
    record_events(copy, Corrected(2, winning_round("beto")), after=2)
    at = import_file(home, export_text(copy))
    assert (ended_at, {"ana": -400, "beto": 400} if is_spot else nets) == (
        home.games.get().ended_at,
        nonzero_balances(home),
    )

    imports.revert(home.arrivals.get(at=at), by=get_owner(home))
    assert (ended_at, before, []) == (
        home.games.get().ended_at,
        nonzero_balances(home),
        audit.check_table(home).differences,
    )


def test_a_game_with_more_events_here_is_skipped_and_one_that_differs_is_named(home, copy):
    before = export_text(copy)
    record_events(home, build_round("ana", beto=5, caro=7, dani=9))
    assert (1, 0, []) == ((preview := preview_file(home, before)).known_count, preview.count, preview.skipped)
    record_events(copy, build_round("ana", beto=6, caro=7, dani=9))
    record_events(copy, winning_round("ana"), after=2)
    (sentence,) = skipped_texts(preview_file(home, export_text(copy)))
    assert sentence.startswith("Loba de Menos, ")
    assert sentence.endswith(": It's different here.")
    import_file(home, export_text(copy))
    assert 2 == len(home.games.get().log())


def test_a_game_discarded_here_or_in_the_file_is_not_imported(home, copy):
    record_events(copy, winning_round("ana"))
    recording.discard_game(home.games.get(), by=get_owner(home))
    assert (1, 0) == (len((preview := preview_file(home, export_text(copy))).skipped), preview.count)
    recording.discard_game(copy.games.get(), by=get_owner(copy))
    assert (1, 0, []) == (
        (preview := preview_file(home, export_text(copy))).ended_count,
        preview.count,
        preview.skipped,
    )


def test_a_known_expense_voided_in_the_file_is_named_and_still_counts_here(home, copy):
    beto = home.members.get(slug="beto")
    payment = record_payment(home, "beto", "ana", 50)
    cost = expenses.create(
        home,
        get_last_night(home),
        build_expense(beto, 90, (beto, payment.payee)),
        key="k",
        by=get_owner(home),
    )
    other = table_import.create_table(
        file_reader.read_table(export_text(home).encode()), key=new_key(), by=make_user("other")
    )
    payments.void(home.payments.get(), by=get_owner(home))
    assert (0, 3, []) == (
        (preview := preview_file(home, export_text(other))).count,
        preview.known_count,
        skipped_texts(preview),
    )
    expenses.void(other.costs.get(), by=get_owner(other), reason="No era")
    assert ["Beto, 90: It's different here."] == skipped_texts(preview_file(home, export_text(other)))
    import_file(home, export_text(other))

    cost.refresh_from_db()
    assert cost.counts


def test_starting_balances_are_imported_once(home, cabin):
    starting_balances.record(cabin, {"beto": -500, "ana": 500}, seen=0, key=new_key(), by=get_owner(cabin))
    for _time in range(2):
        import_file(home, export_text(cabin))
    assert {"ana": 500, "beto": -500} == nonzero_balances(home)


def test_starting_balances_of_a_removed_import_can_be_imported_again(home, cabin):
    starting_balances.record(cabin, {"beto": -500, "ana": 500}, seen=0, key=new_key(), by=get_owner(cabin))
    for _time in range(3):
        arrival = home.arrivals.get(at=import_file(home, export_text(cabin)))
        assert {"ana": 500, "beto": -500} == nonzero_balances(home)
        assert (0, 1) == ((again := preview_file(home, export_text(cabin))).count, again.known_count)
        imports.revert(arrival, by=get_owner(home))
        assert {} == nonzero_balances(home)
    import_file(home, export_text(cabin))

    assert 0 == preview_file(cabin, export_text(home)).count, "the table they came from knows them"


def test_settling_one_debt_in_two_copies_gives_one_key_and_two_debts_never_share_a_key(home, cabin):
    def ticked(table):
        """Settle Beto's debt, and return its version (the table's newest entry) and the payment's key."""
        debt = next(line for line in accounting.load_accounts(table).debts if line.payer.slug == "beto")
        how = {"version": debt.version, "claims": 0, "by": get_owner(table)}
        return debt.version, debt_settlement.settle(table, debt.payer, debt.payee, **how).key

    play_won_game(home)
    copy = table_import.create_table(
        file_reader.read_table(export_text(home).encode()), key=new_key(), by=make_user("copy")
    )
    play_won_game(cabin)
    assert ticked(home) == ticked(copy) != ticked(cabin)

    for table in (home, copy):  # each continues separately
        play_won_game(table, "caro")
    (version, key), (same_version, other_key) = ticked(home), ticked(copy)
    assert version == same_version
    assert key != other_key


def test_imported_rows_are_prepared_before_the_table_is_locked(home, cabin, monkeypatch):
    locked_tables: list[Table] = []
    lock = locks.lock

    def locking(table: Table) -> Table:
        locked_tables.append(table)
        return lock(table)

    def arriving(*args: Any, **how: Any) -> Any:
        assert not locked_tables, "others wait for this"
        return arrival(*args, **how)

    play_won_game(cabin)
    arrival, file = imports._ImportedRows, export_text(cabin)
    monkeypatch.setattr(locks, "lock", locking)
    monkeypatch.setattr(imports, "_ImportedRows", arriving)
    import_file(home, file)

    assert {home} == {*locked_tables}


# --- permissions ------------------------------------------------------------------------------------------------------


def test_a_debtor_imports_no_confirmed_payment_and_nothing_that_only_others_may_forgive(home, cabin):
    confirm_as_member(get_owner(home), home.members.get(slug="ana"))
    confirm_as_member(make_user("beto"), home.members.get(slug="beto"), at=now() - timedelta(days=2))
    record_payment(cabin, "ana", "beto", 300)
    record_payment(cabin, "caro", "beto", 5, method="forgiven", role="owner")
    four = tuple(cabin.members.all())
    expense = build_expense(cabin.members.get(slug="ana"), 40, four, is_forgiven=True)
    expenses.create(cabin, days.night_for(now(), cabin), expense, key=new_key(), by=get_owner(cabin))
    assert [
        "Caro → Beto, 5: Only Beto can forgive this.",
        "Ana, 40: You can't forgive your own debt.",
    ] == skipped_texts(preview_file(home, export_text(cabin)))
    import_file(home, export_text(cabin))
    assert ({}, "claimed") == (nonzero_balances(home), str(home.payments.get().state))


NIGHT = datetime(2024, 5, 11, 1, tzinfo=UTC)  # 10 p.m. on the 10th in Buenos Aires


@pytest.fixture
def settled(cabin):
    """Beto won 100 from each of the others on the night of the 10th, and all paid."""
    by = get_owner(cabin)
    game = recording.start_game(
        cabin, loba_start(cabin, stake=100, reentries=0), key=new_key(), by=by, at=NIGHT
    )
    recording.record(game, winning_round("beto"), after=1, key=new_key(), by=by, at=NIGHT)
    for payer in ("ana", "caro", "dani"):
        record_payment(cabin, payer, "beto", 100, at=NIGHT)
    return cabin


def confirm_both(home, beto_at):
    """Let the owner be Ana, and Beto have a phone here since this moment."""
    confirm_as_member(get_owner(home), home.members.get(slug="ana"))
    return confirm_as_member(make_user("beto"), home.members.get(slug="beto"), at=beto_at)


def test_a_settled_book_leaves_no_debt_at_a_new_table_whose_members_have_phones(home, settled):
    confirm_both(home, now())
    assert [] == preview_file(home, export_text(settled)).claims
    at = import_file(home, export_text(settled))
    assert ({}, {"counts"}) == (nonzero_balances(home), {str(row.state) for row in home.payments.all()})

    imports.revert(home.arrivals.get(at=at), by=get_owner(home))
    assert ({}, []) == (nonzero_balances(home), audit.check_table(home).differences)


def test_a_payment_of_the_importing_owner_waits_for_a_payee_who_was_here_before_its_night(home, settled):
    beto = confirm_both(home, NIGHT - timedelta(days=1))
    preview = preview_file(home, export_text(settled))
    sentences = import_text.preview_sentences(preview, home)
    assert ["Ana → Beto, $\u00a0100: cuenta cuando Beto lo confirme"] == [
        sentence for sentence in sentences if "Beto" in sentence
    ]
    at = import_file(home, export_text(settled))
    assert {"ana": -100, "beto": 100} == nonzero_balances(home)
    claim = home.payments.get(payer__slug="ana")
    assert ("claimed", ["beto"]) == (str(claim.state), [claim.payee.slug])
    payments.confirm(claim, by=beto.user, role=beto.role)
    assert {} == nonzero_balances(home)

    imports.revert(home.arrivals.get(at=at), by=get_owner(home))
    assert ({}, []) == (nonzero_balances(home), audit.check_table(home).differences)
    assert 1 == len(preview_file(home, export_text(settled)).claims), "it can be imported once more"


@pytest.mark.parametrize("is_dated_back", [False, True])
@pytest.mark.parametrize(
    ("confirmed_at", "claim_count"),
    [
        (datetime(2024, 5, 10, 8, 59, tzinfo=UTC), 1),  # 5:59 on the 10th is still the night of the 9th
        (datetime(2024, 5, 10, 9, 0, tzinfo=UTC), 0),  # at 6:00 the night of the payment begins
        (datetime(2024, 5, 11, 9, 0, tzinfo=UTC), 0),
    ],
)
def test_the_payee_was_here_before_the_day_of_the_payment(
    home, settled, confirmed_at, claim_count, is_dated_back
):
    """A payment that was entered days later counts from the day it is dated back to."""
    if is_dated_back:
        settled.payments.update(paid_on=date(2024, 5, 10), recorded_at=NIGHT + timedelta(days=5))
    confirm_both(home, confirmed_at)

    assert claim_count == len(preview_file(home, export_text(settled)).claims)


def test_a_payee_who_has_no_phone_any_more_or_lost_only_one_of_two(home, settled):
    first = confirm_both(home, NIGHT - timedelta(days=1))
    confirm_as_member(make_user("beto 2"), first.member, at=now())
    home.accesses.filter(pk=first.pk).update(confirmed_at=first.confirmed_at, ended_at=now())
    assert 1 == len(preview_file(home, export_text(settled)).claims), "they were here, on another phone"
    home.accesses.filter(member=first.member).update(ended_at=now())
    assert [] == preview_file(home, export_text(settled)).claims, "nobody could confirm it"


def test_a_claim_that_became_a_payment_since_the_preview_is_shown_again(home, settled):
    beto, file, at = confirm_both(home, NIGHT - timedelta(days=1)), export_text(settled), now()
    seen = preview_file(home, file).preview_digest
    home.accesses.filter(pk=beto.pk).update(ended_at=at)
    with pytest.raises(ConcurrentChange):
        imports.run(home, lambda: preview_file(home, file, at=at), seen=seen, by=get_owner(home), at=at)


def test_rows_are_prepared_again_without_the_lock_if_somebody_recorded_meanwhile(home, cabin, monkeypatch):
    play_won_game(cabin)
    file, arrival = export_text(cabin), imports._ImportedRows
    made: list[object] = []

    def arriving(*args: Any, **how: Any) -> Any:
        ready = arrival(*args, **how)
        made.append(ready)
        if len(made) < locks.ATTEMPTS:
            membership.add(home, f"Eva {len(made)}")
        return ready

    monkeypatch.setattr(imports, "_ImportedRows", arriving)
    import_file(home, file)
    assert (locks.ATTEMPTS, 1) == (len(made), home.games.count())


# --- reverting --------------------------------------------------------------------------------------------------------


def test_reverting_an_import_restores_everything_and_the_file_can_be_imported_again(home, cabin):
    play_won_game(home, "caro")
    before = accounting.load_accounts(home).debts
    play_won_game(cabin)
    record_payment(cabin, "dani", "ana", 100)
    text = export_text(cabin)
    for _time in range(2):
        arrival = home.arrivals.get(at=import_file(home, text))
        assert 2 == home.games.filter(discarded_at=None).count()
        for _tap in range(2):
            imports.revert(arrival, by=get_owner(home))
        assert [] == audit.check_table(home).differences
        assert [(debt.payer, debt.payee, debt.amount) for debt in before] == [
            (debt.payer, debt.payee, debt.amount) for debt in accounting.load_accounts(home).debts
        ]


def test_an_import_is_not_reverted_after_somebody_recorded_in_its_games(home, cabin):
    start(cabin, get_owner(cabin))
    arrival = home.arrivals.get(at=import_file(home, export_text(cabin)))
    record_events(home, build_round("ana", beto=5, caro=7, dani=9))
    with pytest.raises(RuleError, match=r"^More was recorded there since: Loba de Menos, "):
        imports.revert(arrival, by=get_owner(home))
    assert 1 == home.games.filter(discarded_at=None).count()


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_an_import_of_too_many_rows_is_refused(home, cabin, monkeypatch):
    monkeypatch.setattr(import_size, "MOST_ROWS", 1)
    play_won_game(cabin)
    preview_file(home, export_text(cabin))
    record_payment(cabin, "dani", "ana", 6)
    with pytest.raises(RuleError, match=r"^At most 1 games and payments can be imported at a time\.$"):
        preview_file(home, export_text(cabin))


def test_a_contradictory_payment_imports_nothing_and_is_not_taken_for_a_concurrent_change(home, cabin):
    record_payment(cabin, "dani", "ana", 6)
    whole = json.loads(export_text(cabin))
    whole["payments"][0] |= {"objection": "no me llegó"}
    with pytest.raises(RuleError, match="rows of this file contradict each other"):
        import_file(home, json.dumps(whole))
    assert not home.payments.exists()


def test_more_running_games_than_a_table_may_have_are_refused(home, cabin, monkeypatch):
    monkeypatch.setattr(duplicates, "MOST_RUNNING", 1)
    start(cabin, get_owner(cabin))
    start(home, get_owner(home))
    with pytest.raises(RuleError, match="in progress"):
        import_file(home, export_text(cabin))
    assert 1 == home.games.count()


def test_an_arrival_has_the_numbers_of_its_rows_and_who_reverted_it(home, cabin):
    play_won_game(cabin)
    everybody = tuple(cabin.members.order_by("pk"))
    expenses.create(
        cabin,
        get_last_night(cabin),
        build_expense(everybody[0], 400, everybody),
        key=new_key(),
        by=get_owner(cabin),
    )
    record_payment(cabin, "dani", "ana", 100)
    arrival = home.arrivals.get(at=import_file(home, export_text(cabin)))
    assert (1, 1, 1, None) == (arrival.games, arrival.payments, arrival.expenses, arrival.ended_at)
    before = nonzero_balances(home)
    assert {0} == set(imports.balances_without(arrival, by=get_owner(home)).values())
    assert (before, None) == (nonzero_balances(home), home.arrivals.get().ended_at)
    imports.revert(arrival, by=get_owner(home))

    assert ({}, get_owner(home)) == (nonzero_balances(home), home.arrivals.get().ended_by)


def test_an_arrival_does_not_name_a_user_whose_account_is_deleted(home, cabin):
    import_file(home, export_text(cabin))
    home.arrivals.update(user=(user := make_user("otto")))
    erasure.delete_account(user)

    assert home.arrivals.get().user is None
