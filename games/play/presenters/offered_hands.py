"""The entry of a player's own hand (Mi mano), and the offered hands that fill the scorer's form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import naming, parsing, request_handling
from games.common.event_sentences import PersonsById
from games.models import Offer
from games.play.presenters import pad, round_form
from games.play.presenters.open_game import OpenGame
from games.play.presenters.pad import PadValues
from games.play.presenters.round_form import RoundForm
from games.play.services import hand_offers
from games.play.services.hand_offers import RoundOffers, SubmittedHand
from games.scoring.rounds import PlayerId, hand_field
from games.scoring.state import GameState

MAX_NAMED = 3  # the most missing players to name; if there are more, only their number is shown


def parse_hand(post: Mapping[str, str], player: PlayerId, after: int) -> SubmittedHand:
    """Return this player's hand from the posted fields, with the closing if this player closed the round."""
    closing = post.get("closing", "") if post.get("closer") == player else ""
    return SubmittedHand(parsing.strip_separators(post.get(hand_field(player), "")), after, closing)


def parse_for_preview(post: Mapping[str, str], state: GameState, player: PlayerId) -> RoundForm:
    """Return the posted fields as a round with only this player's hand, for the preview of the hand."""
    fields = {name: post.get(name, "") for name in ("closing", hand_field(player))}
    closer = player if post.get("closer") == player else ""
    form = round_form.parse_round({**fields, "closer": closer}, state)
    return replace(form, errors={name: text for name, text in form.errors.items() if name != "closer"})


def offer_values(offer: Offer | None) -> PadValues:
    """Return the values of the form of an own hand: those of the phone's last offer, if any."""
    if offer is None:
        return PadValues(closer=pad.OTHER)
    closer = offer.player if offer.closing else pad.OTHER
    return PadValues(closer=closer, closing=offer.closing, hands={offer.player: offer.hand})


def prefilled_values(offers: Mapping[PlayerId, Offer], closer: Offer | None) -> PadValues:
    """Return the values of the scorer's form, filled from the offers; `closer` is the closer's offer."""
    return PadValues(
        closer=closer.player if closer else "",
        closing=closer.closing if closer else "",
        hands={player: offer.hand for player, offer in offers.items()},
    )


def is_scorer_looking(request: HttpRequest, game_page: OpenGame, hands: RoundOffers) -> bool:
    """Return whether the scorer asked to see the hands that have arrived, and may see them.

    The scorer asks by choosing who closed the round (`closer` in the query string) or, in a game without a
    closer, by a button (`look`).
    """
    is_asking = request.GET.get("closer" if hands.rules.asks_closer else "look", "") != ""
    return is_asking and hands.can_look(
        hand_offers.find_player_for_user(game_page.game, game_page.snapshot, request.user)
    )


def posted_offer_ids(request: HttpRequest) -> list[int]:
    """Return the ids of the hands from other phones that the user's page showed."""
    values = request.POST.getlist("brought")[: hand_offers.MAX_OFFERS]
    return list(filter(None, map(request_handling.parse_pk, values)))


def offers_json(hands: RoundOffers, people: PersonsById, *, is_looking: bool) -> dict[str, object]:
    """Return the offered hands and their senders for the script of the scorer's form.

    The cards are left out until somebody closes the round or the scorer asks to see them (`is_looking`).
    """
    offers = hands.offers_for_pad(is_looking=is_looking)
    return {
        "sent": list(hands.senders),
        "closer": hands.closing_offer.player if hands.closing_offer else "",
        "closing": hands.closing_offer.closing if hands.closing_offer else "",
        "hands": [_hand_json(offer) for offer in offers.values()],
        "choices": [
            {
                "text": _("Two phones sent different hands for %(name)s:")
                % {"name": naming.isolate(people[player].name)},
                "hands": [_hand_json(offer) for offer in hands.offers[player]],
            }
            for player in hands.visible_offers(is_looking=is_looking)
            if player in hands.conflicting_players
        ],
        "notes": closer_notes(hands, people),
    }


def _hand_json(offer: Offer) -> dict[str, object]:
    return {"id": offer.pk, "player": offer.player, "closing": offer.closing, "text": offer.hand}


def closer_notes(hands: RoundOffers, people: PersonsById) -> list[str]:
    """Return a sentence asking the scorer who closed the round if several players say so; [] otherwise."""
    if len(hands.reported_closers) < 2:
        return []
    names = naming.join_names([people[player].name for player in hands.reported_closers])
    return [_("%(names)s say they ended the round: choose who did.") % {"names": names}]


def missing_hands_label(hands: RoundOffers, people: PersonsById) -> str:
    """Return the players whose hands are missing, such as `still counting: Ana and Beto`.

    The label is "" before the first hand arrives and after the last one.
    """
    missing = [naming.isolate(people[player].name) for player in hands.playing if player not in hands.senders]
    if not missing or not hands.senders:
        return ""
    if len(missing) <= MAX_NAMED:
        return _("still counting: %(names)s") % {"names": naming.join_names(missing)}
    count = len(missing)
    # One of them has gone out and has nothing to count.
    closer_counts = not all(
        closing.closer_hand.is_optional or not closing.by_player for closing in hands.rules.closings
    )
    if hands.rules.asks_closer and not hands.reported_closers and not closer_counts:
        count -= 1
    return ngettext("%(count)s still counting", "%(count)s still counting", count) % {"count": count}
