"""A game is one file, also in another package: a made-up one is offered, played, settled and described."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.urls import URLPattern, reverse

from games.models import Game
from games.nights import night_of
from games.scoring.ledger import nets
from games.scoring.replay import replay
from games.scoring.text.codec import from_data, kind_of, to_data
from games.scoring.text.describe import describe
from games.scoring.text.script import play_script, read_script
from games.scoring.text.writing import write_game
from games.scoring.variants import VARIANTS
from games.urls import urlpatterns
from tests.packages import add_package, packages_of
from tests.reader import Walker, read_page
from tests.seventh_game import SEVENTH_GAME
from tests.tables import a_round, start

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def seventh_game(tmp_path):
    add_package(tmp_path)
    with packages_of(tmp_path) as unusable:
        assert () == unusable
        yield VARIANTS[SEVENTH_GAME.key]


@pytest.fixture
def begun(table, owner):
    return start(table, owner, variant=SEVENTH_GAME.key, stake=100)


PAGES = [page for page in urlpatterns if isinstance(page, URLPattern)]


def answers(client, game):
    """Return the response of each page of a game, by the page's name, also if it is a 404.

    The requests store nothing.
    """
    table = game.table
    known = {
        "code": game.code,
        "table_code": table.code,
        "number": 2,
        "version": 0,
        "after": 0,
        "member": "ana",
        "other": "beto",
        "day": night_of(game.started_at, table).isoformat(),
        "what": "results",
        "place": "none",
        "name": "none",
        **dict.fromkeys(("invite", "grant", "removal", "token", "device", "season", "face", "newcomer"), 1),
        "year": night_of(game.started_at, table).year,
    }
    return {
        page.name: client.get(reverse(page.name, kwargs={key: known[key] for key in page.pattern.converters}))
        for page in PAGES
    }


def statuses(client, game):
    return {name: answer.status_code for name, answer in answers(client, game).items()}


# The rounds played at each stage, by their closing in the seventh game and in Loba de Menos.
STAGES = {
    "begun": (),
    "going on": (("chain", "out"), (None, None)),
    "somebody bust": (("chain", "out"), ("chain", "out")),
    "won at once": (("chain", "out"), ("capicua", "out")),
}


def played(game, write, stage, which):
    for place, names in enumerate(STAGES[stage]):
        closing = names[which]
        if closing is None:
            continue
        beto = 60 if stage == "somebody bust" else 20 + place
        write(game, a_round("ana", closing=closing, beto=beto, caro=5, dani=10))
    return game


@pytest.mark.parametrize(
    "stage",
    ["begun", *(pytest.param(stage, marks=pytest.mark.slow) for stage in ("going on", "somebody bust"))],
)
def test_every_page_responds_as_for_an_existing_game(phone_of, owner, table, begun, write, stage):
    phone = phone_of(owner, language="es-AR")
    known = played(start(table, owner, stake=100), write, stage, 1)

    assert statuses(phone, known) == statuses(phone, played(begun, write, stage, 0))


@pytest.mark.slow
def test_every_page_of_a_game_won_at_once_is_shown(ana, begun, write):
    pages = answers(ana, played(begun, write, "won at once", 0))
    shown = {name for name, answer in pages.items() if answer.status_code == 200}

    assert {"home", "sheet", "settlement", "money", "totals", "rules", "season", "correct"} <= shown


def test_it_is_offered_with_its_own_options_and_played_to_its_end(ana, table):
    walker = Walker(ana)
    walker.open(reverse("new-game", args=[table.code]))
    page = walker.press("Show the rules of this game", variant=SEVENTH_GAME.key)
    assert ("25", "7", "off") == tuple(
        page.typed(f"option-{option}") for option in ("prize", "dealt", "bluff")
    )
    (hint,) = SEVENTH_GAME.hints
    assert str(hint.text) in page.text

    walker.press("Deal", seat_1="ana", seat_2="beto", seat_3="caro", option_stake="100", option_prize="30")
    game = Game.objects.get()
    for closing, beto in (("chain", "40"), ("blocked", "61")):
        walker.open(reverse("play-round", args=[game.code]))
        typed = {"closer": "ana"} if closing == "chain" else {"closer": "nobody", "hand_ana": "5"}
        walker.press("Save the round", closing=closing, hand_beto=beto, hand_caro="[K *]", **typed)
        assert 200 == walker.status
    walker.open(reverse("reentry", args=[game.code]))
    walker.press("Re-enters $ 100")
    walker.open(reverse("play-round", args=[game.code]))
    walker.press("Save the round", closer="caro", closing="capicua")

    state = game.state()
    assert state.outcome is not None
    assert ("instant_win", ("caro",)) == (state.outcome.reason, state.outcome.winners)
    assert {"ana": -130, "beto": -230, "caro": 360} == nets(state)


def test_its_closings_appear_in_their_own_words(ana, begun, write):
    write(begun, a_round("ana", closing="chain", beto=20, caro=5, dani=10))
    write(begun, a_round("beto", closing="capicua"))
    pages = {
        name: read_page(answer).text
        for name, answer in answers(ana, begun).items()
        if answer.status_code == 200
    }

    assert "capicúa" in pages["sheet"]
    assert "Prize for the capicúa" in pages["settlement"]
    assert "Chained" in pages["correct"]
    assert "for a capicúa $ 25" in pages["settlement"]
    assert "Capicúa: wins the game at once." in pages["rules"]


def test_its_consequences_are_shown_before_saving(ana, begun):
    typed = {"after": "1", "key": "k", "closer": "ana", "closing": "capicua"}
    answer = ana.post(reverse("preview-round", args=[begun.code]), typed)

    assert "Capicúa: each of the others pays Ana $ 25" in read_page(answer).text


def test_its_rules_are_described_in_its_own_words(seventh_game):
    sentences = [str(sentence) for sentence in describe(seventh_game, seventh_game.house({"prize": 30}))]

    for sentence in (
        "2 to 6 players, 108 cards with 4 jokers (*), 7 each.",
        "Chained: -7.",
        "Capicúa: wins the game at once.",
        "Where nobody can go on, everybody counts.",
        "Winning by a capicúa earns 30 from everyone still in.",
        "Bluffing: not here.",
        "Package: seventh-package 1.0.",
    ):
        assert sentence in sentences


def test_texts_without_a_translation_stay_english(phone_of, owner, begun):
    rules = phone_of(owner, language="es-AR").get(reverse("rules", args=[begun.code]))

    text = read_page(rules).only("main").text
    assert "Capicúa: gana la partida en el acto." in text
    assert "Where nobody can go on, everybody counts." in text


def test_it_is_stored_and_written_as_text_and_read_again(begun, write):
    write(begun, a_round("ana", closing="chain", beto=20, caro=5, dani=10))
    log = begun.log()

    assert tuple(log) == tuple(from_data(kind_of(event), to_data(event)) for event in log)
    again = play_script(read_script(write_game(log))).state
    assert again is not None
    assert replay(log).rounds == again.rounds


def test_a_game_without_any_money_is_begun_too(ana, table):
    bare = replace(
        SEVENTH_GAME,
        options=tuple(
            option for option in SEVENTH_GAME.options if option.key in ("out_at", "ending", "dealt")
        ),
        build=lambda house: replace(SEVENTH_GAME.build(SEVENTH_GAME.house(dict(house.options))), money=()),
    )
    VARIANTS[bare.key] = (
        bare  # `packages_of` takes it out again; monkeypatch would put the game back after it
    )
    walker = Walker(ana)
    walker.open(reverse("new-game", args=[table.code]))
    walker.press("Show the rules of this game", variant=bare.key)
    walker.press("Deal", seat_1="ana", seat_2="beto")

    assert f"/g/{Game.objects.get().code}/" == walker.address
