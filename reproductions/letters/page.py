"""The page of experiment `letters`: texts, tables, pictures."""

import numpy as np

from reproductions.findings import Findings, Picture, Row
from reproductions.letters.claims import claims
from reproductions.letters.results import LETTER, ONE, WORD, Results
from reproductions.structured.charts import curves_chart, features_chart, sizes_chart
from reproductions.structured.events import OWN
from reproductions.structured.tables import panel_rows, panel_table, size_rows, size_table

_THEY = """
A chain CRF reads handwritten words, 16 x 8 pixels a letter: 2,000 words to train it, 2,000 to test, the rest in part to
calibrate. The event is that the best word, or a letter of it, is right. One feature, k-NN with k = 100 and 1,000
calibration words (Figure 2); features by cost (Figure 3); calibration sets of different sizes (Figure 4). The L2 losses
are only in figures."""
_WE = """
The same words and the same split, at random. A CRF with one weight for each pixel and letter and each pair of letters,
trained by L-BFGS until an iteration gains less than a millionth; L2 = {l2:g} by the likelihood of 400 held-out training
words. The admissible set of theirs is all English words; ours is the {n_known} words of the training text, since the
data has few different words and they recur. Similar-looking letters are 26 indicators, as in their text. Features and
sizes are chosen by ten-fold cross-validation on calibration words, from thinned grids (13 sizes of their 100).
Several features go to a tree, a single one to k-NN. Intervals draw test words; they do not
tell how another CRF would do."""
_DATA = "They do not: this is their set, {n_words:,} words to test on. Which words they drew is not known."


def page(results: Results) -> Findings:
    """All of the page."""
    panels = {kind: results.scored(kind) for kind in (WORD, LETTER)}
    simple = {kind: {way: ways[way] for way in (OWN, ONE)} for kind, ways in panels.items()}
    grouped = {kind: {name: one for name, one in ways.items() if name != ONE} for kind, ways in panels.items()}
    right = {kind: float(np.mean(results.test[kind].holds)) for kind in panels}
    losses = [
        Row(
            "L2 loss", f"{kind}: {name}", one.loss.value, lo=(found := one.loss.estimate()).lo, hi=found.hi, detail=True
        )
        for kind in panels
        for name, one in results.parts(kind).items()
    ]
    words = simple[WORD]
    return Findings(
        they=_THEY,
        we=_WE.format(l2=results.l2, n_known=results.n_known),
        data=_DATA.format(n_words=len(results.test[WORD])),
        rows=(
            Row("The chain", "words right", right[WORD]),
            Row("The chain", "letters right", right[LETTER]),
            *losses,
            *panel_rows("One feature", simple),
            *panel_rows("Features", grouped),
            *size_rows(results.sizes),
        ),
        wide="\n\n".join(
            [
                panel_table("One feature, k-NN with k = 100 (Figure 2)", simple),
                panel_table("Features by cost (Figure 3)", grouped),
                size_table("Size of the calibration set (Figure 4)", results.sizes),
            ]
        ),
        pictures=(
            Picture("", "Before and after recalibration by one feature.", curves_chart(simple)),
            Picture("features", "L2 loss by groups of features, cheap ones first.", features_chart(grouped)),
            Picture("sizes", "Calibration error and sharpness by calibration words.", sizes_chart(results.sizes)),
        ),
        claims=tuple(claims(results)),
        verdict=f"Calibration error of words {words[OWN].calibration:.4f} to {words[ONE].calibration:.4f}, L2 loss "
        f"{words[OWN].loss:.4f} to {words[ONE].loss:.4f}; {right[WORD]:.0%} of words and {right[LETTER]:.0%} of "
        "letters are read right.",
    )
