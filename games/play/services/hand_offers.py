"""Offered hands (Mi mano): each player's own hand of the current round, sent from their own phone.

An offer records nothing. It is valid until a round is recorded or changed after the phone that sent it last
loaded the game. Until somebody closes the round, only its sender sees its cards. Then the offers fill the
scorer's pad.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.utils.timezone import now

from games.common import locks
from games.common.rate_limits import RateLimit
from games.models import HAND_LENGTH, Access, Game, HandSource, Member, Offer
from games.play.services.snapshots import Snapshot
from games.scoring.counting import counting_module
from games.scoring.errors import NotationError, RuleError
from games.scoring.events import Corrected, Event, Inserted, Log, RoundPlayed, RulesAgreed, Struck
from games.scoring.i18n import _
from games.scoring.rounds import Hand, PlayerId, RoundEntry, hand_field
from games.scoring.rule_types import Rules
from games.scoring.state import GameState
from games.scoring.text.hand_input import parse_hand_input
from games.scoring.text_line import check_length
from games.tables.services.roster import People

MAX_OFFERS = 40  # offers of one recording: several phones for each of ten players
RETENTION = timedelta(days=2)  # how long offers are kept
OFFER_LIMIT = RateLimit("offer", most=240)  # offers per user


class RoundOver(Exception):
    """The round was recorded or changed after the phone that sent this hand last loaded the game."""


def delete_expired() -> None:
    Offer.objects.filter(offered_at__lt=now() - RETENTION).delete()


@dataclass(frozen=True)
class SubmittedHand:
    """A player's own hand as typed and sent by their phone, with the number of the last event it had seen.

    `closing` is the key of the closing, such as `cut`, if the player closed the round, and "" otherwise.
    """

    text: str
    after: int
    closing: str = ""


def is_being_played(game: Game, state: GameState) -> bool:
    """Return whether a round is being played: the game goes on, and nobody is being asked to re-enter."""
    return game.discarded_at is None and not state.is_over and not state.pending


def find_player_for_user(game: Game, snapshot: Snapshot, user: User | AnonymousUser) -> PlayerId | None:
    """Return the id of this user's player in the current round; None if they are not dealt in."""
    return find_player_for_member(snapshot.lobby.find_member(user), game, snapshot)


def find_player_for_member(member: Member | None, game: Game, snapshot: Snapshot) -> PlayerId | None:
    """Return the id of this member's player in the current round; None if they are not dealt in."""
    if member is None or not is_being_played(game, snapshot.state):
        return None
    people = snapshot.members
    return next(
        (player.id for player in snapshot.state.playing if people.by_slug[player.id].pk == member.pk), None
    )


def players_with_phones(game: Game, snapshot: Snapshot, *, besides: User | AnonymousUser) -> set[PlayerId]:
    """Return the players of the current round claimed by users other than `besides`, confirmed or not."""
    if not is_being_played(game, snapshot.state):
        return set()
    people, faces = snapshot.members, snapshot.lobby.faces
    tapped = {face.person for user, face in faces.items() if user != besides.pk}
    return {player.id for player in snapshot.state.playing if people.by_slug[player.id] in tapped}


def submit(game: Game, submission: SubmittedHand, *, by: User) -> Offer:
    """Store this user's own hand of the current round, replacing any that they sent before.

    Raise RoundOver if the round was recorded or changed since `submission.after`, and RuleError if the user
    is not dealt in or the hand is invalid. Lock the table.
    """
    seen = game.table
    # Before the lock is taken, because solving the hand may take long and others wait for the lock.
    player, number = _validate(game, submission, by)
    with transaction.atomic():
        game.table = locks.lock(seen)
        if (game.table.version, game.table.revision) != (seen.version, seen.revision):
            game.refresh_from_db(fields=["ended_at", "discarded_at"])
            player, number = _validate(game, submission, by)
        row = {
            "round_number": number,
            "after": submission.after,
            "closing": submission.closing,
            "hand": submission.text.strip(),
            "offered_at": now(),
        }
        offer, _is_new = Offer.objects.update_or_create(game=game, player=player, user=by, defaults=row)
        locks.bump_revision(game.table)
    return offer


def _validate(game: Game, submission: SubmittedHand, by: User) -> tuple[PlayerId, int]:
    """Return the player whose hand it is and the round's number, or raise like `submit`."""
    snapshot = Snapshot.load(game)
    if not is_current(snapshot.log, submission.after):
        raise RoundOver
    player = find_player_for_user(game, snapshot, by)
    if player is None:
        raise RuleError(_("You are not in this round, so you have no hand to send."))
    parse_hand(submission, snapshot.state, player)
    return player, len(snapshot.state.rounds) + 1


def parse_hand(submission: SubmittedHand, state: GameState, player: PlayerId) -> Hand | None:
    """Return the submitted hand; None if the player closed the round and has no hand to enter.

    Raise RuleError if the hand or its closing is invalid.
    """
    field, rules = hand_field(player), state.rules
    closing = rules.closing(submission.closing) if submission.closing else None
    if submission.closing and (closing is None or not closing.by_player or not rules.asks_closer):
        text = _("A round does not end with “{closing}” here.", closing=submission.closing[:40])
        raise RuleError(text, field="closing")
    if not submission.text.strip():
        if closing is not None and (closing.wins_game or closing.closer_hand.is_optional):
            return None
        raise RuleError(_("{name}'s hand is missing.", name=state.player_name(player)), field=field)
    check_length(submission.text.strip(), HAND_LENGTH, field)
    try:
        hand = parse_hand_input(submission.text, rules.deck)
    except NotationError as error:
        raise RuleError(error.text, field=field) from error
    rules.deck.check([(field, hand.cards)])
    counting_module(rules).hand_points(rules, hand, field=field)
    return hand


def is_current(log: Log, after: int) -> bool:
    """Return whether a hand sent after event `after` still belongs to the current round."""
    if not 1 <= after <= len(log):
        return False
    return not any(_changes_rounds(log, event) for event in log[after:])


def _changes_rounds(log: Log, event: Event) -> bool:
    """Return whether this event records or inserts a round, changes the rules, or changes such an event."""
    match event:
        case RoundPlayed() | Corrected(event=RoundPlayed() | RulesAgreed()) | Inserted(event=RoundPlayed()):
            return True
        case Struck(number=number) | Corrected(number=number):
            return _changes_rounds(log, log[number - 1])
        case _:
            return False


# --- the hands of the round -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class RoundOffers:
    """The valid offers of the round being played, by player: one for each phone that sent a hand."""

    rules: Rules
    playing: tuple[PlayerId, ...]
    offers: Mapping[PlayerId, tuple[Offer, ...]]
    confirmed_user_ids: Collection[int] = ()  # users whose claim is confirmed

    @property
    def senders(self) -> Collection[PlayerId]:
        return self.offers.keys()

    def find_by_user(self, user: User) -> Offer | None:
        offers = (offer for some in self.offers.values() for offer in some)
        return next((offer for offer in offers if offer.user_id == user.pk), None)

    @cached_property
    def conflicting_players(self) -> tuple[PlayerId, ...]:
        """The players whose phones sent different hands."""
        return tuple(
            player
            for player, offers in self.offers.items()
            if any(
                not build_entry(offer, self.rules).is_same_as(build_entry(offers[0], self.rules))
                for offer in offers
            )
        )

    @cached_property
    def reported_closers(self) -> tuple[PlayerId, ...]:
        """The players who closed the round according to at least one of their offers."""
        return tuple(
            player for player, offers in self.offers.items() if any(offer.closing for offer in offers)
        )

    @property
    def is_closed(self) -> bool:
        """True once a confirmed user says that they closed the round.

        In games without a closer, it is true once all hands have arrived.
        """
        if self.rules.asks_closer:
            return any(
                offer.closing and offer.user_id in self.confirmed_user_ids
                for offers in self.offers.values()
                for offer in offers
            )
        return len(self.offers) == len(self.playing)

    @property
    def closing_offer(self) -> Offer | None:
        """The offer of the player who closed the round.

        It is None unless exactly one player says so and their phones agree.
        """
        if len(self.reported_closers) != 1 or self.reported_closers[0] in self.conflicting_players:
            return None
        return self.offers[self.reported_closers[0]][0]

    def can_look(self, player: PlayerId | None) -> bool:
        """Return whether a scorer may ask to see the hands before a phone says who closed the round.

        To ask means that the round is closed. In games without a closer, a scorer who is a `player` of the
        round must send their own points first.
        """
        return self.rules.asks_closer or player is None or player in self.offers

    def visible_offers(self, *, is_looking: bool = False) -> Mapping[PlayerId, tuple[Offer, ...]]:
        """Return the offers that a scorer sees: none until the round is closed or they ask to look."""
        return self.offers if self.is_closed or is_looking else {}

    def offers_for_pad(self, *, is_looking: bool = False) -> dict[PlayerId, Offer]:
        """Return the visible offers that fill the scorer's pad, one for each player.

        The scorer must decide about players whose phones sent different hands, and about several players who
        say that they closed the round: these are left out.
        """
        unclear = {
            *self.conflicting_players,
            *(self.reported_closers if len(self.reported_closers) > 1 else ()),
        }
        offers_by_player = self.visible_offers(is_looking=is_looking)
        return {player: offers[0] for player, offers in offers_by_player.items() if player not in unclear}


def load_for_round(game: Game, snapshot: Snapshot) -> RoundOffers:
    """Return the valid offers of the current round, except those whose user no longer claims that player."""
    state = snapshot.state
    playing = tuple(player.id for player in state.playing)
    if not is_being_played(game, state):
        return RoundOffers(state.rules, playing, {})
    valid_offers = [offer for offer in game.offers.all() if is_current(snapshot.log, offer.after)]
    if not valid_offers:
        return RoundOffers(state.rules, playing, {})
    faces = snapshot.lobby.faces
    matching_offers = [offer for offer in valid_offers if _is_still_sender(offer, faces, snapshot.members)]
    offers = {
        player: tuple(offer for offer in matching_offers if offer.player == player) for player in playing
    }
    confirmed = {user for user, face in faces.items() if face.is_confirmed}
    offers_by_player = {player: some for player, some in offers.items() if some}
    return RoundOffers(state.rules, playing, offers_by_player, confirmed)


def _is_still_sender(offer: Offer, faces: Mapping[int, Access], people: People) -> bool:
    face = faces.get(offer.user_id)
    return face is not None and face.person == people.by_slug[offer.player]


def build_entry(offer: Offer, rules: Rules) -> RoundEntry:
    """Return a round's entry with only this offer: its hand, and its closing if there is one."""
    hands = ((offer.player, parse_hand_input(offer.hand, rules.deck)),) if offer.hand else ()
    return RoundEntry(offer.player if offer.closing else None, offer.closing, hands)


# --- when the round is recorded -------------------------------------------------------------------------------


def build_sources(
    game: Game, log: Log, new_events: Collection[Event], offer_ids: Collection[int], rules: Rules
) -> list[HandSource]:
    """Return unsaved `HandSource` rows: whose phones sent the hands of a round about to be recorded.

    The round must be the only event in `new_events`, recorded after `log`; otherwise, return []. `offer_ids`
    are the offers that the scorer's pad showed; those of another round are ignored. If two phones sent a
    player's hand, the source is the phone whose hand is recorded unchanged.
    """
    played = [event.entry for event in new_events if isinstance(event, RoundPlayed)]
    if not offer_ids or len(played) != 1 or len(new_events) != 1:
        return []
    sources: dict[PlayerId, HandSource] = {}
    for offer in game.offers.filter(pk__in=list(offer_ids)[:MAX_OFFERS]):
        if not is_current(log, offer.after):
            continue
        is_changed = not _player_part(played[0], offer.player).is_same_as(build_entry(offer, rules))
        known = sources.get(offer.player)
        if known is None or known.is_changed:
            sources[offer.player] = HandSource(
                game=game,
                number=len(log) + 1,
                player=offer.player,
                brought_by_id=offer.user_id,
                is_changed=is_changed,
            )
    return list(sources.values())


def _player_part(entry: RoundEntry, player: PlayerId) -> RoundEntry:
    hand, is_closer = entry.hand_of(player), entry.closer == player
    hands = () if hand is None else ((player, hand),)
    return RoundEntry(player if is_closer else None, entry.closing if is_closer else "", hands)
