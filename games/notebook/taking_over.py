"""An old notebook taken over: its nights written as games that are over, all at once; all or one taken back. Only writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import now

from games.chain import chain_payments
from games.changes import tell
from games.keys import check_key
from games.locks import lock
from games.models import (
    KEY_LENGTH,
    Because,
    Change,
    Game,
    Member,
    Method,
    Payment,
    Result,
    Season,
    Table,
    Turn,
    What,
)
from games.money.booking import note_steps
from games.money.plans import replanned
from games.names import Alike
from games.nights import season_among
from games.notebook.old_games import OldGame, Outlook
from games.notebook.spellings import remember
from games.people.members import add_member
from games.play.writer import Batch, Whole, insert_results, store
from games.scoring.ledger import payments

BEGINS = time(21)
BETWEEN = timedelta(minutes=1)  # several games of one night follow each other as in the notebook
NUMBERED = 6  # letters of a key behind the form's own


class StaleOutlook(Exception):
    """The table is not what it was when the person looked: `outlook` is what taking over would bring now."""

    def __init__(self, outlook: Outlook) -> None:
        super().__init__("the outlook is another by now")
        self.outlook = outlook


def take_over(
    table: Table,
    look: Callable[[], Outlook],
    *,
    seen: str,
    paid: bool,
    key: str,
    by: User,
    at: datetime | None = None,
) -> int:
    """How many games the notebook brought, as `look` finds them and the person has `seen` them.

    With `paid` the money of each night was paid on the table then, and nobody owes anything of it. The same key takes
    over once.
    """
    check_key(key, longest=KEY_LENGTH - NUMBERED)
    newest = Table.objects.values_list("newest_change", flat=True).get(pk=table.pk)
    outlook = look()  # which takes long, and before anybody has to wait
    with transaction.atomic():
        held = lock(table)
        known = _brought(table, key).count()
        if known:
            return known
        if held.newest_change != newest:
            outlook = look()
        return _take_over(table, outlook, seen=seen, paid=paid, key=key, by=by, at=at)


def _take_over(
    table: Table, outlook: Outlook, *, seen: str, paid: bool, key: str, by: User, at: datetime | None
) -> int:
    if outlook.problems or outlook.seen != seen:
        raise StaleOutlook(outlook)
    for pair in outlook.pairs:
        if pair.is_same is None:
            raise Alike(pair.name, pair.other)
    for slug, name in outlook.newcomers.items():
        assert slug == add_member(table, name, apart=outlook.apart, is_imported=True).slug
    taken_at = at or now()
    with replanned(table, Because.IMPORTED, at=taken_at):
        _write(table, outlook.games, paid=paid, key=key, by=by, at=taken_at)
    members = {member.slug: member for member in table.members.all()}
    written = {name: members[slug] for name, slug in outlook.spellings.items()}
    remember(table, written, forgotten=outlook.apart)
    return len(outlook.games)


@transaction.atomic
def take_back(table: Table, *, key: str, by: User, at: datetime | None = None) -> int:
    """How many games of one taking over were discarded, and what was noted as paid for them cancelled."""
    check_key(key, longest=KEY_LENGTH - NUMBERED)
    lock(table)
    games = _brought(table, key).filter(discarded_at=None)
    count = games.count()
    gone_at = at or now()
    with replanned(table, Because.DISCARDED, at=gone_at):
        _take_away(table, games, by=by, at=gone_at)
    return count


@transaction.atomic
def take_night_away(game: Game, *, by: User, at: datetime | None = None) -> None:
    """Discards one of the nights, and cancels what was noted as paid for it."""
    lock(game.table)
    games = Game.objects.filter(pk=game.pk, discarded_at=None)
    gone_at = at or now()
    with replanned(game.table, Because.DISCARDED, game=game, at=gone_at):
        _take_away(game.table, games, by=by, at=gone_at)


@transaction.atomic
def bring_night_back(game: Game, *, by: User, at: datetime | None = None) -> None:
    """Brings a night back as it was taken away: its results, and what was cancelled with it."""
    lock(game.table)
    game.refresh_from_db(fields=["discarded_at"])
    if game.discarded_at is None:
        return
    back_at = at or now()
    with replanned(game.table, Because.RESTORED, game=game, at=back_at):
        paid = list(
            game.payments.filter(cancelled_at=game.discarded_at).select_related("table").order_by("pk")
        )
        game.payments.filter(cancelled_at=game.discarded_at).update(cancelled_at=None, cancelled_by=None)
        insert_results([(game, game.state())])
        game.discarded_at = None
        game.save(update_fields=["discarded_at"])
    tell(game.table, Change(what=What.GAME_RESTORED, game=game))
    note_steps(paid, Turn.RESTORED, by=by, at=back_at)


def _take_away(table: Table, games: QuerySet[Game], *, by: User, at: datetime) -> None:
    paid = Payment.objects.filter(game__in=games, cancelled_at=None).select_related("table").order_by("pk")
    tell(table, *(Change(what=What.GAME_DISCARDED, game=game) for game in games.order_by("pk")))
    note_steps(paid, Turn.DISCARDED, by=by, at=at)
    paid.update(confirmed_at=None, cancelled_at=at, cancelled_by=by)
    Result.objects.filter(game__in=games).delete()
    games.update(discarded_at=at)


def _brought(table: Table, key: str) -> QuerySet[Game]:
    return table.games.filter(key__startswith=f"{key}:")


def _write(
    table: Table, old_games: Sequence[OldGame], *, paid: bool, key: str, by: User, at: datetime
) -> None:
    members = {member.slug: member for member in table.members.all()}
    seasons = list(table.seasons.all())
    begun: dict[object, int] = {}
    wholes, paid_then = [], list[Payment]()
    for number, found in enumerate(old_games, start=1):
        place = begun[found.night.day] = begun.get(found.night.day, -1) + 1
        game = _row(table, seasons, found, key=f"{key}:{number}", after=place * BETWEEN, at=at)
        wholes.append(Whole(game, [Batch(0, (found.event,), game.key, game.started_at, by)], found.state))
        if paid:
            paid_then += _paid(game, found, members, by, at)
    store(wholes, members)
    Payment.objects.bulk_create(paid_then)
    chain_payments(table, paid_then)
    tell(
        table,
        *(Change(what=What.GAME_ADDED, game=whole.game) for whole in wholes),
        *(Change(what=What.PAYMENT_RECORDED, payment=payment) for payment in paid_then),
    )


def _row(
    table: Table, seasons: Sequence[Season], found: OldGame, *, key: str, after: timedelta, at: datetime
) -> Game:
    day = found.night.day
    evening = datetime.combine(day, BEGINS, ZoneInfo(table.timezone)) + after
    return Game(
        table=table,
        season=season_among(seasons, day),
        key=key,
        started_at=min(evening, at),  # who writes down tonight before nine played earlier than that
        night_number=day.toordinal(),
    )


def _paid(game: Game, found: OldGame, members: dict[str, Member], by: User, at: datetime) -> list[Payment]:
    """What was paid on the table that night, so that nobody owes anything of it."""
    return [
        Payment(
            table=game.table, payer=members[line.payer], payee=members[line.payee], amount=line.amount,
            method=Method.CASH, game=game, key=game.key,
            made_at=game.started_at, recorded_at=at, recorded_by=by,
        )
        for line in payments(found.state)
    ]  # fmt: skip
