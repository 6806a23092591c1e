"""The shipped archive: made by the generator, valid, varied, and true to its marks."""

import gzip
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from calib_core.document import Document
from calib_core.events import Query, gate
from flows.demonstration import ARCHIVE, TRUTH, Mention, Truth, gold_answer, read_truth, with_gold_clusters
from reproductions.demonstration.markup import attackers, read_markup
from reproductions.demonstration.plans import quarters
from reproductions.demonstration.writing import SOURCE, write
from workers.ingest import IngestConfig, ingest
from workers.parser import Parser
from workers.storage import Warehouse

GATED = {"gated", "attack-without-country", "war-without-attack"}
NOBODY = {*GATED, "victim", "noun", "stateless", "twocountries"}


@pytest.fixture(scope="module")
def records() -> list[dict[str, str]]:
    return [json.loads(line) for line in gzip.decompress(ARCHIVE.read_bytes()).decode().splitlines()]


@pytest.fixture(scope="module")
def truths() -> list[Truth]:
    return list(read_truth())


def test_the_generator_gives_the_shipped_files_every_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path / name)
    for shipped in (ARCHIVE, TRUTH):
        made = (tmp_path / "a" / shipped.name).read_bytes()
        assert made == (tmp_path / "b" / shipped.name).read_bytes()
        # against the shipped file the content: another zlib may pack the same bytes differently
        assert gzip.decompress(made) == gzip.decompress(shipped.read_bytes())


def test_another_seed_gives_another_archive(tmp_path: Path) -> None:
    write(tmp_path, seed=2)
    assert gzip.decompress((tmp_path / ARCHIVE.name).read_bytes()) != gzip.decompress(ARCHIVE.read_bytes())


def test_it_is_small_and_says_that_it_is_invented(records: list[dict[str, str]]) -> None:
    assert len(ARCHIVE.read_bytes()) + len(TRUTH.read_bytes()) < 600_000
    assert {record["source"] for record in records} == {SOURCE}
    assert "fictitious" in SOURCE


def test_every_quarter_is_covered_and_no_two_articles_are_alike(records: list[dict[str, str]]) -> None:
    found = {f"{r['published'][:4]}Q{(int(r['published'][5:7]) + 2) // 3}" for r in records}
    assert found == set(quarters())
    texts = [record["text"] for record in records]
    assert len(set(texts)) == len(texts)
    assert 400 <= len(texts) <= 650


def test_nothing_of_the_notation_is_left_in_the_texts(records: list[dict[str, str]]) -> None:
    for record in records:
        left = [mark for mark in "[]{}~|" if mark in record["title"] + record["text"]]
        assert left == [], record["doc_id"]


def test_a_and_an_fit_the_next_word(records: list[dict[str, str]], truths: list[Truth]) -> None:
    for record, truth in zip(records, truths, strict=True):
        words = record["text"].split()
        for article, word in pairwise(words):
            if truth.kind != "odd" and article in ("a", "A") and word[0] in "AEIO":
                pytest.fail(f"{record['doc_id']}: {article} {word}")


def test_spans_lie_in_the_text_on_whole_words(records: list[dict[str, str]], truths: list[Truth]) -> None:
    for record, truth in zip(records, truths, strict=True):
        assert record["doc_id"] == truth.doc_id
        text = record["text"]
        for mention in truth.mentions:
            words = text[mention.start : mention.end]
            assert words == words.strip() != ""
            around = text[max(mention.start - 1, 0) : mention.start], text[mention.end : mention.end + 1]
            assert not any(edge.isalnum() for edge in around), (truth.doc_id, words)


def test_mentions_name_the_countries_that_they_are_marked_with(
    records: list[dict[str, str]], truths: list[Truth]
) -> None:
    """Each mark is held against the lexicon, read apart from the generator's own table."""
    query = Query.from_yaml("attack")
    forms: dict[str, set[str]] = {}
    for entry in query.lexicon.entries:
        forms.setdefault(entry.code, set()).add(entry.form.lower())
    for record, truth in zip(records, truths, strict=True):
        for mention in truth.mentions:
            words = record["text"][mention.start : mention.end].lower()
            for code in mention.countries:
                assert any(form in words for form in forms[code]), (truth.doc_id, words, code)


def test_kinds_pass_the_gate_or_not_as_they_should(records: list[dict[str, str]], truths: list[Truth]) -> None:
    query = Query.from_yaml("attack")
    passed = 0
    for record, truth in zip(records, truths, strict=True):
        through = gate(record["text"], query)
        passed += through
        if truth.kind != "odd":
            assert through == (truth.kind not in GATED), truth.doc_id
    assert passed < len(records) / 2


def test_kinds_have_an_attacker_or_not_as_they_should(truths: list[Truth]) -> None:
    for truth in truths:
        assert truth.countries == attackers(truth.mentions)
        if truth.kind != "odd":
            assert bool(truth.countries) == (truth.kind not in NOBODY), truth.doc_id
        if truth.kind == "several":
            assert len(truth.countries) == 2


def test_two_men_who_could_both_be_meant_are_both_in_the_article(truths: list[Truth]) -> None:
    picks = [truth for truth in truths if truth.kind == "ambiguous"]
    chosen = {mention.entity for truth in picks for mention in truth.mentions if mention.agent}
    assert chosen == {"p", "q"}
    for truth in picks:
        assert {"p", "q"} <= {mention.entity for mention in truth.mentions if mention.countries}


def test_ingest_takes_every_record(tmp_path: Path) -> None:
    report = ingest([str(ARCHIVE)], Warehouse.open(str(tmp_path / "w")), IngestConfig())
    assert report.total.kept == report.total.read
    assert report.total.quarantined == 0


def test_markup_by_hand() -> None:
    text, mentions = read_markup("[p:A|The king of [A:A|Iran]] left. [!p|He] attacked.", {"A": "IRN"})
    assert text == "The king of Iran left. He attacked."
    assert [text[m.start : m.end] for m in mentions] == ["The king of Iran", "Iran", "He"]
    assert attackers(mentions) == ("IRN",)


@pytest.mark.parametrize(("marked", "error"), [("[p|he", "never closed"), ("he]", "never opened")])
def test_broken_markup_is_refused(marked: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        read_markup(marked, {})


def test_an_entity_of_two_countries_attacks_for_neither() -> None:
    both = (Mention(0, 2, "e", ("IRN",)), Mention(5, 7, "e", ("IRQ",)), Mention(9, 10, "e", agent=True))
    assert attackers(both) == ()
    assert attackers(both[1:]) == ("IRQ",)


def _document(doc_id: str) -> Document:
    """Five words of "Iraq's men left. They attacked", by hand."""
    words, starts = ("Iraq", "'s", "men", "left", ".", "They", "attacked"), [0, 4, 7, 11, 15, 17, 22]
    return Document(
        doc_id=doc_id, words=words, lemmas=words, upos=("PROPN", "PART", "NOUN", "VERB", "PUNCT", "PRON", "VERB"),
        xpos=("NNP", "POS", "NNS", "VBD", ".", "PRP", "VBD"), feats=("_",) * 7,
        heads=np.array([2, 0, 3, -1, 3, 6, -1]),
        deprels=("nmod:poss", "case", "nsubj", "root", "punct", "nsubj", "root"),
        sentences=np.array([0, 0, 0, 0, 0, 1, 1]), starts=np.array(starts),
        ends=np.array([s + len(w) for s, w in zip(starts, words, strict=True)]), speakers=("",) * 7,
    )  # fmt: skip


def test_gold_clusters_on_a_parsed_article() -> None:
    mentions = (Mention(0, 10, "f", ("IRQ",)), Mention(0, 6, "A", ("IRQ",)), Mention(17, 21, "f", agent=True))
    truth = Truth("d", 1987, "group", "they", ("IRQ",), mentions)
    assert with_gold_clusters(_document("d"), truth).clusters == (((0, 3), (5, 6)),)
    assert with_gold_clusters(_document("d"), truth, singletons=True).clusters == (((0, 3), (5, 6)), ((0, 2),))
    assert gold_answer(_document("d"), truth, Query.from_yaml("attack")) == ("IRQ",)
    with pytest.raises(ValueError, match="the truth is about 'd', the document is 'e'"):
        with_gold_clusters(_document("e"), truth)


@pytest.mark.slow
def test_the_shipped_parser_finds_nearly_every_attacker_under_the_gold_clusters(
    records: list[dict[str, str]], truths: list[Truth]
) -> None:
    """A wrong mark would show here as well as a wrong tree; a third of the articles past the gate is enough."""
    query, parser = Query.from_yaml("attack"), Parser()
    pairs = [(r, t) for r, t in zip(records, truths, strict=True) if gate(r["text"], query)][::3]
    right = sum(gold_answer(parser.parse(t.doc_id, r["text"]), t, query) == t.countries for r, t in pairs)
    assert right >= 0.95 * len(pairs)
