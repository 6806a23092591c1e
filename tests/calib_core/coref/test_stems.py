"""Stems: equal for the forms of one word."""

from dataclasses import replace

import numpy as np
import pytest

from calib_core.coref import AntecedentModel
from calib_core.coref.mentions.stems import stem
from calib_core.document import Document


@pytest.mark.parametrize(
    "forms",
    [
        "attack attacks attacked attacking",
        "make makes made making",
        "stop stops stopped stopping",
        "try tries tried trying",
    ],
)
def test_verb_forms_share_a_stem(forms: str) -> None:
    assert len({stem(form, "VERB", "VBD") for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("plural", "singular"), [("armies", "army"), ("boxes", "box"), ("men", "man"), ("kings", "king")]
)
def test_plurals_share_the_stem_of_the_singular(plural: str, singular: str) -> None:
    assert stem(plural, "NOUN", "NNS") == stem(singular, "NOUN", "NN") == singular


def test_names_and_singulars_are_left_alone() -> None:
    assert stem("paris", "PROPN", "NNP") == "paris"
    assert stem("bus", "NOUN", "NN") == "bus"


def test_the_model_does_not_read_lemmas(story: Document) -> None:
    model = AntecedentModel.load()
    bare = replace(story, lemmas=("_",) * len(story))
    assert np.array_equal(model.antecedents(bare).logits, model.antecedents(story).logits)
