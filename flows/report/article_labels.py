"""What people answered about one article, in words.

Covers: every sample of the query that drew the article.
Not here: the log (`workers.labelling`).
"""

from workers.labelling import frame_ids, read_frame, read_labels, verdicts
from workers.runs import Run


def label_sentences(run: Run, fingerprint: str, doc_id: str) -> tuple[str, ...]:
    """One sentence for the newest sample that drew the article; none where none did."""
    for frame_id in reversed(frame_ids(run.warehouse, fingerprint)):
        frame = read_frame(run.warehouse, frame_id)
        if doc_id not in frame.drawn_ids:
            continue
        verdict = verdicts(read_labels(run.warehouse, frame).labels).get(doc_id)
        if verdict is None:
            return (f"Sample {frame_id} drew this article; nobody has answered it yet.",)
        if not verdict.answers:
            return (f"Sample {frame_id}: people skipped this article.",)
        said = "; ".join(f"{coder}: {answer}" for coder, answer in sorted(verdict.answers.items()))
        settled = ", settled" if verdict.adjudicated else ", disputed" if verdict.disputed else ""
        return (f"People who read this article (sample {frame_id}{settled}) answered: {said}.",)
    return ()
