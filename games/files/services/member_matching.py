"""Matches between the people of a table's file and the members of an existing table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.common import naming
from games.files.services.file_contents import FileContents
from games.models import NAME_LENGTH, Entry, Member, Payment, SharedCost, Table
from games.play.services.writer import NewGame
from games.scoring.events import Player, players_ever_seated
from games.tables.services.roster import People

NEW_MEMBER = "+"  # the answer that a person of the file is new at the table


@dataclass(frozen=True)
class MatchQuestion:
    """A person of the file who cannot be matched with certainty.

    `answer` is the slug of a member, NEW_MEMBER for somebody new, or "" while nobody is chosen.
    """

    slug: str
    name: str
    answer: str


def match_members(
    table: Table, contents: FileContents, table_people: People, answers: Mapping[str, str]
) -> tuple[dict[str, Player], Sequence[MatchQuestion]]:
    """Return a player here for each member of the file, by their slugs there, and the open questions.

    Members are matched by id in a copy of this table, or by name. A person who resembles nobody here is new;
    that is a question only if somebody here is not in the file. `answers` are the answers to earlier
    questions, by slug there.
    """
    people = {slug: member for slug, member in contents.members.items() if member.merged_into is None}
    is_copy = bool(table.identity) and table.identity == contents.table.identity
    by_name = _slugs_by_name(table_people)
    known_slugs = table_people.slugs if is_copy else {}
    guesses = {
        slug: known_slugs.get(slug) or _guess_member(member, by_name) for slug, member in people.items()
    }
    sure = {slug: guess for slug, guess in guesses.items() if guess not in (NEW_MEMBER, "")}
    free = {member.slug for member in table_people.current_members} - set(sure.values())
    rows = member_slugs(contents.games, contents.payments, contents.costs, contents.entries)
    named = {contents.members[slug].current.slug for slug in rows}
    unsure = {
        slug: answers.get(slug, guess)
        for slug, guess in guesses.items()
        if slug in named and slug not in sure and (free or not guess)
    }
    chosen = Counter(unsure.values())
    clear = {
        slug: answer
        for slug, answer in unsure.items()
        if answer == NEW_MEMBER or (answer in free and chosen[answer] == 1)
    }
    questions = [MatchQuestion(slug, people[slug].name, clear.get(slug, "")) for slug in unsure]
    return _table_players(contents, table_people, dict.fromkeys(people, NEW_MEMBER) | sure | clear), questions


def _slugs_by_name(table_people: People) -> dict[str, str]:
    """Return the slug of the present member by each name's key, "" by the key without accents.

    If several members have the same name, it is that of the first to join.
    """
    members = table_people.members
    unsure = dict.fromkeys((naming.unaccented_key(member.name) for member in members), "")
    return unsure | {
        naming.casefold_key(member.name): table_people.by_pk[member.pk].slug for member in reversed(members)
    }


def _guess_member(person: Member, slugs_by_name: Mapping[str, str]) -> str:
    """Return the slug of the member who is this person of the file, NEW_MEMBER, or "" if uncertain."""
    unaccented = "" if naming.unaccented_key(person.name) in slugs_by_name else NEW_MEMBER
    return slugs_by_name.get(naming.casefold_key(person.name), unaccented)


def _table_players(
    contents: FileContents, table_people: People, matched: Mapping[str, str]
) -> dict[str, Player]:
    """Return a player here for each member of the file, by their slugs there."""
    players: dict[str, Player] = {}
    used_slugs = {member.slug for member in table_people.members}
    for slug, answer in matched.items():
        if answer == NEW_MEMBER:
            name = naming.clean_name(contents.members[slug].name, longest=NAME_LENGTH)
            players[slug] = Player(naming.slug_for(name, used_slugs), name)
            used_slugs.add(players[slug].id)
        else:
            players[slug] = Player(answer, table_people.by_slug[answer].name)
    return {slug: players[member.current.slug] for slug, member in contents.members.items()}


def member_slugs(
    games: Iterable[NewGame],
    payments: Iterable[Payment],
    costs: Iterable[SharedCost],
    entries: Iterable[Entry],
) -> set[str]:
    return set().union(
        *(game_slugs(whole) for whole in games),
        *((row.payer.slug, row.payee.slug) for row in payments),
        *((*row.paid_by_slug, *row.borne) for row in costs),
        *(entry.differences for entry in entries),
    )


def game_slugs(whole: NewGame) -> Collection[str]:
    """Return the slugs of everybody ever seated in the game."""
    return players_ever_seated(event for batch in whole.batches for event in batch.events)
