"""Small annotated documents for the experiments on coreference."""

from dataclasses import replace
from pathlib import Path

import pytest

from calib_core.coref import read_conllu
from calib_core.document import Document

STORY = """\
# newdoc id = story
# global.Entity = GRP
# sent_id = 1
# text = Mary met John in the city.
1\tMary\tMary\tPROPN\tNNP\tNumber=Sing\t2\tnsubj\t_\tEntity=(1)
2\tmet\tmeet\tVERB\tVBD\t_\t0\troot\t_\t_
3\tJohn\tJohn\tPROPN\tNNP\tNumber=Sing\t2\tobj\t_\tEntity=(2)
4\tin\tin\tADP\tIN\t_\t6\tcase\t_\t_
5\tthe\tthe\tDET\tDT\t_\t6\tdet\t_\tEntity=(3
6\tcity\tcity\tNOUN\tNN\tNumber=Sing\t2\tobl\t_\tEntity=3)
7\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# sent_id = 2
# text = She liked him.
1\tShe\tshe\tPRON\tPRP\tNumber=Sing\t2\tnsubj\t_\tEntity=(1)
2\tliked\tlike\tVERB\tVBD\t_\t0\troot\t_\t_
3\thim\the\tPRON\tPRP\tNumber=Sing\t2\tobj\t_\tEntity=(2)
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# sent_id = 3
# text = Mary left the city with a friend and John stayed.
1\tMary\tMary\tPROPN\tNNP\tNumber=Sing\t2\tnsubj\t_\tEntity=(1)
2\tleft\tleave\tVERB\tVBD\t_\t0\troot\t_\t_
3\tthe\tthe\tDET\tDT\t_\t4\tdet\t_\tEntity=(3
4\tcity\tcity\tNOUN\tNN\tNumber=Sing\t2\tobj\t_\tEntity=3)
5\twith\twith\tADP\tIN\t_\t7\tcase\t_\t_
6\ta\ta\tDET\tDT\t_\t7\tdet\t_\t_
7\tfriend\tfriend\tNOUN\tNN\tNumber=Sing\t2\tobl\t_\t_
8\tand\tand\tCCONJ\tCC\t_\t10\tcc\t_\t_
9\tJohn\tJohn\tPROPN\tNNP\tNumber=Sing\t10\tnsubj\t_\tEntity=(2)
10\tstayed\tstay\tVERB\tVBD\t_\t2\tconj\t_\t_
11\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


@pytest.fixture
def stories(tmp_path: Path) -> list[Document]:
    """Six documents with the same text and different names."""
    path = tmp_path / "story.conllu"
    path.write_text(STORY, encoding="utf-8")
    story = next(read_conllu(path))
    return [replace(story, doc_id=f"story-{number}") for number in range(6)]
