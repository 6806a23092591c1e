"""Naive Bayes against logistic regression (Nguyen & O'Connor 2015, section 4.1)."""
