"""The texts of mails: plain text, which says who asked, and what to do if that was not the reader.

In the functions, `name` is the name of the account, `site` the address of the site, and `link` a URL.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext


@dataclass(frozen=True)
class MailText:
    """The subject and the paragraphs of a mail."""

    subject: str
    paragraphs: tuple[str, ...]

    @property
    def body(self) -> str:
        """The paragraphs as one text, with blank lines between them."""
        return "\n\n".join(self.paragraphs) + "\n"


def new_password(name: str, site: str, link: str) -> MailText:
    """Return the mail with a link by which a user who forgot their password chooses a new one."""
    fields = {"name": name, "site": site}
    return MailText(
        gettext("A new password"),
        (
            gettext("We were asked for a new password for the account %(name)s at %(site)s.") % fields,
            gettext(
                "If that was you, open this link. It works once, within an hour, until a newer one is made:"
            ),
            link,
            gettext("If it was not you, you need not do anything: your password stays the same."),
        ),
    )


def confirmation(name: str, site: str, link: str) -> MailText:
    """Return the mail to a new address of an account, with a link that confirms the address."""
    return MailText(
        gettext("Is this your address?"),
        (
            _wants_this_address(name, site),
            gettext("If that is you, open this link within an hour:"),
            link,
            gettext("If it is not you, you need not do anything: this address will not be used."),
        ),
    )


def taken(name: str, site: str) -> MailText:
    """Return the mail to an address that an account wants to use, but that another account uses already."""
    return MailText(
        gettext("Another account has this address"),
        (
            _wants_this_address(name, site),
            gettext(
                "Another account there already uses this address. If both are yours, remove it there first."
            ),
            gettext("If it is not you, you need not do anything."),
        ),
    )


def replaced(name: str, site: str) -> MailText:
    """Return the mail to an account's former address after another one was confirmed."""
    return MailText(
        gettext("Your account's address was changed"),
        (
            gettext("The e-mail address of the account %(name)s at %(site)s was changed.")
            % {"name": name, "site": site},
            _if_it_was_not_you(),
        ),
    )


def removed(name: str, site: str) -> MailText:
    """Return the mail to an account's former address after it was removed."""
    return MailText(
        gettext("Your account's address was removed"),
        (
            gettext("The e-mail address of the account %(name)s at %(site)s was removed.")
            % {"name": name, "site": site},
            _if_it_was_not_you(),
        ),
    )


def _wants_this_address(name: str, site: str) -> str:
    return gettext(
        "%(name)s wants to use this address at %(site)s, to get in again after forgetting the password."
    ) % {"name": name, "site": site}


def _if_it_was_not_you() -> str:
    return gettext(
        "If it wasn't you, your password is known: sign in, change it and re-enter this "
        "address. If you can't sign in, ask the site's operator."
    )
