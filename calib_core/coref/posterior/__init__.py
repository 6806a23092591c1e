"""What follows from antecedent distributions: samples, exact marginals, one clustering."""
