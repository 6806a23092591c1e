"""How many of the example sentences come out right from their raw text, with the shipped parser and coreference.

    python -m benchmarks.sentences

Prints those that do not, with the rows that are missing or too many, and the share that is right. A row counts as found
if its posterior probability is at least a half. Not part of `make bench`, which times things.
"""

from datetime import date

from calib_core.events import Query, batch_bits
from calib_core.events.dyads import ANY_TARGET, dyad
from calib_core.events.examples import NewsSentence, news_sentences
from calib_core.events.query import NOBODY
from calib_core.randomness import document_key
from workers.annotate import Annotator, AnnotatorConfig
from workers.propagation.asking import ask

SAMPLES = 100


def found_rows(annotator: Annotator, sentence: NewsSentence) -> frozenset[str]:
    """Rows with a probability of at least a half, those of unnamed agents left out."""
    query = Query.from_yaml(sentence.query)
    annotation = annotator.annotate(sentence.name, date(sentence.year, 6, 30), "", sentence.text)
    asked = ask(annotation, query, None, syntax="samples", n_samples=SAMPLES, seed=0)
    samples = batch_bits([asked.evidence], [asked.antecedents], SAMPLES, keys=[document_key(0, sentence.name)])
    dyadic = query.language.targets is not None
    targets = [ANY_TARGET] * len(samples.country) if samples.target is None else samples.target
    rows = zip(samples.country, targets, samples.p.tolist(), strict=True)
    return frozenset(
        dyad(agent, target)
        for agent, target, p in rows
        if p >= 0.5 and agent != NOBODY and (target != ANY_TARGET) == dyadic
    )


def main() -> None:
    """Print what is wrong, and the share that is right."""
    annotator, sentences = Annotator(AnnotatorConfig()), news_sentences()
    right = 0
    for sentence in sentences:
        rows = found_rows(annotator, sentence)
        right += rows == sentence.expected
        if rows != sentence.expected:
            missing, extra = sorted(sentence.expected - rows), sorted(rows - sentence.expected)
            print(f"{sentence.name}: missing {missing}, too many {extra}: {sentence.text}")
    print(f"{right} of {len(sentences)} right")


if __name__ == "__main__":
    main()
