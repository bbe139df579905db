"""The entry of a round: a new round, a correction of an old one, or a forgotten one; and its preview."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from games.common import locks, naming, request_handling, texts
from games.common.request_handling import PageRefusal
from games.play.presenters import (
    interpretations,
    offered_hands,
    offline_numbers,
    open_game,
    pad,
    round_consequences,
    round_form,
    scoresheet,
    scoresheet_columns,
    script_messages,
)
from games.play.presenters.open_game import OpenGame
from games.play.presenters.pad import HandEntryKind, PadValues
from games.play.presenters.round_consequences import Consequence
from games.play.presenters.round_form import RoundForm
from games.play.services import hand_offers, recording
from games.play.views.sheet import dealer_context, money_context, next_url, show_sheet
from games.scoring.card_points import LeftoverPoints
from games.scoring.errors import RuleError, ScoringError
from games.scoring.events import RoundPlayed, Struck
from games.scoring.replay import apply, hand_doubts, replay
from games.scoring.rounds import Doubt, RoundEntry, hand_field
from games.scoring.state import GameState
from games.tables.views.lobby import poll_context


@dataclass(frozen=True)
class RoundEntryPage:
    """A round to be entered: the state `before` it, and the texts and addresses of its entry page.

    `seat` is the player whose hand the page opens first, and `only_player` the player of a form with only one
    hand. `number` is the event of a recorded round: the page can strike it, or insert a round before it.
    `is_again` is true if the same round may have been recorded meanwhile.

    The page polls `hands_url` for hands from the phones of the players `phones`. `offered` is the form filled
    with the hands that have arrived, and `offer_ids` are their ids.

    In a step of a correction (`missing.py`), `fields` are the hidden fields, `asked` the only players whose
    hands may be entered, and `instead` the other answers as (value, label).
    """

    before: GameState
    heading: str
    action: str
    draft: str
    submit: str
    seat: str = ""
    number: int = 0
    is_again: bool = False
    only_player: str = ""
    hands_url: str = ""
    ticket: str = ""
    phones: tuple[str, ...] = ()
    offered: PadValues | None = None
    offer_ids: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    asked: tuple[str, ...] = ()
    instead: tuple[tuple[str, str], ...] = ()


@request_handling.require_form
def play_round(request: HttpRequest, code: str) -> HttpResponse:
    """Show the entry page of the next round; on POST, record the round.

    With `?preview`, a POST shows its consequences instead.
    """
    if is_preview(request):
        return preview(request, code, lambda game_page: _page_state(request, game_page))
    game_page = open_game.get_or_404(request, code, for_recording=True)
    if request.method == "POST":
        return _record_round(request, game_page)
    if url_name := _redirect_url_name(game_page):
        return redirect(url_name, code)
    # The player tapped on the sheet: the closer, or the first player to enter.
    tapped = request.GET.get("closer", "")
    place = with_offers(request, game_page, next_round_page(game_page))
    undone = _undone_round(game_page)
    if undone is not None:
        return show_round(request, game_page, place, PadValues.from_entry(undone))
    if not game_page.state.rules.asks_closer:
        place = replace(place, seat=tapped)
        return show_round(request, game_page, place, place.offered or PadValues())
    values = place.offered or PadValues()
    if tapped and tapped != values.closer:
        values = replace(values, closer=tapped, closing="")
    return show_round(request, game_page, place, values)


def _page_state(request: HttpRequest, game_page: OpenGame) -> GameState:
    """Return the state that the user's page shows, also if the game has gone on since.

    A preview may arrive after its own round was recorded; it must not count that round twice. No page shows
    the middle of events that were recorded together: there it is the present state.
    """
    seen = request_handling.seen_version(request)
    if not 0 < seen < len(game_page.log):
        return game_page.state
    try:
        return replay(game_page.log[:seen])
    except ScoringError:
        return game_page.state


def _redirect_url_name(game_page: OpenGame) -> str:
    """Return the URL name of the page to redirect to if the game takes no round now; "" if it does."""
    if game_page.game.discarded_at is not None:
        return "sheet"
    if game_page.state.is_over:
        return "settlement"
    return "reentry" if game_page.state.pending else ""


def with_offers(request: HttpRequest, game_page: OpenGame, place: RoundEntryPage) -> RoundEntryPage:
    """Return the page with the hands that players other than this user sent from their own phones.

    The page polls for them, for entries that other scorers record meanwhile, and for questions about the pen
    or an owner's phone, unless no other phone is at the table.
    """
    game, snapshot = game_page.game, game_page.snapshot
    user = request_handling.current_user(request)
    phones = hand_offers.players_with_phones(game, snapshot, besides=user)
    if not phones and all(access.user_id == user.pk for access in snapshot.lobby.phones):
        return place
    hands = hand_offers.load_for_round(game, snapshot)
    is_looking = offered_hands.is_scorer_looking(request, game_page, hands)
    offers = hands.offers_for_pad(is_looking=is_looking)
    live = poll_context(request, game_page.reader_access, "live-hands", game.code, game_page.version)
    return replace(
        place,
        offered=offered_hands.prefilled_values(offers, hands.closing_offer) if offers else None,
        offer_ids=tuple(offer.pk for offer in offers.values()),
        notes=tuple(offered_hands.closer_notes(hands, game_page.people)) if hands.is_closed else (),
        hands_url=live["live"],
        ticket=live["ticket"],
        phones=tuple(sorted({*phones, *hands.senders})),
    )


def _undone_round(game_page: OpenGame) -> RoundEntry | None:
    """Return the round that was just undone, to be entered again with the hands that phones sent for it.

    Return None if no round was just undone, if no phone sent a hand for it, or if one of its players left.
    """
    if not game_page.history.last_is_undo:
        return None
    struck = game_page.log[game_page.history.last[-1] - 1]
    undone = game_page.log[struck.number - 1] if isinstance(struck, Struck) else None
    if not isinstance(struck, Struck) or not isinstance(undone, RoundPlayed):
        return None
    playing = {player.id for player in game_page.state.playing}
    is_complete = {player for player, _hand in undone.entry.hands} <= playing
    has_phones = game_page.game.hand_sources.filter(number=struck.number).exists()
    return undone.entry if is_complete and has_phones else None


def _record_round(request: HttpRequest, game_page: OpenGame) -> HttpResponse:
    result = try_round(request, game_page)
    if isinstance(result, PageRefusal):
        return _show_refused_round(request, open_game.get_or_404(request, game_page.game.code), result)
    return redirect(next_url(game_page, result))


def try_round(request: HttpRequest, game_page: OpenGame) -> GameState | PageRefusal:
    """Record the posted round as the next one and return the state after it, or the refusal."""
    number = open_game.find_number_by_key(request_handling.form_key(request), game_page)
    if number is not None:  # a repeated request: read it with the state before its first recording
        form = round_form.parse_round(request.POST, replay(game_page.log[: max(number - 1, 1)]))
    else:
        form = round_form.parse_round(request.POST, game_page.state)
        if request_handling.seen_version(request) == len(game_page.log) and _accepts_rounds(game_page):
            if game_page.state.pending:
                return open_game.reentry_refusal(game_page, game_page.state.pending[0].id)
            if form.errors:
                return PageRefusal(request_handling.UNPROCESSABLE, form.errors)
    step = partial(recording.record, offer_ids=offered_hands.posted_offer_ids(request))
    return open_game.try_to_record(request, game_page, RoundPlayed(form.entry), step=step)


def _show_refused_round(request: HttpRequest, game_page: OpenGame, refusal: PageRefusal) -> HttpResponse:
    if not _accepts_rounds(game_page) or game_page.state.pending:
        return show_sheet(request, game_page, refusal)
    place = next_round_page(game_page)
    if refusal.status == request_handling.CONFLICT and _has_missed_rounds(request, game_page):
        refusal = replace(refusal, news=_("Your round was not saved. Is it the same one?"))
        submit = _("It is round %(number)s") % {"number": len(game_page.state.rounds) + 1}
        place = replace(place, submit=submit, is_again=True)
    place = replace(
        with_offers(request, game_page, place), offer_ids=tuple(offered_hands.posted_offer_ids(request))
    )
    return show_round(request, game_page, place, PadValues.from_post(request.POST, game_page.state), refusal)


def _has_missed_rounds(request: HttpRequest, game_page: OpenGame) -> bool:
    """Return whether a round was recorded since the user loaded the page, even one equal to theirs."""
    return any(result.number > request_handling.seen_version(request) for result in game_page.state.rounds)


def _accepts_rounds(game_page: OpenGame) -> bool:
    return game_page.game.discarded_at is None and not game_page.state.is_over


def next_round_page(game_page: OpenGame) -> RoundEntryPage:
    return RoundEntryPage(
        before=game_page.state,
        heading=_("Round %(number)s") % {"number": len(game_page.state.rounds) + 1},
        action=reverse("play-round", args=[game_page.game.code]),
        draft=f"{game_page.game.code}:{len(game_page.log)}",
        submit=_("Save"),
    )


def show_round(
    request: HttpRequest,
    game_page: OpenGame,
    place: RoundEntryPage,
    values: PadValues,
    refusal: PageRefusal | None = None,
) -> HttpResponse:
    entry = _entry_context(game_page, place, values, refusal)
    pen = game_page.pen_notice
    context = {
        **game_page.context,
        "place": place,
        "entry": entry,
        **_sheet_context(game_page),
        **game_page.questions,
        "has_questions": place.hands_url or pen.question or pen.holder or game_page.phone_claims,
        "back_page": "hand" if place.only_player else "round",
        "key": locks.new_form_key(),
    }
    return request_handling.render_page(request, "play/round.html", context, refusal)


def _sheet_context(game_page: OpenGame) -> dict[str, object]:
    """Return the template variables of the sheet beside the pad on a laptop."""
    game, log, state, people = game_page.game, game_page.log, game_page.state, game_page.people
    return {
        "sheet": scoresheet.build(game, log, state, people, is_example=True),
        **dealer_context(state, people),
        **money_context(game_page),
    }


def _entry_context(
    game_page: OpenGame, place: RoundEntryPage, values: PadValues, refusal: PageRefusal | None
) -> dict[str, object]:
    """Return the template variables of the entry page and its scripts.

    `ways` are the ways to enter a hand, and `suits` are given if whole hands can be tapped. `signed` is true
    if a hand may count below zero, and `is_filled` if the fields were filled with hands from other phones.
    `cut_max` is the most points a closer may have left.
    """
    state, rules = place.before, place.before.rules
    contract = scoresheet_columns.contract_label(state.contract)
    kind, errors = pad.entry_kind(rules), refusal.errors if refusal else {}
    question, instruction = pad.closer_question(rules)
    at_fields = ("closer", "closing", *(hand_field(player.id) for player in state.playing))
    return {
        "kind": kind,
        "heading": f"{place.heading} · {contract}" if contract else place.heading,
        "steps": scoresheet_columns.contract_steps(state),
        "question": question,
        "subheading": _missing_sentence(game_page, place) if place.asked else instruction,
        "words": script_messages.pad_messages(
            rules, is_own=bool(place.only_player), takes_offers=bool(place.hands_url)
        ),
        "help": pad.typing_help(rules),
        "closers": pad.closer_choices(
            state, game_page.people, values, only_player=place.only_player, is_fixed=bool(place.asked)
        ),
        "closings": pad.closing_choices(state, values, is_fixed=bool(place.asked)),
        "seats": pad.hand_inputs(
            state, game_page.people, values, errors, only_player=place.only_player, asked=place.asked
        ),
        "keys": pad.card_keys(rules),
        "ways": pad.key_ways(rules),
        "suits": pad.suit_choices(rules),
        "signed": kind in (HandEntryKind.MELDS, HandEntryKind.TYPED),
        "cut_max": rules.scoring.cut_max if isinstance(rules.scoring, LeftoverPoints) else None,
        "numbers": request_handling.to_json(offline_numbers.build(state, len(game_page.log))),
        "asks_closer_first": rules.asks_closer and not (values.closer or place.only_player),
        "is_filled": place.offered is not None and refusal is None,
        "notice": refusal.notice if refusal else place.notes,
        "closer_error": errors.get("closer", ""),
        "closing_error": errors.get("closing", ""),
        "errors": tuple(refusal.without_fields(*at_fields).errors.values()) if refusal else (),
    }


def _missing_sentence(game_page: OpenGame, place: RoundEntryPage) -> str:
    names = naming.join_names([game_page.people[player].name for player in place.asked])
    return round_form.missing_label(place.before.rules) % {"name": names}


def is_preview(request: HttpRequest) -> bool:
    """Return whether the request asks only for the consequences of the typed hands; nothing is recorded."""
    return request.method == "POST" and "preview" in request.GET


def preview(request: HttpRequest, code: str, before: Callable[[OpenGame], GameState]) -> HttpResponse:
    """Show the consequences of the posted round after the state that `before` returns."""
    try:
        game_page = open_game.get_or_404(request, code, for_recording=True)
    except (Http404, PermissionDenied) as refusal:
        # Answer with a sentence: an error page would lose the typed hands.
        if "HX-Request" not in request.headers:
            raise
        sentence = _("Not recorded: you can no longer record here. What you typed stays on this page.")
        status = request_handling.MISSING if isinstance(refusal, Http404) else request_handling.FORBIDDEN
        context = {"consequences": [Consequence(sentence, "red")]}
        return render(request, "play/_consequences.html", context, status=status)
    state = before(game_page)
    return show_preview(request, game_page, round_form.parse_round(request.POST, state), state)


def show_preview(
    request: HttpRequest, game_page: OpenGame, form: RoundForm, before: GameState
) -> HttpResponse:
    """Show the consequences of the round in `form` after the state `before`, and how each hand is read."""
    tried = _dry_run(before, form)
    is_last = len(before.steps) == len(game_page.state.steps)
    after, clash = None, {}
    if isinstance(tried, RuleError):
        sentence = _refusal_sentence(tried, before, form.entry)
        clash = dict.fromkeys(round_consequences.players_with_card(tried, form.entry), sentence)
        consequences = [Consequence(sentence, "red")]
    elif isinstance(tried, GameState):
        after, people, table = tried, game_page.people, game_page.table
        consequences = list(round_consequences.build_consequences(tried, people, table, is_last=is_last))
    else:
        consequences = list(round_consequences.doubt_consequences(tried, before.rules))
    readings = interpretations.interpret_hands(before, form, after, game_page.people, clash)
    context = {"consequences": consequences, "readings": list(readings)}
    return render(request, "play/_consequences.html", context)


def _dry_run(before: GameState, form: RoundForm) -> GameState | RuleError | tuple[Doubt, ...]:
    """Return the state after the round in `form`, or the refusal by the rules.

    While hands are missing, return the doubts about the hands entered so far.
    """
    if before.is_over:
        return ()
    try:
        if form.errors:
            # While hands are missing, only each hand alone and the number of each card can be checked.
            before.rules.deck.check((hand_field(player), hand.cards) for player, hand in form.entry.hands)
            return () if "closer" in form.errors else hand_doubts(before, form.entry)
        return apply(before, len(before.steps) + 1, RoundPlayed(form.entry))
    except RuleError as refusal:
        return refusal


def _refusal_sentence(refusal: RuleError, before: GameState, entry: RoundEntry) -> str:
    """Return the refusal in words, with the names of the players if it is about their hands."""
    sentence, clash = texts.translate(refusal.text), round_consequences.players_with_card(refusal, entry)
    names = [
        player.name
        for player in before.playing
        if player.id in clash or (hand_field(player.id) == refusal.field and not clash)
    ]
    if not names or "name" in refusal.text.params:
        return sentence
    return _("%(name)s: %(sentence)s") % {"name": naming.join_names(names), "sentence": sentence}
