"""Scores of a coreference response against a key, which add up over documents with `+`.

Covers: turning `metric_counts` into recall, precision and F1, and the mean that the CoNLL shared tasks report.
Not here: the metrics' definitions (`metric_counts`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from calib_core.coref.metrics import metric_counts
from calib_core.document import Span


@dataclass(frozen=True, slots=True)
class Ratio:
    """Recall, precision and F1 from numerators and denominators; 0 where a denominator is 0."""

    recall_num: float = 0.0
    recall_den: float = 0.0
    precision_num: float = 0.0
    precision_den: float = 0.0

    @property
    def recall(self) -> float:
        """Share of the key that the response has."""
        return self.recall_num / self.recall_den if self.recall_den else 0.0

    @property
    def precision(self) -> float:
        """Share of the response that the key has."""
        return self.precision_num / self.precision_den if self.precision_den else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of recall and precision."""
        total = self.recall + self.precision
        return 2 * self.recall * self.precision / total if total else 0.0

    def __add__(self, other: "Ratio") -> "Ratio":
        return Ratio(
            self.recall_num + other.recall_num,
            self.recall_den + other.recall_den,
            self.precision_num + other.precision_num,
            self.precision_den + other.precision_den,
        )


@dataclass(frozen=True, slots=True)
class Blanc:
    """BLANC (Luo et al. 2014): the mean over coreferent and non-coreferent links, or the only kind the key has."""

    together: Ratio = Ratio()
    apart: Ratio = Ratio()

    @property
    def recall(self) -> float:
        """Mean recall of the two kinds of link."""
        return self._mean("recall")

    @property
    def precision(self) -> float:
        """Mean precision of the two kinds of link."""
        return self._mean("precision")

    @property
    def f1(self) -> float:
        """Mean F1 of the two kinds of link; not the harmonic mean of the mean recall and precision."""
        return self._mean("f1")

    def _mean(self, name: str) -> float:
        kinds = [getattr(ratio, name) for ratio in (self.together, self.apart) if ratio.recall_den]
        return float(sum(kinds) / len(kinds)) if kinds else 0.0

    def __add__(self, other: "Blanc") -> "Blanc":
        return Blanc(self.together + other.together, self.apart + other.apart)


@dataclass(frozen=True, slots=True)
class Mean:
    """The unweighted mean of MUC, B³ and CEAF-e, as the CoNLL shared tasks report it."""

    recall: float
    precision: float
    f1: float


@dataclass(frozen=True, slots=True)
class Scores:
    """Every metric of one document or, summed with `+`, of many.

    Attributes
    ----------
    muc, b_cubed, ceaf_m, ceaf_e, blanc, lea : have recall, precision and f1
    pairwise : Ratio
        Coreferent pairs of mentions (Choi & Cardie 2007).
    mentions : Ratio
        Mention detection by exact span.
    n_pairs : float
        Pairs of mentions that key or response has, the denominator of `pair_error`.
    """

    muc: Ratio = Ratio()
    b_cubed: Ratio = Ratio()
    ceaf_m: Ratio = Ratio()
    ceaf_e: Ratio = Ratio()
    blanc: Blanc = Blanc()
    lea: Ratio = Ratio()
    pairwise: Ratio = Ratio()
    mentions: Ratio = Ratio()
    n_pairs: float = 0.0

    @property
    def conll(self) -> Mean:
        """Mean of MUC, B³ and CEAF-e."""
        parts = (self.muc, self.b_cubed, self.ceaf_e)
        return Mean(*(sum(getattr(part, name) for part in parts) / 3 for name in ("recall", "precision", "f1")))

    @property
    def pair_error(self) -> float:
        """Share of pairs on which key and response differ."""
        differ = self.pairwise.recall_den + self.pairwise.precision_den - 2 * self.pairwise.recall_num
        return differ / self.n_pairs if self.n_pairs else 0.0

    def __add__(self, other: "Scores") -> "Scores":
        return Scores(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    def as_dict(self) -> dict[str, dict[str, float]]:
        """Recall, precision and F1 by the metric names of the reference scorer."""
        named: dict[str, Ratio | Blanc | Mean] = {
            "muc": self.muc, "bcub": self.b_cubed, "ceafm": self.ceaf_m, "ceafe": self.ceaf_e, "blanc": self.blanc,
            "lea": self.lea, "conll": self.conll, "pairwise": self.pairwise, "mentions": self.mentions,
        }  # fmt: skip
        return {
            name: {"recall": part.recall, "precision": part.precision, "f1": part.f1} for name, part in named.items()
        }


def score(key: Sequence[Sequence[Span]], response: Sequence[Sequence[Span]]) -> Scores:
    """Score the clusters of one document.

    Parameters
    ----------
    key, response : entities, each a sequence of (start, end) spans

    Notes
    -----
    Singletons count as the reference scorer has it: in every metric but MUC. Add the scores of several documents to get
    the corpus scores (micro-averages, as the reference scorer reports).
    """
    aligned = metric_counts.align(key, response)
    a, b = aligned.key, aligned.response
    mentions, entities = metric_counts.ceaf(a, b, by_entity=False), metric_counts.ceaf(a, b, by_entity=True)
    both, in_key, in_response, apart, apart_key, apart_response = metric_counts.links(aligned)
    union = aligned.n_key + aligned.n_response - aligned.n_both
    pairwise = Ratio(both, in_key, both, in_response)
    return Scores(
        muc=Ratio(*metric_counts.muc(a, b), *metric_counts.muc(b, a)),
        b_cubed=Ratio(*metric_counts.b_cubed(a, b)),
        ceaf_m=Ratio(mentions[0], mentions[1], mentions[0], mentions[2]),
        ceaf_e=Ratio(entities[0], entities[1], entities[0], entities[2]),
        blanc=Blanc(pairwise, Ratio(apart, apart_key, apart, apart_response)),
        lea=Ratio(*metric_counts.lea(a, b), *metric_counts.lea(b, a)),
        pairwise=pairwise,
        mentions=Ratio(aligned.n_both, aligned.n_key, aligned.n_both, aligned.n_response),
        n_pairs=union * (union - 1) / 2,
    )


def score_documents(
    key: Mapping[str, Sequence[Sequence[Span]]], response: Mapping[str, Sequence[Sequence[Span]]]
) -> Scores:
    """Sum of the scores of every key document.

    Raises
    ------
    ValueError
        If one side has a document that the other has not.
    """
    for one, two, missing in ((key, response, "response"), (response, key, "key")):
        absent = sorted(set(one) - set(two))
        if absent:
            raise ValueError(f"the {missing} has no document {absent[0]!r} ({len(absent)} missing in all)")
    return sum((score(clusters, response[name]) for name, clusters in key.items()), start=Scores())
