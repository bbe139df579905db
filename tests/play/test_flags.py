"""Flagged hands: raised by a user who sees the game, settled by a scorer; the log stays unchanged."""

from __future__ import annotations

import pytest

from games.models import NOTE_LENGTH
from games.play import recording as services
from games.play.flags import open_flags, raise_flag, settle_flags
from games.scoring.errors import RuleError
from tests.tables import a_key, a_round, make_table, make_user, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(owner):
    game = start(make_table(owner), owner)
    services.record(game, a_round("ana", beto=23, caro=40, dani=9), after=1, key=a_key(), by=owner)
    return game


@pytest.fixture
def waldo():
    return make_user("waldo")


def revision(game):
    game.table.refresh_from_db()
    return game.table.revision


def doubt(game, player, by, note="", number=2):
    return raise_flag(game, game.state(), number, player, note=note, by=by)


def test_a_flag_is_stored_and_leaves_the_log_unchanged(game, waldo):
    before = revision(game)
    doubt(game, "beto", waldo, "  era   12 ")

    assert [("beto", "era 12", waldo)] == [(flag.player, flag.note, flag.by) for flag in open_flags(game)]
    assert (2, before + 1) == (game.records.count(), revision(game))


def test_flagging_again_replaces_the_note(game, waldo):
    doubt(game, "beto", waldo, "era 12")
    before = revision(game)
    doubt(game, "beto", waldo, "era 13")
    assert (["era 13"], before + 1) == ([flag.note for flag in open_flags(game)], revision(game))
    doubt(game, "beto", waldo, "era 13")
    assert before + 1 == revision(game)


def test_two_users_flag_the_same_hand_separately(game, waldo):
    doubt(game, "beto", waldo)
    doubt(game, "beto", make_user("wanda"))

    assert 2 == open_flags(game).count()


@pytest.mark.parametrize(
    ("number", "player"), [(1, "ana"), (3, "ana"), (0, "ana"), (2, "nobody"), (2, ""), (2, "zoe")]
)
def test_a_hand_that_does_not_exist_cannot_be_flagged(game, waldo, number, player):
    with pytest.raises(RuleError) as refused:
        doubt(game, player, waldo, number=number)

    assert ("hand", 0) == (refused.value.field, game.flags.count())


@pytest.mark.parametrize("note", ["x" * (NOTE_LENGTH + 1), "nul\x00"])
def test_an_invalid_note_is_refused(game, waldo, note):
    with pytest.raises(RuleError) as refused:
        doubt(game, "beto", waldo, note)

    assert ("note", 0) == (refused.value.field, game.flags.count())


def test_a_scorer_settles_every_flag_on_a_hand(game, waldo):
    doubt(game, "beto", waldo)
    doubt(game, "beto", make_user("wanda"))
    doubt(game, "caro", waldo)
    before = revision(game)

    assert 2 == settle_flags(game, 2, "beto")
    assert (["caro"], before + 1) == ([flag.player for flag in open_flags(game)], revision(game))
    assert 2 == game.flags.exclude(resolved_at=None).count()


def test_a_user_withdraws_only_their_own_flag(game, waldo):
    doubt(game, "beto", waldo)
    doubt(game, "beto", make_user("wanda"))
    settle_flags(game, 2, "beto", of=waldo)

    assert ["wanda"] == [flag.by.username for flag in open_flags(game)]


def test_settling_without_flags_changes_no_revision(game):
    before = revision(game)

    assert (0, before) == (settle_flags(game, 2, "beto"), revision(game))
