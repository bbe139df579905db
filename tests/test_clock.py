"""The server's clock jumps backward or forward during a game: no event is lost, reordered or wrong.

`browser/test_clock.py` has the time zone of a phone.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from games.files.services import file_reader, file_writer, table_import
from tests.commands import run_command
from tests.factories import make_table, make_user, new_key, without_codes
from tests.test_version import run_game_services

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 11, 20, 21, 0, tzinfo=UTC)
JUMPS = [
    timedelta(hours=-3),
    timedelta(days=-1),
    timedelta(minutes=5),
    timedelta(days=2),
    timedelta(days=400),
]


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

    run_game_services(table, owner, jumping)
    copy = table_import.create_table(
        file_reader.read_table(file_writer.write_table(table).encode()), key=new_key(), by=make_user("nora")
    )
    assert without_codes(file_writer.write_table(table)) == without_codes(file_writer.write_table(copy))
    assert "Everything adds up." in run_command("check_books")
