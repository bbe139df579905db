"""Random nights of hands from phones: the log has what the scorer saw on tapping *Save*, and no card is shown
too early.

Phones send and change hands while rounds are recorded, corrected, inserted, removed, undone and redone. After
each step a random user requests the hands, by a page or the API.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from games.common.locks import StaleGame
from games.common.poll_tickets import PageVersion
from games.files.services import audit
from games.models import Role
from games.play.services import hand_offers, recording
from games.play.services.hand_offers import RoundOver, SubmittedHand
from games.play.services.snapshots import Snapshot
from games.scoring import corrections
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, Inserted, PointsAdjusted, RoundPlayed, Struck
from games.scoring.rounds import Hand, RoundEntry
from games.scoring.text.hand_input import parse_hand_input
from games.tables.services import lobby
from tests.factories import make_table, make_user, new_key, start

pytestmark = pytest.mark.django_db

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9")
PLAYERS = ("ana", "beto", "caro", "dani")
PAGES = ("sheet", "board", "play-round", "own-hand", "more", "rules")
POLLS = ("live-sheet", "live-board", "live-hands")
STEPS = 15
FEW, SOME = 2, 6  # the number of nights in usual runs, and with the long ones


@dataclass(frozen=True)
class HandsReader:
    """A user who requests the hands, the player they are, and whether they may record."""

    client: Client
    player: str | None
    can_record: bool


@dataclass(frozen=True)
class PadSnapshot:
    """The round as a scorer saw it on their pad: the event to record, and the offers that it consists of."""

    event: RoundPlayed
    after: int
    offer_pks: tuple[int, ...]
    players: frozenset[str]


class Night:
    """A game of four, each with a phone. Ana's phone is the owner's, who keeps the score and plays."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        caches["throttles"].clear()
        self.owner = make_user(f"owner-{seed}")
        table = make_table(self.owner)
        self.game = start(table, self.owner, out_at=500)
        self.users = {"ana": self.owner}
        for slug in ("beto", "caro", "dani", "scorer", "witness"):
            self.users[slug] = user = make_user(f"{slug}-{seed}")
            table.accesses.create(user=user, role=Role.SCORER if slug == "scorer" else Role.WITNESS)
        for slug in PLAYERS:
            lobby.claim(table, self.users[slug], face=table.members.get(slug=slug))
        self.readers = {who: self.sign_in(who) for who in self.users}
        self.expected_hands: dict[
            str, SubmittedHand
        ] = {}  # the hands that must be offered at present, by player
        self.used_cards: set[str] = set()  # the cards that were sent, each combination once a night
        self.changed_at = 1  # the length of the log when the rounds last changed
        self.rounds = self.effective_rounds()

    def sign_in(self, who):
        client = Client(headers={"accept-language": "en"})
        client.force_login(self.users[who])
        return HandsReader(client, who if who in PLAYERS else None, who in ("ana", "scorer"))

    def play(self):
        acts = [self.offer] * 6 + [self.tap_save] * 3 + [self.undo, self.redo, self.correct, self.insert]
        for _step in range(STEPS):
            self.chance.choice([*acts, self.remove, self.add_penalty])()
            assert {*self.expected_hands} == {*self.hands().senders}
            self.check_page()
        assert [] == audit.check_table(self.game.table).differences

    # --- what phones and scorers do ---------------------------------------------------------------------------

    def log(self):
        return self.game.log()

    def effective_rounds(self):
        return [
            (number, event)
            for number, event in corrections.effective_events(self.log())
            if isinstance(event, RoundPlayed)
        ]

    def hands(self):
        self.game.table.refresh_from_db()
        return hand_offers.load_for_round(self.game, Snapshot.load(self.game))

    def update_expected(self):
        """Update the expected hands after a write. Only a change of the rounds ends them."""
        rounds = self.effective_rounds()
        if rounds != self.rounds:
            self.rounds, self.changed_at = rounds, len(self.log())
            self.expected_hands.clear()

    def cards(self):
        while True:
            cards = " ".join(self.chance.choices(RANKS, k=5))
            if cards not in self.used_cards:
                self.used_cards.add(cards)
                return f"[{cards}]"

    def offer(self):
        player, length = self.chance.choice(PLAYERS), len(self.log())
        after = length - self.chance.choice([0, 0, 0, 1, -1])
        closing = self.chance.choice(["", "", "", "out"])
        hand = SubmittedHand("" if closing else self.cards(), after, closing)
        try:
            hand_offers.submit(self.game, hand, by=self.users[player])
        except RoundOver:
            assert not self.changed_at <= after <= length
        else:
            assert self.changed_at <= after <= length
            self.expected_hands[player] = hand

    def read_pad(self):
        """Return the round as the pad shows it now, completed by the scorer, who may change a hand."""
        hands = self.hands()
        offers, rules = hands.offers_for_pad(is_looking=True), self.game.state().rules
        by_player = {player: hand for player, hand in self.expected_hands.items() if player in offers}
        assert {player: (hand.text, hand.closing) for player, hand in by_player.items()} == {
            player: (offer.hand, offer.closing) for player, offer in offers.items()
        }
        closer = hands.closing_offer.player if hands.closing_offer else None
        closer = closer or next(
            player for player in PLAYERS if not (player in by_player and by_player[player].text)
        )
        hand_entries = {
            player: parse_hand_input(by_player[player].text, rules.deck)
            if player in by_player and by_player[player].text
            else Hand(points=7)
            for player in PLAYERS
            if player != closer
        }
        if self.chance.random() < 0.4:
            hand_entries[self.chance.choice([*hand_entries])] = Hand(points=self.chance.randint(1, 9))
        event = RoundPlayed(RoundEntry(closer, "out", tuple(hand_entries.items())))
        return PadSnapshot(
            event, len(self.log()), tuple(offer.pk for offer in offers.values()), frozenset(offers)
        )

    def tap_save(self):
        """Tap *Save* on a pad that was read a moment ago. Others may have written since."""
        if all(player in self.expected_hands and self.expected_hands[player].text for player in PLAYERS):
            return  # nobody claims to have closed, so the pad asks
        seen = self.read_pad()
        for _act in range(self.chance.choice([0, 0, 1, 2])):
            self.chance.choice(
                [self.offer, self.offer, self.undo, self.correct, self.insert, self.add_penalty]
            )()
        before = self.log()
        try:
            recording.record(
                self.game,
                seen.event,
                after=seen.after,
                key=new_key(),
                by=self.owner,
                offer_ids=seen.offer_pks,
            )
        except StaleGame:
            assert len(before) != seen.after
            assert before == self.log()
            return
        assert (seen.after, (*before, seen.event)) == (len(before), self.log())
        sources = self.game.hand_sources.filter(number=len(before) + 1)
        assert seen.players == {*sources.values_list("player", flat=True)}
        self.update_expected()

    def write(self, event):
        recording.record(self.game, event, after=len(self.log()), key=new_key(), by=self.owner)
        self.update_expected()

    def undo(self):
        self.try_service(recording.undo)

    def redo(self):
        self.try_service(recording.redo)

    def try_service(self, service):
        try:
            service(self.game, after=len(self.log()), key=new_key(), by=self.owner)
        except RuleError:
            return  # nothing to undo or redo
        self.update_expected()

    def correct(self):
        if self.rounds:
            number, played = self.chance.choice(self.rounds)
            (player, hand), *others = played.entry.hands
            other = self.chance.choice([points for points in range(10, 31) if Hand(points=points) != hand])
            hands = ((player, Hand(points=other)), *others)
            self.write(Corrected(number, RoundPlayed(replace(played.entry, hands=hands))))

    def insert(self):
        if self.rounds:
            number, played = self.chance.choice(self.rounds)
            self.write(Inserted(number, played))

    def remove(self):
        if self.rounds:
            self.write(Struck(self.chance.choice(self.rounds)[0]))

    def add_penalty(self):
        self.write(PointsAdjusted(self.chance.choice(PLAYERS), 1, "multa"))

    # --- what everybody is shown ------------------------------------------------------------------------------

    def hidden_cards(self, asker):
        """Return the cards that this user must not see.

        These are other players' cards, unless the round is closed and the user may record.
        """
        is_closed = any(hand.closing for hand in self.expected_hands.values())
        if asker.can_record and is_closed:
            return set()
        return {
            hand.text for player, hand in self.expected_hands.items() if hand.text and player != asker.player
        }

    def check_page(self):
        asker, name = self.chance.choice([*self.readers.values()]), self.chance.choice(PAGES + POLLS)
        parts = [self.game.code, PageVersion(0)] if name in POLLS else [self.game.code]
        page = asker.client.get(reverse(name, args=parts)).content.decode()
        assert set() == {cards for cards in self.hidden_cards(asker) if cards.strip("[]") in page}


@pytest.mark.parametrize(
    "seed", [*range(FEW), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(FEW, SOME))]
)
def test_random_nights_record_what_the_scorer_saw_and_show_no_card_too_early(seed):
    Night(seed).play()
