"""The content of a rescue file (unsent entries of another phone) in words, table by table.

Each unsent entry is a fact: a round, a payment, a tick (a payment of one debt from a game or a night), or
another act that was recorded on the phone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext, ngettext

from games.models import Game, Member, StepKind, Table
from games.money.balances import People
from games.pocket.facts import GUEST, PUT, RECORD, START
from games.pocket.opening import OF_A_TABLE, OPENED
from games.pocket.payments import PAID, TURNED, Fact
from games.pocket.rescue import BroughtFact
from games.pocket.typed import OF_GAMES, TYPED
from games.shown.common.amounts import money
from games.shown.common.played import title_in_words

ANSWERS = (StepKind.CONFIRMED, StepKind.DISPUTED, StepKind.ACCEPTED, StepKind.UPHELD)
Paid = tuple[Member, Member, int]
Reader = Callable[[Mapping[str, str], Table], Paid | None]


@dataclass(frozen=True)
class TableContents:
    """The facts of one table, as lines of text.

    `code` is "" for a table that the user may not open, or that the site does not have yet (`is_new`).
    `refusal` is the reason why none of the facts can be recorded; "" if they can. `known` is the number of
    facts that the site has recorded already. `claims` is True if a payment will only count once it is
    confirmed. `answers` is True if a fact answers a payment, for example confirms it.
    """

    code: str
    name: str
    lines: Sequence[str]
    refusal: str = ""
    known: int = 0
    claims: bool = False
    answers: bool = False
    is_new: bool = False


def contents_of(
    facts: Sequence[BroughtFact],
    table: Table,
    people: People,
    games: Mapping[str, Game],
    read: Reader,
    refusal: str,
) -> TableContents:
    """Return the facts of a table that the user may open, in words.

    `games` has the table's games that the site knows, by the code that the facts use. `read` takes the fields
    of a posted payment form and the table, and returns the payer, the payee and the amount, or None if they
    cannot be read. `refusal` is the reason why the facts cannot be recorded, or "".
    """
    lines = [
        *_new_members(facts),
        *_games(facts, games),
        *_payments(facts, table, people, read),
        *_steps(facts),
        *_discarded(facts),
    ]
    return TableContents(
        table.code,
        table.name,
        lines,
        refusal,
        known=sum(fact.is_recorded for fact in facts),
        claims=any(map(_is_of_accounts, facts)),
        answers=any(map(_is_answer, facts)),
    )


def contents_of_new_table(facts: Sequence[BroughtFact]) -> TableContents:
    """Return, in words, the facts of a table that was created on the phone and is not at the site yet."""
    opening = next(fact.content for fact in facts if fact.kind == OPENED)
    table = Table(**{name: opening[name] for name in OF_A_TABLE})
    guests = (fact.content for fact in facts if fact.kind == GUEST)
    members = (Member(pk=place, slug=guest["slug"], name=guest["name"]) for place, guest in enumerate(guests))
    contents = contents_of(facts, table, People(tuple(members)), {}, lambda *_form: None, "")
    return replace(contents, code="", is_new=True)


def unseen_contents(facts: Sequence[BroughtFact], *, is_opened_here: bool) -> TableContents:
    """Return only the number of a table's facts, as a line of text, for a user who may not open the table.

    `is_opened_here` is True if one of the facts is the creation of the table itself. This fact has the key of
    the table's first game, so a user who has the file may know how many of the facts the site has recorded.
    Without this fact, that number is hidden.
    """
    line = ngettext("%(count)s entry", "%(count)s entries", len(facts)) % {"count": len(facts)}
    known = sum(fact.is_recorded for fact in facts) if is_opened_here else 0
    is_known = known == len(facts)
    sentence = gettext("This phone can't open that table: its entries are not recorded.")
    return TableContents("", "", [line], "" if is_known else sentence, known=known)


def _new_members(facts: Sequence[BroughtFact]) -> Iterator[str]:
    for fact in facts:
        if fact.kind == GUEST:
            yield gettext("New player: %(name)s") % {"name": fact.content["name"]}


def _games(facts: Sequence[BroughtFact], games: Mapping[str, Game]) -> Iterator[str]:
    """Yield a line for each game: the number of its entries or, for a game without any, that it was started.

    `games` has the games that the site knows, by code. Any other game has its name from the fact that started
    it, or is “Another game” if the file has no such fact.
    """
    entries = [fact for fact in facts if _is_of_game(fact)]
    titles = {fact.game: _title(fact) for fact in entries if fact.kind == START}
    titles |= {code: title_in_words(game.variant) for code, game in games.items()}
    for code, count in Counter(fact.game for fact in entries if fact.kind != START).items():
        sentence = ngettext("%(game)s: %(count)s entry", "%(game)s: %(count)s entries", count)
        yield sentence % {"game": titles.pop(code, gettext("Another game")), "count": count}
    for code in dict.fromkeys(fact.game for fact in entries if fact.kind == START):
        if code in titles:
            yield gettext("%(game)s: started") % {"game": titles[code]}


def _is_of_game(fact: BroughtFact) -> bool:
    return fact.kind in (START, RECORD) or (fact.kind == TYPED and fact.content["form"] in OF_GAMES)


def _title(fact: BroughtFact) -> str:
    (event, *_others) = fact.content["events"]
    return title_in_words(str(event["data"].get("variant", "")))


def _payments(facts: Sequence[BroughtFact], table: Table, people: People, read: Reader) -> Iterator[str]:
    for fact in facts:
        if is_payment(fact.content):
            yield payment_in_words(fact.content, table, people, read)


def is_payment(fact: Fact) -> bool:
    """Return whether the fact is a payment or a tick."""
    return fact["kind"] == PAID or (fact["kind"] == TYPED and fact["form"] not in OF_GAMES)


def payment_in_words(fact: Fact, table: Table, people: People, read: Reader) -> str:
    """Return a sentence with the payer, the payee and the amount of a payment or a tick.

    `read` returns these three from the fields of a posted form, or None if they cannot be read.
    """
    paid = read(fact["fields"], table) if fact["kind"] == TYPED else _paid(fact, people)
    if paid is None:
        return gettext("A payment that can't be read")
    payer, payee, amount = paid
    words = {"payer": payer.name, "payee": payee.name, "amount": money(amount, table)}
    return gettext("%(payer)s paid %(payee)s %(amount)s") % words


def _paid(fact: Fact, people: People) -> Paid | None:
    payer, payee = (people.by_slug.get(fact[end]) for end in ("payer", "payee"))
    return None if payer is None or payee is None else (payer, payee, fact["amount"])


def _steps(facts: Sequence[BroughtFact]) -> Iterator[str]:
    turned = [fact for fact in facts if fact.kind == TURNED]
    answers = sum(map(_is_answer, turned))
    changes = len(turned) - answers
    if changes:
        yield ngettext("%(count)s change to a payment", "%(count)s changes to payments", changes) % {
            "count": changes
        }
    if answers:
        yield ngettext("%(count)s answer to a payment", "%(count)s answers to payments", answers) % {
            "count": answers
        }


def _discarded(facts: Sequence[BroughtFact]) -> Iterator[str]:
    count = sum(fact.kind in PUT for fact in facts)
    if count:
        sentence = ngettext(
            "%(count)s game discarded or restored", "%(count)s games discarded or restored", count
        )
        yield sentence % {"count": count}


def _is_answer(fact: BroughtFact) -> bool:
    return fact.kind == TURNED and fact.content["turn"] in [str(answer) for answer in ANSWERS]


def _is_of_accounts(fact: BroughtFact) -> bool:
    """Return whether the fact is a payment of no particular game or night.

    Such a payment does not count until it is confirmed. A tick, which belongs to a game or a night, counts
    at once.
    """
    if fact.kind == PAID:
        return not fact.game and fact.content["night"] is None
    if fact.kind != TYPED or fact.content["form"] in OF_GAMES:
        return False
    return not fact.game and not fact.content["fields"].get("night")
