"""The gate may let too much through, never too little."""

import pickle
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib_core.coref import Mentions
from calib_core.document import Document
from calib_core.events import Example, Gate, Query, bundled_queries, gate, mention_evidence, predicate_examples
from calib_core.events.gating import Words
from calib_core.events.query import NOBODY

QUERIES = {name: Query.from_yaml(name) for name in bundled_queries()}
VERBS = [
    "attacked", "ATTACKS", "Attacking", "attac\N{KELVIN SIGN}ed", "attack-", "counterattacked", "visited", "striKes",
    "arrested", "ARRESTS", "Detention", "custody", "took", "opened", "fire", "firings", "ﬁring", "died", "raid",
    "launched", "killed", "shot", "dead", "clashes", "exchanged", "Fighting",
]  # fmt: skip
COUNTRIES = [
    "Iraq", "IRAQ", "iraq", "U.S.", "US", "us", "U. S.", "USA", "U.S.-led", "Iraqi-", "Guinea-Bissau", "South Africa",
    "South-African", "Latin American", "Côte d'Ivoire", "CÔTE D’IVOIRE", "ZAÏRE", "Iraq's", "Iraq’s", "St. Lucia",
    "Ruﬆia", "Ruſſia", "United\nStates", "New\tZealand", "Swiß", "People's Republic of China", "NATO", "N.A.T.O.",
    "Co\u0302te d'Ivoire", "ZAI\u0308RE", "Cuba", "U.\N{KELVIN SIGN}.", "u.s.", "nato", "police", "POLICE", "Policemen",
    "security\nforces", "po\N{LATIN SMALL LETTER DOTLESS I}ice",
]  # fmt: skip
FILLERS = [
    "the", "forces", "by", "with", "between", "and", "who", "to", "n't", ",", ".", "—", "“", "7", "é", "_", "\u0345",
    "ﬁ", "İ", "\ud800", "\u0301",
]  # fmt: skip
TAGS = ["VERB", "NOUN", "PROPN", "ADJ", "PRON", "_"]
RELATIONS = [
    "nsubj",
    "obj",
    "obl",
    "case",
    "advcl",
    "nsubj:pass",
    "aux:pass",
    "acl",
    "obl:agent",
    "amod",
    "nmod",
    "compound",
    "nmod:poss",
    "flat",
    "conj",
    "xcomp",
    "acl:relcl",
]
SEPARATORS = [" ", " ", " ", " ", "\n", "", "-", "'", "\u00a0", "\u0301"]


@st.composite
def texts(draw: st.DrawFn) -> str:
    words = draw(st.lists(st.sampled_from(VERBS + COUNTRIES * 2 + FILLERS), min_size=1, max_size=8))
    return "".join(word + draw(st.sampled_from(SEPARATORS)) for word in words)


def tokenised(text: str, chance: random.Random) -> list[tuple[int, int]]:
    """Spans of tokens: any cut of anything that is not blank, mostly at word boundaries."""
    spans: list[tuple[int, int]] = []
    start = 0
    for position in range(1, len(text) + 1):
        at_end = position == len(text)
        same_kind = not at_end and text[position].isalnum() == text[position - 1].isalnum()
        blank = not at_end and (text[position].isspace() or text[position - 1].isspace())
        if at_end or blank or chance.random() < (0.02 if same_kind else 0.6):
            if not text[start:position].isspace():
                spans.append((start, position))
            start = position
    return spans


def parsed(text: str, seed: int) -> Document:
    """A document with random tokens, tags and tree over the text: anything a parser might do."""
    chance = random.Random(seed)  # noqa: S311
    spans = tokenised(text, chance)
    n = len(spans)
    words = tuple(text[start:end] for start, end in spans)
    verbs = [t for t, word in enumerate(words) if any(word.casefold() in query.telling for query in QUERIES.values())]
    heads = [chance.choice(verbs) if verbs and chance.random() < 0.5 else chance.randrange(-1, n) for _ in range(n)]
    return Document(
        doc_id="d", words=words, lemmas=("_",) * n,
        upos=tuple("VERB" if t in verbs and chance.random() < 0.9 else chance.choice(TAGS) for t in range(n)),
        xpos=("_",) * n, feats=("_",) * n, heads=np.array(heads, dtype=np.int64),
        deprels=tuple(chance.choice(RELATIONS) for _ in range(n)), sentences=np.zeros(n, dtype=np.int64),
        starts=np.array([start for start, _ in spans]), ends=np.array([end for _, end in spans]), speakers=("",) * n,
    )  # fmt: skip


def can_count(document: Document, query: Query, year: int) -> bool:
    """Whether some clustering of some mentions makes the document count: an agent and a country are enough."""
    tokens = np.arange(len(document))
    evidence = mention_evidence(document, Mentions(tokens, tokens + 1, tokens), query, year=year)
    return bool(evidence.agent.any() and (evidence.country >= 0).any())


@settings(max_examples=400, deadline=None)
@given(texts(), st.integers(0, 2**32), st.sampled_from(bundled_queries()), st.sampled_from([1930, 1987, 2001]))
def test_what_the_gate_rejects_counts_under_no_tokenisation_parse_or_clustering(
    text: str, seed: int, name: str, year: int
) -> None:
    if not gate(text, QUERIES[name]):
        assert not any(can_count(parsed(text, seed + k), QUERIES[name], year) for k in range(5))


def test_the_property_above_is_not_empty() -> None:
    chance = random.Random(0)  # noqa: S311
    counted = 0
    for seed in range(300):
        words = [chance.choice(kind) for kind in (VERBS[:8], COUNTRIES[:33], VERBS[:8], FILLERS)]
        text = " ".join(words)
        counts = any(can_count(parsed(text, 10 * seed + k), QUERIES["attack"], 1987) for k in range(5))
        counted += counts
        assert gate(text, QUERIES["attack"]) or not counts
    assert counted >= 50


def counted_codes(document: Document, query: Query) -> set[str]:
    """Codes under which the document counts in the clustering that joins nothing."""
    tokens = np.arange(len(document))
    evidence = mention_evidence(document, Mentions(tokens, tokens + 1, tokens), query, year=1987)
    return {evidence.codes[code] for code in evidence.country[evidence.agent].tolist() if code >= 0}


@pytest.mark.parametrize("name", ["attack-dyads", "violence-dyads", "violence-actors", "police-kill"])
def test_documents_that_count_for_nobody_named_alone_pass_too(name: str) -> None:
    """No country stands in them, so only the rows of `-` are at stake."""
    chance, found = random.Random(name), 0  # noqa: S311
    for seed in range(400):
        text = "".join(chance.choice(VERBS + FILLERS) + chance.choice(SEPARATORS) for _ in range(8))
        codes = set().union(*(counted_codes(parsed(text, 3 * seed + k), QUERIES[name]) for k in range(3)))
        found += codes == {NOBODY}
        assert not codes or gate(text, QUERIES[name])
    assert found >= 20


@pytest.mark.parametrize("example", [e for e in predicate_examples() if e.expected], ids=lambda e: e.name)
def test_every_example_that_counts_passes(example: Example) -> None:
    assert gate(example.text, QUERIES[example.query])


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("Iraq attacked.", True),
        ("IRAQ ATTACKED.", True),
        ("Iraq counterattacked.", False),
        ("Iraq counter-attacked.", True),
        ("They attacked us.", False),
        ("They attacked the US.", True),
        ("They attacked U.S.-led forces.", True),
        ("They attacked Iraq's army.", True),
        ("They attacked IRAQ’S army.", True),
        ("They attacked Iraqgate.", False),
        ("Iraq has attackers.", False),
        ("Iraq attac\N{KELVIN SIGN}ed.", True),
        ("They attacked the Co\u0302te d'Ivoire.", True),
        ("", False),
    ],
)
def test_gate_goes_by_words_of_verb_and_country(text: str, passes: bool) -> None:
    assert gate(text) is passes


def test_gate_asks_for_the_querys_countries_only() -> None:
    query = replace(QUERIES["attack"], countries=frozenset({"FRA"}))
    assert not gate("Iraq attacked.", query)
    assert gate("French troops attacked.", query)


def test_a_compiled_gate_can_be_sent_to_a_worker() -> None:
    sent = pickle.loads(pickle.dumps(Gate.of(QUERIES["attack"])))  # noqa: S301
    assert sent("Iraq attacked.")
    assert not sent("Iraq protested.")


def test_search_finds_a_short_word_where_a_longer_one_does_not_end() -> None:
    assert Words(["niger", "nigeria"]).found_in(b"niger, nigerians")
    assert not Words(["niger", "nigeria"]).found_in(b"nigerians")


def test_gate_says_what_is_missing() -> None:
    compiled = Gate.of(QUERIES["attack"])
    assert compiled.missing("Iraq protested.") == "verb"
    assert compiled.missing("They attacked.") == "country"
    assert compiled.missing("Iraq ATTACKED.") is None
