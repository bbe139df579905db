"""Names and colours of members, and the name of the table: the effects of changing them."""

from __future__ import annotations

import pytest

from games.common.book import Book
from games.models import Member, Table
from games.play import recording as services
from games.scoring.errors import RuleError
from games.scoring.text.notation import read_line
from games.tables.members import add_member, change_member
from games.tables.settings import change_settings
from tests.worlds import a_key, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def beto(table):
    return table.members.get(slug="beto")


def revision(table):
    return Table.objects.get(pk=table.pk).revision


def test_a_renamed_member_keeps_their_id_and_every_record(table, owner, beto):
    game = start(table, owner)
    written = Book.read(game)
    change_member(beto, name="Alberto", colour=7)

    assert ("beto", "Alberto", 7) == Member.objects.values_list("slug", "name", "colour").get(pk=beto.pk)
    assert written == Book.read(game)


def test_a_refusal_uses_the_members_present_names(table, owner, beto):
    game = start(table, owner)
    change_member(beto, name="Alberto", colour=2)
    with pytest.raises(RuleError) as refused:
        services.record(game, *read_line("reenter beto"), after=1, key=a_key(), by=owner)

    assert "Alberto is not waiting to re-enter." == str(refused.value.text)


def test_the_old_name_of_a_renamed_member_is_free_but_their_id_is_not(table, beto):
    change_member(beto, name="Alberto", colour=2)

    assert "beto_2" == add_member(table, "Beto").slug


def test_only_a_real_change_of_a_name_or_colour_raises_the_tables_revision(table, beto):
    before = revision(table)
    change_member(beto, name="Beto", colour=beto.colour)
    change_settings(table, name=table.name)
    assert before == revision(table)
    change_member(beto, name="Beto", colour=8)
    change_settings(table, name="Los viernes")
    assert before + 2 == revision(table)


def test_an_invalid_name_of_a_member_is_refused(subtests, table, beto):
    for name in ["", " ", "Ana", "ana", "x" * 21, 'El "Flaco"', "a\u202eb"]:
        with subtests.test(name=name):
            with pytest.raises(RuleError) as refused:
                change_member(beto, name=name, colour=3)

            assert ("name", "Beto", 2) == (
                refused.value.field,
                *Member.objects.values_list("name", "colour").get(pk=beto.pk),
            )


def test_an_unknown_colour_is_refused(subtests, beto):
    for colour in [0, 9, -1]:
        with subtests.test(colour=colour):
            with pytest.raises(RuleError) as refused:
                change_member(beto, name="Alberto", colour=colour)

            assert ("colour", "Beto") == (refused.value.field, Member.objects.get(pk=beto.pk).name)
