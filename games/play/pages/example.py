"""A finished game that shows a stranger what the app does. It is in no database."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.common.amounts import decimals_of, units_offered
from games.common.names import Person
from games.common.regions import current_region
from games.common.words import translate
from games.models import Game, Table
from games.money.pages.debt_rows import debts_of_game
from games.money.pages.settled import settlement_of
from games.play.pages.score_table import sheet_of
from games.scoring.ledger import payments
from games.scoring.text.script import play_script, read_script

EXAMPLE = """
game loba_menos stake=2000 reentry_price=linear reentries=2
players ana beto caro dani
round caro out ana=23 beto=47 dani=12
round ana in_one_go beto=33 caro=21 dani=40
round dani out ana=8 beto=29 caro=16
reenter beto
round beto out ana=17 caro=38 dani=25
round ana out beto=10 caro=31 dani=44
stay_out caro
stay_out dani
round ana out beto=72
"""


@require_GET
def example(request: HttpRequest) -> HttpResponse:
    """Show the result and the sheet of the example."""
    played = play_script(read_script(EXAMPLE))
    state = played.state
    assert state is not None, played.problems
    unit = units_offered()[0]
    table = Table(unit=unit, decimals=decimals_of(unit), region=current_region().name)
    people = {
        player.id: Person(player.id, player.id.title(), colour)
        for colour, player in enumerate(state.players, start=1)
    }
    result = settlement_of(state, people, table)
    context = {
        "state": state,
        "variant_name": translate(state.variant.name),
        "result": result,
        "debts": debts_of_game(payments(state), people, table),
        "sheet": sheet_of(Game(table=table), played.log, state, people, for_writing=False),
    }
    return render(request, "play/example.html", context)
