"""Heads and relations that the event predicate reads."""

import pytest

from calib_core.document import Document
from workers.parser import Parser


def arcs(document: Document) -> set[tuple[str, str, str]]:
    """(word, relation, head word) of every token."""
    return {
        (word, relation, document.words[head] if head >= 0 else "ROOT")
        for word, relation, head in zip(document.words, document.deprels, document.heads, strict=True)
    }


CASES = {
    "active agent and object": (
        "Iraqi troops attacked Kuwait.",
        {("Iraqi", "amod", "troops"), ("troops", "nsubj", "attacked"), ("Kuwait", "obj", "attacked")},
    ),
    "passive agent": (
        "Kuwait was attacked by them.",
        {("Kuwait", "nsubj:pass", "attacked"), ("them", "obl:agent", "attacked")},
    ),
    "passive agent with a name": (
        "The village was attacked by Iranian forces on Monday.",
        {("village", "nsubj:pass", "attacked"), ("forces", "obl:agent", "attacked"), ("Iranian", "amod", "forces")},
    ),
    "prepositional affiliation": (
        "The president of Iraq resigned.",
        {("Iraq", "nmod", "president"), ("president", "nsubj", "resigned")},
    ),
    "fragment": ("the president of Iraq", {("Iraq", "nmod", "president"), ("president", "root", "ROOT")}),
    "compound affiliation": (
        "U.S. forces bombed the airport.",
        {("U.S.", "compound", "forces"), ("forces", "nsubj", "bombed")},
    ),
    "possessive affiliation": (
        "Iraq's army retreated.",
        {("Iraq", "nmod:poss", "army"), ("'s", "case", "Iraq"), ("army", "nsubj", "retreated")},
    ),
    "relative clause": (
        "The soldiers who attacked the town fled.",
        {("attacked", "acl:relcl", "soldiers"), ("who", "nsubj", "attacked"), ("soldiers", "nsubj", "fled")},
    ),
    "reduced relative clause": (
        "The town attacked by rebels was empty.",
        {("attacked", "acl", "town"), ("rebels", "obl:agent", "attacked")},
    ),
    "coordinated subjects": (
        "Iran and Iraq attacked each other.",
        {("Iran", "nsubj", "attacked"), ("Iraq", "conj", "Iran"), ("and", "cc", "Iraq")},
    ),
    "coordinated verbs": (
        "Rebels entered the city and attacked the palace.",
        {("Rebels", "nsubj", "entered"), ("attacked", "conj", "entered"), ("palace", "obj", "attacked")},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_heads_that_matter(parser: Parser, name: str) -> None:
    text, expected = CASES[name]
    assert expected - arcs(parser.parse(name, text)) == set()


@pytest.mark.parametrize("name", ["active agent and object", "passive agent", "possessive affiliation"])
def test_fast_profile_finds_them_too(fast_parser: Parser, name: str) -> None:
    text, expected = CASES[name]
    assert expected - arcs(fast_parser.parse(name, text)) == set()


def test_every_sentence_is_a_tree_with_one_root(parser: Parser) -> None:
    document = parser.parse("d", " ".join(text for text, _ in CASES.values()))
    for sentence in range(document.sentences[-1] + 1):
        positions = (document.sentences == sentence).nonzero()[0]
        assert (document.heads[positions] == -1).sum() == 1
        for position in positions:
            seen = set()
            while position >= 0 and position not in seen:
                seen.add(position)
                position = document.heads[position]
            assert position == -1


def test_tags_and_features(parser: Parser) -> None:
    document = parser.parse("d", "Iraqi troops attacked Kuwait.")
    assert document.upos == ("ADJ", "NOUN", "VERB", "PROPN", "PUNCT")
    assert document.xpos == ("JJ", "NNS", "VBD", "NNP", ".")
    assert document.feats[1] == "Number=Plur"
