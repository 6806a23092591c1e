import numpy as np

from calib_core.anchoring import stories

WORDS = [f"word{n}" for n in range(4000)]


def text(seed, n=80):
    return " ".join(np.random.default_rng(seed).choice(WORDS, n))


def test_near_duplicates_are_one_story_and_others_are_not():
    first, second = text(1), text(2)
    edited = first.replace(first.split()[40], "changed")
    assert stories([first, second, edited, second + " the end"]).tolist() == [0, 1, 0, 1]


def test_empty_and_short_texts_stand_alone():
    assert stories(["", "", "a b c", "a b c"]).tolist() == [0, 1, 2, 3]


def test_a_phrase_that_all_share_links_nobody():
    common = "this is what all of our articles end with here"
    assert len(set(stories([f"{text(n)} {common}" for n in range(60)]).tolist())) == 60
