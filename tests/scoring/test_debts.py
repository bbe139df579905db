"""The law of debts (RULES 1.3): small tables by hand, random months, and a slow reading of the text.

`browser/test_debts.py` has the taps on the list; `money/test_debts.py` has the services and the ledger;
`money/views/test_debts.py` has the forms of the list.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.scoring.debts import (
    Debts,
    balances,
    change_basis,
    debts_between,
    merge_debts,
    reverse_entry,
    settle_entry,
    settle_fewest,
)
from games.scoring.ledger import Transfer
from tests.examples import examples
from tests.scoring.example_files import examples as example_texts
from tests.scoring.test_settlement import payments_by_rules

ORDER = ("ana", "beto", "caro", "dani", "eva", "fede", "gabi", "primo")
FOUR = ("ana", "beto", "caro", "primo")
Nets = Mapping[str, int]


def parse_debts(text: str) -> Debts:
    """Parse debts such as `beto>ana 4000, caro>ana 500`."""
    lines = [line.replace(">", " ").split() for line in text.split(",") if line.strip()]
    return tuple(Transfer(payer, payee, int(amount)) for payer, payee, amount in lines)


def pot_nets(winner: str, stake: int, people: Iterable[str] = FOUR) -> dict[str, int]:
    """Return the nets of a pot of everybody's stake."""
    losers = [player for player in people if player != winner]
    return {winner: stake * len(losers), **dict.fromkeys(losers, -stake)}


def payment_nets(payer: str, payee: str, amount: int) -> dict[str, int]:
    return {payer: amount, payee: -amount}


def debts_after(debts: Debts, differences: Nets, **others) -> Debts:
    """Return the debts after an entry whose people are those with a difference."""
    return settle_entry(debts, tuple(differences), differences, order=ORDER, **others)


class Entry(NamedTuple):
    """An entry: its people, and the debts among them before and after it."""

    people: tuple[str, ...]
    before: Debts
    after: Debts


def add_entry(debts: Debts, people: tuple[str, ...], nets: Nets, **others) -> tuple[Debts, Entry]:
    new_debts = settle_entry(debts, people, nets, order=ORDER, **others)
    return new_debts, Entry(people, debts_between(debts, people), debts_between(new_debts, people))


def change_game(debts: Debts, game: Entry, old: Nets, new: Nets, **others) -> tuple[Debts, Entry]:
    """Return the debts after a change of a game, and the game's last entry: the old one if nothing moved."""
    basis = change_basis(debts, *game, old, new, order=ORDER)
    new_debts, entry = add_entry(basis.debts, basis.people, basis.differences, **others)
    return new_debts, game if old == new else entry


# --- by example -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", example_texts("debts.txt"), ids=lambda text: text.partition("\n")[0])
def test_an_entry_leaves_the_debts_of_the_example(example):
    given = dict(re.findall(r"(?m)^(\w+):(.*)$", example))
    nets = {player: int(amount) for player, amount in re.findall(r"(\w+)=(-?\d+)", given["nets"])}
    others = {"visitors": given.get("visitors", "").split(), "claims": parse_debts(given.get("claims", ""))}
    assert parse_debts(given["left"]) == debts_after(parse_debts(given.get("before", "")), nets, **others)


def test_debts_are_listed_in_the_order_of_joining():
    debts = parse_debts("caro>dani 5, beto>ana 5, ana>gabi 5, ana>eva 5")
    assert parse_debts("ana>eva 5, ana>gabi 5, beto>ana 5, caro>dani 5") == settle_entry(
        debts, (), {}, order=ORDER
    )


def test_the_debts_of_merged_members_are_one_person_s():
    debts = parse_debts("ana>beto 100, beto>dani 70, caro>beto 40, dani>ana 50, eva>fede 9")
    assert parse_debts("beto>dani 20, caro>beto 40, eva>fede 9") == merge_debts(debts, "ana", "beto", ORDER)


@pytest.mark.parametrize("example", example_texts("fewest.txt"), ids=lambda text: text.partition("\n")[0])
def test_the_fewest_payments_are_those_of_the_example(example):
    given = dict(re.findall(r"(?m)^(\w+):(.*)$", example))
    people = given.get("among", " ".join(ORDER)).split()
    new_debts = settle_fewest(
        parse_debts(given["before"]), people, ORDER, claims=parse_debts(given.get("claims", ""))
    )
    assert parse_debts(given["left"]) == new_debts


# --- taking back and changing -----------------------------------------------------------------------------------------


def test_a_payment_taken_back_after_another_debt_is_netted_with_it():
    """Ana paid Beto 1000 and then won 500 from Beto."""
    payment = Entry(("ana", "beto"), before=parse_debts("ana>beto 1000"), after=())
    debts = reverse_entry(
        parse_debts("beto>ana 500"), *payment, payment_nets("ana", "beto", 1000), order=ORDER
    )
    assert parse_debts("ana>beto 500") == debts


def test_a_wrong_winner_corrected_after_a_payment_moves_only_the_difference():
    wrong, game = add_entry((), FOUR, pot_nets("beto", 1000), visitors=["primo"])
    since = debts_after(wrong, payment_nets("primo", "beto", 1000))
    late, _correction = change_game(
        since, game, pot_nets("beto", 1000), pot_nets("caro", 1000), visitors=["primo"]
    )
    assert parse_debts("ana>beto 1000, beto>caro 3000") == late


@pytest.mark.parametrize("loss", [0, 1000])
def test_somebody_whom_a_correction_adds_to_the_game_is_settled_with_everybody(loss):
    wrong = pot_nets("beto", 1000, ("ana", "beto", "caro"))
    right = {"ana": -2000, "beto": 3000 + loss, "caro": -1000, "dani": -loss}
    debts = parse_debts("dani>ana 10")
    new_debts, game = add_entry(debts, tuple(wrong), wrong)
    corrected, _correction = change_game(new_debts, game, wrong, right)
    assert debts_after(debts, right) == corrected


# --- laws over random entries -----------------------------------------------------------------------------------------


def some_debts(chance: random.Random, people: Sequence[str]) -> Debts:
    """Return debts between about half of all pairs."""
    pairs = [(player, other) for place, player in enumerate(people) for other in people[place + 1 :]]
    chosen = [chance.sample(pair, 2) for pair in pairs if chance.random() < 0.5]
    debts = tuple(Transfer(payer, payee, chance.randint(1, 6)) for payer, payee in chosen)
    return settle_entry(debts, (), {}, order=ORDER)


def some_nets(chance: random.Random, people: Sequence[str]) -> dict[str, int]:
    """Return nets that add up to zero; many are 0 or equal."""
    amounts = [chance.randint(-4, 4) for _player in people[1:]]
    return dict(zip(people, (*amounts, -sum(amounts)), strict=True))


def some_people(chance: random.Random, pool: Sequence[str] = ORDER) -> tuple[str, ...]:
    return tuple(chance.sample(pool, chance.randint(2, len(pool))))


def settle_by_rules(
    debts: Debts, people: Sequence[str], differences: Nets, visitors: Collection[str], claims: Debts
) -> set[Transfer]:
    """Settle an entry as in RULES, step by step, with a sheet of all debts."""
    sheet = {(debt.payer, debt.payee): debt.amount for debt in debts}
    apart: list[Transfer] = []
    nets = {player: differences.get(player, 0) for player in ORDER if player in people}
    guests = [player for player in people if player in visitors]
    if len(guests) == len(people):
        guests = []

    def add(line: Transfer) -> None:
        both = sheet.pop((line.payer, line.payee), 0) + line.amount - sheet.pop((line.payee, line.payer), 0)
        if both:
            sheet[(line.payer, line.payee) if both > 0 else (line.payee, line.payer)] = abs(both)

    for line in payments_by_rules(nets) if guests else ():
        if line.payer in guests or line.payee in guests:
            add(line)
            nets[line.payer] += line.amount
            nets[line.payee] -= line.amount
    others = {player: amount for player, amount in nets.items() if player not in guests}
    if any(others.values()):
        for claim in claims:
            pair = claim.payer, claim.payee
            if pair in sheet and {*pair} <= {*others}:
                apart.append(replace(claim, amount=min(claim.amount, sheet[pair])))
                sheet[pair] -= apart[-1].amount
        for payer, payee in [pair for pair in sheet if {*pair} <= {*others}]:
            others[payee] += sheet[payer, payee]
            others[payer] -= sheet.pop((payer, payee))
        for line in (*payments_by_rules(others), *apart):
            add(line)
    return {Transfer(*pair, amount) for pair, amount in sheet.items() if amount}


seeds = st.integers(0, 2**32).map(random.Random)


@examples(500)
@given(seeds)
def test_an_entry_is_settled_by_the_text(chance):
    debts, people = some_debts(chance, ORDER), some_people(chance, pool=ORDER[:7])
    nets, visitors = some_nets(chance, people), chance.sample(ORDER, chance.randint(0, 4))
    claims = [replace(debt, amount=chance.randint(1, 7)) for debt in debts if chance.random() < 0.3]
    claims += claims[:2]

    new_debts = settle_entry(debts, people, nets, visitors=visitors, claims=claims, order=ORDER)

    assert settle_by_rules(debts, people, nets, visitors, tuple(claims)) == set(new_debts)
    assert settle_entry(new_debts, (), {}, order=ORDER) == new_debts


@examples(300)
@given(seeds)
def test_taking_back_at_once_leaves_the_debts_as_they_were(chance):
    debts, people = some_debts(chance, ORDER), some_people(chance)
    nets, visitors = some_nets(chance, people), chance.sample(ORDER, 2)
    new_debts, entry = add_entry(debts, people, nets, visitors=visitors, claims=debts[::2])
    emptied, _correction = change_game(new_debts, entry, nets, dict.fromkeys(nets, 0))

    assert debts == reverse_entry(new_debts, *entry, nets, order=ORDER) == emptied


@examples(300)
@given(seeds)
def test_a_game_corrected_at_once_is_as_if_entered_right(chance):
    debts, people = some_debts(chance, ORDER), some_people(chance)
    about = {"visitors": chance.sample(ORDER, 3), "claims": debts[::2]}
    wrong, worse, right = (some_nets(chance, people) for _version in range(3))

    new_debts, entry = add_entry(debts, people, wrong, **about)
    new_debts, entry = change_game(new_debts, entry, wrong, worse, **about)
    new_debts, entry = change_game(new_debts, entry, worse, right, **about)

    assert settle_entry(debts, people, right, order=ORDER, **about) == new_debts


@examples(300)
@given(seeds)
def test_a_late_correction_taken_back_at_once_leaves_the_debts_as_they_were(chance):
    debts, people = some_debts(chance, ORDER), some_people(chance)
    wrong, right = some_nets(chance, people), some_nets(chance, people)
    new_debts, game = add_entry(debts, people, wrong)
    since, _payment = add_entry(new_debts, people[:2], payment_nets(people[0], people[1], 1000))

    late, correction = change_game(since, game, wrong, right)
    back, _undo = change_game(late, correction, right, wrong)

    assert since == back


@examples(300)
@given(seeds)
def test_late_changes_add_up_to_balances_and_touch_only_debts_of_who_took_part(chance):
    """An entry is reversed, a game corrected, or debts are settled anew, after other entries moved the debts."""
    debts, people = some_debts(chance, ORDER), some_people(chance)
    about = {"visitors": chance.sample(ORDER, 2), "claims": debts[::2]}
    old, new = some_nets(chance, people), some_nets(chance, people)
    new_debts, entry = add_entry(debts, people, old, **about)
    others = some_people(chance)
    since, _other = add_entry(new_debts, others, some_nets(chance, others), **about)
    corrected, _correction = change_game(since, entry, old, new, **about)
    for after_it, differences in (
        (
            reverse_entry(since, *entry, old, order=ORDER, **about),
            {player: -old[player] for player in people},
        ),
        (corrected, {player: new[player] - old[player] for player in people}),
        (settle_fewest(since, people, ORDER, claims=debts[::2]), {}),
    ):
        expected = Counter(balances(since))
        expected.update(differences)
        assert expected == Counter(balances(after_it))
        assert {end for debt in {*since} ^ {*after_it} for end in (debt.payer, debt.payee)} <= {*people}
        assert settle_entry(after_it, (), {}, order=ORDER) == after_it
        assert len(after_it) == len({frozenset((debt.payer, debt.payee)) for debt in after_it})
