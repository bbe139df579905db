"""A new table with the results or balances that its people kept elsewhere.

The first step chooses what to import, the second reads it while it is typed. Nothing is stored before the last
key: it creates the table and imports what its form showed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.common import amounts, body_limits, lanes, naming, parsing, regions, request_handling, texts
from games.common.locks import IdempotencyKeyReused
from games.common.naming import Person
from games.files.presenters import import_text
from games.files.services import (
    balance_lines,
    import_preview,
    import_size,
    imports,
    notebook_games,
    notebook_reader,
)
from games.files.services.import_preview import ImportPreview
from games.files.views import notebook
from games.files.views.notebook import NotebookFormData
from games.models import Table
from games.money.services import accounting, starting_balances
from games.scoring.errors import RuleError
from games.tables.services import authorization, guests, membership, setup
from games.tables.views.creation_closed import requires_table_creation

FIELDS = ("table-name", "people", "unit", "decimals", "timezone")
NOTEBOOK, BALANCES, NOTHING = "notebook", "balances", "nothing"
EXAMPLE = "Ana −3000\nBeto 3000"
MAX_FACES = 12  # two lines of a phone
NEXT_PAGES = {NOTEBOOK: "import-nights", BALANCES: "accounts", NOTHING: "lobby"}


@dataclass
class Reading:
    """The contents of the form: the names in it, its rows for the page, and how to store it at a new table.

    `people` are all who would be at the table. `problems` are sentences. `digest` identifies what the page
    showed; "" if there is nothing to show first. `report` says after the import what was read.
    """

    names: Sequence[str] = ()
    problems: Sequence[str] = ()
    context: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""
    store: Callable[[Table, User], None] = lambda _table, _user: None
    people: Sequence[Person] = ()
    report: str = ""


@body_limits.limit_body(notebook.LARGEST_BODY, text=notebook_reader.LONGEST)
@request_handling.require_form
@requires_table_creation
def bring(request: HttpRequest) -> HttpResponse:
    """Show the form or its preview; create the table and import once a shown preview is sent back."""
    what = _chosen(request)
    if request.method != "POST":
        return render(request, "files/bring.html") if not what else _render_form(request, what, Reading())
    if what != NOTEBOOK:
        return _respond(request, what)
    with lanes.WHOLE_TABLES.hold():
        return _respond(request, what)


def _respond(request: HttpRequest, what: str) -> HttpResponse:
    table = _unsaved_table(request)
    reading = _read(request, what, table)
    if "look" in request.POST:  # while one types
        return _render_form(request, what, reading)
    if reading.problems:
        return _render_form(request, what, reading, status=request_handling.UNPROCESSABLE)
    try:
        people, parts = _clean_people(request, reading.names), _clean_parts(request, reading)
        if request.POST.get("seen", "") != reading.digest:
            return _render_form(request, what, reading)
        user = authorization.get_or_create_guest(request, key=request_handling.form_key(request))
        table = setup.create_with_members(user, parts, people, key=request_handling.form_key(request))
        reading.store(table, user)
    except RuleError as refusal:
        field_name = {"name": "table-name"}.get(refusal.field, refusal.field)
        errors = {field_name: texts.translate(refusal.text, amounts.money_formatter(table))}
        return _render_form(request, what, reading, errors, status=request_handling.UNPROCESSABLE)
    except IdempotencyKeyReused:
        return _render_existing_table(request, what, reading)
    request_handling.remember_table(request, table)
    if what == NOTEBOOK:
        return request_handling.redirect_with_notice(
            request, "brought", NEXT_PAGES[what], table.code, of=reading.report
        )
    return redirect(NEXT_PAGES[what], table.code)


def _chosen(request: HttpRequest) -> str:
    """Return what the user chose to import: "" before the choice."""
    if request.method != "POST" and "what" not in request.GET:
        return ""
    what = (request.POST if request.method == "POST" else request.GET).get("what", "")
    return what if what in NEXT_PAGES else NOTHING


def _unsaved_table(request: HttpRequest) -> Table:
    """Return an unsaved table with the money and the time zone of the form."""
    post = request.POST
    unit = post.get("unit", "").strip() or amounts.offered_units()[0]
    return Table(
        unit=unit,
        decimals=parsing.parse_decimals(post, unit),
        timezone=setup.zone_or_default(post.get("timezone", "")),
    )


def _clean_people(request: HttpRequest, names: Sequence[str]) -> tuple[str, ...]:
    """Return the people that the form names, and then those of the import."""
    typed = setup.clean_names(setup.split_names(request.POST.get("people", "")))
    known = {naming.casefold_key(name) for name in typed}
    return setup.clean_names([*typed, *(name for name in names if naming.casefold_key(name) not in known)])


def _preview_people(request: HttpRequest, names: Sequence[str]) -> dict[str, Person]:
    """Return the table's future people with their faces, by the key of the name; {} if a name is refused."""
    try:
        people = _clean_people(request, names)
    except RuleError:
        return {}
    letters = naming.avatar_letters(dict(enumerate(people)))
    members = membership.build_members(Table(), (), {naming.casefold_key(name): name for name in people})
    return {
        member.slug: Person(member.slug, member.name, member.colour, letters[place])
        for place, member in enumerate(members)
    }


def _clean_parts(request: HttpRequest, reading: Reading) -> dict[str, Any]:
    unit = request.POST.get("unit", "").strip()
    return setup.clean_fields(
        _table_name(request, reading),
        unit=unit,
        decimals=parsing.parse_decimals(request.POST, unit),
        language=get_language() or settings.LANGUAGE_CODE,
        timezone=setup.zone_or_default(request.POST.get("timezone", "")),
        region=regions.active_region().name,
    )


def _table_name(request: HttpRequest, reading: Reading) -> str:
    people = [*setup.split_names(request.POST.get("people", "")), *reading.names]
    typed = request.POST.get("table-name", "").strip()
    return typed or setup.default_name(list(dict.fromkeys(people))) or _("Our table")


# --- what the form brings ---------------------------------------------------------------------------------------------


def _read(request: HttpRequest, what: str, table: Table) -> Reading:
    if what == NOTEBOOK:
        return _read_notebook(request, table)
    if what == BALANCES:
        return _read_balances(request, table)
    return Reading()


def _read_notebook(request: HttpRequest, table: Table) -> Reading:
    form_data = NotebookFormData.from_request(request)
    old = form_data.read(table)
    told = {"sums": import_text.sums_context(old), "report": form_data.report_sentences(None)}
    problem = notebook.text_problem(request, form_data.text)
    if problem:
        return Reading(problems=[problem], context=told)
    contents = notebook_games.build_contents(table, old, variant=form_data.variant, paid=form_data.paid)
    problems = import_text.problem_sentences(old.problems, table)
    try:
        import_size.check(len(contents.games))
    except RuleError as refusal:
        problems.append(texts.translate(refusal.text))
    preview = ImportPreview(contents.digest, (), games=contents.games)
    names = list(dict.fromkeys(name for night in old.nights for name in night.results))
    people = _preview_people(request, names)
    faces = {
        slug: people[key]
        for slug, member in contents.members.items()
        if (key := naming.casefold_key(member.name)) in people
    }

    def store(table: Table, user: User) -> None:
        at = table.created_at  # a repeated form imports nothing again

        def look() -> ImportPreview:
            return import_preview.build(table, contents, {}, by=user, at=at)

        preview = look()
        if not table.arrivals.exists():
            imports.run(table, look, seen=preview.preview_digest, by=user, at=at)
        elif preview.count:
            raise IdempotencyKeyReused

    return Reading(
        names,
        problems,
        told
        if problems
        else {
            **told,
            "report": form_data.report_sentences(old.report),
            **import_text.notebook_context(preview, table, faces),
        },
        _digest(contents.digest, table, form_data.figures, form_data.paid),
        store,
        [*people.values()],
        notebook.dump_report(old.report),
    )


def _read_balances(request: HttpRequest, table: Table) -> Reading:
    text = request.POST.get("text", "")
    rows, problems = balance_lines.read_balances(text, table, parsing.form_region(request.POST))
    key = request_handling.form_key(request)
    people = _preview_people(request, [row.name for row in rows])
    sentences = import_text.problem_sentences(problems, table)

    def store(table: Table, user: User) -> None:
        slugs = {naming.casefold_key(member.name): member.slug for member in table.members.all()}
        balances = {slugs[naming.casefold_key(row.name)]: row.balance for row in rows}
        newest = accounting.latest_entry_number(table)
        starting_balances.record(table, balances, seen=newest, key=key, by=user)

    return Reading(
        [row.name for row in rows],
        sentences or ([] if rows else [_("Write who owes, and who is owed.")]),
        {
            "balances": [
                import_text.balance_row(
                    row.name, row.balance, table, people.get(naming.casefold_key(row.name))
                )
                for row in rows
            ]
        },
        _digest(rows, table),
        store,
        [*people.values()],
    )


def _digest(contents: object, table: Table, *choices: object) -> str:
    """Return a digest of what the form brings; any change in it, or in the table's money, changes the digest."""
    return sha256(repr((contents, table.unit, table.decimals, *choices)).encode()).hexdigest()[:16]


# --- the page ---------------------------------------------------------------------------------------------------------


def _render_existing_table(request: HttpRequest, what: str, reading: Reading) -> HttpResponse:
    """Show the form again, with a link to the table that this form created earlier.

    The form keeps its idempotency key, so sending it once more creates no second table.
    """
    key = request_handling.form_key(request)
    known_table = setup.find_by_form_key(key, authorization.get_or_create_guest(request, key=key))
    errors = {"": _("This form already created a table, before your last change.")}
    return _render_form(
        request, what, reading, errors, status=request_handling.CONFLICT, key=key, known_table=known_table
    )


def _render_form(
    request: HttpRequest,
    what: str,
    reading: Reading,
    errors: Mapping[str, str] | None = None,
    *,
    status: int = 200,
    key: str = "",
    known_table: Table | None = None,
) -> HttpResponse:
    errors, table, post = errors or {}, _unsaved_table(request), request.POST
    is_empty = what != NOTHING and not post.get("text", "").strip() and "file" not in request.FILES
    form_data = NotebookFormData.from_request(request)
    context = {
        **notebook.form_context(),
        "what": what,
        "sent": {
            **{name.replace("-", "_"): post.get(name, "") for name in FIELDS},
            "unit": post.get("unit", table.unit),
            "decimals": post.get("decimals", str(table.decimals)),
        },
        "wanted": form_data.without_long_file(request) if reading.problems else form_data,
        "errors": {name.replace("-", "_"): text for name, text in errors.items()},
        "general": [text for name, text in errors.items() if name not in FIELDS],
        "problems": [] if is_empty and status == 200 else reading.problems,
        "is_ready": what == NOTHING or bool(reading.digest and not reading.problems),
        "seen": reading.digest,
        "units": amounts.offered_units(post.get("unit", "")),
        "example": EXAMPLE,
        "key": key or post.get("key", "") or guests.issue_form_key(request),
        "known_table": known_table,
        "faces": reading.people[:MAX_FACES],
        "unseen_count": max(0, len(reading.people) - MAX_FACES),
        "people_count": len(reading.people),
        **reading.context,
    }
    return render(request, "files/bring_what.html", context, status=status)
