"""Loaded by test workers: the toy parser and the head-word model in place of the shipped models.

What runs around them is what is shipped. A worker then starts in a second and annotates a thousand articles in another.
"""

from datetime import date

from tests.harness.headwords import HeadWords
from tests.harness.toy_parser import toy_parse
from workers.annotate import Annotator, AnnotatorConfig
from workers.annotation_table import Annotation

MODEL = HeadWords(pronoun=0.5)


def no_models(self: Annotator, config: AnnotatorConfig) -> None:
    """Load nothing."""
    self.config = config


def annotate(self: Annotator, doc_id: str, published: date, title: str, text: str) -> Annotation:  # noqa: ARG001
    """As the shipped annotator does, by other models."""
    document = toy_parse(doc_id, text)
    linked = MODEL.link(document)
    return Annotation(published, title, text, document, linked.mentions, linked.kinds, linked.antecedents)


Annotator.__init__ = no_models  # type: ignore[method-assign]
Annotator.annotate = annotate  # type: ignore[method-assign]
