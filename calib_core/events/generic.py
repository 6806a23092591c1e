"""Events that any annotated document can be asked about: an entity described as m is the agent of verb v.

Covers: descriptions and verbs of mentions; in which clusterings each event (m, v) of a document happens.
Not here: queries with a lexicon (`query`, `evidence`), which annotated corpora answer too seldom to be measured.

A mention's descriptions are its head, if that is a noun or name, and the nouns, names and adjectives among the head's
`nmod`, `nmod:poss`, `amod` and `compound` modifiers; its verbs are those that its head is the `nsubj` of, or the
`obl:agent`. Words are stems. The event happens when some entity has both, through one mention or two. If one mention,
or two with the same head word, has both, the answer does not depend on coreference, and the event is left out.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Bools, Ints
from calib_core.coref.mentions.detection import Mentions
from calib_core.coref.mentions.stems import stems
from calib_core.document import Document
from calib_core.kernels import kernel

GenericEvent = tuple[str, str]
"""Description and verb."""

_DESCRIBING = frozenset({"NOUN", "PROPN", "ADJ"})
_MODIFIERS = frozenset({"nmod", "nmod:poss", "amod", "compound"})
_AGENTS = frozenset({"nsubj", "obl:agent"})


@dataclass(frozen=True, slots=True)
class GenericEvidence:
    """What the mentions of one document are described as and do; tuples have one entry per mention."""

    descriptions: tuple[frozenset[str], ...]
    verbs: tuple[frozenset[str], ...]
    heads: Ints

    def words(self) -> tuple[set[str], set[str]]:
        """All descriptions and all verbs of the document."""
        return set().union(*self.descriptions), set().union(*self.verbs)


def generic_evidence(document: Document, mentions: Mentions) -> GenericEvidence:
    """Read descriptions and verbs off the tree."""
    words = [stem.lower() for stem in stems(document)]
    described: dict[int, set[str]] = {int(head): set() for head in mentions.heads}
    acting: dict[int, set[str]] = {int(head): set() for head in mentions.heads}
    for head in described:
        if document.upos[head] in ("NOUN", "PROPN"):
            described[head].add(words[head])
        governor = int(document.heads[head])
        if document.deprels[head] in _AGENTS and governor >= 0 and document.upos[governor] == "VERB":
            acting[head].add(words[governor])
    for token, governor in enumerate(document.heads.tolist()):
        if governor in described and document.deprels[token] in _MODIFIERS and document.upos[token] in _DESCRIBING:
            described[governor].add(words[token])
    heads = mentions.heads.tolist()
    return GenericEvidence(
        tuple(frozenset(described[head]) for head in heads), tuple(frozenset(acting[head]) for head in heads),
        mentions.heads,
    )  # fmt: skip


def frequent_words(documents: Iterable[GenericEvidence], *, least: int) -> tuple[frozenset[str], frozenset[str]]:
    """Descriptions and verbs that occur in at least so many documents."""
    descriptions: Counter[str] = Counter()
    verbs: Counter[str] = Counter()
    for evidence in documents:
        described, acting = evidence.words()
        descriptions.update(described)
        verbs.update(acting)
    kept = [frozenset(word for word, n in counter.items() if n >= least) for counter in (descriptions, verbs)]
    return kept[0], kept[1]


def generic_answers(
    evidence: GenericEvidence,
    entities: Ints,
    descriptions: frozenset[str],
    verbs: frozenset[str],
    *,
    plain: bool = False,
) -> tuple[list[GenericEvent], Bools]:
    """The events that could happen in a document, and in which clusterings they do.

    Parameters
    ----------
    evidence : GenericEvidence
    entities : shape (n_samples, n_mentions)
        A label for the entity of each mention in each clustering.
    descriptions, verbs : frozenset of str
        Words to ask about.
    plain : bool
        Keep the events that need no coreference.

    Returns
    -------
    events, answers
        In alphabetical order; answers have shape (n_events, n_samples).
    """
    described = [(m, i) for i, words in enumerate(evidence.descriptions) for m in sorted(words & descriptions)]
    acting = [(v, j) for j, words in enumerate(evidence.verbs) for v in sorted(words & verbs)]
    sure = {(m, v) for m, i in described for v, j in acting if evidence.heads[i] == evidence.heads[j]}
    events = sorted({(m, v) for m, _ in described for v, _ in acting} - (set() if plain else sure))
    number = {event: position for position, event in enumerate(events)}
    links = [(number[m, v], i, j) for m, i in described for v, j in acting if (m, v) in number]
    answers = np.zeros((len(events), len(entities)), dtype=np.bool_)
    if links:
        _link(np.array(links, dtype=np.int64), np.asarray(entities, dtype=np.int64), answers)
    return events, answers


@kernel
def _link(links: Ints, entities: Ints, answers: Bools) -> None:
    """Set answers[event, sample] where the two mentions of some link have one entity."""
    for row in range(len(links)):
        event, i, j = links[row]
        for s in range(len(entities)):
            if entities[s, i] == entities[s, j]:
                answers[event, s] = True
