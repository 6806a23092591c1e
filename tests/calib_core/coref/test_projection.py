"""Gold entities on mentions that were found."""

from dataclasses import replace

import numpy as np
import pytest

from calib_core.coref import Mentions, detect_mentions
from calib_core.coref.mentions.projection import gold_mentions, projected_entities, span_head
from calib_core.document import Document


def test_gold_mentions_have_spans_in_order_and_heads_by_the_tree(story: Document) -> None:
    found = gold_mentions(story)
    assert [" ".join(story.words[a:b]) for a, b in found.spans()][:3] == ["The king 's army", "The king 's", "It"]
    assert [story.words[head] for head in found.heads[:2]] == ["army", "king"]


def test_found_mentions_take_the_gold_entity_of_their_span(story: Document) -> None:
    mentions = detect_mentions(story)
    labels = dict(zip([" ".join(story.words[a:b]) for a, b in mentions.spans()], projected_entities(story, mentions),
                      strict=True))  # fmt: skip
    assert labels["The king 's army"] == labels["It"] == labels["The army"] == 1
    assert labels["him"] == labels["the king"] == 0
    assert labels["the river"] >= 2


def test_a_span_that_was_not_found_lends_its_entity_by_its_head(story: Document) -> None:
    """Gold has "The king's army"; only "army" and "the river" were found."""
    mentions = Mentions(np.array([3, 5]), np.array([4, 7]), np.array([3, 6]))
    assert projected_entities(story, mentions).tolist() == [1, 2]


def test_of_two_mentions_with_one_head_the_closer_length_is_meant(story: Document) -> None:
    document = replace(story, clusters=(((0, 4),),))
    mentions = Mentions(np.array([1, 3]), np.array([4, 4]), np.array([3, 3]))
    assert projected_entities(document, mentions).tolist() == [0, 1]


def test_a_document_without_gold_is_refused(story: Document) -> None:
    with pytest.raises(ValueError, match="document 'story' has no gold clusters"):
        projected_entities(replace(story, clusters=None), detect_mentions(story))


def test_the_head_of_a_span_depends_on_a_token_outside(story: Document) -> None:
    assert span_head(story, (0, 4)) == 3
