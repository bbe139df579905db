"""Custom games: plain strings for their words, and what `register` refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.scoring import Game, RuleError, all_variants, custom, rules
from games.scoring.card_points import Scoring
from games.scoring.custom import Closing, Direction, House, Numbers, Option, Rules, Variant, Words, shared
from games.scoring.i18n import Text


def build(house: House) -> Rules:
    """Return the rules of a game of one round without cards."""
    served = Closing(
        key="served", name="Served", short="served", sentence="{name} served", rule="Serve once."
    )
    return Rules(
        deck=custom.NO_CARDS,
        cards_dealt=0,
        scoring=custom.TypedPoints(),
        closings=(served,),
        ending=custom.AfterRounds(1, play_on=house["tie"] == "play_on"),
        reentry=None,
        money=(),
    )


CUSTOM_VARIANT = Variant(
    key="own",
    name="Our own",
    summary="One round.",
    min_players=3,
    max_players=4,
    direction=Direction.LEFT,
    options=(Option("tie", "A tie", "shared", Words({"shared": "is shared", "play_on": "goes on"})),),
    build=build,
)


@pytest.fixture
def custom_variant():
    custom.register(CUSTOM_VARIANT)
    yield CUSTOM_VARIANT
    custom.unregister("own")


def test_plain_strings_become_texts():
    [option], [closing] = CUSTOM_VARIANT.options, build(CUSTOM_VARIANT.house()).closings
    texts = (
        CUSTOM_VARIANT.name,
        CUSTOM_VARIANT.summary,
        CUSTOM_VARIANT.gist,
        option.label,
        option.value_in_words("shared"),
        closing.key_label,
    )

    assert (Text("Our own"), Text("One round."), None, Text("A tie"), Text("is shared"), None) == texts
    assert "Ana served" == str(closing.sentence.filled(name="Ana"))
    assert closing == replace(closing, name=Text("Served"))


def test_a_word_that_is_missing_is_refused_when_made():
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'sentence'"):
        Closing(key="served", name="Served", short="served")
    with pytest.raises(TypeError, match="missing 2 required positional arguments"):
        Option("tie", "A tie")  # type: ignore[call-arg]  # wrong on purpose


def test_a_registered_game_is_played_as_any_other(custom_variant):
    game = Game.begin("own", ["ana", "beto", "caro"]).play("round ana served beto=2 caro=3")

    assert custom_variant is all_variants()["own"]
    assert game.state.outcome is not None
    assert ("ana",) == game.state.outcome.winners
    assert game == Game.from_text(game.text())
    assert "Serve once." in rules("own")


@pytest.mark.parametrize("key", ["own", "loba_menos", "notebook"])
def test_a_key_that_is_taken_is_refused(custom_variant, key):
    with pytest.raises(ValueError, match=f"there is a game called {key} already"):
        custom.register(replace(CUSTOM_VARIANT, key=key))


def variant_with_rules(**changes: Any) -> Variant:
    return replace(CUSTOM_VARIANT, build=lambda house: replace(build(house), **changes))


def variant_with_closings(**changes: Any) -> Variant:
    return variant_with_rules(closings=(replace(build(CUSTOM_VARIANT.house()).closings[0], **changes),))


def variant_with_cards(scoring: Scoring, **changes: Any) -> Variant:
    return variant_with_rules(deck=custom.french_packs(1), scoring=scoring, **changes)


PACK = custom.french_packs(1)
ONES = dict.fromkeys(PACK.ranks_with_jokers(), 1)
LEFT = custom.LeftoverPoints(ONES, frozenset(), 0, custom.Placing.ON, 5, False, 0, custom.Rewarded.CUTTER)
SETTLEMENT = shared.settlement("none", "none", "own"), shared.STAKE, shared.POINT_VALUE
OWN_TOTALS = (custom.OwnTotals(10),)
TWICE = custom.Reentry(2, custom.Flat(5))


def variant_with_option(key: str, default: int | str, allowed: Numbers | Words) -> Variant:
    return replace(CUSTOM_VARIANT, options=(Option(key, "Label", default, allowed),))


@pytest.mark.parametrize(
    ("sentence", "variant"),
    [
        ("“Más” is no key", variant_with_option("Más", 1, Numbers(0, 1))),
        ("key dealer is", variant_with_option("dealer", 1, Numbers(0, 1))),
        ("“Served” is no key", variant_with_closings(key="Served")),
        ("“was served” is no key", variant_with_closings(key="was served")),
        ("“saqué” is no key", variant_with_closings(key="saqué")),
        ("the key served is taken", variant_with_rules(closings=build(CUSTOM_VARIANT.house()).closings * 2)),
        ("“{name}” cannot be filled", variant_with_closings(rule="{name}")),
        ("“{” cannot be filled", replace(CUSTOM_VARIANT, summary="{")),
        ("“{}” cannot", variant_with_option("a", "b", Words({"b": "{}"}))),
        ("no option tie: write it in options", replace(CUSTOM_VARIANT, options=())),
        ("“pot” is not allowed", replace(CUSTOM_VARIANT, options=(shared.settlement("pot", "none"),))),
        ("2 3 4 5 6 7 8 9 10 J Q K has no value", variant_with_cards(custom.HeldPoints({"A": 1, "*": 0}))),
        (
            r"\* has no value: write it in values",
            variant_with_cards(custom.HeldPoints(dict.fromkeys(PACK.ranks, 1))),
        ),
        (
            "in_set",
            variant_with_cards(custom.MeldPoints(ONES, {"A": 1}, (1,) * 14, (1,) * 14, range(3, 15), 2)),
        ),
        ("5 to 4 players cannot play", replace(CUSTOM_VARIANT, min_players=5)),
        (
            "4 players with 14 cards each",  # in the longest round
            variant_with_cards(
                custom.HeldPoints(ONES),
                ending=custom.AfterContracts(("2T", "3T"), by_rounds_won=False),
                dealt_by_contract={"3T": 14},
            ),
        ),
        *(
            ("OwnTotals needs rounds that add up to 0", variant)
            for variant in (
                variant_with_cards(custom.HeldPoints(ONES), money=OWN_TOTALS),
                variant_with_rules(money=OWN_TOTALS, floor=0),
                variant_with_rules(money=OWN_TOTALS, late_entry=True),
                variant_with_rules(money=OWN_TOTALS, ending=custom.LastIn(9), reentry=TWICE),
                replace(
                    CUSTOM_VARIANT,
                    options=(*CUSTOM_VARIANT.options, *SETTLEMENT),
                    build=lambda house: replace(build(house), money=shared.money_of(house), floor=0),
                ),
            )
        ),
    ],
)
def test_a_game_that_cannot_work_is_refused_with_what_to_write(sentence, variant):
    """Other cases; test_obeyed_checks.py has one of each sentence."""
    with pytest.raises((ValueError, RuleError), match=sentence):
        custom.register(variant)

    assert variant.key not in all_variants()


@pytest.mark.parametrize("variant", all_variants().values(), ids=all_variants())
def test_the_games_of_the_library_could_be_registered(variant):
    custom.register(replace(variant, key="own"))
    custom.unregister("own")


FIGURES = {"J": 1, "Q": 2, "K": 3}
SETS_OF_FIGURES = custom.MeldPoints(
    FIGURES, FIGURES, (), (), range(0), copies=1, wilds=(), sets=custom.Sets(suits=None)
)


@pytest.mark.parametrize(
    ("scoring", "values"),
    [
        (custom.HeldPoints(FIGURES), ("J: 1.", "Q: 2.", "K: 3.")),
        (SETS_OF_FIGURES, tuple(f"{rank}: {n} on the table, {n} in hand." for rank, n in FIGURES.items())),
    ],
)
def test_a_pack_of_figures_alone_can_be_described(scoring, values):
    figures = custom.Deck(tuple(FIGURES), "SHDC", copies=1, jokers=0)
    custom.register(variant_with_rules(deck=figures, scoring=scoring))
    sentences = rules("own")
    custom.unregister("own")

    assert values == sentences[3:6]


def test_cards_can_be_bought_freely_without_contracts():
    custom.register(variant_with_cards(custom.HeldPoints(ONES), cards_dealt=5, buys_freely=True))
    sentences = rules("own")
    custom.unregister("own")

    assert "3 to 4 players, 54 cards with 2 jokers (*), 5 each." == sentences[0]


def test_a_settlement_that_names_none_allows_its_default_alone():
    assert "pot" == str(shared.settlement("pot").allowed)
    assert "none · pot" == str(shared.settlement("pot", "none", "pot").allowed)


def test_a_word_that_is_read_as_a_number_says_how_to_read_it():
    with pytest.raises(ValueError, match="tie is the word shared: read it with number_or_none, or as house"):
        CUSTOM_VARIANT.house().number("tie")


def test_a_line_without_a_closing_names_those_of_the_game(custom_variant):
    with pytest.raises(RuleError) as refusal:
        Game.begin("own", ["ana", "beto", "caro"]).play("round ana beto=3 caro=4")

    assert "Say before “beto=3” how the round ended: served." == str(refusal.value)


def test_the_sheet_tells_of_a_pot_only_where_there_is_one(custom_variant):
    custom_game = Game.begin("own", ["ana", "beto", "caro"])
    paid = Game.begin("points", ["ana", "beto"], settlement="to_winner", wins="fewest", target=9)
    with_pot = Game.begin("points", ["ana", "beto"], settlement="pot", stake=5)

    assert "Playing; ana deals." == custom_game.sheet().splitlines()[-1]
    assert "ana +0, beto +0" == paid.sheet().splitlines()[-1]
    assert "Pot 10; ana -5, beto -5" == with_pot.sheet().splitlines()[-1]


@pytest.mark.parametrize(
    ("closer_hand", "values", "doubts"),
    [
        (custom.CloserHand.NOTHING, ONES, ["beto has 0 points but did not go out."]),
        (custom.CloserHand.REST, ONES, []),  # a player who beats the closer may count nothing, cards or not
        (custom.CloserHand.NOTHING, ONES | {"*": 0}, []),
    ],
)
def test_nothing_is_a_doubt_only_where_it_takes_going_out(closer_hand, values, doubts):
    closings = variant_with_closings(closer_hand=closer_hand).build(CUSTOM_VARIANT.house()).closings
    custom.register(variant_with_cards(custom.HeldPoints(values), cards_dealt=5, closings=closings))
    game = Game.begin("own", ["ana", "beto", "caro"]).play("round ana served ana=0 beto=0 caro=[K]")
    custom.unregister("own")

    assert doubts == [str(doubt.text) for doubt in game.state.rounds[-1].doubts]


def test_an_unregistered_game_is_unknown():
    custom.register(CUSTOM_VARIANT)
    custom.unregister("own")

    with pytest.raises(RuleError, match="There is no game called “own”"):
        Game.begin("own", ["ana", "beto", "caro"])
    with pytest.raises(KeyError):
        custom.unregister("own")
