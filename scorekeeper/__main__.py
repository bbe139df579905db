"""The command line of the site: `manage.py`, or `anotador-site` if it is installed."""

from __future__ import annotations

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from scorekeeper.version import release


def run() -> None:
    """Run the command of this process, and exit with a sentence where the settings or the database fail."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
    try:
        if sys.argv[1:] in (["--version"], ["version"]):  # Django would print its own
            print(release())
        else:
            from django.conf import settings

            from scorekeeper.site_user import become_owner

            become_owner(settings.DATA_DIR)
            execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # its message says what to do
        sys.exit(str(error))
    except Exception as error:
        from games.common.db_errors import is_database_failure

        if not is_database_failure(error):
            raise
        sys.exit(f"The database or its disk fails: {' '.join(str(error).split())}.")


if __name__ == "__main__":
    run()
