"""Coreference that reads context: word vectors of an encoder, and a scorer over the log-linear model's shortlist.

The order of reading: `windows`, `encoder` (text to word vectors), `scorer` (vectors to logits), `package` (files),
`model` (a document's antecedents), `learning` and `train` (the weights).
"""
