"""Games of one's own: plain strings for their words, and what `register` refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.scoring import Game, RuleError, all_variants, custom, rules
from games.scoring.custom import Closing, Direction, House, Option, Rules, Variant, Words
from games.scoring.words import Text


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


OWN = Variant(
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
def own():
    custom.register(OWN)
    yield OWN
    custom.unregister("own")


def test_plain_strings_become_texts():
    [option], [closing] = OWN.options, build(OWN.house()).closings
    texts = (
        OWN.name,
        OWN.summary,
        OWN.gist,
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
        Option("tie", "A tie")  # type: ignore[call-arg]


def test_a_registered_game_is_played_as_any_other(own):
    game = Game.begin("own", ["ana", "beto", "caro"]).play("round ana served beto=2 caro=3")

    assert own is all_variants()["own"]
    assert game.state.outcome is not None
    assert ("ana",) == game.state.outcome.winners
    assert game == Game.from_text(game.text())
    assert "Serve once." in rules("own")


@pytest.mark.parametrize("key", ["own", "loba_menos", "notebook"])
def test_a_key_that_is_taken_is_refused(own, key):
    with pytest.raises(ValueError, match=f"there is a game called {key} already"):
        custom.register(replace(OWN, key=key))


BROKEN = {
    "a key that no text has": replace(OWN, key="Our own"),
    "rules that cannot be built": replace(OWN, build=lambda house: build(House(()))),
    "a sentence that cannot be filled": replace(
        OWN,
        build=lambda house: replace(
            build(house), closings=(replace(build(house).closings[0], rule="{who}"),)
        ),
    ),
}


@pytest.mark.parametrize("variant", BROKEN.values(), ids=BROKEN)
def test_a_game_that_cannot_be_begun_or_described_stays_unknown(variant):
    with pytest.raises(Exception, match=r"game line names|KeyError|tie|who"):
        custom.register(variant)

    assert variant.key not in all_variants()


def test_an_unregistered_game_is_unknown():
    custom.register(OWN)
    custom.unregister("own")

    with pytest.raises(RuleError, match="There is no game called “own”"):
        Game.begin("own", ["ana", "beto", "caro"])
    with pytest.raises(KeyError):
        custom.unregister("own")
