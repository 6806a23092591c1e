"""Which experiments there are.

Covers: their names, titles and papers, in the order of the index, and how one is loaded.
Not here: the experiments. Each module is imported only when its experiment runs, so listing them is quick.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import cast

from reproductions.findings import Run


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment of a paper; `module` is its folder, whose `experiment` has `run`; `needs` are `SOURCES`."""

    name: str
    title: str
    paper: str
    module: str
    needs: tuple[str, ...] = ()

    def load(self) -> Run:
        """The function that runs it."""
        return cast(Run, import_module(f"reproductions.{self.module}.experiment").run)


PAPER = "Nguyen & O'Connor (2015), *Posterior calibration and exploratory analysis for NLP models*"
THESIS = "Nguyen, *Calibration for natural language processing systems* (thesis)"
SPARSE = (
    "Kranzlein, Liu & Schneider (2021), *Making heads and tails of models with marginal calibration for sparse tagsets*"
)
STRUCTURED = "Kuleshov & Liang (2015), *Calibrated structured prediction*"
TREES = "Keith, Blodgett & O'Connor (2018), *Monte Carlo syntax marginals for exploring and using dependency parses*"
LOCAL = "Choi & Cardie (2007), *Structured local training and biased potential functions*"

EXPERIMENTS = (
    Experiment("nb-lr", "Naive Bayes against logistic regression", f"{PAPER}, section 4.1", "nb_lr", ("reviews",)),
    Experiment(
        "hmm-crf", "HMM against CRF on Penn tags", f"{PAPER}, section 4.2; {THESIS}, section 4.1", "hmm_crf", ("ewt",)
    ),
    Experiment("tweets", "HMM against CRF on tweets", f"{THESIS}, section 4.2", "tweets", ("tweets",)),
    Experiment("synthetic", "Bin size and sample size on generated pairs", f"{THESIS}, section 4.3", "synthetic"),
    Experiment("coref", "Are two mentions one entity?", f"{PAPER}, section 5", "coref", ("ontogum", "litbank")),
    Experiment("tagsets", "Recalibrating a sparse tagset", f"{SPARSE}, sections 4 and 5", "tagsets", ("ewt", "gum")),
    Experiment(
        "structured",
        "Recalibrating structured predictions",
        f"{STRUCTURED}, section 5",
        "structured",
        ("ewt", "ontogum"),
    ),
    Experiment("letters", "Recalibrating handwritten words", f"{STRUCTURED}, section 5", "letters", ("letters",)),
    Experiment("loops", "Recalibrating graphs with loops", f"{STRUCTURED}, section 5", "loops", ("graphs",)),
    Experiment(
        "slt-bpf",
        "Structured local training and biased potentials",
        f"{LOCAL}, sections 3 and 5",
        "slt_bpf",
        ("ontogum",),
    ),
    Experiment("dose", "Which measure notices a miscalibrated model?", f"{PAPER}, section 6", "dose", ("ontogum",)),
    Experiment(
        "events",
        "Who attacks? 1-best against posterior",
        f"{PAPER}, section 6",
        "events",
        ("reuters", "current", "wikinews"),
    ),
    Experiment(
        "people", "Counts against people: are the intervals good?", f"{PAPER}, section 6", "people", ("police",)
    ),
    Experiment("syntax", "Who does what, by sampled trees", TREES, "syntax", ("ewt", "gum", "reuters")),
)


def find_experiment(name: str) -> Experiment:
    """The experiment of that name."""
    for experiment in EXPERIMENTS:
        if experiment.name == name:
            return experiment
    known = ", ".join(experiment.name for experiment in EXPERIMENTS)
    raise ValueError(f"no experiment is named {name!r}; there are {known}")
