"""Tiny corpora, written by hand, for the coreference tests."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from calib_core.coref import Antecedents, read_conllu
from calib_core.document import Document

STORY = """\
# newdoc id = story
# global.Entity = GRP
# sent_id = 1
# speaker = Ann
# text = The king's army crossed the river.
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\tEntity=(1(2
2-3\tking's\t_\t_\t_\t_\t_\t_\t_\t_
2\tking\tking\tNOUN\tNN\tNumber=Sing\t4\tnmod:poss\t_\t_
3\t's\t's\tPART\tPOS\t_\t2\tcase\t_\tEntity=2)
4\tarmy\tarmy\tNOUN\tNN\tNumber=Sing\t5\tnsubj\t_\tEntity=1)
5\tcrossed\tcross\tVERB\tVBD\t_\t0\troot\t_\t_
6\tthe\tthe\tDET\tDT\t_\t7\tdet\t_\t_
7\triver\triver\tNOUN\tNN\tNumber=Sing\t5\tobj\t_\tSpaceAfter=No
8\t.\t.\tPUNCT\t.\t_\t5\tpunct\t_\t_

# sent_id = 2
# text = It saw him.
1\tIt\tit\tPRON\tPRP\tNumber=Sing\t2\tnsubj\t_\tEntity=(1)
2\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_
2.1\tran\trun\tVERB\tVBD\t_\t_\t_\t0:root\t_
3\thim\the\tPRON\tPRP\tNumber=Sing\t2\tobj\t_\tEntity=(2)|SpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# sent_id = 3
# text = The army attacked; the king fled.
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\tEntity=(1
2\tarmy\tarmy\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\tEntity=1)
3\tattacked\tattack\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No
4\t;\t;\tPUNCT\t:\t_\t7\tpunct\t_\t_
5\tthe\tthe\tDET\tDT\t_\t6\tdet\t_\tEntity=(2
6\tking\tking\tNOUN\tNN\tNumber=Sing\t7\tnsubj\t_\tEntity=2)
7\tfled\tflee\tVERB\tVBD\t_\t3\tparataxis\t_\tSpaceAfter=No
8\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

"""

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a text under a name in a fresh folder and give its path."""

    def writing(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return writing


@pytest.fixture
def story_text() -> str:
    """A document of three sentences, two entities, a multiword token and an empty node."""
    return STORY


@pytest.fixture
def story(write: Write) -> Document:
    """The story, read."""
    return next(read_conllu(write("story.conllu", STORY)))


@pytest.fixture
def random_antecedents() -> Callable[..., Antecedents]:
    """A document of n mentions with random logits over all earlier mentions, or the nearest `window`."""

    def drawing(n: int, seed: int = 0, window: int = 10**9) -> Antecedents:
        entries = [[*range(max(0, j - window), j), -1] for j in range(n)]
        offsets = np.cumsum([0] + [len(row) for row in entries])
        candidates = np.array([i for row in entries for i in row], dtype=np.int64)
        logits = np.random.default_rng(seed).normal(0, 2, len(candidates))
        return Antecedents(offsets.astype(np.int64), candidates, logits)

    return drawing
