"""The sheet of a game: its page, its polls, the board with big digits, undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy as copy_of
from dataclasses import replace
from time import time

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.common.locks import KeyReused, StaleGame, new_key
from games.common.names import isolated
from games.common.regions import current_region
from games.common.roles import WRITERS
from games.common.sent import Refused, sent_after, sent_key, user_of
from games.common.tickets import Version
from games.common.words import People, leaving_in_words, winners_in_words
from games.models import Access, Flag, Game, Role
from games.money.prices import coming_back
from games.money.settled import money_so_far
from games.play.brought_hands import counting_in_words
from games.play.columns import columns_of, contract_in_words, goal_in_words, spots_of
from games.play.flags import standing
from games.play.game_page import OpenGame, open_game, refused_by
from games.play.hands import hands_of, is_being_played, phones_of, player_of
from games.play.pad import question_of
from games.play.recording import redo, undo
from games.play.score_table import sheet_of
from games.scoring.errors import ScoringError
from games.scoring.ledger import nets
from games.scoring.state import GameState
from games.tables.access import game_for
from games.tables.lobby import face_of, here, unanswered
from games.tables.views.lobby import asks_at, just_denied, ticket_at, unchanged
from games.tables.words import lobby_of


@require_GET
def sheet(request: HttpRequest, code: str) -> HttpResponse:
    game_page = open_game(request, code, or_old_night=True)
    if game_page.state.imported is not None:
        return redirect("old-night", code)
    return show_sheet(request, game_page)


def show_sheet(request: HttpRequest, game_page: OpenGame, refused: Refused | None = None) -> HttpResponse:
    """Show the scoresheet, with a refusal if there is one."""
    state, people = game_page.state, game_page.people
    flags = _doubted(game_page)
    context = {
        **game_page.context,
        "sheet": sheet_of(
            game_page.game,
            game_page.log,
            state,
            people,
            for_writing=game_page.may_record,
            doubted={(flag.number, flag.player) for flag in flags},
        ),
        **_with_lobby(request, game_page),
        "round_number": len(state.rounds) + 1,
        **_asks_at(request, game_page, "live-sheet"),
        "key": new_key(),
        "draft_sweep": f"{game_page.game.code}:",
        "draft_keep": f"{game_page.game.code}:{len(game_page.log)}",
        **_way_on(state, people),
        **_hands(request, game_page),
        "next_game": _next_game(game_page),
        **so_far(game_page),
        **_acts(game_page),
        **({"flag": flags[0], "doubt": _doubt_in_words(game_page, flags[0])} if flags else {}),
        "result_page": _result_page(game_page),
        "leaving": leaving_in_words(state.rules),
        "refused": refused,
    }
    return render(request, "play/sheet.html", context, status=refused.status if refused else 200)


def so_far(game_page: OpenGame) -> dict[str, object]:
    """Return the template variables of each player's money so far, and what coming back costs; {} while there is none."""
    state = game_page.state
    if game_page.context["pot"] or (not state.is_over and (state.rules.pot or any(nets(state).values()))):
        paid = money_so_far(state, game_page.people, game_page.table)
        return {"paid": paid, "coming_back": coming_back(state, game_page.people, game_page.table)}
    return {}


def _acts(game_page: OpenGame) -> dict[str, object]:
    """Return the template variables of what the user may record: the game goes on, and a round can be entered."""
    is_running = not game_page.state.is_over and game_page.game.discarded_at is None
    acts = game_page.may_record and is_running
    return {"acts": acts, "asks_closer": acts and not game_page.state.pending}


def _doubted(game_page: OpenGame) -> Sequence[Flag]:
    """Return the hands that somebody says are wrong, for who may record."""
    return standing(game_page.game, game_page.snapshot) if game_page.may_record else ()


def _doubt_in_words(game_page: OpenGame, flag: Flag) -> str:
    """Return who says which hand is wrong."""
    face = face_of(flag.user, game_page.table)
    rounds = [result.number for result in game_page.state.rounds]
    words = {
        "name": isolated(face.name) if face else _("Somebody"),
        "player": isolated(game_page.people[flag.player].name),
        "number": rounds.index(flag.number) + 1,
    }
    return _("%(name)s says that the hand of %(player)s in round %(number)s is wrong") % words


def _result_page(game_page: OpenGame) -> str:
    """Return the address of the result to which the end of the game leads all who watch it; "" until then."""
    is_over = game_page.state.is_over and game_page.game.discarded_at is None
    return reverse("settlement", args=[game_page.game.code]) if is_over else ""


def _with_lobby(request: HttpRequest, game_page: OpenGame) -> dict[str, object]:
    """Return the template variables of the lobby: who waits for a yes, and if this user can show tonight's link."""
    user = request.user if isinstance(request.user, User) else None
    role = game_page.role if game_page.may_record else None
    return {
        "lobby": lobby_of(game_page.table, user, role),
        "can_show_code": role is not None,
        "denied": just_denied(request, game_page.table, game=game_page.game.code),
    }


def _way_on(state: GameState, people: People) -> dict[str, object]:
    """Return the dealer, the bust player who is asked to re-enter, and who may close the round, with the question."""
    return {
        "dealer": people[state.dealer] if state.dealer else None,
        "asked": people[state.pending[0].id] if state.pending else None,
        "question": question_of(state.rules)[0],
        "closers": {player.id for player in state.playing},
        "nobody_closes": state.rules.asks_closer
        and any(not closing.by_player for closing in state.rules.closings),
    }


def _hands(request: HttpRequest, game_page: OpenGame) -> dict[str, object]:
    """Return the template variables of the user's own hand and of those that arrived, while a round is played.

    A scorer can send an own hand only if there are other phones at the table.
    """
    game, snapshot = game_page.game, game_page.snapshot
    if not is_being_played(game, game_page.state):
        return {}
    face = game_page.face or face_of(request.user, game_page.table)
    hands = hands_of(game, snapshot)
    player = player_of(face, game, snapshot)
    has_hand = player is not None
    if has_hand and game_page.may_record:
        has_hand = bool(phones_of(game, snapshot, besides=user_of(request)))
    return {
        "me": game_page.people[face.slug] if face else None,
        "mine": None if face else unanswered(request.user, game_page.table),
        "has_hand": has_hand,
        "is_sent": player in hands.sent,
        "sent": hands.sent,
        "counting": counting_in_words(hands, game_page.people),
    }


def _next_game(game_page: OpenGame) -> Game | None:
    """Return the game to which the sheet of a finished one leads its watchers: that now played at the table."""
    if not game_page.state.is_over:
        return None
    return game_page.table.games.filter(ended_at=None, discarded_at=None).first()


@require_POST
def undo_last(request: HttpRequest, code: str) -> HttpResponse:
    """Undo the last step of the game: all events that were recorded together."""
    return _step(request, code, undo)


@require_POST
def redo_last(request: HttpRequest, code: str) -> HttpResponse:
    return _step(request, code, redo)


def _step(request: HttpRequest, code: str, step: Callable[..., GameState]) -> HttpResponse:
    game_page = open_game(request, code, for_writing=True)
    try:
        step(
            game_page.game,
            after=sent_after(request),
            key=sent_key(request),
            by=user_of(request),
            snapshot=game_page.snapshot,
        )
    except (ScoringError, StaleGame, KeyReused) as refusal:
        return show_sheet(request, open_game(request, code), refused_by(refusal, game_page))
    return redirect("sheet", code)


def next_page(game_page: OpenGame, state: GameState) -> str:
    """Return the address of the page after a recording with this state: the re-entry page, the result, or the sheet."""
    code = game_page.game.code
    if state.is_over:
        return reverse("settlement", args=[code])
    if state.pending:
        return reverse("reentry", args=[code])
    return reverse("sheet", args=[code])


@require_GET
def live_sheet(request: HttpRequest, code: str, version: Version) -> HttpResponse:
    """Answer the poll of a sheet that shows `version`; 204 if the sheet is up to date."""
    return news(request, "live-sheet", code, version, show_sheet)


@require_GET
def board(request: HttpRequest, code: str) -> HttpResponse:
    """Show the totals in big digits, for a tablet in the middle of the players."""
    return _show_board(request, open_game(request, code))


@require_GET
def live_board(request: HttpRequest, code: str, version: Version) -> HttpResponse:
    """Answer the poll of a board that shows `version`; 204 if the board is up to date."""
    return news(request, "live-board", code, version, _show_board)


def _asks_at(request: HttpRequest, game_page: OpenGame, name: str) -> dict[str, str]:
    """Return the template variables of a page with live updates, of which the reader may share the next copy."""
    copy = copy_for(game_page.mine, game_page.role)
    return asks_at(request, game_page.mine, name, game_page.game.code, game_page.version, copy=copy)


def _show_board(request: HttpRequest, game_page: OpenGame) -> HttpResponse:
    state, people = game_page.state, game_page.people
    context = {
        **game_page.context,
        "spots": spots_of(columns_of(state, people)),
        "goal": goal_in_words(state),
        "contract": contract_in_words(state.contract),
        "round_number": len(state.rounds) + 1,
        "asked": people[state.pending[0].id] if state.pending else None,
        "won": winners_in_words(state, people) if state.is_over else "",
        "counting": counting_in_words(hands_of(game_page.game, game_page.snapshot), people),
        **_asks_at(request, game_page, "live-board"),
    }
    return render(request, "play/board.html", context)


Draw = Callable[[HttpRequest, OpenGame], HttpResponse]


def nothing_new(
    request: HttpRequest, code: str, version: Version, *, for_writing: bool = False
) -> HttpResponse | None:
    """Return an empty response with the next ticket if `version` is the game's present version, else None.

    The middleware answers polls whose ticket is valid by themselves; only the others get here.
    """
    game, _role = game_for(request.user, code, for_writing=for_writing)
    is_shown = version == _version_of(game)
    return unchanged(request, here(game.table).filter(user=request.user.pk).first()) if is_shown else None


def news(request: HttpRequest, name: str, code: str, version: Version, draw: Draw) -> HttpResponse:
    """Answer a poll of the address with the URL name `name`: 204 without news, else the page rendered by `draw`.

    A page that its reader shares with others is rendered once for all of them, and stored for their tickets.
    """
    game, role = game_for(request.user, code)
    mine, now = here(game.table).filter(user=request.user.pk).first(), _version_of(game)
    copy = copy_for(mine, role)
    if version == now:
        return unchanged(request, mine, copy=copy)
    ticket = ticket_at(request, mine, reverse(name, args=[code, now]), since=int(time()), copy=copy)
    shared = ticket.shared_page() if ticket is not None and copy else None
    if shared is not None:
        return shared
    game_page = open_game(request, code)
    if ticket is None or not copy or game_page.version != now:
        return draw(request, game_page)
    page = draw(_of_nobody(request), replace(game_page, face=mine.person if mine else None))
    return ticket.share(page.content)


def _version_of(game: Game) -> Version:
    # The table's revision was read together with the access, and rises when an access ends. So nobody without
    # access gets a ticket for the newer version.
    return Version(game.table.revision, game.records.count())


def copy_for(mine: Access | None, role: Role) -> str:
    """Return the name of the copy of a page that this reader shares with others; "" for a page of their own.

    Who may record has the key of a form on it; who waits for a yes, or got a no, reads that.
    """
    if role in WRITERS or mine is None or mine.is_unanswered:
        return ""
    return f"{mine.person.pk if mine.person else ''}.{get_language()}.{current_region().name}"


def _of_nobody(request: HttpRequest) -> HttpRequest:
    """Return a copy of the request without its user and cookies, to render a page that can be shared."""
    anonymous = copy_of(request)
    anonymous.user, anonymous.COOKIES = AnonymousUser(), {}
    return anonymous
