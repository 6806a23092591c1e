"""What the log says of an article: which events are certain, and which are possible.

Covers: the latest answer of each coder, disagreement, adjudication, unsure and skipped articles.
Not here: how far coders agree (`flows.label.double_coding`), how bounds enter the counts (`calib_core.anchoring`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from workers.labelling.answers import Answer, read_answer
from workers.labelling.labels import ADJUDICATION, SKIP, UNDO, Label


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of one article.

    Attributes
    ----------
    certain : frozenset of str
        Codes of events that every coder saw.
    possible : frozenset of str
        Codes of events that some coder saw; holds `certain`.
    open : bool
        Whether any other event may be there too: somebody was unsure, or nobody could answer.
    answers : mapping of str to Answer
        The latest answer of each coder who gave one.
    skipped : bool
        Whether nobody answered, but somebody skipped the article.
    changed : frozenset of str
        Coders who gave two different answers; the latest counts, both are in the log.
    adjudicated : bool
    """

    certain: frozenset[str]
    possible: frozenset[str]
    open: bool
    answers: dict[str, Answer] = field(default_factory=dict)
    skipped: bool = False
    changed: frozenset[str] = frozenset()
    adjudicated: bool = False

    @property
    def disputed(self) -> bool:
        """Whether coders disagree and nobody settled it."""
        return not self.adjudicated and len({str(answer) for answer in self.answers.values()}) > 1


def verdicts(labels: Iterable[Label]) -> dict[str, Verdict]:
    """The verdict on each article that has an answer or was skipped, by doc_id; labels in order of writing."""
    by_article: dict[str, list[Label]] = {}
    for label in labels:
        by_article.setdefault(label.doc_id, []).append(label)
    found = {doc_id: _verdict(lines) for doc_id, lines in by_article.items()}
    return {doc_id: verdict for doc_id, verdict in found.items() if verdict is not None}


def _verdict(lines: list[Label]) -> Verdict | None:
    latest: dict[tuple[str, bool], Label] = {}
    changed: set[str] = set()
    for line in lines:
        key = (line.coder, line.kind == ADJUDICATION)
        if line.kind == UNDO:
            latest.pop((line.coder, False), None)
            latest.pop((line.coder, True), None)
            continue
        before = latest.get(key)
        if before is not None and (before.kind, _canonical(before)) != (line.kind, _canonical(line)):
            changed.add(line.coder)
        latest.pop(key, None)  # so that the order is that of the latest lines
        latest[key] = line
    if not latest:
        return None
    answers = {coder: _answer(line) for (coder, settles), line in latest.items() if not settles and line.kind != SKIP}
    settled = [_answer(line) for (_, settles), line in latest.items() if settles]
    counting = settled[-1:] or list(answers.values())
    if not counting:
        return Verdict(frozenset(), frozenset(), open=True, skipped=True, changed=frozenset(changed))
    return Verdict(
        certain=frozenset.intersection(*(answer.codes for answer in counting)),
        possible=frozenset.union(*(answer.codes for answer in counting)),
        open=not all(answer.sure for answer in counting),
        answers=answers,
        changed=frozenset(changed),
        adjudicated=bool(settled),
    )


def _canonical(line: Label) -> str:
    return "" if line.kind == SKIP else str(_answer(line))


def _answer(line: Label) -> Answer:
    """The answer of a line whose codes were checked when it was written and when it was read."""
    codes = {part.partition(">")[side].strip() for part in line.answer.split(";") for side in (0, 2)}
    return read_answer(line.answer, codes)
