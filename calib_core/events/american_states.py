"""States of the U.S. as they follow the name of a town: "Peru, Indiana", "Lebanon, Pa.".

Covers: their names and the abbreviations of newspapers, as pieces.
Not here: Georgia, which is a country too, and Washington, which is mostly the government: a comma before either is as
likely to be one between two actors.
"""

from calib_core.events.pieces import pieces

_NAMES = """
Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho|Illinois|Indiana|Iowa|
Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|
New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|
Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|West Virginia|Wisconsin|Wyoming
"""
_ABBREVIATIONS = """
Ala.|Ariz.|Ark.|Calif.|Colo.|Conn.|Del.|Fla.|Ga.|Ill.|Ind.|Kan.|Ky.|La.|Me.|Md.|Mass.|Mich.|Minn.|Miss.|Mo.|Mont.|
Neb.|Nev.|N.H.|N.J.|N.M.|N.Y.|N.C.|N.D.|Okla.|Ore.|Pa.|R.I.|S.C.|S.D.|Tenn.|Tex.|Vt.|Va.|Wash.|W.Va.|Wis.|Wyo.
"""


def _split(text: str) -> frozenset[tuple[str, ...]]:
    """Each name as its pieces."""
    return frozenset(pieces(name) for name in text.replace("\n", "").split("|"))


NAMES = _split(_NAMES)
ABBREVIATIONS = _split(_ABBREVIATIONS)
