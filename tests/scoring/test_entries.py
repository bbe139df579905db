"""The builders: each line of the golden games made by them and by the notation; what they take and refuse."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from games.scoring import entries, events
from games.scoring.cards import Card
from games.scoring.entries import HandGiven
from games.scoring.errors import NotationError, RuleError
from games.scoring.events import Event, GameStarted
from games.scoring.front import Game
from games.scoring.rounds import Hand
from games.scoring.text.notation import read_line
from games.scoring.text.script import read_script
from games.scoring.text.writing import write_hand
from tests.scoring.written import GOLDEN


def given(hand: Hand) -> HandGiven:
    """Return a hand as somebody would give it: a number, a list of cards, cards in a text, or as in the notation."""
    if hand.points is not None:
        return hand.points
    if hand.melds or hand.held is None:
        return write_hand(hand).partition("+")[0]
    as_text = " ".join(map(str, hand.held))
    return as_text if len(hand.held) in (0, 3, 5, 7) else list(hand.held)


def built(event: Event | events.RulesAgreed | events.PlayersSeated) -> Any:
    """Return the event as the builders make it of plain values."""
    match event:
        case events.RoundPlayed(entry):
            hands = {player: given(hand) for player, hand in entry.hands}
            bought = {player: hand.bought for player, hand in entry.hands if hand.bought}
            if entry.closer is None:
                return entries.nobody(hands, how=entry.closing, bought=bought)
            return entries.closed(entry.closer, hands, how=entry.closing, bought=bought)
        case events.PlayerReentered(player):
            return entries.reenter(player)
        case events.PlayerStayedOut(player):
            return entries.stay_out(player)
        case events.PlayerLeft(player):
            return entries.leave(player)
        case events.PlayerJoined(newcomer, after):
            return entries.join(newcomer.id, newcomer.name, after=after)
        case events.SeatHandedOver(player, to):
            return entries.replace(player, to.id, to.name)
        case events.PointsAdjusted(player, points, reason):
            return entries.adjust(player, points, reason)
        case events.DealPassed(player):
            return entries.deal(player)
        case events.GameStopped(how):
            return entries.stop(how)
        case events.TotalsAgreed(totals):
            return entries.agree(dict(totals))
        case events.RulesAgreed(variant, options, dealer, direction):
            return entries.game(variant, **dict(options), dealer=dealer, direction=direction)
        case events.PlayersSeated(players):
            return entries.players({player.id: player.name for player in players})
        case events.Corrected(number, inner):
            return entries.correct(number, built(inner))
        case events.Inserted(number, inner):
            return entries.before(number, built(inner))
        case events.Struck(number):
            return entries.strike(number)
    raise AssertionError(event)


def written_events(path) -> tuple[list[GameStarted], list[Event]]:
    """Return how the game begins, and the events of its lines, also of those that the rules refuse."""
    begun: list[GameStarted] = []
    following: list[Event] = []
    for line in read_script(path.read_text(encoding="utf-8")):
        of_line = [*line.events]
        if line.refused_text is not None:
            try:
                of_line += read_line(line.refused_text)
            except (NotationError, RuleError):  # refused while it is read
                continue
        for event in of_line:
            if isinstance(event, GameStarted):
                begun.append(event)
            elif not isinstance(event, events.NightImported):
                following.append(event)
    return begun, following


def test_every_line_of_the_golden_games_can_be_built():
    kinds = set()
    for path in GOLDEN:
        begun, following = written_events(path)
        kinds |= {type(event) for event in following}
        assert (path.stem, following) == (path.stem, [built(event) for event in following])
        for start in begun:
            names = {player.id: player.name for player in start.players}
            options = {**dict(start.options), "dealer": start.dealer, "direction": start.direction}
            assert (start,) == Game.begin(start.variant, names, **options).log

    assert set(get_args(Event)) - {GameStarted, events.NightImported} == kinds


def test_a_hand_is_points_cards_or_a_text():
    hands: dict[str, HandGiven] = {
        "ana": 12,
        "beto": "K 7 *",
        "caro": [Card("K"), Card("7", "S")],
        "dani": "{A 2 Q}[4 *]",
        "eva": "",
    }
    made = entries.closed("fito", {**hands, "gabi": "45+2", "hugo": " [7] "}, bought={"ana": 1})

    line = "round fito out ana=12+1 beto=[K 7 *] caro=[K 7S] dani={A 2 Q}[4 *] eva=[] gabi=45+2 hugo=[7]"
    assert read_line(line) == (made,)


REFUSED = {
    "a closer": lambda: entries.closed("Ana", {"beto": 1}),
    "a player": lambda: entries.closed("ana", {"Beto": 1}),
    "cards": lambda: entries.nobody({"ana": "K7"}),
    "nobody": lambda: entries.reenter("nobody"),
    "a name": lambda: entries.join("Ana María"),
    "a number": lambda: entries.players(["ana", "1"]),
}


@pytest.mark.parametrize("build", REFUSED.values(), ids=REFUSED)
def test_a_builder_refuses_what_the_notation_cannot_read(build):
    with pytest.raises(NotationError):
        build()


def test_a_number_in_a_text_is_refused_since_it_may_be_a_card():
    with pytest.raises(ValueError, match="may be points or a card"):
        entries.closed("ana", {"beto": "7"})


def test_who_bought_cards_needs_a_hand():
    with pytest.raises(ValueError, match="who bought cards has no hand"):
        entries.closed("ana", {"beto": 5}, bought={"caro": 1})


def test_a_game_takes_events_as_it_takes_their_lines():
    game = Game.begin("loba_menos", ["ana", "beto"], reentries=0)
    added = game.add(entries.closed("ana", {"beto": "K K"}), entries.closed("beto", {"ana": 5}))

    assert game.play("round ana out beto=[K K] ; round beto out ana=5") == added
    assert game == game.add()
    with pytest.raises(RuleError):
        game.add(entries.leave("zoe"))
