import pytest

from calib_core.events import Query
from calib_core.events.closeness import Closeness, field_stems, named_codes

ATTACK = Query.from_yaml("attack")


@pytest.mark.parametrize(
    ("text", "close"),
    [
        ("The invasion of Iraq began.", True),
        ("The invasion began.", False),
        ("Iraq sold wheat.", False),
        ("Rebels attacked at dawn.", True),
        ("The attacker was from Iran.", True),
        ("Heartattackers of Iran", False),
    ],
)
def test_a_word_of_the_field_and_a_country_or_a_verb_without_an_actor_is_close(text, close):
    assert Closeness.of(ATTACK)(text, 1990) is close


def test_a_user_may_add_words():
    text = "Purges went on in Iraq."
    assert not Closeness.of(ATTACK)(text, 1990)
    assert Closeness.of(ATTACK, ["purge"])(text, 1990)


def test_a_query_brings_the_words_of_its_fields_only():
    assert "gunfire" in field_stems(ATTACK)
    assert "gunfire" not in field_stems(Query.from_yaml("visit"))


def test_countries_are_found_without_a_parse_and_the_longest_name_wins():
    assert named_codes("South African and U.S. aides", ATTACK, 1990) == {"ZAF", "USA"}
    assert named_codes("Latin American countries, turkey for dinner", ATTACK, 1990) == frozenset()
