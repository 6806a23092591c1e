"""Coreference: mentions, antecedent models, posterior inference and scorers.

`calib_core.coref.metrics.evaluation` measures a model. It stands apart because it needs `calib_core.calibration`, and
with it scikit-learn, which a worker that only samples should not have to import.
"""

from calib_core.coref.corpora.brackets import Clusters, CorpusError
from calib_core.coref.corpora.conll import read_conll, read_key_clusters, write_conll
from calib_core.coref.corpora.conllu import read_conllu
from calib_core.coref.corpora.readers import corpus_files, read_corpus, read_sound_files
from calib_core.coref.mentions.detection import Mentions, detect_mentions
from calib_core.coref.metrics.scores import Scores, score, score_documents
from calib_core.coref.model.antecedent_model import AntecedentModel
from calib_core.coref.model.antecedents import NEW, Antecedents
from calib_core.coref.model.training import TrainConfig, gold_entities, train_antecedent_model
from calib_core.coref.pairwise.pairwise_model import PairwiseConfig, PairwiseModel, train_pairwise_model
from calib_core.coref.posterior.decoding import antecedent_entropy, clusters_of, map_clustering
from calib_core.coref.posterior.entity_marginals import entity_marginals
from calib_core.coref.posterior.marginals import antecedent_probabilities, pair_marginals, sampled_pair_marginals
from calib_core.coref.posterior.sampling import cumulative_probabilities, sample_antecedents, sample_clusterings
from calib_core.coref.protocol import CoreferenceModel, LinkedMentions

__all__ = [
    "NEW",
    "AntecedentModel",
    "Antecedents",
    "Clusters",
    "CoreferenceModel",
    "CorpusError",
    "LinkedMentions",
    "Mentions",
    "PairwiseConfig",
    "PairwiseModel",
    "Scores",
    "TrainConfig",
    "antecedent_entropy",
    "antecedent_probabilities",
    "clusters_of",
    "corpus_files",
    "cumulative_probabilities",
    "detect_mentions",
    "entity_marginals",
    "gold_entities",
    "map_clustering",
    "pair_marginals",
    "read_conll",
    "read_conllu",
    "read_corpus",
    "read_key_clusters",
    "read_sound_files",
    "sample_antecedents",
    "sample_clusterings",
    "sampled_pair_marginals",
    "score",
    "score_documents",
    "train_antecedent_model",
    "train_pairwise_model",
    "write_conll",
]
