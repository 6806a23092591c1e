"""The chain of letters, on made-up images."""

from pathlib import Path

import numpy as np
import pytest

from reproductions.letters import experiment
from reproductions.letters.chain import Words, read_words, spell
from reproductions.letters.page import page
from reproductions.letters.results import LETTER, WORD
from reproductions.resampling import draw_times
from reproductions.stages import Stages
from reproductions.structured.events import Events, drawn_parts, scored

SPELLED = ("ab", "bca", "cab", "aabb")


def made_up_words(n: int, seed: int) -> Words:
    """Words of three letters, each with its own pixels and some noise."""
    rng = np.random.default_rng(seed)
    text = [SPELLED[at] for at in rng.integers(0, len(SPELLED), n)]
    letters = np.array([ord(letter) - ord("a") for word in text for letter in word])
    pixels = np.zeros((len(letters), 128), dtype=np.uint8)
    pixels[np.arange(len(letters)), letters] = 1
    noisy = rng.random(pixels.shape) < 0.2
    return Words(pixels ^ noisy, letters, np.concatenate([[0], np.cumsum([len(word) for word in text])]))


def test_words_are_read_as_they_were_packed(tmp_path: Path) -> None:
    words = made_up_words(5, 0)
    path = tmp_path / "letters.npz"
    np.savez(path, pixels=np.packbits(words.pixels, axis=1), letters=words.letters, word_offsets=words.starts)
    read = read_words(path)
    assert np.array_equal(read.pixels, words.pixels)
    assert read.spelled() == words.spelled()


def test_parts_keep_whole_words() -> None:
    words = made_up_words(6, 1)
    assert words.part(np.array([4, 2])).spelled() == [words.spelled()[4], words.spelled()[2]]
    assert spell(np.array([0, 25, 2]), np.array([0, 2, 3])) == ["az", "c"]


def test_letters_run_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment, "PENALTIES", (0.3, 1.0))
    monkeypatch.setattr(experiment, "K", 20)
    monkeypatch.setattr(experiment, "REPEATS", 1)
    split = experiment.Split(*(made_up_words(n, seed) for n, seed in ((60, 1), (80, 2), (50, 3))))
    found = experiment.results(split, Stages(), seed=0, sizes=(30, 60))
    assert found.test[WORD].holds.mean() < found.test[LETTER].holds.mean()
    assert len(page(found).claims) == 8


def test_parts_under_draws_add_up_to_the_decomposition() -> None:
    rng = np.random.default_rng(0)
    pred = rng.random(400)
    events = Events(pred, rng.random(400) < pred, np.arange(400) // 4, {})
    parts, plain = drawn_parts(pred, events, draw_times(100, n_draws=500)), scored(pred, events.holds)
    assert parts.loss.value == pytest.approx(plain.loss)
    assert plain.loss == pytest.approx(plain.uncertainty - plain.sharpness + plain.calibration + plain.within)
    assert parts.calibration.value < plain.calibration
    assert parts.calibration.value == pytest.approx(0, abs=0.003)
