"""The antecedent model: its logits, its training, and how sharp its distributions should be."""
