"""Letters that look like a Latin letter, from Unicode's table of confusables (confusables.txt of UTS #39).

The module only has single letters and digits, and only letters of the Latin, Greek, Cyrillic, Armenian,
Coptic, Cherokee and Lisu scripts. Letters that Unicode's compatibility form (NFKC) replaces anyway are left
out.
"""

from __future__ import annotations

from collections.abc import Mapping

_LOOKALIKES: Mapping[str, str] = {
    "A": "ΑАᎪꓮ",
    "a": "ɑαа",
    "B": "ΒВᏴꓐꞴ",
    "b": "ƄЬᏏ",
    "C": "СᏟⲤꓚ",
    "c": "сᴄⲥꮯ",
    "D": "Ꭰꓓ",
    "d": "ԁᏧꓒ",
    "E": "ΕЕᎬꓰ",
    "e": "еҽꬲ",
    "F": "ϜꓝꞘ𝈓",
    "f": "քẝꞙꬵ",
    "G": "ԌᏀᏳꓖ",
    "g": "ƍɡցᶃ",
    "H": "ΗНᎻⲎꓧ",
    "h": "һհᏂ",
    "i": "ıɩɪιіӏᎥꙇꭵ",
    "J": "ͿЈᎫꓙꞲ",
    "j": "ϳј",
    "K": "ΚКᏦⲔꓗ",
    "L": "ᏞⳐꓡ𝈪",
    "l": "1IƖǀΙІӀⲒꓲ",
    "M": "ΜϺМᎷⲘꓟ",
    "N": "ΝⲚꓠ",
    "n": "ոռ",
    "O": "0ΟОՕⲞꓳ",
    "o": "οσоօᴏᴑⲟꬽ",
    "P": "ΡРᏢⲢꓑ",
    "p": "ρрⲣ",
    "q": "ԛգզ",
    "R": "ƦᎡᏒꓣ𝈖",
    "r": "гᴦⲅꭇꭈꮁ",
    "S": "ЅՏᏕᏚꓢ",
    "s": "ƽѕꜱꮪ",
    "T": "ΤТᎢⲦꓔ",
    "U": "Սꓴ",
    "u": "ʋυսᴜꞟꭎꭒ",
    "V": "ѴᏙꓦ𝈍",
    "v": "νѵᴠꮩ",
    "W": "ԜᎳᏔꓪ",
    "w": "ɯѡԝաᴡꮃ",
    "X": "ΧХⲬꓫꞳ",
    "x": "х",
    "Y": "ΥУҮᎩᎽⲨꓬ",
    "y": "ɣʏγуүᶌỿꭚ",
    "Z": "ΖᏃꓜ𐋵",
    "z": "ᴢꮓ",
}
LATIN = str.maketrans({letter: latin for latin, letters in _LOOKALIKES.items() for letter in letters})
