"""How charts tell things apart: colour, dash and marker together, so that no reader depends on colour alone."""

from typing import Any

import altair as alt

LIGHT = ["#0072B2", "#C04A00", "#00775A", "#8F3F75"]
DARK = ["#56B4E9", "#FF9A4D", "#3DD6A3", "#F0A6D2"]
"""Okabe and Ito's hues, darker or lighter: each has a contrast of at least 4.5 : 1 against a white or a dark page."""
DASHES = [[1, 0], [9, 3], [3, 2], [9, 3, 2, 3]]
SHAPES = ["circle", "square", "triangle-up", "diamond"]


def look() -> dict[str, Any]:
    """Colour, dash and marker of a curve, from the fields slot, colour and shape of its rows."""
    dashes = alt.Scale(domain=[0, 1, 2, 3], range=DASHES)
    return {
        "colour": alt.Color("colour:N", scale=None),
        "dash": alt.StrokeDash("slot:O", legend=None, scale=dashes),
        "shape": alt.Shape("shape:N", scale=None),
    }
