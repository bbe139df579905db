"""The members and seasons of a table that moved to another place (a site or folder) and is brought back.

They are read from the table's file from that place. Members are known by their slugs, seasons by their order.
A claim links a user to the member who they are. Claims are not in the file: they stay as they are here,
except that the claim of a merged member goes to the other member. `held` is always the locked table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from games import trail
from games.models import Change, ChangeKind, Game, Member, Season, Table
from games.notebook.apart import cleared_since
from games.notebook.contents import Contents
from games.rows import AT_ONCE, grouped

BEFORE = datetime.min.replace(tzinfo=UTC)  # sorts merges of an unknown date first
MERGED = ("merged_into", "merged_at", "merged_by")
OF_A_MEMBER = (
    *("name", "colour", "account", "account_salt", "retired_at"),
    *MERGED,
    *("user", "claimed_at", "gave_claim"),
)
OF_A_SEASON = ("name", "starts_on", "ends_on", "order")


class ReturnedPeople:
    """The members in the file, prepared for storing.

    A member who has a row here gets the id and the claim of that row. The others are new.
    """

    def __init__(self, table: Table, contents: Contents) -> None:
        here = {member.slug: member for member in table.members.select_related("merged_by", "merged_into")}
        cleared = cleared_since(table)
        self._new: list[Member] = []
        self.changed: list[Member] = []
        self._changes: list[Change] = []
        for member in contents.members.values():
            row = here.get(member.slug)
            if row is None:
                member.account_salt = trail.new_salt(member.account)
                self._new.append(member)
            else:
                if member.slug in cleared:  # the user's account was deleted meanwhile
                    member.account = row.account
                _become(member, row)
                self._changes += _changes_of(member, row)
        self._changes += _handed_claims(contents.members, here)
        named = {id(change.member) for change in self._changes}
        self.changed += [member for member in contents.members.values() if id(member) in named]
        self.changed += [member for member in self._new if member.merged_into is not None]

    def changes(self) -> Iterator[Change]:
        """Yield the unsaved rows of the change feed."""
        for member in self._new:
            yield Change(what=ChangeKind.MEMBER_ADDED, member=member)
        yield from self._changes

    def store(self, held: Table) -> None:
        """Store new members, and then the changed ones, which may be merged into new members."""
        merges = [{name: getattr(member, name) for name in MERGED} for member in self._new]
        for member in self._new:
            member.merged_into = member.merged_at = member.merged_by = None
        Member.objects.bulk_create(self._new)
        for member, merge in zip(self._new, merges, strict=True):
            for name, value in merge.items():
                setattr(member, name, value)
        for member in self.changed:
            member.save(update_fields=OF_A_MEMBER)
        trail.note(held, trail.members([*self._new, *self.changed]))


def _become(member: Member, row: Member) -> None:
    """Give a member of the file the id and the claim of the same member's row here.

    Also give it the salt with which the audit trail hashes payment details, unless these changed.
    """
    member.pk, member._state.adding = row.pk, False
    member.user_id, member.claimed_at = row.user_id, row.claimed_at
    member.account_salt = (
        row.account_salt if member.account == row.account else trail.new_salt(member.account)
    )
    member.gave_claim = row.gave_claim and member.merged_into is not None
    if member.merged_at == row.merged_at:
        member.merged_by = row.merged_by


def _changes_of(member: Member, row: Member) -> Iterator[Change]:
    """Yield a row of the change feed for each way in which the file's member differs from the row here."""
    names = ("name", "colour", "retired_at")
    if _merge_of(member) != _merge_of(row) or any(
        getattr(member, name) != getattr(row, name) for name in names
    ):
        yield Change(what=ChangeKind.MEMBER_CHANGED, member=member)
    if member.account != row.account:
        yield Change(what=ChangeKind.ACCOUNT_CHANGED, member=member)


def _handed_claims(members: Mapping[str, Member], here: Mapping[str, Member]) -> Iterator[Change]:
    """Move the claims of members who were merged or unmerged at the other place.

    Yield an unsaved row of the change feed for each member who lost or got a claim. Claims are moved as
    `merge` and `unmerge` (`games/money/merging.py`) move them, in the order of the merges.
    """
    known = [(members[slug], row) for slug, row in here.items() if slug in members]
    pairs = [(member, row) for member, row in known if _merge_of(member) != _merge_of(row)]
    for member, row in sorted(pairs, key=lambda pair: pair[1].merged_at or BEFORE, reverse=True):
        if row.merged_into is not None and row.gave_claim:
            yield from _hand_claim(members[row.merged_into.slug], member)
            member.gave_claim = False
    for member, _row in sorted(pairs, key=lambda pair: pair[0].merged_at or BEFORE):
        if member.merged_into is not None and member.user_id is not None:
            member.gave_claim = member.merged_into.user_id is None
            yield from _hand_claim(member, member.merged_into)


def _merge_of(member: Member) -> tuple[str, datetime | None]:
    return member.merged_into.slug if member.merged_into else "", member.merged_at


def _hand_claim(giver: Member, taker: Member) -> Iterator[Change]:
    """Move a user's claim to the other member. If both members are claimed, the giver's claim ends."""
    if taker.user_id is None:
        taker.user_id, taker.claimed_at = giver.user_id, giver.claimed_at
    giver.user_id = giver.claimed_at = None
    for one in (giver, taker):
        yield Change(what=ChangeKind.CLAIMS_CHANGED, member=one)


class ReturnedSeasons:
    """The seasons in the file, prepared for storing.

    A season that has a row here gets the id of that row. The others are new.
    """

    def __init__(self, table: Table, contents: Contents) -> None:
        self._here = list(table.seasons.order_by("starts_on", "pk"))
        self._seasons = contents.seasons
        self._games = [whole.game for whole in contents.games]
        for season, row in zip(self._seasons, self._here, strict=False):
            season.pk, season._state.adding = row.pk, False
        self._is_changed = _parts(self._seasons) != _parts(self._here)

    def changes(self) -> Iterator[Change]:
        """Yield an unsaved row of the change feed if any season changed; otherwise nothing."""
        if self._is_changed:
            yield Change(what=ChangeKind.SEASONS_CHANGED)

    def store(self, held: Table) -> None:
        """Store the seasons, and assign the games stored here to them.

        Seasons are saved in an order in which at most one is open at any time, as the database demands.
        """
        if not self._is_changed:
            return
        count = len(self._here)
        for season in self._seasons[:-1][:count]:
            season.save(update_fields=OF_A_SEASON)
        for season in self._seasons[count:]:
            season.save(force_insert=True)
        self._sort_games()
        gone = self._here[len(self._seasons) :]
        trail.note(held, trail.gone(gone))
        for season in gone:
            season.delete()
        self._seasons[-1].save(update_fields=OF_A_SEASON)
        trail.note(held, trail.seasons(self._seasons))

    def _sort_games(self) -> None:
        games = grouped((id(game.season), game.pk) for game in self._games if game.pk is not None)
        for season in self._seasons:
            ids = games.get(id(season), [])
            for start in range(0, len(ids), AT_ONCE):
                some = Game.objects.filter(pk__in=ids[start : start + AT_ONCE])
                some.exclude(season=season.pk).update(season=season.pk)


def _parts(seasons: Sequence[Season]) -> list[list[object]]:
    return [[getattr(season, name) for name in OF_A_SEASON] for season in seasons]
