"""A document's dependency tree with its arcs turned round, and the few questions that events ask of it.

Covers: children by relation, names of several tokens, chains of conjuncts, voice.
Not here: who is an agent (`agents`) and what a mention is affiliated with (`affiliation`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from calib_core.arrays import Bools
from calib_core.document import Document
from calib_core.events.pieces import fold, free_standing

TO = "to"


@dataclass(frozen=True, slots=True)
class Tree:
    """The trees of a document, or of one of its sentences.

    Attributes
    ----------
    document : Document
        Words and tags; its own heads and relations are not read from here on.
    heads, deprels
        Governor of every token of the document, -1 for a root, and the relation to it.
    children : sequence of sequence of int
        The reverse of `heads`, in order.
    words : sequence of str
        Every token's form without case.
    places : mapping of str to sequence of int
        Where each word stands.
    free : shape (n_tokens,)
        From `free_standing`.
    tokens : sequence of int
        Those that are asked about: all, or some of one sentence.
    """

    document: Document
    heads: Sequence[int]
    deprels: Sequence[str]
    children: Sequence[Sequence[int]]
    words: Sequence[str]
    places: Mapping[str, Sequence[int]]
    free: Bools
    tokens: Sequence[int]

    @classmethod
    def of(cls, document: Document) -> "Tree":
        """Turn the document's own arcs round."""
        children: list[list[int]] = [[] for _ in document.words]
        heads: list[int] = document.heads.tolist()
        for token, head in enumerate(heads):
            if head >= 0:
                children[head].append(token)
        words = list(map(fold, document.words))
        places: dict[str, list[int]] = {}
        for token, word in enumerate(words):
            places.setdefault(word, []).append(token)
        every = range(len(document))
        return cls(document, heads, document.deprels, children, words, places, free_standing(document), every)

    def related(self, token: int, *relations: str) -> list[int]:
        """Children by exact relation."""
        return [child for child in self.children[token] if self.deprels[child] in relations]

    def below(self, token: int, *relations: str) -> list[int]:
        """Children by relation, subtypes included."""
        return [child for child in self.children[token] if self.deprels[child].split(":")[0] in relations]

    def has(self, token: int, *relations: str) -> bool:
        """Whether some child stands in one of the relations; `nsubj` includes `nsubj:pass` and other subtypes."""
        return any(self.deprels[child].split(":")[0] in relations for child in self.children[token])

    def worded(self, token: int, words: Iterable[str]) -> list[int]:
        """Children by word, in order."""
        return sorted(child for word in words for child in self.places.get(word, ()) if self.heads[child] == token)

    def standing_as(self, *relations: str) -> list[int]:
        """Tokens by the exact relation to their governor."""
        return [token for token in self.tokens if self.deprels[token] in relations]

    def head(self, token: int) -> int:
        """The governor's position, or -1."""
        return self.heads[token]

    def relation(self, token: int) -> str:
        """The relation to the governor."""
        return self.deprels[token]

    def word(self, token: int) -> str:
        """The token's form without case."""
        return self.words[token]

    def subtree_by(self, token: int, relation: str) -> Iterator[int]:
        """The token and everything below it along arcs of one relation, subtypes included; safe on broken trees."""
        seen, waiting = {token}, [token]
        while waiting:
            current = waiting.pop()
            yield current
            for child in self.children[current]:
                if self.deprels[child].split(":")[0] == relation and child not in seen:
                    seen.add(child)
                    waiting.append(child)

    def top(self, token: int, relation: str) -> int:
        """Where arcs of one relation lead upwards, subtypes included: `flat` from any part of a name to its first."""
        for _ in range(len(self.document)):
            if self.relation(token).split(":")[0] != relation or self.head(token) < 0:
                break
            token = self.head(token)
        return token

    def marks(self, token: int) -> set[str]:
        """Words that introduce the clause of a verb: "to", "after", "if"."""
        return {self.word(child) for child in self.related(token, "mark", "case")}

    def is_passive(self, verb: int) -> bool:
        """Whether the verb is passive: by its auxiliary, subject or features, or as a bare past participle.

        A participle without auxiliaries is passive when it modifies a noun or a clause ("ships attacked at dawn").
        """
        if self.related(verb, "aux:pass", "nsubj:pass", "csubj:pass") or "Voice=Pass" in self.document.feats[verb]:
            return True
        bare = not self.has(verb, "aux", "nsubj") and TO not in self.marks(verb)
        modifies = self.relation(verb) in ("acl", "advcl", "xcomp", "amod")
        return bare and modifies and self.is_past(verb)

    def is_past(self, verb: int) -> bool:
        """Whether the form can be a past participle: by tag where there is one, else by its letters."""
        if self.document.xpos[verb] != "_":
            return self.document.xpos[verb] in ("VBN", "VBD")
        return not self.is_ing(verb) and self.word(verb).endswith(("ed", "en", "uck", "an", "un"))

    def is_ing(self, verb: int) -> bool:
        """Whether the form is a present participle or gerund."""
        return self.word(verb).endswith("ing")
