"""Dose and response: antecedent logits scaled up and down, and which measure notices."""
