"""The labelling desk: which article comes next for whom, what was answered, and taking it back.

Covers: three tasks (label what nobody has, read a second time, settle disagreements), progress, undo, several tabs.
Not here: the log on the disk (`workers.labelling`), HTTP (`server`), what the page shows of an article (`page`).

The log is the only state that matters: it is read again whenever it has changed, so a second server or an import beside
this one is seen, and a desk that is killed is rebuilt from it. In memory stands only which tab reads which article, so
that two tabs are not given the same one.

Articles come in the frame's own order, which was drawn at random, apart from the strata and the scores. So the
articles that are labelled when somebody stops early are a random part of the sample.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from flows.label.articles import Article
from workers.labelling import Frame, Label, LabelError, LabelLog, Verdict, append_labels, read_labels, verdicts
from workers.labelling.labels import ADJUDICATION, LABEL, SKIP, UNDO
from workers.storage import Warehouse

NEW, SECOND, SETTLE = "new", "second", "settle"
TASKS = (NEW, SECOND, SETTLE)
PAGE = "page"
"""Source of the lines that are written here."""
HELD_FOR, LONGEST_READING = 900.0, 300.0
"""Seconds for which an article is kept for a tab; seconds above which a coder was away, not reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What a coder said of an article.

    Attributes
    ----------
    doc_id, coder, task, tab : str
    kind : str
        `label` or `skip`.
    answer : str
        As `workers.labelling.Answer` is written; empty for a skip.
    reason : str
    seconds : float or None
    """

    doc_id: str
    coder: str
    task: str
    tab: str
    kind: str = LABEL
    answer: str = ""
    reason: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a task is for one coder.

    Attributes
    ----------
    done, left, total : int
        Articles answered, still to be answered by this coder, and of the whole task. What this coder skipped is in
        neither of the first two.
    seconds : float or None
        Mean time per article of this coder; None before the first.
    unsure, skipped : int
        Articles so answered by anybody.
    """

    done: int
    left: int
    total: int
    seconds: float | None
    unsure: int
    skipped: int


@dataclass(frozen=True, slots=True)
class Turn:
    """The article that is next for a coder, None at the end, and how far the task is."""

    article: Article | None
    progress: Progress


class Desk:
    """The articles of a frame and the log of their labels; safe to use from several threads."""

    def __init__(
        self,
        warehouse: Warehouse,
        frame: Frame,
        articles: tuple[Article, ...],
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.frame, self.articles = frame, {article.doc_id: article for article in articles}
        self._warehouse, self._now = warehouse, now
        self._lock = threading.Lock()
        self._held: dict[str, tuple[str, datetime]] = {}
        self._seen: tuple[bytes, LabelLog] = (b"", read_labels(warehouse, frame))  # replaced as one, for other threads

    def log(self) -> LabelLog:
        """Everything answered so far, also by others in the meantime."""
        return self._read()[1]

    def verdicts(self) -> dict[str, Verdict]:
        """What is known of each article."""
        return verdicts(self.log().labels)

    def turn(self, coder: str, task: str, tab: str, *, back_to: str | None = None) -> Turn:
        """The article that a coder reads now: the one that was taken back, else the first of the task that is free."""
        with self._lock:
            known, skips = self.verdicts(), self._skipped_by(coder)
            waiting = [doc_id for doc_id in self.articles if self._waits(doc_id, coder, task, known, skips)]
            chosen = back_to if back_to in self.articles else self._free(waiting, tab)
            if chosen is not None:
                self._held[chosen] = (tab, self._now())
            return Turn(self.articles[chosen] if chosen else None, self._progress(coder, task, known, len(waiting)))

    def submit(self, said: Submission) -> Label | None:
        """Save an answer; return what this coder said of the article before, if that was something else."""
        if said.task == SETTLE and said.kind == SKIP:
            raise LabelError("a disagreement cannot be skipped; answer unsure to leave it open")
        with self._lock:
            before = self._standing(said.coder).get((said.doc_id, said.task == SETTLE))
            label = Label(
                frame_id=self.frame.frame_id, doc_id=said.doc_id, coder=said.coder,
                kind=ADJUDICATION if said.task == SETTLE and said.kind == LABEL else said.kind,
                answer=said.answer, reason=said.reason, seconds=said.seconds,
                time=self._time(), source=PAGE,
            )  # fmt: skip
            self._append([label])
            self._held.pop(said.doc_id, None)
            changed = before is not None and (before.kind, before.answer) != (label.kind, label.answer)
            return before if changed else None

    def undo(self, coder: str, tab: str) -> Label | None:
        """Take back this coder's latest answer that still stands, by a line of its own; None if there is none.

        An adjudication that is taken back leaves the coder's own label of the article in force: since an undo covers
        all that a coder said of an article, that label is written again, in one step with it.
        """
        with self._lock:
            standing = self._standing(coder)
            mine = [label for label in standing.values() if label.source == PAGE]
            if not mine:
                return None
            last = sorted(mine, key=lambda label: label.time)[-1]
            frame_id = self.frame.frame_id  # `last` may come from a frame that this one extends
            undo = replace(last, frame_id=frame_id, kind=UNDO, answer="", reason="", seconds=None, time=self._time())
            own = standing.get((last.doc_id, False)) if last.kind == ADJUDICATION else None
            self._append([undo] if own is None else [undo, replace(own, frame_id=frame_id)])
            self._held[last.doc_id] = (tab, self._now())
            return last

    def coders(self) -> list[str]:
        """Everybody who has labelled."""
        return sorted({label.coder for label in self.log().labels})

    def _read(self) -> tuple[bytes, LabelLog]:
        """The log's bytes and what they say."""
        name = self.frame.folder.labels
        content = self._warehouse.read_bytes(name) if self._warehouse.exists(name) else b""
        seen = self._seen
        if content != seen[0]:
            self._seen = seen = content, read_labels(self._warehouse, self.frame)
        return seen

    def _append(self, labels: Sequence[Label]) -> None:
        """Put lines on the disk. If nobody else wrote meanwhile, the rest of the log need not be read again."""
        before, known = self._read()
        append_labels(self._warehouse, self.frame, labels)
        content = self._warehouse.read_bytes(self.frame.folder.labels)
        if content.startswith(before) and content.count(b"\n", len(before)) == len(labels):
            self._seen = content, LabelLog((*known.labels, *labels), known.broken)

    def _standing(self, coder: str) -> dict[tuple[str, bool], Label]:
        """The answers of a coder that stand: the latest for each article and kind of task, in order of writing."""
        standing: dict[tuple[str, bool], Label] = {}
        for label in self.log().labels:
            if label.coder != coder:
                continue
            for settles in (False, True) if label.kind == UNDO else (label.kind == ADJUDICATION,):
                standing.pop((label.doc_id, settles), None)
            if label.kind != UNDO:
                standing[label.doc_id, label.kind == ADJUDICATION] = label
        return standing

    def _skipped_by(self, coder: str) -> set[str]:
        return {label.doc_id for label in self._standing(coder).values() if label.kind == SKIP}

    def _waits(self, doc_id: str, coder: str, task: str, known: Mapping[str, Verdict], skips: set[str]) -> bool:
        """Whether an article is still to be done in a task."""
        verdict = known.get(doc_id)
        answers = verdict.answers if verdict else {}
        if doc_id in skips:
            return False
        if task == SETTLE:
            return verdict is not None and verdict.disputed
        if task == SECOND:
            return bool(answers) and coder not in answers and not (verdict and verdict.adjudicated)
        return not answers

    def _free(self, waiting: list[str], tab: str) -> str | None:
        """The first that no other tab reads; if others read all of them, the first."""
        now = self._now()
        for doc_id in waiting:
            holder, since = self._held.get(doc_id, (tab, now))
            if holder == tab or (now - since).total_seconds() > HELD_FOR:
                return doc_id
        return waiting[0] if waiting else None

    def _progress(self, coder: str, task: str, known: Mapping[str, Verdict], waiting: int) -> Progress:
        standing = self._standing(coder).values()
        times = [label.seconds for label in standing if label.seconds is not None]
        seconds = float(np.mean(np.minimum(times, LONGEST_READING))) if times else None
        answered = [verdict for verdict in known.values() if verdict.answers]
        if task == SETTLE:
            done = sum(verdict.adjudicated for verdict in answered)
        elif task == SECOND:
            done = sum(coder in verdict.answers and len(verdict.answers) > 1 for verdict in answered)
        else:
            done = len(answered)
        unsure = sum(any(not answer.sure for answer in verdict.answers.values()) for verdict in answered)
        total = len(self.articles) if task == NEW else done + waiting
        return Progress(done, waiting, total, seconds, unsure, sum(verdict.skipped for verdict in known.values()))

    def _time(self) -> str:
        return self._now().isoformat(timespec="milliseconds")
