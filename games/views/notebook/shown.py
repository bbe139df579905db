"""Show a game from a link that contains the whole game, to anybody. No game is stored or looked up."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from games.scoring.admission import MOST_STEPS
from games.scoring.effort import counting_steps
from games.scoring.errors import ScoringError
from games.scoring.text.link import read_link
from games.shown.common.sentences import translate
from games.shown.common.words import winners_in_words
from games.shown.notebook.paper import paper_without_money, people_in
from games.views.common.links import not_indexed
from games.views.common.recording import refused_as_json


@require_GET
def shown(request: HttpRequest) -> HttpResponse:
    """Show the page whose script reads the game from the part of the link behind the `#`."""
    return not_indexed(render(request, "games/notebook/shown.html"))


@require_POST
def shown_sheet(request: HttpRequest) -> HttpResponse:
    """Show the sheet of the posted game. The response is 422 if it contains no valid game."""
    try:
        with counting_steps(MOST_STEPS):
            log, state = read_link(request.POST.get("part", ""))
    except ScoringError as refusal:
        return refused_as_json(translate(refusal.text))
    people = people_in(log)
    context = {
        "variant_name": translate(state.variant.name),
        "state": state,
        "won": winners_in_words(state, people) if state.is_over else "",
        "paper": paper_without_money(state, people),
    }
    return render(request, "games/notebook/shown_sheet.html", context)
