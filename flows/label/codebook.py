"""What counts, in plain words: the rules that a coder applies, generated from the query.

Covers: the question, what counts, what does not, what to do in doubt.
Not here: how a model decides (`calib_core.events`), the query itself.

A coder is asked what the article says, not which words it uses: the labels are the truth that counts are anchored to,
and a truth that only knew the query's own words could never show what the model misses.
"""

from dataclasses import dataclass

from calib_core.events import Query
from calib_core.events.inflection import inflect, is_irregular

AGENTS, PATIENTS = frozenset({"nsubj", "obl:agent"}), frozenset({"obj", "nsubj:pass"})
ACTORS = frozenset({"actor", "organisation", "role"})
SHOWN_VERBS = 4


@dataclass(frozen=True, slots=True)
class Codebook:
    """The rules of one query.

    Attributes
    ----------
    question : str
        What is asked of every article, as one sentence.
    prompt : str
        The same in a few words, above the keys.
    thing : str
        What a code names: country or actor.
    counts, does_not : tuple of str
    doubt : tuple of str
        What to do where it is not clear.
    own : tuple of str
        Paragraphs that the query's author wrote; they stand first.
    """

    question: str
    prompt: str
    thing: str
    counts: tuple[str, ...]
    does_not: tuple[str, ...]
    doubt: tuple[str, ...]
    own: tuple[str, ...] = ()


def codebook(query: Query) -> Codebook:
    """The rules of a query in plain words."""
    verbs = base_forms(query.forms)
    thing = "actor" if {entry.kind for entry in query.lexicon.entries} <= ACTORS | {"none"} else "country"
    return Codebook(
        question=_question(query, verbs, thing),
        prompt=_prompt(query, verbs),
        thing=thing,
        counts=tuple(_counts(query, verbs, thing)),
        does_not=tuple(_does_not(query, thing)),
        doubt=_doubt(thing),
        own=tuple(part.strip() for part in query.codebook.split("\n\n") if part.strip()),
    )


def base_forms(forms: frozenset[str]) -> tuple[str, ...]:
    """The verbs behind a set of forms: those whose third person is there too.

    >>> base_forms(frozenset({"strike", "strikes", "struck", "raid", "raids", "raided", "raiding"}))
    ('raid', 'strike')
    """
    endings = ("s", "es")
    found = [form for form in forms if any(form + ending in forms for ending in endings)]
    found += [form for form in forms if form.endswith("y") and form[:-1] + "ies" in forms]
    regular = [form for form in found if is_irregular(form) or set(inflect(form)) & forms - {form}]
    return tuple(sorted(set(regular))) or tuple(sorted(forms))


def _listed(words: tuple[str, ...], word: str = "or") -> str:
    """`a`, `a or b`, `a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {word} {words[-1]}"


def _short(verbs: tuple[str, ...]) -> str:
    more = len(verbs) - SHOWN_VERBS
    return _listed(verbs) if more <= 0 else f"{', '.join(verbs[:SHOWN_VERBS])} (or {more} more verbs)"


def _third(verb: str) -> str:
    """Of a regular spelling.

    >>> _third("attack"), _third("bury"), _third("clash")
    ('attacks', 'buries', 'clashes')
    """
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _question(query: Query, verbs: tuple[str, ...], thing: str) -> str:
    which = "Which countries" if thing == "country" else "Which actors"
    if query.roles <= PATIENTS:
        return f"{which} does this article describe as the ones to whom it is done: {_short(verbs)}?"
    if query.roles <= AGENTS:
        return f"{which} does this article describe as the ones who {_short(verbs)}?"
    return f"{which} does this article describe as taking part, on either side: {_short(verbs)}?"


def _prompt(query: Query, verbs: tuple[str, ...]) -> str:
    verb = _third(verbs[0]) if len(verbs) == 1 else "does it"
    if query.roles <= PATIENTS:
        return "To whom is it done?"
    return f"Who {verb}?" if query.roles <= AGENTS else "Who takes part?"


def _counts(query: Query, verbs: tuple[str, ...], thing: str) -> list[str]:
    verb = verbs[0]
    lines = [
        "What the article says counts, not the words it uses: "
        f"“{verb}”, a noun for it, or another phrase that says the same thing.",
    ]
    if thing == "country":
        lines.append(
            "A country stands for whoever belongs to it: its government, army, officials, companies, citizens. "
            "“Iraqi troops”, “the forces of Iraq” and “Baghdad’s air force” are all Iraq."
        )
    lines.append("It is enough to learn elsewhere in the article who “they”, “the group” or “the president” are.")
    lines.append(
        "One mention is enough, in the headline or in the text. Choose every " + thing + " for which it holds."
    )
    if "embedded" not in query.exclude:
        lines.append("What somebody is reported to have said counts as well: “Iran says that Iraq ...”.")
    if query.language.targets is not None:
        lines.append("Choose who does it, then to whom it is done; “somebody without a code” where no country fits.")
    if query.language.implied:
        codes = _listed(tuple(sorted({code for code, _ in query.language.implied})), "and")
        lines.append(f"Where the article names nobody, whoever does such things is meant: {codes}.")
    if query.language.unattributed:
        lines.append("Events whose author the article does not name count too, as “somebody without a code”.")
    if "modal" not in query.exclude:
        lines.append("So do plans and possibilities: “may”, “would”, “threatened to”.")
    if "negated" not in query.exclude:
        lines.append("So does what is denied: “did not”.")
    return lines


_EXCLUDED = {
    "negated": "What is denied: “did not”, “never”.",
    "modal": "Plans and possibilities: “may”, “would”, “could”.",
    "embedded": "What is only reported as somebody’s words, wish or fear.",
    "unreal": "What is only wanted, ordered, expected, attempted or refused: “tried to”, “was told to”.",
}


def _does_not(query: Query, thing: str) -> list[str]:
    lines = [_EXCLUDED[flag] for flag in sorted(query.exclude)]
    if query.roles <= AGENTS:
        lines.append("Being on the other side: to whom it is done is not who does it.")
    if query.roles <= PATIENTS:
        lines.append("Being on the other side: who does it is not to whom it is done.")
    if thing == "country":
        lines.append("A place alone: “rebels in Chad” may be anybody, “Chadian rebels” are of Chad.")
        lines.append("Somebody to whom two countries are attached, such as an “Iranian-born American”: choose neither.")
    lines.append("What you know from elsewhere: only this article counts.")
    if query.countries:
        lines.append(f"Any {thing} but these: {_listed(tuple(sorted(query.countries)), 'and')}.")
    return lines


def _doubt(thing: str) -> tuple[str, ...]:
    return (
        "None: you have read it, and it holds for nobody.",
        f"Unsure: it could be read either way, or you cannot tell which {thing}. Unsure answers widen the interval, "
        "wrong ones shift it, so say unsure when you are.",
        "Skip: you cannot read the article at all.",
    )
