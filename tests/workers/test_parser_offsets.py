"""Words stand where their offsets say, whatever the text."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workers.parser import Parser
from workers.parsing.segment import section_bounds

FRAGMENTS = st.sampled_from(
    ["Iraq", "attacked", "the U.S.", "can't", "Smith's", "1,000", "$5.50", "e-mail@x.org", "http://a.b/c?d=e", "—",
     "...", ".", "?", "\n", "\n\n", "\t", "  ", "“", "”", "ß", "日本", "Ω", "\u00a0", "\u200b", "\x00", "\x97", "👍🏽",
     "x" * 120, "y" * 1500]
)  # fmt: skip
TEXTS = st.one_of(st.lists(FRAGMENTS, max_size=25).map(" ".join), st.text(max_size=80))


@given(TEXTS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_words_are_cut_from_the_text_in_order(parser: Parser, text: str) -> None:
    document = parser.parse("d", text)
    assert document.words == tuple(text[a:b] for a, b in zip(document.starts, document.ends, strict=True))
    assert all(document.starts < document.ends)
    assert all(document.ends[:-1] <= document.starts[1:])
    assert all(np.diff(document.sentences) >= 0)


@given(TEXTS)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_but_white_space_is_left_out(parser: Parser, text: str) -> None:
    document = parser.parse("d", text)
    covered = np.zeros(len(text), dtype=bool)
    for start, end in zip(document.starts, document.ends, strict=True):
        covered[start:end] = True
    left = "".join(c for c, seen in zip(text, covered, strict=True) if not seen)
    assert all(c.isspace() or "\x80" <= c <= "\x9f" for c in left)


@given(st.text(alphabet="ab \n", max_size=60), st.integers(1, 12))
def test_sections_cover_the_text_within_the_limit(text: str, limit: int) -> None:
    bounds = section_bounds(text, limit)
    assert "".join(text[a:b] for a, b in bounds) == text
    assert all(b - a <= limit for a, b in bounds)


def test_a_parse_does_not_depend_on_what_was_parsed_before(parser: Parser) -> None:
    text = "Rebels attacked the town. The army said it had retaken it by noon."
    first = parser.parse("d", text)
    parser.parse("other", "A wholly different text, with other words in it, comes between.\n\nAnd a title")
    again = parser.parse("d", text)
    assert first.words == again.words
    assert first.deprels == again.deprels
    assert first.heads.tolist() == again.heads.tolist()
