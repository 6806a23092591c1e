"""Coreference: mentions, antecedent models, posterior inference and scorers."""
