"""The URL where a phone sends its queued entries, the answers, and the token that it needs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from games.common import amounts, request_handling, texts
from games.common.json_reader import InvalidFile, JsonObjectReader
from games.common.locks import IdempotencyKeyReused, StaleGame
from games.models import Table, is_code
from games.money.forms import confirmation_value
from games.money.presenters import payment_questions
from games.money.services import accounting
from games.money.services.movements import AlreadyVoided
from games.money.services.payments import PaymentQuestion
from games.play.presenters import offline_numbers, offline_queue, open_game
from games.play.presenters.offline_queue import (
    InternalFailure,
    InvalidEntry,
    QueuedEntry,
    QueueResult,
    StaleDebt,
)
from games.play.presenters.open_game import OpenGame
from games.play.services.hand_offers import RoundOver
from games.scoring.errors import ScoringError
from games.scoring.i18n import _
from games.scoring.step_budget import count_steps, spend_steps
from games.scoring.validation import MAX_STEPS
from games.tables.presenters import pen_display
from games.tables.services import authorization, users
from games.tables.services.authorization import Visitor

# steps charged for reading, recording and answering an entry: ten milliseconds
ENTRY_STEPS = 40_000
BODY_KEYS = frozenset(("person", "entries"))


@require_safe
def token(request: HttpRequest) -> HttpResponse:
    """Return a fresh CSRF token, the user's pseudonym and the release.

    A page that waited may have the token of an older session. The release is in the body too, because a proxy
    may remove the header that has it (`games/common/site_header.py`).
    """
    person = users.opaque_id(request.user) if isinstance(request.user, User) else ""
    return JsonResponse({"token": get_token(request), "person": person, "release": settings.RELEASE})


@require_safe
def network(request: HttpRequest) -> HttpResponse:
    """Redirect to the first page.

    Phones open this address in a network that asks for something first. Their service worker never answers
    it, so the network can.
    """
    return redirect("home")


@require_POST
def waiting(request: HttpRequest) -> HttpResponse:
    """Record the entries queued on a phone, and return their outcomes in order.

    Entries of another user are refused with 403, so the phone keeps them until that user returns. If the step
    budget of the request is spent, only the first outcomes are returned, and the phone sends the rest again.
    """
    try:
        body = JsonObjectReader(_read_json(request), BODY_KEYS)
        entries = body.read_list("entries", most=offline_queue.MOST_ENTRIES)
        person = body.part("person")
    except InvalidFile as wrong:
        return request_handling.refusal_json(*map(texts.translate, wrong.problems))
    if not isinstance(request.user, User) or person != users.opaque_id(request.user):
        raise PermissionDenied
    answers = []
    with count_steps() as effort:
        for answer in build_answers(request, entries, offline_queue.record_all(entries, request.user)):
            answers.append(answer)
            effort.spend(ENTRY_STEPS)
            if effort.used > MAX_STEPS:
                break  # the phone sends the remaining entries again
    return JsonResponse({"answers": answers})


def _read_json(request: HttpRequest) -> object:
    """Return the value of the JSON body. Raise InvalidFile for any other body, such as a form's."""
    body = request.body if request.content_type == "application/json" else b""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise InvalidFile(_("This is not a complete JSON file.")) from None


NEWS_STEPS = 40_000  # steps charged for the news of a game in words: a few milliseconds


def build_answers(
    request: HttpRequest, entries: Sequence[Any], outcomes: Iterable[QueueResult]
) -> Iterator[dict[str, Any]]:
    """Yield the answer to each entry, as soon as its outcome is known.

    A refused entry gets the reasons (`sentences`), the events recorded `meanwhile` in its game, and whether
    its key was `used` for something else. If a payment exceeds the debt, the answer also has the value
    (`sure`) that confirms it when it is sent again. The answer to the last entry of a game has the game's
    current `numbers`.
    """
    last = {_parse_game_code(value): place for place, value in enumerate(entries)}
    for place, outcome in enumerate(outcomes):
        game = _parse_game_code(entries[place])
        is_last, is_broken = last[game] == place, isinstance(outcome.error, InternalFailure)
        page = (
            _find_open_game(request, game) if game and not is_broken and (is_last or outcome.error) else None
        )
        answer: dict[str, Any] = {"status": outcome.status}
        if outcome.status == offline_queue.REFUSED:
            answer |= _refusal_data(request, outcome, page)
        if page and is_last:
            answer["numbers"] = offline_numbers.build(page.state, len(page.log))
        yield answer


def _parse_game_code(value: object) -> str:
    """Return the code of the game of a round or an answer; "" for other entries and unreadable ones."""
    if not isinstance(value, dict) or value.get("form") not in offline_queue.GAME_FORMS:
        return ""
    game = value.get("game")
    return game if isinstance(game, str) and is_code(game) else ""


def _find_open_game(request: HttpRequest, game: str) -> OpenGame | None:
    try:
        return open_game.get_or_404(request, game)
    except Http404:
        return None


def _refusal_data(request: HttpRequest, outcome: QueueResult, page: OpenGame | None) -> dict[str, Any]:
    entry, error = outcome.entry, outcome.error
    news: Sequence[str] = ()
    if page and entry and isinstance(error, (StaleGame, IdempotencyKeyReused)):
        spend_steps(NEWS_STEPS)
        news = open_game.sentences_since(entry.after, page)
    return {
        "sentences": _refusal_sentences(request, entry, error),
        "meanwhile": news,
        "used": isinstance(error, (IdempotencyKeyReused, AlreadyVoided)),
        **(
            {"sure": confirmation_value(error.payer, error.payee, error.amount)}
            if isinstance(error, PaymentQuestion)
            else {}
        ),
    }


def _refusal_sentences(request: HttpRequest, entry: QueuedEntry | None, error: Exception | None) -> list[str]:
    match error:
        case InvalidFile():
            return [texts.translate(problem) for problem in error.problems]
        case InvalidEntry():
            return list(error.sentences)
        case StaleGame():
            return [open_game.stale_message(error)]
        case ScoringError():
            table = _find_table(request, entry)
            return [texts.translate(error.text, amounts.money_formatter(table) if table else str)]
        case RoundOver():
            return [gettext("That round is over: this hand was not counted.")]
        case IdempotencyKeyReused():
            return [_key_message(entry)]
        case PaymentQuestion():
            return [payment_questions.question_sentence(error, error.payer.table)]
        case StaleDebt():
            return [
                gettext("Not recorded: this debt has changed in the meantime."),
                _current_debt_sentence(error),
            ]
        case PermissionDenied():
            return [_not_recorder_sentence(request, entry)]
        case InternalFailure():
            return [gettext("An error on our side. It was not recorded.")]
        case _ if entry is not None and not entry.game:
            return [gettext("This phone can no longer open this table.")]
        case _:
            return [gettext("This phone can no longer open this game.")]


def _not_recorder_sentence(request: HttpRequest, entry: QueuedEntry | None) -> str:
    """Return who records now, to a user who may not, for example because somebody took the pen back."""
    table = _find_table(request, entry)
    return (
        pen_display.not_recorder_sentence(table)
        if table
        else gettext("This phone can no longer open this table.")
    )


def _key_message(entry: QueuedEntry | None) -> str:
    if entry is not None and entry.form in offline_queue.MONEY_FORMS:
        return gettext("This form already recorded another payment. Check the payments.")
    return gettext("This form already recorded another entry. Check the sheet.")


def _current_debt_sentence(stale: StaleDebt) -> str:
    """Return a sentence about the current debt between the two members."""
    ends = {stale.payer, stale.payee}
    debts = accounting.load_accounts(stale.table).debts
    debt = next((debt for debt in debts if {debt.payer, debt.payee} == ends), None)
    if debt is None:
        return payment_questions.debt_sentence(stale.payer, stale.payee, 0, stale.table)
    return payment_questions.debt_sentence(debt.payer, debt.payee, debt.amount, stale.table)


def _find_table(request: HttpRequest, entry: QueuedEntry | None) -> Table | None:
    if entry is None:
        return None
    visitor = Visitor(request.user)
    try:
        return (
            authorization.get_game(visitor, entry.game)[0].table
            if entry.game
            else authorization.get_table(visitor, entry.table)[0]
        )
    except (Http404, PermissionDenied):
        return None
