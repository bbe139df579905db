"""The facts of a phone without a network: its books can be rebuilt from them and from its copy."""

from __future__ import annotations

import json
import random

import pytest

from games.models import Game, Table
from games.play import recording as services
from games.pocket.facts import PUT, beyond
from games.pocket.unsent import NOTHING, NotWhole, marks, seen_of, unsent
from tests.pocket.phones import Somebody

pytestmark = pytest.mark.django_db


def test_copy_and_facts_alone_rebuild_the_books(over, running, pocket):
    somebody = Somebody(random.Random(5))
    with pocket.away() as by:
        for _time in range(40):
            somebody.act(Table.objects.get(), by)
    facts = pocket.outbox()
    with pocket.away():
        before = {game.code: game.log() for game in Game.objects.all()}
        paid = list(Table.objects.get().payments.values_list("payer", "payee", "amount", "cancelled_at"))
    with pocket.anew(facts):
        assert before == {game.code: game.log() for game in Game.objects.all()}
        assert paid == list(
            Table.objects.get().payments.values_list("payer", "payee", "amount", "cancelled_at")
        )
    assert 20 < len(facts)
    played = [fact for fact in facts if fact["kind"] not in PUT]  # a restored game was never discarded
    assert played == [fact for fact in pocket.outbox() if fact["kind"] not in PUT]


def test_only_the_last_discard_or_restoration_of_a_game_is_a_fact(over, running, pocket):
    with pocket.away():
        for game in (running, over):
            services.discard_game(Game.objects.get(code=game.code))
        services.restore_game(Game.objects.get(code=running.code))

    assert [(over.code, "discard"), (running.code, "restore")] == [
        (fact["game"], fact["kind"]) for fact in pocket.outbox()
    ]


def test_facts_that_do_not_fit_the_copy_raise_an_error(running, pocket):
    with pocket.away() as by:
        Somebody(random.Random(1)).play(Game.objects.get(), by)
    fact = {**pocket.outbox()[0], "after": 7}
    with pytest.raises(NotWhole), pocket.anew([fact]):
        pass


def test_a_digest_of_the_copy_is_enough_to_find_the_unsent_facts(over, pocket):
    with pocket.away() as by:
        Somebody(random.Random(3)).pay(Table.objects.get(), by)
        seen = json.loads(json.dumps(seen_of(pocket.copy)))
        code = Table.objects.get().code

        assert beyond(pocket.copy) == unsent(seen)["facts"]
        assert [f"/t/{code}/", f"/g/{over.code}/"] == unsent(seen)["places"]


def test_pages_mark_the_entries_that_only_this_phone_has(over, running, pocket):
    with pocket.away() as by:
        assert NOTHING == marks(running.code)
        Somebody(random.Random(3)).play(Game.objects.get(code=running.code), by)
        here, other = marks(running.code), marks(over.code)

        assert ({running.code}, {Table.objects.get().code}) == (here.games, here.tables)
        assert (3, 0) == (here.since, other.since)
