from pathlib import Path

import numpy as np
import pytest

from reproductions.tagging.tagged_text import penn_tags, read_treebank, read_tweets, universal_tags_with_features
from tests.reproductions.made_up_text import made_up, write_conllu, write_tsv


def test_tweets_come_back_as_written(tmp_path: Path) -> None:
    text = made_up(5)
    write_tsv(text, tmp_path / "x.tsv")
    read = read_tweets(tmp_path / "x.tsv")
    assert (read.words, read.tags) == (text.words, text.tags)
    assert read.documents.tolist() == [0, 1, 2, 3, 4]


def test_line_without_a_tag_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("a\tN\nb\n")
    with pytest.raises(ValueError, match=r"x\.tsv:2: a line must hold a word, a tab and a tag; got 'b'"):
        read_tweets(tmp_path / "x.tsv")


def test_treebank_comes_back_with_either_tagset(tmp_path: Path) -> None:
    text = made_up(5)
    write_conllu(text, tmp_path / "x.conllu")
    read = read_treebank(tmp_path / "x.conllu", penn_tags)
    assert (read.words, read.tags) == (text.words, text.tags)
    assert read.documents.tolist() == [0, 0, 1, 1, 2]
    fine = read_treebank(tmp_path / "x.conllu", universal_tags_with_features)
    assert fine.tags[0][0] == f"{text.tags[0][0]}|A={text.tags[0][0]}"


def test_part_keeps_words_tags_and_documents_together() -> None:
    text = made_up(6)
    part = text.part([5, 0])
    assert part.words == [text.words[5], text.words[0]]
    assert part.documents.tolist() == [2, 0]
    assert np.array_equal(part.word_documents, np.repeat([2, 0], 8))
