"""A document's dependency tree with its arcs turned round, and the few questions that events ask of it.

Covers: children by relation, names of several tokens, chains of conjuncts, voice.
Not here: who is an agent (`agents`) and what a mention is affiliated with (`affiliation`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from calib_core.document import Document
from calib_core.events.pieces import fold

TO = "to"


@dataclass(frozen=True, slots=True)
class Tree:
    """Children of every token, in order, beside the document they come from."""

    document: Document
    children: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, document: Document) -> "Tree":
        """Turn the arcs round."""
        children: list[list[int]] = [[] for _ in document.words]
        for token, head in enumerate(document.heads):
            if head >= 0:
                children[head].append(token)
        return cls(document, tuple(map(tuple, children)))

    def related(self, token: int, *relations: str) -> list[int]:
        """Children by exact relation."""
        return [child for child in self.children[token] if self.document.deprels[child] in relations]

    def has(self, token: int, *relations: str) -> bool:
        """Whether some child stands in one of the relations; `nsubj` includes `nsubj:pass` and other subtypes."""
        return any(self.document.deprels[child].split(":")[0] in relations for child in self.children[token])

    def head(self, token: int) -> int:
        """The governor's position, or -1."""
        return int(self.document.heads[token])

    def relation(self, token: int) -> str:
        """The relation to the governor."""
        return self.document.deprels[token]

    def word(self, token: int) -> str:
        """The token's form without case."""
        return fold(self.document.words[token])

    def subtree_by(self, token: int, relation: str) -> Iterator[int]:
        """The token and everything below it along arcs of one relation, subtypes included; safe on broken trees."""
        seen, waiting = {token}, [token]
        while waiting:
            current = waiting.pop()
            yield current
            for child in self.children[current]:
                if self.document.deprels[child].split(":")[0] == relation and child not in seen:
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
