"""Every page that writes has an operation of the API that does the same, or a reason why there is none."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.api.common.schema import openapi
from games.urls import urlpatterns

pytestmark = pytest.mark.django_db

# The API operation that does the same as each page. Everything recorded in a game is sent as events.
BY_THE_API = {
    **{
        "new-table": "open_table",
        "bring": "open_table",
        "rename-table": "rename_table",
        "clock": "rename_table",
        "region": "rename_table",
        "opening-balances": "open_balances",
        "new-game": "start_game",
    },
    **{"add-member": "add_member", "member": "change_member"},
    **{"merge-member": "merge_member", "part-member": "part_member"},
    **{"invites": "invite", "revoke-invite": "revoke_invitation", "invitation": "accept_invitation"},
    "new-phone": "invite_new_phone",
    **{"keep-grant": "keep_grant", "end-grant": "remove_grant", "undo-removal": "undo_removal"},
    **{"hand-over": "hand_over", "leave-table": "leave_table", "archive-table": "archive_table"},
    **{"erase-table": "erase_table", "bring-table-back": "bring_table_back"},
    **{"claim": "claim", "accept-claim": "accept_claim", "end-claim": "end_claim"},
    **{"import-table": "import_table", "import-nights": "take_notebook_over"},
    **{"undo-nights": "take_notebook_back", "end-device": "sign_out", "revoke-token": "revoke_token"},
    # money
    **{"pay": "pay", "cancel-payment": "cancel_payment"},
    **{"confirm-payment": "confirm_payment", "dispute-payment": "dispute_payment"},
    **{"uphold-payment": "uphold_payment", "amend-payment": "amend_payment"},
    **{"share-cost": "share_cost", "amend-cost": "amend_cost", "cancel-cost": "cancel_cost"},
    **{"close-night": "close_night", "set-account": "set_account", "retire": "retire"},
    **{"bring-back": "bring_back", "pay-dues": "pay_dues"},
    **{"unpay-dues": "cancel_payment", "untick-night": "cancel_payment"},
    **{"tick-night": "tick_night", "choose-settling": "choose_settling"},
    # seasons
    **{"begin-season": "begin_season", "change-season": "change_season"},
    # games
    **dict.fromkeys(("play-round", "reentry", "waiting", "changes"), "record"),
    **dict.fromkeys(("leave", "adjust", "deal", "stop", "join", "replace"), "record"),
    **{"undo-last": "undo", "redo-last": "redo", "rematch": "rematch"},
    **{"discard": "discard", "restore": "restore"},
    "own-hand": "offer_hand",
    # what these show before it is recorded
    **dict.fromkeys(("correct", "insert-round", "correct-rules", "seats"), "preview"),
    **dict.fromkeys(
        ("preview-round", "preview-correction", "preview-insertion", "preview-own-hand"), "preview"
    ),
}
OF_PEOPLE_ALONE = {  # with the reason
    "drop-season": "takes back a season that a person began by mistake",
    "set-theme": "how the pages look on one phone",
    "login": "a password is typed by a person, on a page",
    "logout": "a program that has a session forgets its cookie; elsewhere it signs out by sign_out",
    "link": "goes where a link leads, and writes nothing",
    "sign-in-link": "a person opens the link that the operator or their browser made",
    "home-screen": "makes a link with which a browser signs its person in elsewhere; a program has its token",
    "credentials": "a password is typed by a person, on a page",
    "delete-account": "an account is deleted by the person, who types it",
    "tonight": "shows a code to the people round the table; a program makes an invitation by invite",
    "faces": "a person taps their own face; a program claims by claim",
    "answer-face": "who is at the table is seen by a person there; a program agrees by accept_claim",
    "answer-newcomer": "like answer-face; a program adds the member by add_member",
    "pen": "granting access needs a session, and a program invites a scorer by invite",
    "programs": "no token makes tokens, and who makes one reads on the page what it may",
}


def writes(page):
    """Return whether this page accepts POST; the others answer 405 before anything else."""
    samples = {name: 1 if kind.regex == "[0-9]+" else "zzz" for name, kind in page.pattern.converters.items()}
    return 405 != Client().post(reverse(page.name, kwargs=samples)).status_code


def test_each_page_that_writes_says_which_operation_does_the_same_or_why_none_does():
    assert {page.name for page in urlpatterns if writes(page)} == {*BY_THE_API, *OF_PEOPLE_ALONE}


def test_every_operation_named_there_is_one_that_writes():
    operations = {
        operation["operationId"]: method
        for methods in openapi()["paths"].values()
        for method, operation in methods.items()
    }

    assert set() == set(BY_THE_API.values()) - {
        name for name, method in operations.items() if method != "get"
    }
