"""Find the mentions of a document in its dependency trees.

Covers: which tokens head a mention and which stretch of tokens it spans. The rules, in UD v2 terms:

- *Heads* are nouns, names, pronouns, and numbers or determiners that stand as nominals. Left out: relative,
  interrogative and expletive pronouns, noun compounds, parts of fixed expressions, reparanda that are not
  pronouns, titles ("President" in "President Hussein": `nmod:desc`), the later parts of a name (`flat`), and names
  inside names (`compound` under a name) unless the same name is a mention elsewhere.
- *Span*: the head with its subtree, from which come off, as whole branches: the preposition (`case`, but not a trailing
  "'s"), the conjunction word, the clause around a predicate noun (`nsubj`, `cop`, `aux`, `mark`, `advmod`, `obl`, ...),
  discourse words and repairs; and punctuation at either end, unless it closes what opens inside. Appositions and
  relative clauses stay.
- *Coordination*: the first conjunct heads two spans, itself alone and the whole coordination; other conjuncts one.
- *Datelines* ("KABUL, Sept. 3 -") hold no mention: the first thing named is what a pronoun likes to refer to.
- *Possessives* are mentions by themselves ("his", "the king's") inside the mention that they modify.

Not here: what a mention looks like to the model (`features.properties`), events headed by verbs (never candidates).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Ints
from calib_core.coref.mentions.lexicon import MONTHS
from calib_core.coref.mentions.trees import children_of, find_cycle
from calib_core.document import Document, Span

_NOMINAL = frozenset(
    {"nsubj", "obj", "iobj", "obl", "nmod", "appos", "root", "conj", "dislocated", "vocative", "parataxis"}
)
_PRUNED = frozenset({
    "cc", "nsubj", "csubj", "cop", "aux", "mark", "advmod", "obj", "iobj", "obl", "advcl", "ccomp", "xcomp",
    "parataxis", "discourse", "reparandum", "vocative", "dislocated", "expl", "orphan",
})  # fmt: skip
_PARTNERS = {")": "(", "]": "[", "”": "“", "''": "``", '"': '"'}
_SKIPPED = frozenset({"fixed", "goeswith", "discourse", "expl", "flat"})
_TITLE = "nmod:desc"
_DASHES = frozenset({"-", "--", "–", "—"})
_DATELINE = 16  # tokens at most
_NOT_REFERRING = frozenset({"who", "whom", "whose", "which", "what", "whoever", "whatever", "whichever", "whomever"})


@dataclass(frozen=True, slots=True)
class Mentions:
    """Mentions in order of start, then longer first; every array has shape (n_mentions,).

    Attributes
    ----------
    starts, ends : token positions, the end excluded
    heads : token position of each mention's head word
    """

    starts: Ints
    ends: Ints
    heads: Ints

    def __len__(self) -> int:
        """Number of mentions."""
        return len(self.starts)

    def spans(self) -> list[Span]:
        """The mentions as (start, end) pairs."""
        return list(zip(self.starts.tolist(), self.ends.tolist(), strict=True))


def detect_mentions(document: Document) -> Mentions:
    """Candidate mentions of a parsed document.

    Raises
    ------
    ValueError
        If the document has tokens but no tree, or a tree with a cycle.
    """
    _check_tree(document)
    children = children_of(document.heads)
    found: dict[Span, int] = {}
    first = dateline_end(document)
    for head in range(first, len(document)):
        if is_mention_head(document, head):
            for start, end in head_spans(document, head, children):
                found.setdefault((max(start, first), end), head)
    _add_names_inside_names(document, first, children, found)
    ordered = sorted(found.items(), key=lambda item: (item[0][0], -item[0][1]))
    return Mentions(
        starts=np.array([span[0] for span, _ in ordered], dtype=np.int64),
        ends=np.array([span[1] for span, _ in ordered], dtype=np.int64),
        heads=np.array([head for _, head in ordered], dtype=np.int64),
    )


def dateline_end(document: Document) -> int:
    """The token after a dateline; 0 where the document begins otherwise.

    A dateline is a few capitalised words, the first all in capitals and none a verb, with a date or an agency in
    brackets, up to a dash between spaces ("KABUL, Sept. 3 (Reuters) - ") or as a sentence of its own. Before a dash
    capitals alone will do ("MEXICO CITY -").
    """
    first = document.words[0] if len(document) else ""
    if not (first.isupper() and len(first) > 1):
        return 0
    for token in range(1, min(len(document), _DATELINE)):
        words = document.words[:token]
        if document.sentences[token] > 0:
            return token if _has_date_or_agency(words) else 0
        if document.words[token] in _DASHES and document.ends[token - 1] < document.starts[token]:
            in_capitals = all(word.isupper() or not word.isalpha() for word in words)
            return token + 1 if in_capitals or _has_date_or_agency(words) else 0
        if document.words[token][0].islower() or document.upos[token] in ("VERB", "AUX"):
            return 0
    return 0


def _has_date_or_agency(words: tuple[str, ...]) -> bool:
    """Whether a month and a number stand there, or one word in brackets."""
    dated = any(word.lower() in MONTHS for word in words) and any(word.isdigit() for word in words)
    return dated or any(a == "(" and b == ")" for a, b in zip(words, words[2:], strict=False))


def _add_names_inside_names(document: Document, first: int, children: list[list[int]], found: dict[Span, int]) -> None:
    """Add a name inside a name ("Oslo" in "Oslo Airport") if the document also has it as a mention by itself."""

    def text(span: Span) -> str:
        return " ".join(document.words[span[0] : span[1]]).lower().removeprefix("the ")

    names = {text(span) for span, head in found.items() if document.upos[head] == "PROPN"}
    for token in range(first, len(document)):
        if document.upos[token] == "PROPN" and document.deprels[token].split(":")[0] == "compound":
            span = _span(document, token, children, with_conjuncts=False)
            if text(span) in names:
                found.setdefault(span, token)


def _check_tree(document: Document) -> None:
    if len(document) and all(relation == "_" for relation in document.deprels):
        raise ValueError(f"document {document.doc_id!r} has no dependency tree; parse it before looking for mentions")
    cycle = find_cycle(document.heads)
    if cycle >= 0:
        raise ValueError(
            f"document {document.doc_id!r}: token {cycle} ({document.words[cycle]!r}) is its own ancestor; "
            "a dependency tree has no cycle"
        )


def is_mention_head(document: Document, token: int) -> bool:
    """Whether a mention may be headed by this token."""
    relation = document.deprels[token].split(":")[0]
    if relation in _SKIPPED or document.deprels[token] == _TITLE:
        return False
    part = document.upos[token]
    if relation == "reparandum" and part != "PRON":
        return False
    if part == "PRON":
        return _is_referring_pronoun(document, token)
    if part == "PROPN":
        head = document.heads[token]
        return not (relation == "compound" and head >= 0 and document.upos[head] == "PROPN")
    if part == "NOUN":
        return relation != "compound"
    return part in ("NUM", "DET") and relation in _NOMINAL


def _is_referring_pronoun(document: Document, token: int) -> bool:
    if document.words[token].lower() in _NOT_REFERRING or "PronType=Int" in document.feats[token]:
        return False
    if "PronType=Rel" in document.feats[token]:
        return False
    return document.xpos[token] not in ("EX", "WP", "WDT", "WP$")


def head_spans(document: Document, head: int, children: list[list[int]]) -> list[Span]:
    """The spans that one head yields: without its conjuncts and, if it has any, with them."""
    alone = _span(document, head, children, with_conjuncts=False)
    if not any(document.deprels[child].split(":")[0] == "conj" for child in children[head]):
        return [alone]
    return [alone, _span(document, head, children, with_conjuncts=True)]


def _span(document: Document, head: int, children: list[list[int]], *, with_conjuncts: bool) -> Span:
    """The stretch around the head that its kept branches cover, cut at the first gap on either side."""
    covered = {head}
    for child in children[head]:
        if _keeps(document, head, child, with_conjuncts):
            covered.update(_subtree(child, children))
    start, end = head, head + 1
    while start - 1 in covered:
        start -= 1
    while end in covered:
        end += 1
    while start < head and document.upos[start] == "PUNCT":
        start += 1
    while end > head + 1 and document.upos[end - 1] == "PUNCT" and not _closes(document.words, start, end - 1):
        end -= 1
    return start, end


def _closes(words: tuple[str, ...], start: int, token: int) -> bool:
    """Whether a token closes a bracket or quotation that opens at `start` or later."""
    opener = _PARTNERS.get(words[token])
    inside = words[start:token]
    if opener == words[token]:
        return inside.count(opener) % 2 == 1
    return opener is not None and inside.count(opener) > inside.count(words[token])


def _keeps(document: Document, head: int, child: int, with_conjuncts: bool) -> bool:
    """Whether a child's branch belongs to the span of its head."""
    relation = document.deprels[child].split(":")[0]
    if relation == "conj":
        return with_conjuncts
    if relation == "case":
        return child > head and document.xpos[child] == "POS"
    return relation not in _PRUNED


def _subtree(root: int, children: list[list[int]]) -> list[int]:
    """All tokens under `root`, itself included."""
    tokens = [root]
    for token in tokens:
        tokens.extend(children[token])
    return tokens
