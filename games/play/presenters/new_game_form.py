"""The HTML form of a new game: seats, variant, house rules and the direction of the deal."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.timezone import now
from django.utils.translation import gettext as _

from games.common import amounts, days, event_store, parsing, regions, request_handling, texts
from games.common.regions import Region
from games.models import Game, Record, Table, variant_filter
from games.play.presenters import house_rules, variant_list
from games.play.services import recording
from games.scoring.events import NightImported
from games.scoring.option_checks import clear_unmet_options
from games.scoring.options import House, Variant
from games.scoring.rematch import rematch_deal
from games.scoring.rule_types import Value
from games.scoring.state import GameState
from games.scoring.variants import VARIANTS, split_title
from games.scoring.variants.chinchon import CHINCHON
from games.scoring.variants.loba_menos import LOBA_MENOS
from games.tables.services import setup
from games.tables.services.roster import People

# House rules of the first game of a table: nobody plays for prizes or rising fees that nobody chose.
FIRST_RULES: Mapping[str, Mapping[str, Value]] = {
    CHINCHON.key: {"cut_prize": 0, "chinchon_prize": 0, "reentry_price": "flat"}
}
# The default house rules of a region, where they differ from the usual ones.
REGIONAL_RULES: Mapping[tuple[str, str], Mapping[str, Value]] = {
    ("es-ES", CHINCHON.key): {"settlement": "none"}
}
MOST_SEATS = max(variant.max_players for variant in VARIANTS.values())
DRAWN_SEATS = 4  # at a table where nobody has played


@dataclass(frozen=True)
class SeatChoice:
    """A seat of the form: a chosen member, or the name of a newcomer."""

    number: int
    slug: str = ""
    new: str = ""
    error: str = ""

    @property
    def is_taken(self) -> bool:
        return bool(self.slug or self.new)


@dataclass(frozen=True)
class NewGameValues:
    """The values of the form, posted or taken from the table's last game.

    `table` has the money of the game; it is unsaved if it is not opened yet. The amounts were typed in the
    number format of `region`.
    """

    variant: Variant
    house: Mapping[str, str]
    seats: tuple[SeatChoice, ...]
    direction: str
    table: Table
    region: Region
    table_name: str = ""
    timezone: str = ""  # the time zone of the phone that opens a table
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def taken_seats(self) -> tuple[SeatChoice, ...]:
        return tuple(seat for seat in self.seats if seat.is_taken)

    @property
    def chosen_options(self) -> dict[str, Value]:
        """All house rules, with the default for one that needs another. Raise RuleError for a wrong value."""
        chosen = house_rules.parse_options(self.variant, self.house, self.table, self.region)
        return dict(clear_unmet_options(self.variant, self.variant.house(chosen)).options)

    @property
    def new_table_name(self) -> str:
        """The name of a new table: as typed or, if blank, made of its players' names, shortened to fit."""
        return (
            self.table_name or setup.default_name([seat.new for seat in self.taken_seats]) or _("Our table")
        )


def initial(table: Table | None) -> NewGameValues:
    """Return the initial form: that of the table's last game, or the region's usual variant."""
    last = None if table is None else _known_games(table).first()
    known = None if last is None else VARIANTS.get(split_title(last.variant)[0])
    variant = known or variant_list.default_variant()
    state = None if last is None or known is None else event_store.load_states([last.pk])[last.pk]
    at = table or _build_table(regions.local_money()[0][0])
    house, direction = _house_and_direction(variant, state, at)
    slugs = () if table is None or state is None else _rematch_slugs(state, table)
    seats = _build_seats(slugs, _seat_count(table, variant))
    return NewGameValues(variant, house, seats, direction, at, regions.active_region())


def initial_query(table: Table) -> str:
    """Return the table's initial form as a query string, for a new table elsewhere with the same people."""
    values = initial(table)
    names = {member.slug: member.name for member in table.members.active()}
    people = [names[seat.slug] for seat in values.taken_seats] or list(names.values())[:MOST_SEATS]
    fields = {
        "variant": values.variant.key,
        "unit": table.unit,
        "decimals": str(table.decimals),
        house_rules.DIRECTION: values.direction,
        parsing.REGION: values.region.name,
        "table-name": table.name,
        **{house_rules.field_name(key): text for key, text in values.house.items()},
        **{f"new-{number}": name for number, name in enumerate(people, start=1)},
    }
    return urlencode(fields)


def _build_table(unit: str) -> Table:
    """Return an unsaved table that plays for this unit, with the unit's default decimals."""
    return Table(unit=unit, decimals=amounts.default_decimals(unit))


def _table_from_post(post: QueryDict) -> Table:
    unit = post.get("unit", regions.local_money()[0][0]).strip()
    return Table(unit=unit, decimals=parsing.parse_decimals(post, unit))


def _rematch_slugs(state: GameState, table: Table) -> tuple[str, ...]:
    """Return the slugs of the members who may play again after this game, clockwise from the next dealer."""
    members = recording.rematch_members(state, People.of(table))
    dealer, _direction = rematch_deal(state)
    seats, slugs = list(members), [member.slug for member in members.values()]
    place = next((seats.index(seat.id) for seat in state.seats_from(dealer) if seat.id in members), 0)
    return (*slugs[place:], *slugs[:place])


def _build_seats(slugs: Sequence[str], minimum: int) -> tuple[SeatChoice, ...]:
    """Return at least `minimum` seats; the members with these slugs take the first ones."""
    slug_by_number = dict(enumerate(slugs, start=1))
    return tuple(
        SeatChoice(number, slug_by_number.get(number, ""))
        for number in range(1, max(minimum, len(slugs)) + 1)
    )


def _known_games(table: Table) -> QuerySet[Game]:
    """Return the table's games whose rules are known, newest first.

    Discarded games and nights of an old notebook are left out.
    """
    nights = Record.objects.filter(number=1, kind=NightImported.kind)
    return table.games.filter(discarded_at=None).exclude(records__in=nights)


def _house_and_direction(
    variant: Variant, state: GameState | None, table: Table
) -> tuple[dict[str, str], str]:
    """Return a game's house rules, as typed into the form of this table, and its direction of the deal.

    Without the state of a game, they are the variant's defaults in this region, with a stake that fits the
    table's money and without prizes. A direction that changes with every rematch is reset to the default.
    """
    if state is None:
        regional = REGIONAL_RULES.get((regions.active_region().name, variant.key), {})
        first = {**FIRST_RULES.get(variant.key, {}), **house_rules.first_stakes(variant, table)}
        usual = variant.house({**first, **regional})
        return house_rules.house_input_values(variant, usual, table), variant.direction
    direction = variant.direction if state.rules.winner_deals else state.direction
    return house_rules.house_input_values(variant, state.house, table), direction


def _default_rules(table: Table, variant: Variant) -> tuple[dict[str, str], str]:
    """Return the house rules and the direction of the table's last game of this variant.

    Before its first game, they are the usual rules with the amounts of the table's last game of any variant.
    """
    played = _known_games(table) if table.pk else Game.objects.none()
    last, newest = played.filter(variant_filter(variant.key)).first(), played.first()
    house, direction = _house_and_direction(
        variant, event_store.load_states([last.pk])[last.pk] if last else None, table
    )
    before = VARIANTS.get(split_title(newest.variant)[0]) if newest and not last else None
    if before is not None:
        house = house | house_rules.carry_amounts(before, _default_rules(table, before)[0], house)
    return house, direction


def from_post(
    post: QueryDict, table: Table | None, errors: Mapping[str, str] = MappingProxyType({})
) -> NewGameValues:
    """Return the form as it was sent, with the error messages `errors` by field.

    If the user has just chosen another game of the list, the form gets the rules offered for that game, and
    keeps only the amounts that the user had changed.
    """
    key = post.get("variant", "")
    variant, preset = variant_list.find_by_key(key) or (LOBA_MENOS, None)
    at = table or _table_from_post(post)
    previous_variant, old = variant_list.find_by_key(post.get("shown", variant.key)) or (None, None)
    house = _inputs_from_post(post, previous_variant or variant, at)
    direction = post.get(house_rules.DIRECTION, variant.direction)
    if previous_variant is not variant:  # the form showed the rules of another variant
        offered, direction = _default_rules(at, variant)
        before = {} if previous_variant is None else _default_rules(at, previous_variant)[0]
        carried = (
            {} if previous_variant is None else house_rules.carry_amounts(previous_variant, house, offered)
        )
        edited_amounts = {key: text for key, text in carried.items() if text != before[key]}
        house = offered | edited_amounts
    elif old is not None and preset is not old:  # the same variant, but no longer this game
        usual = dict(variant.house().options)
        house |= house_rules.input_values(variant, {option: usual[option] for option in old.chosen}, at)
    if preset is not None and (preset is not old or previous_variant is not variant):
        house |= house_rules.input_values(variant, preset.chosen, at)
    return NewGameValues(
        variant,
        house,
        _seats_from_post(post, _seat_count(table, variant), errors),
        direction,
        at,
        parsing.form_region(post),
        post.get("table-name", "").strip(),
        post.get("timezone", ""),
        errors,
    )


def _inputs_from_post(post: QueryDict, variant: Variant, table: Table) -> dict[str, str]:
    """Return the posted text of each option of the variant that the form showed, in the money of the table.

    The form of a new table may have shown its amounts in a unit other than the one chosen in it.
    """
    house, before = house_rules.posted_values(variant, post), _build_table(post.get("shown-unit", table.unit))
    if "shown-decimals" in post:
        before.decimals = request_handling.parse_int(post.get("shown-decimals", ""), most_digits=1)
    if table.pk or (before.unit, before.decimals) == (table.unit, table.decimals):
        return house
    return house_rules.convert_amounts(variant, house, before, table, parsing.form_region(post))


def _seat_count(table: Table | None, variant: Variant) -> int:
    """Return the number of seats of the form.

    The form of a new table has the most, because its people are entered before the game is chosen.
    """
    return MOST_SEATS if table is None else variant.max_players


def _seats_from_post(post: QueryDict, minimum: int, problems: Mapping[str, str]) -> tuple[SeatChoice, ...]:
    """Return the first `minimum` posted seats, and further ones up to the last seat with a player.

    Several names in one field become several players.
    """
    people: list[tuple[str, str]] = []
    for number in range(1, MOST_SEATS + 1):
        slug = post.get(f"seat-{number}", "")
        names = [] if slug else setup.split_names(post.get(f"new-{number}", ""))
        people += [(slug, name) for name in names or [""]]
    last = max((place for place, pair in enumerate(people, start=1) if any(pair)), default=0)
    return tuple(
        SeatChoice(number, slug, name, problems.get(f"new-{number}", ""))
        for number, (slug, name) in enumerate(people[: max(last, minimum)], start=1)
    )


class SeatError(Exception):
    """A player cannot sit down, or the number of players is outside the range `fits`."""

    def __init__(self, field: str, sentence: str, *, fits: tuple[int, int] | None = None) -> None:
        super().__init__(sentence)
        self.field, self.sentence, self.fits = field, sentence, fits


def _check_enough_players(values: NewGameValues, fits: tuple[int, int]) -> None:
    least = values.variant.min_players
    if len(values.taken_seats) < least:
        raise SeatError("players", _("Choose at least %(least)s players.") % {"least": least}, fits=fits)


def check_seats(values: NewGameValues, house: House) -> None:
    """Raise SeatError for a player who cannot sit down, or for too few or too many players."""
    variant, taken_seats = values.variant, values.taken_seats
    most = variant.build(house).max_players or variant.max_players
    fits = (variant.min_players, most)
    _check_enough_players(values, fits)
    slugs = [seat.slug for seat in taken_seats if seat.slug]
    if len(set(slugs)) != len(slugs):
        raise SeatError("players", _("A player has two seats."))
    if len(taken_seats) > variant.max_players:
        names = {"game": texts.translate(variant.name), "most": variant.max_players}
        raise SeatError("players", _("%(game)s is for at most %(most)s players.") % names, fits=fits)
    if len(taken_seats) > most:
        few = _("One pack is for at most %(most)s players. Choose two packs in the house rules.")
        more = _("Two packs are for at most %(most)s players. Choose three packs in the house rules.")
        sentence = few if house["packs"] == 1 else more
        raise SeatError("players", sentence % {"most": most}, fits=fits)


def draw_dealer(values: NewGameValues) -> NewGameValues:
    """Return the form with the seats turned around the table, so that a player drawn by lot deals first.

    Raise SeatError for too few players.
    """
    taken = values.taken_seats
    _check_enough_players(values, (values.variant.min_players, values.variant.max_players))
    first = secrets.randbelow(len(taken))
    around = (*taken[first:], *taken[:first])
    empty = (SeatChoice(0) for _seat in range(len(values.seats) - len(taken)))
    seats = tuple(replace(seat, number=number) for number, seat in enumerate((*around, *empty), start=1))
    return replace(values, seats=seats)


def duplicate_question(game: Game, table: Table) -> str:
    """Return the question whether to start another game beside `game`, which has no recorded round.

    It names the time when that game started, and the day unless that was tonight.
    """
    is_tonight = game.night_number == days.night_for(now(), table).toordinal()
    when = (days.format_time if is_tonight else days.format_datetime)(game.started_at, table)
    return _("You already have a game, started at %(when)s. Start another one?") % {"when": when}
