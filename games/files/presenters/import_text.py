"""Sentences about an import from a file or notebook, to compare with the paper, and the list of arrivals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import amounts, days, event_sentences, game_labels, naming, texts
from games.common.naming import Person
from games.files.services import import_preview
from games.files.services.import_preview import ImportPreview
from games.files.services.notebook_cells import LineProblem
from games.files.services.notebook_reader import Figures, OldNotebook
from games.files.services.notebook_subtotals import PossibleSum, SumReason
from games.files.services.reading_report import OTHERS, ReadingReport
from games.models import Arrival, Payment, Table
from games.play.services.writer import NewGame
from games.scoring.events import NightImported
from games.tables.services import users
from games.tables.services.roster import People

MOST_SENTENCES = 20
MOST_OPEN_BOXES = 5  # of possible sums; more are in a fold
LONGEST_BOX = 40  # characters of a row or a column's name beside its box


def preview_sentences(preview: ImportPreview, table: Table) -> list[str]:
    """Return sentences about new rows, new members, claims, and skipped rows; [] while a question is open."""
    if preview.is_open:
        return []
    return [*_import_sentences(preview), *_claim_sentences(preview, table), *_skip_sentences(preview, table)]


def _import_sentences(preview: ImportPreview) -> Iterator[str]:
    if not preview.count:
        yield _("Nothing new: everything in it is already here")
    if preview.games:
        yield _games_label([date.fromordinal(whole.game.night_number) for whole in preview.games])
    longer = len(preview.continued_games)
    rows = len(preview.payments) + preview.expense_count + len(preview.openings)
    for count, sentence in (
        (
            rows,
            ngettext(
                "%(count)s payment, expense or balance", "%(count)s payments, expenses or balances", rows
            ),
        ),
        (
            longer,
            ngettext("%(count)s continues a game here", "%(count)s continue games here", longer),
        ),
    ):
        if count:
            yield sentence % {"count": count}
    if preview.newcomers:
        names = naming.join_names([member.name for member in preview.newcomers])
        yield _("New at this table: %(names)s") % {"names": names}


def _claim_sentences(preview: ImportPreview, table: Table) -> list[str]:
    """Return a sentence for each payment that does not count yet when it is imported."""
    return _limit_sentences([_claim_sentence(payment, table) for payment in preview.claims])


def _claim_sentence(payment: Payment, table: Table) -> str:
    label = import_preview.row_label(payment.amount, payment.payer, payment.payee)
    return _("%(payment)s: it counts once %(name)s confirms it") % {
        "payment": texts.translate(label, amounts.money_formatter(table)),
        "name": naming.isolate(payment.payee.name),
    }


def _games_label(nights: Sequence[date]) -> str:
    """Return the number of games with their span of nights; `nights` has the night of each game."""
    first, last = (days.format_numeric_date(day) for day in (min(nights), max(nights)))
    span = first if first == last else _("from %(first)s to %(last)s") % {"first": first, "last": last}
    return f"{game_labels.games_label(len(nights))}, {span}"


def _skip_sentences(preview: ImportPreview, table: Table) -> Iterator[str]:
    for count, sentence in (
        (preview.known_count, _("Already here, skipped: %(lines)s")),
        (preview.ended_count, _("Deleted or voided there, skipped: %(lines)s")),
    ):
        if count:
            yield sentence % {"lines": count}
    yield from _limit_sentences(
        [texts.translate(text, amounts.money_formatter(table)) for text in preview.skipped]
    )


def _limit_sentences(sentences: Sequence[str]) -> list[str]:
    """Return the first of these sentences, and a last one that counts the others."""
    rest = len(sentences) - MOST_SENTENCES
    if rest <= 0:
        return [*sentences]
    return [*sentences[:MOST_SENTENCES], _more_label(rest)]


def _more_label(count: int) -> str:
    return ngettext("… and %(count)s more.", "… and %(count)s more.", count) % {"count": count}


# --- the nights of a notebook -----------------------------------------------------------------------------------------


def figure_choices() -> tuple[tuple[Figures, str], ...]:
    """Return the choices for the meaning of the notebook's numbers, with their labels."""
    return (
        (Figures.MONEY, _("Money won or lost")),
        (Figures.FEWEST_WIN, _("Points; fewest wins")),
        (Figures.MOST_WIN, _("Points; most wins")),
    )


def problem_sentences(problems: Sequence[LineProblem], table: Table) -> list[str]:
    """Return the problems as sentences, each with the number of its line."""
    return [_problem_sentence(problem, table) for problem in problems]


def _problem_sentence(problem: LineProblem, table: Table) -> str:
    parts = [problem.text, problem.cure] if problem.cure else [problem.text]
    sentence = " ".join(texts.translate(part, amounts.money_formatter(table)) for part in parts)
    if not problem.line:
        return sentence
    return _("Line %(line)s: %(problem)s") % {"line": problem.line, "problem": sentence}


def sums_context(notebook: OldNotebook) -> dict[str, object]:
    """Return the boxes of rows and columns that may be sums, in groups, and what became of earlier ticks."""
    left_out = [each for each in notebook.possible_sums if not each.counts_unticked]
    counted = [each for each in notebook.possible_sums if each.counts_unticked]
    groups = ((left_out, _("Left out as sums, unless ticked")), (counted, _("Counted, unless ticked")))
    return {
        "groups": [_box_group(title, sums, is_named=bool(notebook.cures)) for sums, title in groups if sums],
        "lost": _limit_sentences([texts.translate(sentence) for sentence in notebook.lost_ticks]),
        "kept": [str(key) for key in notebook.kept_ticks],
    }


def _box_group(title: str, sums: Sequence[PossibleSum], *, is_named: bool) -> dict[str, object]:
    """Return the boxes of a group, those after the first few in a fold.

    The fold is open if one of its boxes is ticked, or if a refusal names a box (`is_named`).
    """
    rest = sums[MOST_OPEN_BOXES:]
    return {
        "title": title,
        "open": [*map(_box, sums[:MOST_OPEN_BOXES])],
        "folded": [*map(_box, rest)],
        "is_unfolded": is_named or any(each.is_ticked for each in rest),
        "more": _more_label(len(rest)),
    }


def _box(possible_sum: PossibleSum) -> dict[str, object]:
    label, reason = {
        SumReason.ROW_CALLED_SUM: (_("Count line %(line)s: “%(text)s”"), _("It is called a sum.")),
        SumReason.ROW_ADDS_UP: (_("Count line %(line)s: “%(text)s”"), _("It is the sum of lines above.")),
        SumReason.COLUMN_CALLED_SUM: (_("Count the column “%(text)s”"), _("It is called a sum.")),
        SumReason.COLUMN_ADDS_UP: (
            _("Leave out the column “%(text)s”"),
            _("Its figures are the sum of the others."),
        ),
        SumReason.COLUMN_IN_EXCESS: (
            _("Leave out the column “%(text)s”"),
            _("Without it, the lines add up to zero."),
        ),
    }[possible_sum.reason]
    text = possible_sum.text
    short = text if len(text) <= LONGEST_BOX else f"{text[: LONGEST_BOX - 1]}…"
    return {
        "key": str(possible_sum.key),
        "label": label % {"line": possible_sum.key.line, "text": naming.isolate(short)},
        "reason": reason,
        "is_ticked": possible_sum.is_ticked,
    }


def done_context(report: ReadingReport) -> dict[str, object]:
    """Return the template variables that say after an import what was read, what counts and what does not."""
    lines = [_("line %(line)s") % {"line": line} for line in report.left_out_lines]
    columns = [
        _("the column “%(name)s”") % {"name": naming.isolate(name)} for name in report.left_out_columns
    ]
    sentences = report_sentences(report)
    if lines or columns:
        texts_of_sums = ", ".join(_limit_sentences([*lines, *columns]))
        sentences.insert(1, _("Left out as sums: %(texts)s") % {"texts": texts_of_sums})
    is_whole = report.rows == report.nights + report.known and not any(
        (columns, report.above_names, report.empty_columns, report.day_notes)
    )
    done = _("Everything was imported.") if is_whole else _("Imported. A part of the notebook was left out.")
    return {"done": done, "report": sentences}


def report_sentences(report: ReadingReport) -> list[str]:
    """Return how much was read of a notebook, what counts and what does not.

    The sums among the latter are not named: before the import, their boxes do that.
    """
    left_out = report.rows - report.nights - report.known
    counts = [
        _("Lines read: %(count)s") % {"count": report.rows},
        _("counted: %(count)s") % {"count": report.nights},
        *([_("already here: %(count)s") % {"count": report.known}] if report.known else []),
        _("left out: %(count)s") % {"count": left_out},
    ]
    names = naming.join_names([f"“{naming.isolate(name)}”" for name in report.empty_columns])
    notes = [
        (_join_quotes(report.above_names), _("Left out above the column names: %(texts)s")),
        (names, _("Left out, because it has no figures: %(texts)s")),
        (_join_quotes(report.day_notes), _("Left out beside the dates: %(texts)s")),
        (_join_quotes(report.absences), _("Read as “was not there”: %(texts)s")),
        (str(report.empty_rows or ""), _("Empty lines: %(texts)s")),
    ]
    return [" · ".join(counts), *(sentence % {"texts": text} for text, sentence in notes if text)]


def _join_quotes(texts: Mapping[str, int]) -> str:
    """Return the quoted texts, each with its number if there are several of it."""
    return ", ".join(
        (text if text == OTHERS else f"“{naming.isolate(text)}”") + (f" ({count})" if count > 1 else "")
        for text, count in texts.items()
    )


def balance_row(name: str, balance: int, table: Table, face: Person | None) -> dict[str, object]:
    """Return a starting balance as a row: the face and name, what it is, the amount, and its tone."""
    return {
        "face": face,
        "name": naming.isolate(name),
        "side": _("owes") if balance < 0 else _("is owed"),
        "amount": amounts.money(abs(balance), table),
        "tone": amounts.tone(balance),
    }


def notebook_context(
    preview: ImportPreview, table: Table, faces: Mapping[str, Person] | None = None
) -> dict[str, object]:
    """Return the people and nights of the import, to compare with the paper.

    `faces` are the people by player id, if the page shows them.
    """
    nights = [(whole, whole.state.imported_night) for whole in preview.games]
    return {
        "people": list(
            _player_totals([night for _whole, night in nights if night], preview, table, faces or {})
        ),
        "nights": [_night_context(whole, night, table, faces or {}) for whole, night in nights if night],
    }


def _player_totals(
    nights: Sequence[NightImported], preview: ImportPreview, table: Table, faces: Mapping[str, Person]
) -> Iterator[dict[str, object]]:
    """Yield everybody's totals over all imported nights, to compare with the notebook's last page."""
    names = {player.id: player.name for night in nights for player in night.players}
    played = Counter(player.id for night in nights for player in night.players)
    won = Counter(slug for night in nights for slug, place in night.places if place == 1)
    sums, has_money = Counter[str](), any(night.nets for night in nights)
    for night in nights:
        sums.update(dict(night.nets or night.totals))
    new = {member.slug for member in preview.newcomers}
    for slug, count in played.most_common():
        yield {
            "face": faces.get(slug),
            "name": naming.isolate(names[slug]),
            "is_new": slug in new,
            "nights": f"{game_labels.games_label(count)} · {game_labels.wins_label(won[slug])}",
            "sum": amounts.money(sums[slug], table, signed=True)
            if has_money
            else amounts.points_label(sums[slug]),
        }


def _night_context(
    whole: NewGame, night: NightImported, table: Table, faces: Mapping[str, Person]
) -> dict[str, object]:
    names = {player.id: naming.isolate(player.name) for player in night.players}
    figures = {slug: amounts.money(net, table, signed=True) for slug, net in night.nets}
    figures = figures or {slug: amounts.points(total) for slug, total in night.totals}
    in_order = sorted(night.places, key=lambda item: item[1])
    people = {player.id: Person(player.id, player.name, 0) for player in night.players}
    best, day = in_order[0][0], date.fromordinal(whole.game.night_number)
    game = texts.translate(whole.state.variant.name)
    return {
        "day": days.format_numeric_date(day),
        "game": game,
        "when": " · ".join((days.format_day(day), *([game] if night.variant else []))),
        "face": faces.get(best),
        "title": event_sentences.winners_sentence(whole.state, people),
        "figure": figures.get(best, ""),
        "tone": amounts.tone(dict(night.nets).get(best, 0)) if night.nets else "",
        "standing": [(f"{place}. {names[slug]}", figures.get(slug, "")) for slug, place in in_order],
    }


# --- arrivals ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ArrivalItem:
    """A row of the list of arrivals: the file, how much came, and who imported and reverted it."""

    number: str
    title: str
    detail: str
    is_void: bool


def arrival_item(arrival: Arrival, people: People) -> ArrivalItem:
    """Return an arrival as a row of the list, struck out if it was reverted."""
    table = arrival.table
    counts = [game_labels.games_label(arrival.games)] if arrival.games else []
    for count, label in (
        (arrival.payments, ngettext("%(count)s payment", "%(count)s payments", arrival.payments)),
        (arrival.expenses, ngettext("%(count)s expense", "%(count)s expenses", arrival.expenses)),
    ):
        if count:
            counts.append(label % {"count": count})
    acts = [(arrival.at, arrival.user, "%(who)s")]
    if arrival.ended_at is not None:
        acts.append((arrival.ended_at, arrival.ended_by, _("removed by %(who)s")))
    done = []
    for at, user, label in acts:
        name = naming.isolate(users.name_at_table(user, people) if user else "–")
        done.append(f"{days.format_datetime(at, table)}, {label % {'who': name}}")
    title = naming.isolate(arrival.file) if arrival.file else _("An old notebook")
    return ArrivalItem(str(arrival.pk), title, " · ".join((*counts, *done)), arrival.ended_at is not None)
