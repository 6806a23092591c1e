"""Recalibration of antecedent distributions: the forms, fitting one, choosing and judging one."""
