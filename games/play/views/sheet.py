"""The sheet of a game: its page, its polls, and the board with big digits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import time
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.common import event_sentences, locks, name_marks, naming, regions, request_handling, roles
from games.common.event_sentences import PersonsById
from games.common.poll_tickets import PageVersion
from games.common.request_handling import PageRefusal
from games.models import Flag, Game, Member
from games.money.presenters import game_results, stakes
from games.play.presenters import (
    announcement,
    last_hand,
    offered_hands,
    open_game,
    pad,
    scoresheet,
    scoresheet_columns,
)
from games.play.presenters.open_game import OpenGame
from games.play.services import hand_flags, hand_offers, writer
from games.play.views.live_result import follow_context
from games.scoring.ledger import nets
from games.scoring.state import GameState
from games.tables.presenters import claim_list, pen_display
from games.tables.services import pens
from games.tables.views.lobby import answer_notice, issue_poll_ticket, no_news, poll_context


@require_safe
def sheet(request: HttpRequest, code: str) -> HttpResponse:
    game_page = open_game.get_or_404(request, code, or_old_night=True)
    if game_page.state.imported_night is not None:
        return redirect("old-night", code)
    return show_sheet(request, game_page)


def show_sheet(request: HttpRequest, game_page: OpenGame, refusal: PageRefusal | None = None) -> HttpResponse:
    face = game_page.snapshot.lobby.find_member(request.user)
    is_discarded = game_page.game.discarded_at is not None
    follow_data = follow_context(request, game_page, "sheet") if is_discarded else {}
    context = {
        **_sheet_context(game_page, face),
        **_lobby_context(request, game_page),
        **(follow_data or _live_context(request, game_page, "live-sheet")),
        "is_news": _is_news(request, game_page),
        "mine": game_page.reader_access,
        "key": locks.new_form_key(),
    }
    return request_handling.render_page(request, "play/sheet.html", context, refusal)


def _sheet_context(game_page: OpenGame, face: Member | None) -> dict[str, object]:
    """Return the template variables of the sheet that are the same for everybody with this role and face."""
    state, people, flags = game_page.state, game_page.people, _open_flags(game_page)
    return {
        **game_page.context,
        "sheet": scoresheet.build(
            game_page.game,
            game_page.log,
            state,
            people,
            for_writing=game_page.can_record,
            doubted={(flag.number, flag.player) for flag in flags},
        ),
        "shared_by": _sheet_cache_name(game_page),
        "round_number": len(state.rounds) + 1,
        "draft_sweep": f"{game_page.game.code}:",
        "draft_keep": f"{game_page.game.code}:{len(game_page.log)}",
        **_turn_context(state, people),
        **_hands_context(game_page, face),
        "next_game": _find_next_game(game_page),
        "pen": pen_display.build_notice(game_page.pen),
        "phone_claims": (),
        "idle_in": _idle_seconds(game_page),
        **money_context(game_page),
        "last_hand": last_hand.find_last_hand(state, people),
        "fills_pot": last_hand.has_filled_pot(game_page.log),
        **_actions_context(game_page),
        **({"flag": flags[0], "doubt": _flag_sentence(game_page, flags[0])} if flags else {}),
        "answered": _answered_sentences(game_page, face),
        "result": _result_url(game_page),
        "announcement": announcement.build(game_page),
        "leaving": event_sentences.leaving_sentence(state.rules),
    }


def _idle_seconds(game_page: OpenGame) -> int | None:
    """Return in how many seconds the sheet asks those who watch whether anybody records; None if it never does.

    Users who record do not read it.
    """
    if game_page.state.is_over or game_page.game.discarded_at is not None or game_page.can_record:
        return None
    return pen_display.seconds_until(writer.last_recorded_at(game_page.game) + pens.IDLE_AFTER)


def _is_news(request: HttpRequest, game_page: OpenGame) -> bool:
    """Return whether the phone sees the newest event for the first time.

    It does in a poll's answer, or after its own form.
    """
    match, code = request.resolver_match, game_page.game.code
    seen_version = match.kwargs.get("version") if match else None
    if seen_version is not None:
        return bool(seen_version.number < len(game_page.log))
    came_from = urlsplit(request.headers.get("HX-Current-URL", "")).path
    return came_from in {reverse(name, args=[code]) for name in ("play-round", "reentry")}


def money_context(game_page: OpenGame) -> dict[str, object]:
    """Return the template variables of each player's money so far and the price of coming back, if any."""
    state = game_page.state
    if game_page.context["pot"] or (not state.is_over and (state.rules.pot or any(nets(state).values()))):
        paid = game_results.current_nets(state, game_page.people, game_page.table)
        return {
            "paid": paid,
            "coming_back": stakes.reentry_price_labels(state, game_page.people, game_page.table),
        }
    return {"paid": (), "coming_back": ()}


def _actions_context(game_page: OpenGame) -> dict[str, object]:
    is_running = not game_page.state.is_over and game_page.game.discarded_at is None
    acts = game_page.can_record and is_running
    return {"acts": acts, "asks_closer": acts and not game_page.state.pending}


def _open_flags(game_page: OpenGame) -> Sequence[Flag]:
    return hand_flags.list_open(game_page.game, game_page.snapshot) if game_page.can_record else ()


def _flag_sentence(game_page: OpenGame, flag: Flag) -> str:
    face = game_page.snapshot.lobby.find_member(flag.user)
    rounds = [result.number for result in game_page.state.rounds]
    params = {
        "name": naming.isolate(face.name) if face else _("Someone"),
        "player": naming.isolate(game_page.people[flag.player].name),
        "number": rounds.index(flag.number) + 1,
    }
    if face and face.slug == flag.player:
        return _("%(name)s says their own hand in round %(number)s is wrong") % params
    return _("%(name)s says %(player)s's hand in round %(number)s is wrong") % params


def _answered_sentences(game_page: OpenGame, face: Member | None) -> list[tuple[str, Flag | None]]:
    """Return what became of the flags that this member raised, each with the flag if its round is still there."""
    if face is None:
        return []
    flags = hand_flags.list_answered(game_page.game, game_page.snapshot)
    find_member = game_page.snapshot.lobby.find_member
    return [_answered_sentence(game_page, flag, face) for flag in flags if find_member(flag.user) == face]


def _answered_sentence(game_page: OpenGame, flag: Flag, face: Member) -> tuple[str, Flag | None]:
    rounds = [result.number for result in game_page.state.rounds]
    params: dict[str, object] = {"player": naming.isolate(game_page.people[flag.player].name)}
    if flag.number not in rounds:
        return _("A round was removed: you said %(player)s's hand in it was wrong.") % params, None
    params["number"] = rounds.index(flag.number) + 1
    if face.slug == flag.player:
        return _("Round %(number)s was corrected: you said your hand was wrong.") % params, flag
    return _("Round %(number)s was corrected: you said %(player)s's hand was wrong.") % params, flag


def _result_url(game_page: OpenGame) -> str:
    """Return the address of the result, where the pages of a finished game lead; "" until then."""
    is_over = game_page.state.is_over and game_page.game.discarded_at is None
    return reverse("settlement", args=[game_page.game.code]) if is_over else ""


def _lobby_context(request: HttpRequest, game_page: OpenGame) -> dict[str, object]:
    if not game_page.has_role:
        return dict(game_page.questions)
    lobby_snapshot = game_page.snapshot.lobby
    claims = claim_list.claim_items(lobby_snapshot, request_handling.current_user(request))
    claim = min(claims, key=lambda claim: bool(claim.answered_by), default=None)
    return {
        **game_page.questions,
        "claim": None if game_page.phone_claims else claim,
        "seated": lobby_snapshot.seated_players,
        "claim_answer": answer_notice(request, game_page.table, game=game_page.game.code),
    }


def _turn_context(state: GameState, people: PersonsById) -> dict[str, object]:
    """Return the dealer, the bust player asked to re-enter, and the possible closers with the question."""
    return {
        **dealer_context(state, people),
        "asked": people[state.pending[0].id] if state.pending else None,
        "question": pad.closer_question(state.rules)[0],
        "closers": {player.id for player in state.playing},
        "nobody_closes": state.rules.asks_closer
        and any(not closing.by_player for closing in state.rules.closings),
    }


def dealer_context(state: GameState, people: PersonsById) -> dict[str, object]:
    """Return the dealer, and in `deals` what is written before and after the dealer's name."""
    return {
        "dealer": people[state.dealer] if state.dealer else None,
        "deals": _("{name} deals").partition("{name}"),
    }


def _hands_context(game_page: OpenGame, face: Member | None) -> dict[str, object]:
    """Return the template variables of the member's own hand and the offered ones, while a round is played.

    A scorer can send an own hand only if other phones are at the table.
    """
    game, snapshot = game_page.game, game_page.snapshot
    if not hand_offers.is_being_played(game, game_page.state):
        return {}
    hands = hand_offers.load_for_round(game, snapshot)
    player = hand_offers.find_player_for_member(face, game, snapshot)
    has_hand = player is not None
    if has_hand and game_page.can_record:
        has_hand = bool(hand_offers.players_with_phones(game, snapshot, besides=game_page.reader))
    return {
        "me": game_page.people[face.slug] if face else None,
        "has_hand": has_hand,
        "is_sent": player in hands.senders,
        "sent": hands.senders,
        "counting": offered_hands.missing_hands_label(hands, game_page.people),
    }


def _find_next_game(game_page: OpenGame) -> Game | None:
    """Return the table's running game, if the sheet's own game is over or discarded."""
    if not game_page.state.is_over and game_page.game.discarded_at is None:
        return None
    return game_page.table.games.filter(ended_at=None, discarded_at=None).first()


def next_url(game_page: OpenGame, state: GameState) -> str:
    """Return the address to show after a recording: the re-entry page, the result, or the sheet."""
    code = game_page.game.code
    if state.is_over:
        return reverse("settlement", args=[code])
    if state.pending:
        return reverse("reentry", args=[code])
    return reverse("sheet", args=[code])


@require_safe
def board(request: HttpRequest, code: str) -> HttpResponse:
    """Show the totals in big digits, for a tablet in the middle of the table."""
    return _show_board(request, open_game.get_or_404(request, code))


def _show_board(request: HttpRequest, game_page: OpenGame) -> HttpResponse:
    has_ended = game_page.state.is_over or game_page.game.discarded_at is not None
    follow_data = follow_context(request, game_page, "board") if has_ended else {}
    context = {
        **_board_context(game_page),
        **(follow_data or _live_context(request, game_page, "live-board")),
    }
    return render(request, "play/board.html", context)


def _board_context(game_page: OpenGame, _face: Member | None = None) -> dict[str, object]:
    state, people = game_page.state, game_page.people
    return {
        **game_page.context,
        "spots": scoresheet_columns.board_seats(state, people),
        "coming_back": stakes.reentry_price_labels(state, people, game_page.table),
        "goal": scoresheet_columns.goal_label(state),
        "contract": scoresheet_columns.contract_label(state.contract),
        "round_number": len(state.rounds) + 1,
        "asked": people[state.pending[0].id] if state.pending else None,
        "announcement": announcement.build(game_page),
        "won": event_sentences.winners_sentence(state, people) if state.is_over else "",
        "counting": offered_hands.missing_hands_label(
            hand_offers.load_for_round(game_page.game, game_page.snapshot), people
        ),
    }


# --- polls ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SharedPage:
    """A page that viewers share: its poll's URL name, its view for one reader, and its shared variables."""

    name: str
    show: Callable[[HttpRequest, OpenGame], HttpResponse]
    template: str
    context: Callable[[OpenGame, Member | None], dict[str, object]]


SHEET = SharedPage("live-sheet", show_sheet, "play/sheet.html", _sheet_context)
BOARD = SharedPage("live-board", _show_board, "play/board.html", _board_context)


@require_safe
def live_sheet(request: HttpRequest, code: str, version: PageVersion) -> HttpResponse:
    """Answer the poll of a sheet that shows `version`; 204 if the sheet is up to date."""
    return _poll_response(request, SHEET, code, version)


@require_safe
def live_board(request: HttpRequest, code: str, version: PageVersion) -> HttpResponse:
    """Answer the poll of a board that shows `version`; 204 if the board is up to date."""
    return _poll_response(request, BOARD, code, version)


def _poll_response(request: HttpRequest, page: SharedPage, code: str, version: PageVersion) -> HttpResponse:
    """Answer a poll that its ticket left unanswered: 204 if there is no news, or the page.

    A page that its reader shares with others is rendered once for all of them and stored for their tickets.
    It is rendered without a request, so that it contains nothing of a single reader.
    """
    game_page = open_game.get_or_404(request, code)
    access, copy = game_page.reader_access, _shared_copy_name(game_page)
    if version == game_page.version:
        return no_news(request, access, copy=copy)
    address = reverse(page.name, args=[code, game_page.version])
    ticket = issue_poll_ticket(request, access, address, since=int(time()), copy=copy)
    has_ended = game_page.game.discarded_at is not None or (page is BOARD and game_page.state.is_over)
    if ticket is None or access is None or not copy or has_ended:
        return page.show(request, game_page)
    shared = ticket.cached_page()
    if shared is not None:
        return shared
    is_news = version.number < len(game_page.log)
    game_page.table.reader_access = None  # a copy has no reader
    for face in _watching_members(game_page):
        context = {**page.context(game_page, face), "live": address, "is_news": is_news}
        content = name_marks.resolve(render_to_string(page.template, context))
        replace(ticket, copy=_copy_name(face)).share(content.encode())
    return ticket.cached_page() or page.show(request, game_page)


def _watching_members(game_page: OpenGame) -> set[Member | None]:
    """Return the faces to render the shared page for: those of all viewers without a pending claim."""
    return {
        access.person
        for access in game_page.snapshot.lobby.phones
        if access.role not in roles.WRITERS and not access.is_pending
    }


def _live_context(request: HttpRequest, game_page: OpenGame, name: str) -> dict[str, str]:
    """Return the template variables of a page with live updates; the reader may share its next copy."""
    code, copy = game_page.game.code, _shared_copy_name(game_page)
    return poll_context(request, game_page.reader_access, name, code, game_page.version, copy=copy)


def _shared_copy_name(game_page: OpenGame) -> str:
    """Return the name of the copy of a page that this reader shares with others; "" for a page of their own.

    A scorer's page has the key of a form on it, a user whose claim is pending or denied reads that there, and a
    page with a question about the pen is its reader's own.
    """
    access = game_page.reader_access
    if game_page.can_record or access is None or access.is_pending or game_page.has_question:
        return ""
    return _copy_name(access.person)


def _copy_name(face: Member | None) -> str:
    return f"{face.pk if face else ''}.{_language()}"


def _sheet_cache_name(game_page: OpenGame) -> str:
    """Return a cache name for the sheet's table and the menus of its faces.

    They are the same for everybody with this role.
    """
    # The initials of faces depend on the names of all members, and a new member raises the table's version.
    parts = (game_page.game.code, game_page.version, game_page.table.version, game_page.can_record)
    return ".".join(map(str, (*parts, _language())))


def _language() -> str:
    return f"{get_language()}.{regions.active_region().name}"
