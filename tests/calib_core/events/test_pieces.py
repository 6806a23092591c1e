"""Pieces are what lexicon, tokens and raw text have in common."""

import sys

import numpy as np

from calib_core.document import Document
from calib_core.events.gating import FOLD_TO_ASCII
from calib_core.events.pieces import fold, folded_pieces, free_standing, pieces


def document(words: list[str], starts: list[int]) -> Document:
    n = len(words)
    return Document(
        doc_id="d", words=tuple(words), lemmas=("_",) * n, upos=("_",) * n, xpos=("_",) * n, feats=("_",) * n,
        heads=np.full(n, -1), deprels=("root",) * n, sentences=np.zeros(n, dtype=np.int64), starts=np.array(starts),
        ends=np.array([start + len(word) if start >= 0 else -1 for word, start in zip(words, starts, strict=True)]),
        speakers=("",) * n,
    )  # fmt: skip


def test_points_hyphens_and_apostrophes_separate_pieces() -> None:
    assert pieces("U.S.") == pieces("U. S") == ("U", "S")
    assert pieces("Guinea-Bissau") == ("Guinea", "Bissau")
    assert pieces("Cote d’Ivoire") == ("Cote", "d", "Ivoire")


def test_tokens_cut_inside_a_word_do_not_stand_free() -> None:
    assert free_standing(document(["can", "not", "go", "."], [0, 3, 7, 9])).tolist() == [False, False, True, True]


def test_accents_may_be_written_as_characters_of_their_own() -> None:
    assert pieces("Co\u0302te") == pieces("Côte") == ("Côte",)
    assert fold("ZAI\u0308RE") == fold("zaïre")


def test_a_letter_cut_from_its_accent_does_not_stand_free() -> None:
    assert free_standing(document(["Cuba", "\u0301", "!"], [0, 4, 5])).tolist() == [False, False, True]


def test_letters_are_folded_after_words_are_cut() -> None:
    assert folded_pieces("İstanbul") == ("i\u0307stanbul",)


def test_tokens_without_offsets_stand_free() -> None:
    assert free_standing(document(["can", "not"], [-1, -1])).all()


def test_characters_that_fold_to_ascii_are_listed_in_full() -> None:
    beyond = [chr(point) for point in range(128, sys.maxunicode + 1)]
    folding = {character for character in beyond if any(part.isascii() and part.isalnum() for part in fold(character))}
    assert folding == set(FOLD_TO_ASCII)


def test_no_separator_turns_into_a_letter_when_folded() -> None:
    separators = (chr(point) for point in range(sys.maxunicode + 1) if not chr(point).isalnum())
    assert not any(part.isascii() and part.isalnum() for character in separators for part in fold(character))
