"""Corpus readers: what they give, and what they refuse."""

from pathlib import Path

import numpy as np
import pytest

from calib_core.coref import (
    CorpusError,
    detect_mentions,
    read_conll,
    read_conllu,
    read_corpus,
    read_sound_files,
    write_conll,
)
from calib_core.document import Document

LITBANK = (
    "#begin document (moor_brat); part 0\n"
    "moor_brat\t0\t0\tTom\t_\t_\t_\t_\t_\t_\t_\t_\t(0)\n"
    "moor_brat\t0\t1\tsaw\t_\t_\t_\t_\t_\t_\t_\t_\t\n"
    "moor_brat\t0\t2\this\t_\t_\t_\t_\t_\t_\t_\t_\t(1|(0)\n"
    "moor_brat\t0\t3\tdog\t_\t_\t_\t_\t_\t_\t_\t_\t1)\n\n#end document\n"
)
ONTONOTES = (
    "#begin document (bc/x); part 001\n"
    "bc/x 1 0 We PRP (TOP(S(NP*) - - - Ann * - (3)\n"
    "bc/x 1 1 left VBD (VP*)) leave 01 1 Ann * - -\n\n"
    "bc/x 1 0 They PRP (TOP* - - - Bob * - (3)\n"
    "#end document\n"
)


def test_conllu_gives_words_trees_offsets_and_clusters(story: Document) -> None:
    assert story.doc_id == "story"
    assert story.words[:4] == ("The", "king", "'s", "army")
    assert story.heads[:5].tolist() == [1, 3, 1, 4, -1]
    assert story.heads[8:12].tolist() == [9, -1, 9, 9]
    assert story.clusters == (((0, 3), (10, 11), (16, 18)), ((0, 4), (8, 9), (12, 14)))
    assert story.sentences.tolist() == [0] * 8 + [1] * 4 + [2] * 8
    assert story.speakers[0] == "Ann"
    assert story.speakers[8] == ""


def test_offsets_point_into_the_text(story: Document) -> None:
    text = "The king's army crossed the river. It saw him. The army attacked; the king fled."
    assert [text[a:b] for a, b in zip(story.starts, story.ends, strict=True)] == list(story.words)


def test_a_multiword_token_that_its_words_do_not_spell_shares_its_offsets(write) -> None:
    rows = "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\tADP\t_\t_\t0\troot\t_\t_\n2\tle\t_\tDET\t_\t_\t1\tdet\t_\t_\n\n"
    document = next(read_conllu(write("a.conllu", rows)))
    assert document.starts.tolist() == [0, 0]
    assert document.ends.tolist() == [2, 2]
    assert document.doc_id == "a"
    assert document.clusters is None


def test_several_roots_are_accepted(write, story_text: str) -> None:
    text = story_text.replace("7\tfled\tflee\tVERB\tVBD\t_\t3\tparataxis", "7\tfled\tflee\tVERB\tVBD\t_\t0\troot")
    document = next(read_conllu(write("a.conllu", text)))
    assert (document.heads[12:] < 0).sum() == 2
    assert len(detect_mentions(document)) == 7


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\t5\tnsubj\t_\tEntity=1)", "\t9\tnsubj\t_\tEntity=1)", "a.conllu:10: head '9' is not a word of its sentence"),
        ("5\tcrossed\tcross\tVERB\tVBD\t_\t0", "5\tcrossed\tcross\tVERB\tVBD\t_\t4", "its own ancestor"),
        ("Entity=(1)", "Entity=(1", "never closed"),
        ("Entity=1)\n3\tatt", "Entity=3)\n3\tatt", "not open"),
        ("2\tsaw\tsee\t", "2\tsaw ", "10 tab-separated columns; this one has 8"),
        ("3\thim", "4\thim", "word 3 of the sentence has id 4"),
        ("2-3\tking", "3-2\tking", "multiword token id '3-2'"),
    ],
)
def test_a_broken_conllu_file_is_refused(write, story_text: str, old: str, new: str, message: str) -> None:
    assert old in story_text
    with pytest.raises(CorpusError, match=message) as caught:
        list(read_conllu(write("a.conllu", story_text.replace(old, new, 1))))
    assert caught.value.line > 0


def test_litbank_rows_with_an_empty_last_column_are_read(write) -> None:
    document = next(read_conll(write("a.conll", LITBANK)))
    assert document.doc_id == "moor_brat#0"
    assert document.words == ("Tom", "saw", "his", "dog")
    assert document.clusters == (((0, 1), (2, 3)), ((2, 4),))


def test_conll_2012_gives_parts_speakers_and_sentences(write) -> None:
    document = next(read_conll(write("a.v4_gold_conll", ONTONOTES)))
    assert document.doc_id == "bc/x#1"
    assert document.speakers == ("Ann", "Ann", "Bob")
    assert document.lemmas[1] == "leave"
    assert document.xpos == ("PRP", "VBD", "PRP")
    assert document.sentences.tolist() == [0, 0, 1]
    assert document.clusters == (((0, 1), (2, 3)),)


def test_a_document_without_a_tree_asks_for_a_parse(write) -> None:
    with pytest.raises(ValueError, match="'moor_brat#0' has no dependency tree; parse it"):
        detect_mentions(next(read_conll(write("a.conll", LITBANK))))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word -\n", r":1: this line is outside #begin document"),
        ("#begin document a\n#begin document b\n", r":2: this line is inside document 'a'"),
        ("#begin document a\nx -\n", r":2: the file ends inside document 'a'"),
        ("#end document\n", r":1: this line is outside"),
        ("#begin document a\nx (1\n#end document\n", r":2: bracket \(1 is never closed"),
    ],
)
def test_a_broken_conll_file_is_refused(write, text: str, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        list(read_conll(write("a.conll", text)))


def test_a_written_clustering_is_read_back(tmp_path: Path, story: Document) -> None:
    write_conll(tmp_path / "out.conll", [(story, story.clusters)])
    again = next(read_conll(tmp_path / "out.conll"))
    assert again.words == story.words
    assert again.clusters == story.clusters
    assert np.array_equal(again.sentences, story.sentences)


def test_a_folder_is_read_in_order_of_names(write, story_text: str) -> None:
    write("b.conllu", story_text.replace("= story", "= second"))
    path = write("a.conllu", story_text)
    assert [document.doc_id for document in read_corpus([path.parent])] == ["story", "second"]


def test_unknown_endings_and_missing_paths_are_named(write, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"'.txt'; known corpus endings"):
        list(read_corpus([write("a.txt", "")]))
    with pytest.raises(ValueError, match="has no file ending in"):
        list(read_corpus([tmp_path]))
    with pytest.raises(FileNotFoundError, match="no file or folder at"):
        list(read_corpus([tmp_path / "absent"]))


def test_a_file_that_breaks_a_rule_is_left_out_as_a_whole_with_line_and_reason(write, story_text: str) -> None:
    folder = write("b.conllu", story_text).parent
    write("a.conllu", story_text.replace("= story", "= whole") + "1\tbroken\n\n")
    (folder / "c.conllu").write_bytes(b"# newdoc id = c\n# \xff\n")
    documents, left_out = read_sound_files([folder])
    assert [document.doc_id for document in documents] == ["story"]
    line = len(story_text.splitlines()) + 1
    assert [(Path(error.path).name, error.line) for error in left_out] == [("a.conllu", line), ("c.conllu", 2)]
    assert "10 tab-separated columns" in left_out[0].reason
    assert left_out[1].reason == "the line is not UTF-8"
