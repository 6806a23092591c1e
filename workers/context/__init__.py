"""Coreference that reads context: word vectors of an encoder, and a scorer over the log-linear model's shortlist.

The order of reading: `windows`, `encoder` (text to word vectors), `adapters` (what is trained inside the encoder),
`scorer` (vectors to logits), `member` (both), `package` (files), `model` (a document's antecedents), `learning` and
`train` (the weights).
"""
