"""Asking for a link for a new password by e-mail, with Django's own form and view for it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.views import PasswordResetDoneView, PasswordResetView
from django.http import HttpResponse
from django.urls import reverse_lazy

from games.models import MailKind
from games.network import client_key
from games.people.outgoing import exceeded, queue
from games.views.common.recording import TOO_MANY, UNPROCESSABLE
from games.views.people.address import NO_ADDRESS, clean_address
from games.views.people.credentials import SPENT


class AskForLink(PasswordResetForm):
    """Django's form that asks for a mail with a link for a new password.

    It looks up no address, so its timing does not reveal accounts.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["email"].error_messages["invalid"] = NO_ADDRESS

    def clean_email(self) -> str:
        """Return the address as it would be stored: with its domain in ASCII and small letters."""
        return clean_address(self.cleaned_data["email"])

    def save(self, *_args: Any, **_options: Any) -> None:
        """Queue the mail. The account with this address, if any, is looked up when the mail is sent."""
        queue(MailKind.RESET, self.cleaned_data["email"])


class Forgotten(PasswordResetView):
    """Django's view for a forgotten password, with rate limits.

    It mails a sign-in link (`sign_in_link.py`).
    """

    form_class = AskForLink
    template_name = "games/people/forgotten.html"
    success_url = reverse_lazy("forgotten-sent")

    def form_valid(self, form: PasswordResetForm) -> HttpResponse:
        """Queue the mail; if too many were asked for, show the form with an error instead."""
        asker = client_key(self.request.META["REMOTE_ADDR"])
        spent = exceeded(asker, form.cleaned_data["email"])
        if spent is None:
            return super().form_valid(form)
        form.add_error(None, SPENT % {"minutes": spent.minutes})
        response = super().form_invalid(form)
        response.status_code = TOO_MANY
        return response

    def form_invalid(self, form: PasswordResetForm) -> HttpResponse:
        """Show the form with its errors and an error status."""
        response = super().form_invalid(form)
        response.status_code = UNPROCESSABLE
        return response


SENT = PasswordResetDoneView.as_view(template_name="games/people/forgotten_sent.html")
