"""The project's settings. Environment variables and the file of settings set what differs between installations
(docs/hosting.md).
"""

from __future__ import annotations

import re
from datetime import timedelta
from locale import locale_alias
from typing import Any

from django.conf.locale import LANG_INFO
from django.core.management.utils import get_random_secret_key

from games.common import program, write_queue
from games.scoring import __version__
from scorekeeper import env, settings_file
from scorekeeper.version import release

SETTINGS_FILE = settings_file.load(program.home())
DATA_DIR = env.get_path("DATA_DIR", program.home() / "data")
# Whether the site serves the serverless folder that `manage.py folder` wrote (scorekeeper/serverless).
SERVE_FOLDER = env.get_bool("SERVE_FOLDER")
FOLDER, SOLO = DATA_DIR / "folder", "/solo/"

DEBUG = env.get_bool("DEBUG")
SECRET_NAME = "secret-key"  # in DATA_DIR
STORED_SECRET = env.find_secret("SECRET_KEY", DATA_DIR / SECRET_NAME)
# A new key is valid in this process alone until a command that begins a site stores it (`site_folder.store_secret`).
SECRET_KEY = STORED_SECRET or get_random_secret_key()

# `manage.py serve` adds the addresses of the machine that it runs on.
ALLOWED_HOSTS = env.get_list(
    "ALLOWED_HOSTS",
    ["localhost", "127.0.0.1", "[::1]"],
    form=re.compile(r"\*|\.?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\]"),
    allowed="a host name or address without scheme and port",
)

# The proxies trusted to report the client's address (scorekeeper/proxies.py).
TRUSTED_PROXIES = env.get_networks("TRUSTED_PROXIES")

# `manage.py check --deploy` warns if the last backup is older. With 0 it does not check backups.
BACKUP_EVERY = env.get_duration("BACKUP_EVERY", timedelta(days=2))
RELEASE = release()  # the version and commit, as pages and commands show them
SITE_URL = env.get_origin("SITE_URL")  # the site's address, for the links of `manage.py let_in`
PORT = env.get_port("PORT", 8000)  # for `manage.py serve`, and the container image's health check
METRICS_TOKEN = env.get_metrics_token("METRICS_TOKEN")  # for whoever reads /metrics; without it nobody does
NEW_TABLES = env.get_choice("NEW_TABLES", "anyone", "known", "nobody")  # who may create tables
OPERATOR_CONTACT = env.get_contact("OPERATOR_CONTACT")  # an e-mail or web address, shown to everybody

INSTALLED_APPS = [
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.forms",  # its templates, for the renderer
    "django_htmx",
    "drf_spectacular_sidecar",
    "games",
]

MIDDLEWARE = [
    "scorekeeper.middleware.SiteHeaderMiddleware",  # outermost, so that it marks every response
    "scorekeeper.logs.RequestIdMiddleware",
    "scorekeeper.middleware.BodilessMiddleware",  # outside of everything that responds
    "scorekeeper.proxies.TrustedProxiesMiddleware",
    "scorekeeper.floods.FloodMiddleware",
    "scorekeeper.health.HealthMiddleware",
    "scorekeeper.cors.CorsMiddleware",  # outside of everything else that may refuse a request
    "scorekeeper.request_limits.RequestSizeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "scorekeeper.static_files.StaticFilesMiddleware",
    "scorekeeper.middleware.CompressedPageMiddleware",
    "scorekeeper.middleware.HeadersMiddleware",
    "scorekeeper.middleware.NameMarksMiddleware",
    "scorekeeper.middleware.UpgradeMiddleware",
    "scorekeeper.middleware.PollMiddleware",  # before all middleware that reads the session
    "scorekeeper.middleware.TolerantSessionMiddleware",
    "scorekeeper.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "scorekeeper.middleware.StorableTextMiddleware",  # before the CSRF check: its refusal repeats what was typed
    "django.middleware.csrf.CsrfViewMiddleware",
    "scorekeeper.middleware.CsrfCookieMiddleware",
    "scorekeeper.middleware.UserMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "scorekeeper.middleware.SessionRenewalMiddleware",
    "scorekeeper.rate_limit_middleware.RateLimitMiddleware",  # after the CSRF check: it shows again what was typed
]

if METRICS_TOKEN:  # outside of everything that responds, so that it counts all
    MIDDLEWARE.insert(1, "scorekeeper.metrics.MetricsMiddleware")

ROOT_URLCONF = "scorekeeper.urls"
CSRF_FAILURE_VIEW = "scorekeeper.error_handlers.csrf_failure"
WSGI_APPLICATION = "scorekeeper.wsgi.application"

FORM_RENDERER = "games.common.forms.FormRenderer"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [program.path("templates")],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "scorekeeper.template_loaders.StripIndentLoader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "builtins": ["games.templatetags.names"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "games.common.context_processors.theme",
                "games.tables.services.guests.visitor_context",
                "games.common.context_processors.lengths",
                "games.common.context_processors.solo",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# ATOMIC_REQUESTS is off: pages only read, and functions that write open their own transactions. With it,
# every GET would take SQLite's write lock, because transactions begin IMMEDIATE.
DATABASES: dict[str, dict[str, Any]] = {
    "default": env.get_database(
        "DATABASE_URL",
        {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA_DIR / "db.sqlite3"},
    ),
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"] |= {
        "ENGINE": "scorekeeper.sqlite3",
        "CONN_MAX_AGE": None,  # a connection lasts as long as its thread
        "CONN_HEALTH_CHECKS": True,
    }
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": write_queue.PATIENCE,
        "init_command": (
            # With synchronous=NORMAL a power cut could lose a round. `fullfsync` is for macOS, where the usual
            # system call leaves data in the disk's own cache.
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; PRAGMA foreign_keys=ON; "
            "PRAGMA temp_store=MEMORY; PRAGMA cache_size=2000; PRAGMA journal_size_limit=27103364; "
            # A migration briefly drops a table that other triggers refer to (games/common/triggers.py).
            "PRAGMA legacy_alter_table=ON;"
        ),
    }
    # Tests use a file: in memory the timeout is ignored, and simultaneous requests would fail as locked.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}
SHORTEST_SECRET: int = env.SHORTEST_SECRET  # for `manage.py backup`
CREATE_FOLDER, CREATE_SECRET = (
    env.create_folder,
    env.get_or_create_secret,
)  # for games/management/site_folder.py
READ_DATABASE = env.parse_database  # for `manage.py move_database`
READ_DURATION = env.parse_duration  # for `manage.py tables`
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = "es"  # the complete catalog; those of es-ar, es-cl and so on have only the differences
# Each name is written in its own language. `games/common/regions.py` chooses the reader's language.
LANGUAGES = [
    ("es-ar", "Español (vos)"),
    ("es", "Español (tú)"),
    ("es-es", "Español (España)"),
    ("es-cl", "Español (Chile)"),
    ("en", "English"),
]
LANG_INFO |= {country: {"fallback": ["es-ar"]} for country in ("es-py", "es-uy")}  # people say vos there too
locale_alias.pop("es", None)  # Python reads es as es_ES, so both would use the catalog of es_ES
LANG_INFO |= {country: {"fallback": ["es-es"]} for country in ("es-ea", "es-gq", "es-ic")}
LOCALE_PATHS = [program.path("games", "locale")]
# The clock of the log and of commands, and of a new table whose phone names no zone. Nights follow each table's own.
TIME_ZONE = env.get_time_zone("TIME_ZONE", "America/Argentina/Buenos_Aires")

STATIC_URL = "static/"
STATICFILES_DIRS = [program.path("static")]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "scorekeeper.finders.UsedFilesFinder",
]
STATIC_ROOT = env.get_path("STATIC_ROOT", program.path("staticfiles"))
WHITENOISE_ALLOW_ALL_ORIGINS = False  # other sites need not load our static files
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "scorekeeper.static_storage.ManifestStorage"},
}

# The caches have counters for rate limits (games/common/rate_limits.py). Failed sign-ins are counted for all
# workers together, and with CACHE_URL for all servers. Requests are counted in memory, so that nobody can
# fill the disk.
SHARED_CACHE = env.get_cache("CACHE_URL")
CACHES: dict[str, dict[str, Any]] = {
    "default": SHARED_CACHE
    or {
        "BACKEND": "scorekeeper.file_cache.FileCache",
        "LOCATION": DATA_DIR / "cache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},  # beyond this number, a third of the entries is dropped
    },
    "throttles": SHARED_CACHE
    or {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "throttles",
        "OPTIONS": {"MAX_ENTRIES": 10_000},  # beyond this number, the least recently used are dropped
    },
    "polls": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "polls",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    },
    # Rendered scoresheets, compressed, for all phones that watch a game, and parts of scoresheets for anyone
    # who opens one: at most some 30 kB each, in this process's memory.
    "drawn": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "drawn",
        "TIMEOUT": 60,
        "OPTIONS": {"MAX_ENTRIES": 200},
    },
}

DATA_UPLOAD_MAX_NUMBER_FIELDS = 4000  # the form of starting balances has a few for each member of a table
DATA_UPLOAD_MAX_NUMBER_FILES = 2
FILE_UPLOAD_HANDLERS = [
    "scorekeeper.uploads.BoundedPartsHandler",  # reads the form before the others take its files
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

SESSION_ENGINE = "scorekeeper.sessions"
# Guests have no password and are known by the session alone, so it lasts longer than a year without a visit.
SESSION_COOKIE_AGE = CSRF_COOKIE_AGE = LANGUAGE_COOKIE_AGE = 400 * 24 * 60 * 60

THEME_COOKIE_NAME = "theme"

# A start without a long secret is refused, so Django's warning about it (W009) is not needed.
SILENCED_SYSTEM_CHECKS = ["security.W009"]
HTTPS = env.get_bool("HTTPS")
if HTTPS:
    # For a site behind a proxy that serves HTTPS and sets the X-Forwarded-Proto header itself. Without HTTPS,
    # the site uses plain HTTP on a home network, where browsers do not send secure cookies back.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 30 * 24 * 60 * 60
    SECURE_SSL_REDIRECT = True
    # HSTS for subdomains (W005) and preloading (W021) are up to the domain's owner.
    SILENCED_SYSTEM_CHECKS += ["security.W005", "security.W021"]
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
else:  # Django's advice to use https
    SECURE_CROSS_ORIGIN_OPENER_POLICY = None  # over plain HTTP, browsers ignore it with a warning
    SILENCED_SYSTEM_CHECKS += ["security.W004", "security.W008", "security.W010", "security.W016"]

# Only the API loads Django REST framework. An endpoint without permission classes is open to staff only.
REST_FRAMEWORK = {
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAdminUser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.tables.api.permissions.BearerTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_THROTTLE_CLASSES": [
        "games.tables.api.permissions.UserThrottle",
        "games.tables.api.permissions.AnonymousAddressThrottle",
        "games.tables.api.permissions.UserAddressThrottle",
    ],
    "DEFAULT_RENDERER_CLASSES": ["games.common.api.parsers.PlainNamesRenderer"],
    "DEFAULT_PARSER_CLASSES": ["games.common.api.parsers.JsonParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "games.common.api.parsers.JsonOnlyNegotiation",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "games.common.api.schema.OperationSchema",
    "EXCEPTION_HANDLER": "games.common.api.problems.exception_handler",
    "URL_FORMAT_OVERRIDE": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Anotador",
    "VERSION": __version__,
    "SORT_OPERATIONS": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,  # field descriptions explain choices where necessary
    # No hook for enums: each field lists its choices. The hook that describes everything else comes last.
    "POSTPROCESSING_HOOKS": [
        "games.common.api.schema.sort_methods",
        "games.common.api.schema.with_guide",
        "games.play.api.event_schemas.add_event_schemas",
        "games.common.api.schema.with_examples",
        "games.common.api.descriptions.with_descriptions",
    ],
    "COMPONENT_SPLIT_REQUEST": True,
}

# Logs go to the console even without DEBUG: people who run a server at home look only there.
LOGGED_AT = "%Y-%m-%d %H:%M:%S%z"  # in the time zone TIME_ZONE; commands print moments like this too
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "class": "scorekeeper.logs.LogFormatter",
            "format": "%(asctime)s%(id)s %(levelname)s %(name)s: %(message)s",
            "datefmt": LOGGED_AT,
        },
        "access": {
            "class": "scorekeeper.logs.LogFormatter",
            "format": "%(asctime)s %(message)s",
            "datefmt": LOGGED_AT,
        },
    },
    "filters": {"one_a_minute": {"()": "scorekeeper.log_limit.ExceptionLimit"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["one_a_minute"]},
        # One line for each request, on standard output; everything else is on standard error.
        "access": {
            "class": "logging.StreamHandler",
            "stream": "ext://sys.stdout",
            "formatter": "access",
        },
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": ["console"], "level": "INFO", "propagate": False},
        "games.management": {"handlers": ["console"], "level": "INFO", "propagate": False},
        "scorekeeper.access": {"handlers": ["access"], "level": "INFO", "propagate": False},
    },
}
ACCESS_LOG = env.get_bool("ACCESS_LOG")  # whether `manage.py serve` writes a line for each request
