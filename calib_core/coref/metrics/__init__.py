"""Coreference scores, and how a model's probabilities compare with what annotators say."""
