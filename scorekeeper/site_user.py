"""The user of a command: the owner of the site's folder, so that nothing in it becomes anybody else's."""

from __future__ import annotations

import os
import pwd
import sys
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from scorekeeper.settings_file import sudo_line

ROOT = 0


def become_owner(folder: Path) -> None:
    """Continue as the folder's owner, with their groups, if this process is root's; print that it does.

    Raise ImproperlyConfigured, with the line to run, for another user who may not write it; a volume of a container
    may belong to anybody. Do nothing if there is no folder yet.
    """
    try:
        owner = folder.stat().st_uid
    except FileNotFoundError:
        return
    except PermissionError:
        raise _refusal(folder, "another user") from None
    user = os.geteuid()
    if owner == user or (user != ROOT and os.access(folder, os.W_OK)):
        return
    if user != ROOT:
        raise _refusal(folder, _user_name(owner))
    _become(owner)
    print(f"Running as {_user_name(owner)}, the owner of {folder}.", file=sys.stderr)


def _refusal(folder: Path, owner: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(
        f"{folder} belongs to {owner}, not to {_user_name(os.geteuid())}. Run: {sudo_line()}"
    )


def _become(owner: int) -> None:
    try:
        user = pwd.getpwuid(owner)
    except KeyError:  # a container's user need not have a name on this machine
        os.setgroups([])
        os.setgid(owner)
        os.environ["HOME"] = "/"  # as in a container: root's own would be unreadable
    else:
        os.initgroups(user.pw_name, user.pw_gid)
        os.setgid(user.pw_gid)
        os.environ["HOME"] = user.pw_dir
    os.setuid(owner)


def _user_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
