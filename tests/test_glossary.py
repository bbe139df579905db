"""The vocabulary of all Spanish: the words of the project and of each country, vos or tú, no needless foreign words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import polib
import pytest
from django.conf import settings
from django.utils.translation import gettext, ngettext, override

BASE = Path(settings.BASE_DIR)
CATALOGUE = BASE / "games" / "locale" / "es" / "LC_MESSAGES" / "django.po"


class Rule(NamedTuple):
    """Words that may not be used, with the replacement, the reason, and a sentence the rule must catch."""

    never: str
    say: str
    why: str
    bad: str


# `never` is a pattern of whole words, in upper or lower case.
OUR_WORDS = (
    Rule("rondas?|vueltas", "mano", "one deal, scored once, is a mano", "Anotar ronda 7"),
    Rule("jugadas?", "mano", "a jugada is what one player does in their turn", "Corregir la jugada 3"),
    Rule(
        "(?:este|ese|nuevo|próximo|último) juego|juegos? (?:nuevos?|terminados?)|el juego (?:ya|empie|termin|sigue)\\w*",
        "partida",
        "juegos are the melds on the table; what somebody wins is a partida",
        "Este juego ya terminó",
    ),
    Rule("bote|pote|banca", "pozo", "the money in the middle is the pozo", "El bote va a Ana"),
    Rule(
        "recompras?|recomprar|recompra|reingres\\w+|reentrad\\w+",
        "reenganche, reengancharse",
        "buying back in is reengancharse",
        "Ana recompra por $ 1.000",
    ),
    Rule(
        "apostar|apostás|apost[óo]|postas?",
        "apuesta",
        "what each puts in at the start",
        "Hay que apostar",
    ),
    Rule(
        "(?<=\\W)cerr[óo](?! la mano)|terminó la ronda",
        "salió, cortó",
        "whoever lays the last card salió; in Chinchón whoever ends the round cortó",
        "Ana cerró",
    ),
    Rule("de un saque|de golpe|de mano", "de una", "out in one turn is de una", "Ana salió de un saque"),
    Rule(
        "quebr\\w+|revent\\w+|explot\\w+", "se pasó", "reaching the limit is pasarse", "Beto reventó con 104"
    ),
    Rule(
        "eliminad[oa]s?|perdió la partida|descalificad\\w+",
        "afuera, queda afuera",
        "out is afuera, which also fits everybody",
        "Beto fue eliminado",
    ),
    Rule("abandon\\w+|se retir\\w+", "se fue", "whoever goes home se fue", "Beto abandona"),
    Rule("repartidor(?:a|es)?|da cartas", "reparte", "a verb fits everybody", "El repartidor es Caro"),
    Rule("jokers?|comodin", "comodín", "the card has its own name", "Quedan 3 jokers"),
    Rule(
        "dama|jack|valet", "reina, jota", "the cards of a French pack as they are called here", "Una dama, 10"
    ),
    Rule(
        "caballeros?|jota de (?:oros|copas|espadas|bastos)",
        "sota, caballo",
        "the figures of a Spanish pack are sota, caballo, rey",
        "El caballero vale 11",
    ),
    Rule("monedas|bastones", "oros, bastos", "the suits of a Spanish pack", "El as de monedas"),
    Rule(
        "cartas? (?:salvajes?|libres?)|comodines? libres?",
        "comodín",
        "a card that stands for another is a comodín, or named: un dos, el as de oros",
        "Una carta salvaje vale 25",
    ),
    Rule(
        "ternas?|tercias?|grupos? de (?:tres|iguales)",
        "pierna, trío",
        "cards of one rank are a pierna, in the contract games a trío",
        "Una terna de ochos",
    ),
    Rule("corridas?|secuencias?", "escalera", "cards in a row are an escalera", "Una corrida de cuatro"),
    Rule(
        "combinaci[óo]n\\w*",
        "juegos",
        "what lies on the table are juegos: piernas and escaleras",
        "Tus combinaciones en la mesa",
    ),
    Rule(
        "descarg\\w+|acomod\\w+",
        "colocar",
        "a card left over is colocada on a juego of somebody's",
        "Se puede descargar en los juegos de los demás",
    ),
    Rule("bonus|bonificaci[óo]n\\w*|bonos?", "puntos por salir", "it has a name here", "Un bonus de 5"),
    Rule("barajas?|monte|pila", "mazo", "the stock and the pack are the mazo", "Se acabó la pila"),
    Rule("desquite", "revancha", "the same once more is the revancha", "Jugar el desquite"),
    Rule(
        "puntajes?|puntuaci[óo]n\\w*|marcador|tantos",
        "puntos",
        "one word for what is counted; puntos is what is said at the table",
        "El puntaje de Ana",
    ),
    Rule("hoja|tablero|grilla", "planilla", "the sheet is the planilla", "Volver a la hoja"),
    Rule("registrar|registró|registrá|apuntar", "anotar", "scores are noted down", "Registrar mano 7"),
    Rule(
        "rectific\\w+|enmend\\w+|editar|editá", "corregir", "what is wrong is corrected", "Editar la mano 3"
    ),
    Rule("revertir|deshace|anulá lo último", "deshacer", "undo is deshacer", "Revertir lo último"),
    Rule(
        "penalizaci[óo]n\\w*|castigos?|penalidad", "multa", "a penalty is a multa", "Una penalización de 10"
    ),
    Rule(
        "dinero|(?<!en )efectivo",
        "plata",
        "spoken: plata; en efectivo is how it was paid",
        "El dinero va al pozo",
    ),
    Rule(
        "teléfonos?|móvil(?:es)?|dispositivos?",
        "celular",
        "one word for the thing",
        "Guardado en este teléfono",
    ),
    Rule("sólo|éste|ésta|aquél", "solo, este", "spelling of today, without the accent", "Sólo puntos"),
)

# The season, the accounts and the notebook.
BOOKS = (
    Rule(
        "campeonatos?|torneos?|ligas?",
        "temporada",
        "the nights of some months are a temporada",
        "La tabla del torneo",
    ),
    Rule(
        "rankings?|clasificaci[óo]n\\w*", "tabla de posiciones", "it has a name here", "El ranking de la mesa"
    ),
    Rule("veladas?|jornadas?", "noche", "what was played until six in the morning", "Cerrar la jornada"),
    Rule("balances?", "saldo", "what somebody owes or is owed is the saldo", "El balance de Ana"),
    Rule(
        r"abon(?:ar|á|ó|os?|ad\w+)|sald(?:ar|á|ó|ad\w+)(?! (?:en )?la noche)|liquid\w+",
        "pagar, pago",
        "spoken: pagar; a night as a whole is saldada",
        "Beto saldó su deuda",
    ),
    Rule("cancel\\w+", "anular", "whoever pays a debt cancels it too", "Pago cancelado"),
    Rule(
        "disput\\w+|reclam\\w+|discut\\w+",
        "objetar",
        "a payment that never came is objetado",
        "Pago en disputa",
    ),
    Rule(
        "condon\\w+|incobrables?",
        "perdonar",
        "what nobody has to pay any more is perdonado",
        "Deuda condonada",
    ),
    Rule("libretas?|historial", "cuaderno", "what was written before is the cuaderno", "La libreta vieja"),
    Rule(
        "import(?:ar|á|ó|ad\\w+)|export\\w+",
        "pasar, traer",
        "a notebook is copied over, a table is brought",
        "Importar un cuaderno",
    ),
    Rule("delante|detrás", "adelante, atrás", "as it is said here", "Ana quedó delante de Beto"),
)

# Players are known by name only, so texts must fit everybody.
EVERYBODY = (
    Rule("él|ella", "the name, or nothing", "the name does not say", "Con él quedan dos"),
    Rule(
        "(?:el|la|del|al) (?:jugador|ganador|perdedor)a?",
        "quien",
        "quien fits everybody",
        "El ganador se lleva todo",
    ),
    Rule(
        "bienvenid[oa]s?|segur[oa] de que",
        "another wording",
        "the reader's ending is not known",
        "¡Bienvenido!",
    ),
    Rule(
        "1\\.?ª|1\\.?ro|1\\.?ra|primer[oa] puesto",
        "ganó",
        "an ordinal after a name takes a gender",
        "Ana 1.ª",
    ),
)

VOS = (
    Rule(
        "tú|ti|contigo|puedes|tienes|quieres|debes|sabes|haces|eres|juegas|anotas|guardas|vuelves|necesitas|prefieres",
        "vos: podés, tenés, querés …",
        "tú is spoken elsewhere",
        "Ya puedes repartir",
    ),
    Rule(
        "elige|escribe|pulsa|haz|presiona|selecciona|ingresa|añade",
        "elegí, escribí, tocá, hacé …",
        "the imperative of vos ends on its accent",
        "Elige quién salió",
    ),
    Rule(
        "(?:^|(?<=[.:;,] )|(?<=[¿¡]))(?:toca|guarda|borra|anota|mira|prueba|espera|copia|agrega|deja|pide|corrige|repite|abre|revisa)",
        "tocá, guardá, borrá …",
        "where a sentence begins these are the imperative of tú",
        "Sin conexión: prueba de nuevo",
    ),
    Rule(
        "usted|elija|escriba|pulse|(?<!un )toque|haga|ingrese|introduzca|seleccione|presione|verifique|intente|espere",
        "elegí, escribí, tocá …",
        "at a table of friends nobody says usted",
        "Por favor introduzca su nombre",
    ),
    Rule(
        "sus? (?:mesas?|celular|contraseña)",
        "tu mesa, la mesa",
        "su is usted's, or leaves open whose",
        "Esta es su mesa",
    ),
    Rule(
        "vosotr[oa]s|vuestr[oa]s?|\\w+[áé]is",
        "ustedes",
        "spoken elsewhere",
        "Ya podéis jugar",
    ),
)

PLAIN = (
    Rule("cli(?:c|ck)s?|clickeá|cliqueá", "tocá", "a phone is tapped", "Hacé click en la carta"),
    Rule(
        "reset\\w*|scores?|scorekeeper|rounds?|login|log[ou]e\\w+|passwords?|ok|undo|stakes?|pots?",
        "Spanish",
        "it has a name here",
        "Resetear el score",
    ),
    Rule("links?", "enlace", "it has a name here", "Mandá el link"),
    Rule("«[^»]*»", "“…”", "one kind of quotes, that of names and notes", "Está en «Más»"),
    Rule(
        "seleccion(?:ar|á)|presion(?:ar|á)|puls(?:ar|á)", "elegir, tocar", "short words", "Presioná la carta"
    ),
    Rule("por favor|lo sentimos|ups", "nothing", "no manners: what is, and what to do", "Por favor, esperá"),
    Rule(
        "error inesperado|inválid[oa]s?|no válid[oa]s?", "what is wrong", "it helps nobody", "Nombre inválido"
    ),
)

# Words accented at the end with tú too, and words that only look like a verb of vos with a pronoun.
ACCENTED = "acá|ahí|allí|aquí|además|así|atrás|cambié|corté|demás|dé|después|detrás|está|estés?|inglés|jamás|más|mié|país|pagué|qué|quizás|revés|salí|sé|sí|través"
ENDING_ALIKE = (
    "(?:decim|igu|natur|person|re|riv|tot)ales|(?:b|cl|fr)ases?|chile|corchetes?|dale|empate|escalas?|filas?|game|generala|llame|manos|menos|palos?|loba_menos|quite|"
    "permite|regalos?|repite|sale|same|scala|siete|suele|trate|vale"
)

TU = (
    Rule("vos|sos", "tú, ti, contigo, eres", "vos is spoken elsewhere", "Sos Ana: ¿te llegó?"),
    Rule(
        rf"(?!(?:{ACCENTED})(?!\w))\w*[áéí]s?",
        "puedes, quieres, elige, escribe …",
        "the verbs of vos end on their accent",
        "Decí quién sale, si querés",
    ),
    Rule(
        rf"(?!(?:{ENDING_ALIKE})(?!\w))(?!\w*[áéíóú])\w+[aei](?:l[aeo]s?|me|te|nos|se)",
        "mírala, déjalo, hazte …",
        "the imperative of tú has its accent before the pronoun",
        "La mano está mal: corregila",
    ),
    Rule("platas?", "dinero", "plata is silver in Mexico", "La plata de la noche"),
    Rule("cbu|tild(?:a|ar|es?)|nomás", "another wording", "said in Argentina alone", "El alias o el CBU"),
    *(rule for rule in VOS if "usted" in rule.never or "ustedes" in rule.say),
)

# What neutral Spanish says, in `es` and in all of its countries but those of vos.
NEUTRAL = (
    Rule("piernas?", "trío", "cards of one rank are a pierna in Argentina alone", "Una pierna de ochos"),
    Rule(
        "planillas?|tablero|grilla",
        "hoja",
        "a sheet is an hoja, a spreadsheet an hoja de cálculo",
        "La planilla",
    ),
    Rule(r"de una(?! (?!y )\w)", "de una sola vez", "elsewhere de una is nothing", "Ana salió de una"),
    Rule("provisori[oa]s?", "provisional", "said in the south alone", "El total es provisorio"),
    Rule("de (?:ahí|ahora) en más", "en adelante", "said in Argentina alone", "De ahí en más cuesta 200"),
    Rule(
        "(?:des)?parej[oa]s?", "igualado, desigual", "elsewhere a pareja is a couple", "El más parejo: Beto"
    ),
    Rule("lapiceras?|lápiz", "anotar", "a pen stands for nothing on a phone", "Pasar la lapicera"),
    Rule("acá|allá", "aquí, allí", "said in the south alone", "Acá no hay nada"),
    Rule(
        r"sac(?:ar\w*|as?|an|o|ó|aron|ad[oa]s?)|sáca\w+|saques?",
        "quitar",
        "elsewhere one takes away with quitar",
        "Sacar la mano 3",
    ),
)
OUTSIDE_CHILE = (Rule("escalas?", "escalera", "only in Chile a run is an escala", "Hasta la escala real"),)
CHILE = (
    Rule("escaleras?", "escala", "Chile plays escalas, and no page mixes both", "Una escalera de cuatro"),
    Rule("frijoles", "porotos", "Chile has another word", "50 frijoles"),
)
SPAIN = (
    Rule("celular(?:es)?|teléfonos?", "móvil", "one word for the thing", "Guardado en este celular"),
    Rule(
        "cortó|cortar|cortes?|(?<!más )(?<!conexión se )corta",
        "cerrar, cierre",
        "in Chinchón whoever ends the round closes",
        "A quien corta: 10",
    ),
    Rule(
        "salir(?= de una)|por salir|salió|quien sale|sale quien",
        "cerrar, cerró",
        "there one sale with the first card, and cierra with the last",
        "Beto salió de una sola vez",
    ),
    Rule(
        "no se (?:anot|guard|mand)ó|todavía no \\w+ó|mientras tanto \\w+ó",
        "no se ha anotado",
        "what happened just now takes the perfect there",
        "No se anotó nada",
    ),
    Rule("afuera", "fuera", "as it is said there", "Queda afuera"),
    Rule("centavos?", "céntimos", "a euro has a hundred céntimos", "Con centavos"),
    Rule("pozos?", "bote", "the money in the middle is the bote", "El pozo va a Ana"),
    Rule("montos?", "importe", "as it is said there", "Un monto como 12.50"),
    Rule("mazos", "barajas", "there a mazo is the stock alone", "Con dos mazos"),
    Rule("ustedes|[Rr]epartan", "vosotros", "ustedes is for strangers", "Cuando ustedes digan"),
    Rule(r"agreg\w+", "añadir", "as it is said there", "Agregar a alguien"),
    Rule("frijoles|porotos", "garbanzos", "what people there bet without money", "100 frijoles"),
)

IN_VOS_ALONE = {"plata", "planilla"}
NOT_IN_SPAIN = {"salió, cortó", "pozo", "celular", "mazo", "adelante, atrás", "ustedes"}
EVERYWHERE = (
    *(rule for rule in OUR_WORDS if rule.say not in IN_VOS_ALONE),
    *BOOKS,
    *EVERYBODY,
    *PLAIN,
    *TU,
    *NEUTRAL,
)
RULES = {
    "es-ar": (*OUR_WORDS, *BOOKS, *EVERYBODY, *VOS, *PLAIN, *OUTSIDE_CHILE),
    "es": (*EVERYWHERE, *OUTSIDE_CHILE),
    "es-es": (*(rule for rule in EVERYWHERE if rule.say not in NOT_IN_SPAIN), *OUTSIDE_CHILE, *SPAIN),
    "es-cl": (*EVERYWHERE, *CHILE),
}

GAP = re.compile(r"\{[^{}]*\}|%\([^()]*\)s")  # a placeholder: no reader sees its name

# Spanish outside the catalogue would be shown to readers of English.
SPANISH_LETTERS = re.compile("[áéíóúñÁÉÍÓÚÑ¿¡ºª]")


def finds(rule: Rule, text: str) -> bool:
    """Return whether the text contains what the rule forbids."""
    visible = GAP.sub("…", text)
    return re.search(rf"(?<!\w)(?:{rule.never})(?!\w)", visible, re.IGNORECASE) is not None


def complaints(texts: Iterable[str], language: str = "es-ar") -> list[str]:
    """Return a sentence for each rule that these texts break."""
    return [
        f"“{text}”: say {rule.say} ({rule.why})"
        for text in texts
        for rule in RULES[language]
        if finds(rule, text)
    ]


def spanish(language: str) -> list[str]:
    """Return every translation in this language, from all catalogues of the pages."""
    with override(language):
        return [
            text
            for entry in polib.pofile(str(CATALOGUE))
            for text in (
                [ngettext(entry.msgid, entry.msgid_plural, count) for count in (1, 2)]
                if entry.msgid_plural
                else [gettext(entry.msgid)]
            )
        ]


@pytest.mark.parametrize("language", RULES)
def test_only_words_of_the_glossary_are_used(language):
    assert [] == complaints(spanish(language), language)


@pytest.mark.parametrize("language", RULES)
def test_suits_and_figures_have_their_usual_names(language):
    with override(language):
        of_both = [gettext(name) for name in ("jack", "queen", "king", "sota", "knight", "joker")]
        of_coins = [gettext(name) for name in ("coins", "cups", "swords", "clubs")]
    assert ["jota", "reina", "rey", "sota", "caballo", "comodín"] == of_both
    assert ["oros", "copas", "espadas", "bastos"] == of_coins


@pytest.mark.parametrize(
    "rule", dict.fromkeys(rule for rules in RULES.values() for rule in rules), ids=lambda rule: rule.bad
)
def test_a_forbidden_word_is_found(rule):
    assert finds(rule, rule.bad)


def test_no_template_contains_spanish():
    """The name of a game is the same in English."""
    pages = sorted((BASE / "templates").rglob("*.html"))
    assert [] == [
        str(page.relative_to(BASE))
        for page in pages
        if SPANISH_LETTERS.search(page.read_text(encoding="utf-8").replace("Chinchón", ""))
    ]


# What was said before, and was wrong or led astray.
MISLEADING = (
    *(
        "no es un enlace: empieza",
        "Cómo quedaron todos esa noche",
        "unir los dos nombres",
        "y retiro",
        "que sobren",
    ),
    *("Ya no entra: ", "no te toca", "no cuenta nada", "Guardar o borrar", "más que nada", "quién sos"),
    *(
        "de este celular se pierden",
        "subrayados para quien salió",
        "“Más”",
        "escaleras y un trío",
        "{runs} y {sets}",
    ),
)


@pytest.mark.parametrize("language", RULES)
def test_no_sentence_says_again_what_misled_players(language):
    assert [] == [(words, text) for words in MISLEADING for text in spanish(language) if words in text]


def test_in_english_nobody_who_is_eliminated_is_out():
    """`out` is left to those who went out: both words of Spanish, `afuera` and `salió`, were one."""
    entries = polib.pofile(str(CATALOGUE))
    eliminations = [
        entry.msgid for entry in entries if re.search(r"\bafuera\b|se reenganch", entry.msgstr, re.IGNORECASE)
    ]

    assert len(eliminations) > 5
    assert [] == [text for text in eliminations if re.search(r"\bout\b", text, re.IGNORECASE)]
