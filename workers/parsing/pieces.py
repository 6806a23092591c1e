"""Words to word pieces and characters: the tensors that the joint network reads.

Covers: the word-piece cache, and padding of one batch.
Not here: which sentences share a batch (`joint`, `train_joint`).
"""

from pathlib import Path

import torch
from stanza.models.common.vocab import ROOT_ID, CharVocab
from tokenizers import Tokenizer

from workers.parsing.network import Batch

CACHED_WORDS = 200_000
BLANK = "-"  # what Stanza puts for a word of which the word-piece tokenizer leaves nothing


class WordPieces:
    """Word-piece ids per word, remembered up to a limit; a word's pieces depend on the word alone."""

    def __init__(self, tokenizer_file: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(tokenizer_file))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._cache: dict[str, list[int]] = {}
        self.start, self.end, self.padding = (self._special(symbol) for symbol in ("[CLS]", "[SEP]", "[PAD]"))

    def _special(self, symbol: str) -> int:
        number = self._tokenizer.token_to_id(symbol)
        if number is None:
            raise ValueError(f"the word-piece vocabulary must have {symbol}")
        return int(number)

    def of(self, words: list[str]) -> list[list[int]]:
        """The piece ids of each word; at least one per word."""
        new = [word for word in dict.fromkeys(words) if word not in self._cache]
        known = {word: self._cache[word] for word in words if word in self._cache}
        known.update(zip(new, self._encode(new), strict=True))
        if len(self._cache) + len(new) > CACHED_WORDS:
            self._cache.clear()
        self._cache.update((word, known[word]) for word in new)
        return [known[word] for word in words]

    def _encode(self, words: list[str]) -> list[list[int]]:
        encoded = self._tokenizer.encode_batch([[w] for w in words], is_pretokenized=True, add_special_tokens=False)
        blank = self._tokenizer.encode([BLANK], is_pretokenized=True, add_special_tokens=False).ids
        return [e.ids or blank for e in encoded]


def make_batch(
    sentences: list[list[str]], spelled: list[list[str]], pieces: WordPieces, characters: CharVocab
) -> Batch:
    """Pad sentences (longest first) into one batch.

    `spelled` holds the forms whose characters are read: the same words, except in augmented training.
    """
    lengths = [len(words) for words in sentences]
    ids, last_piece = _lay_out(sentences, pieces)
    width = max(map(len, ids))
    piece_ids = torch.full((len(ids), width), pieces.padding)
    mask = torch.zeros((len(ids), width), dtype=torch.long)
    last = torch.zeros((len(ids), lengths[0] + 1), dtype=torch.long)
    for row, (sentence_ids, ends) in enumerate(zip(ids, last_piece, strict=True)):
        piece_ids[row, : len(sentence_ids)] = torch.tensor(sentence_ids)
        mask[row, : len(sentence_ids)] = 1
        last[row, : len(ends)] = torch.tensor(ends)
    chars, char_lengths, word_of = _spell(spelled, characters)
    return Batch(piece_ids, mask, last, lengths, chars, char_lengths, word_of)


def _lay_out(sentences: list[list[str]], pieces: WordPieces) -> tuple[list[list[int]], list[list[int]]]:
    all_ids, all_ends = [], []
    for words in sentences:
        ids, ends = [pieces.start], [0]
        for word_ids in pieces.of(words):
            ids.extend(word_ids)
            ends.append(len(ids) - 1)
        all_ids.append([*ids, pieces.end])
        all_ends.append(ends)
    return all_ids, all_ends


def _spell(sentences: list[list[str]], characters: CharVocab) -> tuple[torch.Tensor, list[int], torch.Tensor]:
    # The root is spelled with the one character ROOT; the key "" cannot be a word.
    distinct = sorted({word for words in sentences for word in words} | {""}, key=lambda w: (-len(w), w))
    row_of = {word: row for row, word in enumerate(distinct)}
    spelled = [characters.map(list(word)) or [ROOT_ID] for word in distinct]
    lengths = [len(ids) for ids in spelled]
    chars = torch.zeros((len(spelled), lengths[0]), dtype=torch.long)
    for row, ids in enumerate(spelled):
        chars[row, : len(ids)] = torch.tensor(ids)
    word_of = torch.full((len(sentences), max(map(len, sentences)) + 1), row_of[""])
    for row, words in enumerate(sentences):
        word_of[row, 1 : len(words) + 1] = torch.tensor([row_of[word] for word in words])
    return chars, lengths, word_of
