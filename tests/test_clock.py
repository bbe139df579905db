"""The server's clock jumps back or ahead during a game: no event is lost, reordered or wrong."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from games.files.reading import read_table
from games.files.restoring import restore_table
from games.files.writing import write_table
from games.play import recording as services
from tests.commands import output_of
from tests.reader import read_page
from tests.test_version import an_evening
from tests.worlds import a_key, a_round, make_table, make_user, start, without_codes

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 11, 20, 21, 0, tzinfo=UTC)
JUMPS = [
    timedelta(hours=-3),
    timedelta(days=-1),
    timedelta(minutes=5),
    timedelta(days=2),
    timedelta(days=400),
]


@pytest.mark.slow
def test_however_it_jumps_between_two_writes_the_books_are_right_here_and_elsewhere(time_machine):
    chance, at = random.Random(1), EVENING
    time_machine.move_to(at, tick=False)
    owner = make_user()
    table = make_table(owner)

    def jumping(_name, act):
        nonlocal at
        came_to = act()
        at += chance.choice(JUMPS)
        time_machine.move_to(at, tick=False)
        return came_to

    an_evening(table, owner, jumping)
    copy = restore_table(read_table(write_table(table).encode()), key=a_key(), by=make_user("nora"))
    assert without_codes(write_table(table)) == without_codes(write_table(copy))
    assert "Everything adds up." in output_of("check_books")


def test_a_clock_that_was_a_day_ahead_is_set_right_in_the_middle_of_a_game(phone_of, time_machine):
    time_machine.move_to(EVENING + timedelta(days=1), tick=False)
    owner = make_user()
    game = start(make_table(owner), owner, stake=100)
    services.record(game, a_round("ana", beto=5, caro=2, dani=3), after=1, key=a_key(), by=owner)
    phone = phone_of(owner)
    time_machine.move_to(EVENING, tick=False)
    services.record(game, a_round("beto", ana=7, caro=2, dani=3), after=2, key=a_key(), by=owner)

    assert {"ana": 7, "beto": 5, "caro": 4, "dani": 6} == {one.id: one.total for one in game.state().players}
    sheet = phone.get(reverse("sheet", args=[game.code]))
    assert (200, True) == (sheet.status_code, "7" in read_page(sheet).only("main").text)
    assert "Everything adds up." in output_of("check_books")
