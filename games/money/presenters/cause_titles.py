"""The titles of what moved a balance: the lines of reasons, statements, messages and the API (`CauseTitles`).

A title names the other people, because two lines that differ must read differently. It depends on whose line
it is (`side`) and who reads it (`reader`), both the slugs of present members. Without a `side` it is told for
everybody, without a `reader` nobody is *you*.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import days, game_labels, naming
from games.models import Entry, EntryKind, Game, Member, Method, Payment, Result, SharedCost, Table
from games.money.presenters import account_display, expense_display
from games.money.services import entry_rows, expenses
from games.money.services.balance_causes import BalanceCause, CauseId
from games.scoring.variants.notebook import NOTEBOOK
from games.tables.services.roster import People

MOST_NAMED = 3  # winners or creditors named one by one


@dataclass(frozen=True)
class GameOutcome:
    """The winners of a finished game in joining order, and whether its stakes were refunded."""

    winners: tuple[Member, ...]
    is_refunded: bool


@dataclass(frozen=True)
class CauseTitles:
    """The rows of some causes of one table, and the titles made from them.

    `costs` are the current versions of expenses, by the ids of their first ones.
    """

    table: Table
    people: People
    games: Mapping[int, Game]
    outcomes: Mapping[int, GameOutcome]
    payments: Mapping[int, Payment]
    costs: Mapping[int, SharedCost]

    @classmethod
    def load(cls, causes: Iterable[CauseId], table: Table, people: People) -> CauseTitles:
        """Read the rows of these causes: a query for each kind among them, and one for the winners."""
        ids: dict[str, set[int]] = defaultdict(set)
        for kind, pk in causes:
            ids[kind].add(pk)
        games = table.games.in_bulk(ids["game"])
        payments, costs = table.payments.in_bulk(ids["payment"]), expenses.load_current(ids["cost"], table)
        return cls(table, people, games, _load_outcomes(games, people), payments, costs)

    @classmethod
    def of_entries(cls, entries: Iterable[Entry], table: Table, people: People) -> CauseTitles:
        """Take the rows from entries that have them already, and read the games' winners."""
        games = {entry.game.pk: entry.game for entry in entries if entry.game is not None}
        payments = {entry.payment.pk: entry.payment for entry in entries if entry.payment is not None}
        costs = {entry.cost.pk: entry.cost for entry in entries if entry.cost is not None}
        costs |= expenses.load_current([pk for pk, cost in costs.items() if cost.replaced_at], table)
        return cls(table, people, games, _load_outcomes(games, people), payments, costs)

    # --- causes -------------------------------------------------------------------------------------------------------

    def title(self, cause: CauseId, side: str = "", reader: str = "") -> str:
        kind, pk = cause
        match kind:
            case "game":
                return self._game_title(self.games[pk], reader)
            case "payment":
                return self._payment_title(self.payments[pk], side)
            case "cost":
                return self._expense_title(self.costs[pk], side, reader)
        return _("Starting balances")

    def reason_titles(
        self, reasons: Sequence[BalanceCause], side: str, reader: str = ""
    ) -> dict[CauseId, str]:
        """Return the titles of a person's reasons. Titles that are the same on one night are told apart."""
        titles = {}
        for reason in reasons:
            title = self.title(reason.cause, side, reader)
            if reason.cause[0] == "game" and self.games[reason.cause[1]].spot_nets is not None:
                title = _("%(game)s, apart from what was paid on the spot") % {"game": title}
            if reason.is_rest:
                title = _("%(title)s, what was corrected since") % {"title": title}
            titles[reason.cause] = title
        lines = [(reason.night, titles[reason.cause], self._moment(reason.cause)) for reason in reasons]
        return dict(zip(titles, self._distinct(lines), strict=True))

    def named_slugs(self, cause: CauseId, side: str = "") -> list[str]:
        """Return the ids of the people that the title names."""
        kind, pk = cause
        if kind == "game":
            outcome = None if _is_imported(self.games[pk]) else self.outcomes.get(pk)
            winners = outcome.winners if outcome else ()
            return [member.slug for member in (winners if len(winners) <= MOST_NAMED else winners[:2])]
        if kind == "payment":
            ends = self.people.slug_pair(self.payments[pk])
            return [slug for slug in ends if slug != side]
        if kind == "cost":
            cost = self.costs[pk]
            payers = [member.slug for member in expenses.current_payers(cost, self.people)]
            if not cost.is_forgiven or side not in payers:
                return payers
            creditors = [member.slug for member in expenses.current_shares(cost, self.people)]
            return creditors if len(creditors) <= MOST_NAMED else []
        return []

    def url(self, cause: CauseId) -> str:
        """Return the URL of a cause's page. Starting balances have none: "" for them."""
        kind, pk = cause
        match kind:
            case "game":
                return game_labels.game_url(self.games[pk])
            case "payment":
                return account_display.payment_url(self.payments[pk], self.table)
            case "cost":
                return expense_display.expense_url(self.costs[pk], self.table)
        return ""

    # --- entries ------------------------------------------------------------------------------------------------------

    def entry_titles(self, entries: Sequence[Entry], side: str = "", reader: str = "") -> list[str]:
        """Return the titles of these entries, told apart. A later entry of a cause has its day."""
        lines = []
        for entry in entries:
            cause = entry_rows.entry_cause(entry)
            lines.append(
                (entry.night, self._entry_title(entry, cause, side, reader), cause and self._moment(cause))
            )
        return self._distinct(lines)

    def _entry_title(self, entry: Entry, cause: CauseId | None, side: str, reader: str) -> str:
        kind = EntryKind(entry.kind)
        title = _plain_title(kind) if cause is None else self.title(cause, side, reader)
        if kind is EntryKind.ON_THE_SPOT:
            return _("%(game)s, paid on the spot") % {"game": title}
        text = _later_text(kind)
        return text % {"title": title, "day": days.format_day(days.night_for(entry.at, self.table))}

    # --- the kinds ----------------------------------------------------------------------------------------------------

    def _game_title(self, game: Game, reader: str) -> str:
        outcome = self.outcomes.get(game.pk)
        if _is_imported(game):
            night = days.format_day(date.fromordinal(game.night_number))
            return _("Night of %(day)s, imported") % {"day": night}
        name = {"game": game_labels.game_label(game)}
        if outcome is None:  # it is not over, or was deleted
            return name["game"]
        if not outcome.winners:
            if outcome.is_refunded:
                return _("%(game)s, refunded") % name
            return (_("%(game)s, split pot") if game.pot else _("%(game)s nobody won")) % name
        if [member.slug for member in outcome.winners] == [reader]:
            return _("%(game)s you won") % name
        text = ngettext("%(game)s won by %(names)s", "%(game)s won by %(names)s", len(outcome.winners))
        return text % {**name, "names": _join(outcome.winners, reader)}

    def _payment_title(self, payment: Payment, side: str) -> str:
        payer, payee = (self.people.by_pk[pk] for pk in (payment.payer_id, payment.payee_id))
        if payer == payee:  # they were merged since: the names they had
            rows = {member.pk: member for member in self.people.members}
            payer, payee = rows[payment.payer_id], rows[payment.payee_id]
        names = {"payer": naming.isolate(payer.name), "payee": naming.isolate(payee.name)}
        is_forgiven = payment.method == Method.FORGIVEN
        if side == payer.slug:
            return (_("Forgiven by %(payee)s") if is_forgiven else _("Payment to %(payee)s")) % names
        if side == payee.slug:
            return (_("Forgave %(payer)s") if is_forgiven else _("Payment from %(payer)s")) % names
        text = _("%(payee)s forgave %(payer)s") if is_forgiven else _("Payment from %(payer)s to %(payee)s")
        return text % names

    def _expense_title(self, cost: SharedCost, side: str, reader: str) -> str:
        payers = tuple(expenses.current_payers(cost, self.people))
        if cost.is_forgiven:
            return self._forgiveness_title(cost, payers[0], side, reader)
        if [payer.slug for payer in payers] == [reader]:
            return (_("%(note)s, paid by you") if cost.note else _("Expense you paid")) % {"note": cost.note}
        if cost.note:
            text = ngettext("%(note)s, paid by %(names)s", "%(note)s, paid by %(names)s", len(payers))
        else:
            text = ngettext("Expense paid by %(names)s", "Expense paid by %(names)s", len(payers))
        return text % {"note": cost.note, "names": _join(payers, reader)}

    def _forgiveness_title(self, cost: SharedCost, debtor: Member, side: str, reader: str) -> str:
        creditors = tuple(expenses.current_shares(cost, self.people))
        if side in {member.slug for member in creditors}:
            text = ngettext("Forgave %(name)s", "Forgave %(name)s, one of %(count)s", len(creditors))
            return text % {"name": naming.isolate(debtor.name), "count": len(creditors)}
        by = str(len(creditors)) if len(creditors) > MOST_NAMED else _join(creditors, reader)
        if side == debtor.slug:
            return _("Forgiven by %(payee)s") % {"payee": by}
        return _("%(name)s, forgiven by %(names)s") % {"name": naming.isolate(debtor.name), "names": by}

    # --- telling apart ------------------------------------------------------------------------------------------------

    def _moment(self, cause: CauseId) -> datetime | None:
        """Return the time that tells this cause apart from another one of its night."""
        kind, pk = cause
        if kind == "game":
            return self.games[pk].ended_at
        if kind == "payment" and self.payments[pk].paid_on is None:
            return self.payments[pk].made_at
        return None

    def _distinct(self, lines: Sequence[tuple[date, str, datetime | None]]) -> list[str]:
        """Return the titles of these lines, with a time or a number if others of their night are the same."""
        places: dict[tuple[date, str], list[int]] = defaultdict(list)
        for place, (night, title, _moment) in enumerate(lines):
            places[night, title].append(place)
        titles = [title for _night, title, _moment in lines]
        for same in places.values():
            moments = [lines[place][2] for place in same]
            times = [days.format_time(moment, self.table) if moment else "" for moment in moments]
            is_by_time = all(times) and len({*times}) == len(times)
            for number, place in enumerate(same if len(same) > 1 else (), start=1):
                text = "%(title)s, %(time)s" if is_by_time else _("%(title)s, no. %(number)s")
                about = {"title": titles[place], "time": times[number - 1], "number": number}
                titles[place] = text % about
        return titles


def _is_imported(game: Game) -> bool:
    return game.variant.partition(":")[0] == NOTEBOOK.key


def _load_outcomes(games: Mapping[int, Game], people: People) -> Mapping[int, GameOutcome]:
    """Return the outcome of each of these games that is over and was not deleted."""
    if not games:
        return {}
    winners: dict[int, list[Member]] = defaultdict(list)
    is_refunded: dict[int, bool] = {}
    rows = Result.objects.filter(game__in=games).order_by("member")
    for game, member, place, won in rows.values_list("game", "member", "place", "won"):
        is_refunded[game] = place is None
        if won:
            winners[game].append(people.by_pk[member])
    return {game: GameOutcome(tuple(winners[game]), refunded) for game, refunded in is_refunded.items()}


def _join(members: Sequence[Member], reader: str) -> str:
    """Return the names joined, the reader as “you” at the end; of more than MOST_NAMED, two and a number."""
    ordered = sorted(members, key=lambda member: member.slug == reader)
    names = [_("you") if member.slug == reader else naming.isolate(member.name) for member in ordered]
    if len(names) <= MOST_NAMED:
        return naming.join_names(names)
    return _("%(names)s and %(count)s more") % {"names": ", ".join(names[:2]), "count": len(names) - 2}


def _later_text(kind: EntryKind) -> str:
    match kind:
        case EntryKind.CORRECTED:
            return _("%(title)s, corrected %(day)s")
        case EntryKind.REOPENED:
            return _("%(title)s, reopened %(day)s")
        case EntryKind.DISCARDED:
            return _("%(title)s, deleted %(day)s")
        case EntryKind.RESTORED:
            return _("%(title)s, restored %(day)s")
        case EntryKind.UNPAID | EntryKind.UNSHARED | EntryKind.UNOPENED:
            return _("%(title)s, voided %(day)s")
    return "%(title)s"


def _plain_title(kind: EntryKind) -> str:
    """Return the title of an entry without a game, a payment or an expense."""
    return {
        EntryKind.MERGED: _("Members merged"),
        EntryKind.PARTED: _("Merge undone"),
        EntryKind.SIMPLIFIED: _("Debts settled anew"),
        EntryKind.REPAIRED: _("Repaired"),
    }.get(kind) or _("Starting balances")
