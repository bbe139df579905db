"""Operations refuse parameters they do not know, except the first ones of version 1, which ignore them."""

from __future__ import annotations

import pytest

from games.api.common.schema import openapi

pytestmark = pytest.mark.django_db

# The first operations of version 1. Programs may send them anything in the address; nothing is added here.
FIRST = """
    variants variant rules hand contract score tables open_table table rename_table games start_game game
    events record preview undo redo rematch discard restore sheet settlement flags flag settle_flags
    members add_member member change_member preview_merge merge_member part_member
    accounts plan payments pay payment confirm_payment dispute_payment accept_payment
    uphold_payment amend_payment cancel_payment withdraw_payment nights close_night night dues pay_dues
    set_account retire bring_back claims claim accept_claim end_claim invitations invite invitation_ending
    revoke_invitation invite_new_phone look_at_invitation accept_invitation grants keep_grant grant_ending
    remove_grant undo_removal hand_over leaving leave_table archive_table unarchive_table erase_table
    bring_table_back devices sign_out tokens revoke_token seasons change_season close_season reopen_season
    standings records duels duel player changes export_table export_spreadsheet
    export_game_text export_game import_table preview_notebook take_notebook_over take_notebook_back
"""


def operations():
    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            yield operation["operationId"], method, path


LATER = sorted(one for one in operations() if one[0] not in FIRST.split())
READING = sorted(one for one in operations() if one[0] in FIRST.split() and one[1] == "get")
OPTIONS_OF_GAMES = "variant"  # whose parameters are the options of a game


def test_an_operation_added_later_refuses_an_unknown_parameter_and_names_it(by_token, address):
    for operation, method, path in LATER:
        answer = getattr(by_token, method)(f"{address(path)}?another=1")

        assert (400, "bad_request", "another") == whole(answer), operation
        assert "“another” is unknown here." == answer.json()["detail"]


def test_an_operation_added_later_refuses_an_unknown_field_of_the_body_and_names_it(by_token, address):
    for operation, method, path in LATER:
        if method != "get":
            answer = getattr(by_token, method)(address(path), {"another": 1}, content_type="application/json")

            assert (400, "misshapen", "another") == whole(answer), operation


def test_an_operation_added_later_accepts_every_described_parameter(by_token, address):
    for _operation, method, path in LATER:
        for part in openapi()["paths"][path][method].get("parameters", ()):
            if part["in"] == "query":
                answer = by_token.get(f"{address(path)}?{part['name']}=x")

                assert "is unknown here" not in answer.json()["detail"], part["name"]


def test_the_first_operations_of_version_1_ignore_unknown_parameters(by_token, address):
    for operation, _method, path in READING:
        where = address(path)
        if operation != OPTIONS_OF_GAMES:
            assert by_token.get(where).status_code == by_token.get(f"{where}?another=1").status_code, (
                operation
            )


def whole(answer):
    """Return the status, code and field of a problem."""
    return answer.status_code, answer.json()["code"], answer.json()["field"]


def test_a_cors_preflight_request_with_an_unknown_parameter_succeeds(by_token, table):
    assert 204 == by_token.options(f"/api/v1/tables/{table.code}/clock/?another=1").status_code
