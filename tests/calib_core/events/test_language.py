"""What goes beyond the paper: every example of the query language has its answer."""

import pytest

from calib_core.events import Query, bundled_queries
from calib_core.events.examples import Example, answer, language_examples, worded

EXAMPLES = {example.name: example for example in language_examples() if example.query in bundled_queries()}


def answered(example: Example) -> set[tuple[str, str]]:
    query = Query.from_yaml(example.query)
    found = answer(example.document, example.spans, example.entities, query, example.year)
    return set(worded(example, found))


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_is_answered_as_expected(name: str) -> None:
    assert answered(EXAMPLES[name]) == set(EXAMPLES[name].expected)
