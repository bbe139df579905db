"""The effect of bringing a table's file into a table that exists: games, payments, costs, and the people in them.

This module reads from the database and writes nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import sha256
from itertools import chain

from django.contrib.auth.models import User

from games.book import Content
from games.book import contents as contents_of
from games.models import (
    NAME_LENGTH,
    Entry,
    EntryKind,
    Game,
    Member,
    Method,
    Payment,
    Record,
    Role,
    SharedCost,
    Table,
)
from games.money.balances import People
from games.money.opening import BACK, standing_among
from games.money.payments import acts_of, check_recorder
from games.money.spot import mark_paid_on_the_spot
from games.names import isolated, likeness, read_name, slug_for, without_accents
from games.nights import season_among
from games.notebook.contents import Contents
from games.notebook.folding import as_now
from games.notebook.played import called
from games.people.members import newcomers
from games.play.writer import Batch, Whole
from games.rows import grouped
from games.scoring.errors import RuleError
from games.scoring.events import Player
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.scoring.text.codec import from_data, with_players
from games.scoring.words import Amount, Text, _

NEW = "+"  # the answer that a person of the file is new at the table
MOST_ROWS = 600  # games, payments and costs brought at once: others wait for up to three seconds


@dataclass(frozen=True)
class Question:
    """A person of the file of whom it is not sure who they are here.

    `answer` is the slug of a member, NEW for somebody new, or "" as long as nobody was chosen.
    """

    slug: str
    name: str
    answer: str


@dataclass
class Coming:
    """The effect of bringing a file. With open questions, only these are known.

    `longer` are games that are here, with what the file has more of them. `later` are payments and costs that
    are here, each with that of the file, which was confirmed or taken back there. `known` counts what is here
    already, `behind` what was discarded or taken back in the file, and `left` names what differs.
    """

    digest: str
    questions: list[Question] = field(default_factory=list)
    newcomers: list[Member] = field(default_factory=list)
    games: list[Whole] = field(default_factory=list)
    longer: list[Whole] = field(default_factory=list)
    payments: list[Payment] = field(default_factory=list)
    costs: list[SharedCost] = field(default_factory=list)
    openings: list[Entry] = field(default_factory=list)
    later: list[tuple[Payment | SharedCost, Payment | SharedCost]] = field(default_factory=list)
    known: int = 0
    behind: int = 0
    left: list[Text] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """True as long as a question has no answer."""
        return any(not question.answer for question in self.questions)

    @property
    def count(self) -> int:
        """The number of rows that come or change."""
        games, money = (*self.games, *self.longer), (*self.payments, *self.costs, *self.openings)
        return len(games) + len(money) + len(self.later)

    @property
    def seen(self) -> str:
        """A digest of the whole preview. Any change of the preview changes the digest."""
        parts = [
            [(question.slug, question.answer) for question in self.questions],
            [(whole.game.key, whole.batches[0].after) for whole in (*self.games, *self.longer)],
            [payment.key for payment in self.payments],
            [cost.key for cost in self.costs],
            [entry.key for entry in self.openings],
            [row.pk for row, _row in self.later],
            [member.name for member in self.newcomers],
        ]
        return sha256(json.dumps([self.digest, parts]).encode()).hexdigest()[:16]


def coming_from(
    table: Table, contents: Contents, answers: Mapping[str, str], *, by: User, at: datetime
) -> Coming:
    """Return what the file brings into the table if this owner brings it at this moment.

    `answers` says who people of the file are here, by their slugs there. Raise RuleError if the file counts in
    other money, or brings too much at once.
    """
    if (contents.table.unit, contents.table.decimals) != (table.unit, table.decimals):
        raise RuleError(
            _(
                "This file counts in {theirs}, this table in {ours}.",
                theirs=contents.table.unit,
                ours=table.unit,
            )
        )
    return _Reader(table, contents, answers, by=by, at=at).read()


class _Reader:
    """A reader that compares the rows of a file with those of the table, one after the other."""

    def __init__(
        self, table: Table, contents: Contents, answers: Mapping[str, str], *, by: User, at: datetime
    ) -> None:
        self._table, self._contents, self._by, self._at = table, contents, by, at
        self._here = People.of(table)
        self._seasons = list(table.seasons.all())
        self._coming = Coming(contents.digest)
        chosen = dict(self._chosen(answers))
        self._players = self._players_of(chosen)  # who the people of the file are here, by their slugs there
        self._ids = {slug: player.id for slug, player in self._players.items()}
        self._own = {slug: Player(member.slug, member.name) for slug, member in self._here.by_slug.items()}

    def read(self) -> Coming:
        """Return what comes."""
        if self._coming.is_open:
            return self._coming
        new = {self._players[slug].id: self._players[slug].name for slug in self._contents.members}
        new = {slug: name for slug, name in new.items() if slug not in self._here.by_slug}
        arriving = newcomers(self._table, self._here.members, new)
        self._members = {**self._here.by_slug, **{member.slug: member for member in arriving}}
        self._read_games()
        self._read_payments()
        self._read_costs()
        self._read_openings()
        named = set(self._named_in_what_comes())
        self._coming.newcomers = [member for member in arriving if member.slug in named]
        if self._coming.count > MOST_ROWS:
            raise RuleError(_("At most {most} games and payments can be brought at once.", most=MOST_ROWS))
        return self._coming

    # --- people -------------------------------------------------------------------------------------------------------

    def _chosen(self, answers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield who each person of the file is here, by their slug there, and note the questions."""
        people = {
            slug: member for slug, member in self._contents.members.items() if member.merged_into is None
        }
        guesses = {slug: self._guess(member) for slug, member in people.items()}
        counts = Counter(guesses.values())
        sure = {slug: one for slug, one in guesses.items() if one not in (NEW, "") and counts[one] == 1}
        yield from sure.items()
        unsure = set(self._named()) - set(sure)
        own = {member.slug for member in self._here.own} - set(sure.values())
        wanted = {slug: answers.get(slug, NEW if guesses[slug] == NEW else "") for slug in unsure}
        counts = Counter(wanted.values())
        for slug in people:
            if slug in sure:
                continue
            answer = wanted.get(slug, NEW)
            is_clear = answer == NEW or (answer in own and counts[answer] == 1)
            yield slug, answer if is_clear else NEW
            if slug in unsure:
                self._coming.questions.append(Question(slug, people[slug].name, answer if is_clear else ""))

    def _guess(self, person: Member) -> str:
        """Return the slug of the member who this person of the file is, NEW, or "" if it is not sure."""
        if self._table.identity == self._contents.table.identity and person.slug in self._here.by_slug:
            return self._here.by_slug[person.slug].slug
        for alike in (likeness, without_accents):
            name = alike(person.name)
            member = next((one for one in self._here.members if alike(one.name) == name), None)
            if member is not None:
                return self._here.by_pk[member.pk].slug if alike is likeness else ""
        return NEW

    def _players_of(self, chosen: Mapping[str, str]) -> dict[str, Player]:
        players: dict[str, Player] = {}
        taken = {member.slug for member in self._here.members}
        for slug, answer in chosen.items():
            if answer == NEW:
                name = read_name(self._contents.members[slug].name, longest=NAME_LENGTH)
                players[slug] = Player(slug_for(name, taken), name)
                taken.add(players[slug].id)
            else:
                players[slug] = Player(answer, self._here.by_slug[answer].name)
        now = {slug: self._contents.person(member).slug for slug, member in self._contents.members.items()}
        return {slug: players[now[slug]] for slug in now}

    def _named(self) -> Iterator[str]:
        """Yield the slugs of the present people of the file who are in a row that counts."""
        contents = self._contents
        slugs = chain(
            *(_seated(whole.state) for whole in contents.games if whole.game.discarded_at is None),
            *((row.payer.slug, row.payee.slug) for row in contents.payments if row.ended_at is None),
            *((row.payer.slug, *row.sharers) for row in contents.costs if row.counts),
            *(entry.differences for entry in standing_among(contents.entries)),
        )
        return (contents.person(contents.members[slug]).slug for slug in slugs)

    def _named_in_what_comes(self) -> Iterator[str]:
        coming = self._coming
        return chain(
            *(_seated(whole.state) for whole in (*coming.games, *coming.longer)),
            *((row.payer.slug, row.payee.slug) for row in coming.payments),
            *((row.payer.slug, *row.sharers) for row in coming.costs),
            *(entry.differences for entry in coming.openings),
        )

    # --- games --------------------------------------------------------------------------------------------------------

    def _read_games(self) -> None:
        known = {game.key: game for game in self._table.games.all()}
        games = [known[whole.game.key] for whole in self._contents.games if whole.game.key in known]
        records = Record.objects.filter(game__in=games).order_by("game", "number")
        rows = grouped(
            (game, (key, (kind, with_players(data, self._own))))
            for game, key, kind, data in records.values_list("game", "key", "kind", "data")
        )
        for whole in self._contents.games:
            game = known.get(whole.game.key)
            if whole.game.discarded_at is not None:
                self._coming.behind += 1
            elif game is None:
                self._coming.games.append(self._moved(whole, self._new_game(whole)))
            else:
                game.table = self._table
                self._compare(game, self._moved(whole, game), rows[game.pk])

    def _new_game(self, whole: Whole) -> Game:
        """Return the row of a game that comes, with the mark *paid on the spot* of the file."""
        row = whole.game
        game = Game(
            table=self._table,
            season=season_among(self._seasons, date.fromordinal(row.night_number)),
            code=row.code,
            key=row.key,
            started_at=row.started_at,
            night_number=row.night_number,
        )
        if row.spot_nets is not None:
            mark_paid_on_the_spot(game, as_now(row.spot_nets, self._ids), by=self._by, at=self._at)
        return game

    def _moved(self, whole: Whole, game: Game) -> Whole:
        """Return a game of the file with the people of this table, recorded by who brings it."""
        batches = [
            Batch(
                batch.after,
                tuple(
                    from_data(kind, with_players(data, self._players))
                    for kind, data in contents_of(batch.events)
                ),
                *(batch.key, batch.at, self._by, self._at),
            )
            for batch in whole.batches
        ]
        is_alike = all(slug == self._ids[slug] for slug in _seated(whole.state))
        state = whole.state if is_alike else replay([event for batch in batches for event in batch.events])
        return Whole(game, batches, state)

    def _compare(self, game: Game, theirs: Whole, rows: Sequence[tuple[str | None, Content]]) -> None:
        """Note whether a game that is here has everything, or is continued by that of the file, or differs."""
        here = [content for _key, content in rows]
        there = contents_of(event for batch in theirs.batches for event in batch.events)
        rest = [batch for batch in theirs.batches if batch.after >= len(here)]
        is_continued = game.discarded_at is None and rest and rest[0].after == len(here)
        if here[: len(there)] != there[: len(here)]:
            is_continued = False
        elif len(there) <= len(here):
            self._coming.known += 1
            return
        if is_continued and {batch.key for batch in rest}.isdisjoint(key for key, _content in rows):
            self._coming.longer.append(Whole(game, rest, theirs.state))
        else:
            self._leave(called(theirs.batches[0].events[0], date.fromordinal(game.night_number)))

    # --- money --------------------------------------------------------------------------------------------------------

    def _read_payments(self) -> None:
        known = {(row.key, *self._here.slugs_of(row)): row for row in self._table.payments.all()}
        for row in self._contents.payments:
            payer, payee = (self._members[self._ids[end.slug]] for end in (row.payer, row.payee))
            where = _money(row.amount, payer, payee)
            here = known.get((row.key, payer.slug, payee.slug))
            if here is not None:
                self._compare_payments(here, row, where)
            elif row.ended_at is not None:
                self._coming.behind += 1
            else:
                try:
                    check_recorder(payer, payee, Method(row.method), by=self._by, role=Role.OWNER)
                except RuleError as refusal:
                    self._leave(where, refusal.text)
                else:
                    self._coming.payments.append(self._moved_payment(row, payer, payee))

    def _moved_payment(self, row: Payment, payer: Member, payee: Member) -> Payment:
        """Return a payment of the file for this table. One that its payer brings waits for the payee's answer."""
        is_own = payer.is_of(self._by) and payee.has_phone
        is_confirmed, is_disputed = row.confirmed_at and not is_own, row.disputed_at is not None
        return Payment(
            table=self._table, payer=payer, payee=payee, amount=row.amount, method=row.method, note=row.note,
            key=row.key, made_at=row.made_at, paid_on=row.paid_on, recorded_at=row.recorded_at,
            arrived_at=self._at, recorded_by=self._by, is_claim=row.is_claim or is_own,
            confirmed_at=row.confirmed_at if is_confirmed else None,
            confirmed_by=self._by if is_confirmed else None,
            disputed_at=row.disputed_at, disputed_by=self._by if is_disputed else None, objection=row.objection,
        )  # fmt: skip

    def _compare_payments(self, here: Payment, there: Payment, where: Text) -> None:
        """Note whether a payment that is here was confirmed or taken back in the file, or differs."""
        if (here.amount, here.method) != (there.amount, there.method):
            self._leave(where)
        elif here.ended_at is not None or here.state is there.state:
            self._coming.known += 1
        elif there.ended_at is not None:
            self._coming.later.append((here, there))
        elif _answered_at(here) >= _answered_at(there):
            self._coming.known += 1
        elif there.counts and acts_of(here, self._here, by=self._by, role=Role.OWNER).may_confirm:
            self._coming.later.append((here, there))
        else:
            self._leave(where)

    def _read_costs(self) -> None:
        known = {row.key: row for row in self._table.costs.all()}
        for row in self._contents.costs:
            payer = self._members[self._ids[row.payer.slug]]
            named = {self._ids[slug] for slug in row.sharers}
            sharers = [slug for slug in self._members if slug in named]
            where = _money(row.amount, payer)
            here = known.get(row.key)
            if here is None and row.ended_at is not None:
                self._coming.behind += 1
            elif here is None and row.is_forgiven and payer.is_of(self._by):
                self._leave(where, _("You can't record that your own debt is forgiven."))
            elif here is None:
                self._coming.costs.append(
                    SharedCost(
                        table=self._table,
                        night=row.night,
                        payer=payer,
                        amount=row.amount,
                        sharers=sharers,
                        note=row.note,
                        is_forgiven=row.is_forgiven,
                        key=row.key,
                        made_at=row.made_at,
                        recorded_at=row.recorded_at,
                        arrived_at=self._at,
                        recorded_by=self._by,
                    )
                )
            elif (here.night, here.amount, self._here.by_pk[here.payer_id]) != (row.night, row.amount, payer):
                self._leave(where)
            elif row.ended_at is not None and here.counts:
                self._coming.later.append((here, row))
            else:
                self._coming.known += 1

    def _read_openings(self) -> None:
        known = {entry.key: entry.differences for entry in self._table.entries.exclude(key=None)}
        for entry in standing_among(self._contents.entries):
            differences = dict(as_now(entry.differences, self._ids))
            if not entry.key or entry.key.startswith(BACK):  # no page makes such a file
                self._leave(_("Starting balances"))
            elif entry.key not in known:
                self._coming.openings.append(
                    Entry(kind=EntryKind.OPENED, key=entry.key, night=entry.night, differences=differences)
                )
            elif as_now(
                known[entry.key], {slug: member.slug for slug, member in self._here.by_slug.items()}
            ) == (as_now(differences, {slug: slug for slug in differences})):
                self._coming.known += 1
            else:
                self._leave(_("Starting balances"))

    def _leave(self, where: Text, problem: Text | None = None) -> None:
        problem = problem or _("It differs from the one here.")
        self._coming.left.append(_("{where}: {problem}", where=where, problem=problem))


def _seated(state: GameState) -> set[str]:
    return {player for step in state.steps for player in step.seats}


def _answered_at(payment: Payment) -> datetime:
    """Return the moment of the last answer to a payment; without one, that of its recording."""
    answers = (payment.recorded_at, payment.disputed_at, payment.confirmed_at)
    return max(moment for moment in answers if moment is not None)


def _money(amount: int, *people: Member) -> Text:
    """Return a name for a payment or a cost: its people and its amount."""
    names = " → ".join(isolated(member.name) for member in people)
    return Text("{names}, {amount}", {"names": names, "amount": Amount(amount)})
