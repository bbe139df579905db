"""The OpenAPI document: it is valid, the same in every language, and served."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import permutations

from django.utils import translation
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from games.common.api import descriptions, schema
from games.common.api.serializers import StrictModelSerializer

# Programs are generated from these names: a class may be renamed, its component may not.
COMPONENTS = """
Access Accounts Attendee Card Cause Choice Closing Column Conflict CorrectedData CorrectedEvent
Cost CostCorrectionRequest CostRequest RefusalRequest CountedHand DealPassedEvent Debt Deeds Disagreement Doubt Due Duel Duels EventData
EventLine EventNewcomer EventNow EventPlayer EventSent EventsRequest Extent Feat Feed FeedRow Fewest FewestChangeRequest GameInFull
GameSentRequest GameStartedData GameStartedEvent GameStoppedData GameStoppedEvent Group HandRequest Imported
InForce InsertedData InsertedEvent Line ListedGame ListedPlayer Me Meld Member MemberRequest Night
NightImportedData NightImportedEvent NightInFull OfPlayerData OneGame Opening OpeningRequest Option
PaginatedCostList PaginatedListedGameList PaginatedNightList PaginatedPaymentList PaginatedRecordList
PatchedMemberRequest PatchedSeasonRequest PatchedTableChangeRequest Payment PaymentRequest Pending Played
Player PlayerJoinedData PlayerJoinedEvent PlayerLeftEvent PlayerReenteredEvent PlayerStayedOutEvent
PlayersSeatedData PointsAdjustedData PointsAdjustedEvent Preset Preview PreviewSentRequest Problem Reason
ReasonRequest Record Records RematchRequest Result Round RoundPlayedData RoundPlayedEvent Row
RulesAgreedData Season SeasonOfMember SeasonRequest SeatHandedOverData SeatHandedOverEvent
SitterRequest Standings StartRequest State StepRequest StruckData StruckEvent SureRequest Table TableInFull
TableInFullRequest Token TotalsAgreedData TotalsAgreedEvent Transfer Variant VariantInFull WinnersNamedData WinnersNamedEvent Word
"""


def test_the_description_is_valid_and_generated_without_warnings_and_alike_in_every_language():
    def generate_in(language):
        with translation.override(language):
            return schema.generate.__wrapped__()

    GENERATOR_STATS.reset()
    description = generate_in("en")
    validate_schema(description)

    assert not GENERATOR_STATS
    assert description == generate_in("es-ar")


def test_the_parts_of_the_description_keep_their_names():
    assert set(COMPONENTS.split()) == schema.openapi()["components"]["schemas"].keys()


def subclasses(base):
    for subclass in base.__subclasses__():
        yield subclass
        yield from subclasses(subclass)


def test_a_serializer_of_a_model_names_exactly_the_fields_that_programs_may_send(subtests):
    assert schema.openapi()  # now all serializers are imported

    for serializer in subclasses(StrictModelSerializer):
        with subtests.test(serializer.__name__):
            writable = {name for name, field in serializer().fields.items() if not field.read_only}
            assert set(serializer.Meta.writable_fields) == writable


def test_the_methods_of_each_path_come_in_one_order_however_a_process_hashes_text():
    for methods in permutations(schema.METHODS, 3):
        answers = schema.sort_methods({"paths": {"/games/": {method: {} for method in methods}}})

        assert [method for method in schema.METHODS if method in methods] == list(answers["paths"]["/games/"])


def test_requests_at_the_same_time_wait_for_one_description(monkeypatch):
    """drf-spectacular fails if two threads generate the first document of a process."""
    generated = []

    def slowly(*_arguments, **_options):
        time.sleep(0.05)
        generated.append({"openapi": "3"})
        return generated[-1]

    monkeypatch.setattr(SchemaGenerator, "get_schema", slowly)
    monkeypatch.setattr(schema, "generate", cache(schema.generate.__wrapped__))
    with ThreadPoolExecutor(4) as threads:
        got = list(threads.map(lambda _number: schema.openapi(), range(4)))

    assert ([{"openapi": "3"}] * 4, 1) == (got, len(generated))


def test_the_description_is_served(nobody):
    answer = nobody.get("schema/")

    assert (200, "application/vnd.oai.openapi+json") == (answer.status, answer.headers["Content-Type"])
    assert schema.openapi() == answer.body


def test_every_property_and_parameter_is_described_and_no_description_is_for_nothing():
    named_schemas = [
        pair for properties in descriptions.properties_in(schema.openapi()) for pair in properties.items()
    ]
    parameters = [
        parameter
        for operations in schema.openapi()["paths"].values()
        for operation in operations.values()
        for parameter in operation.get("parameters", ())
    ]

    assert [] == [name for name, described_schema in named_schemas if not described_schema.get("description")]
    assert [] == [item["name"] for item in parameters if not item.get("description")]
    assert set(descriptions.NAMES) == {
        name
        for name, described_schema in named_schemas
        if described_schema["description"] == descriptions.NAMES.get(name)
    }
