"""Closed word lists that tell what kind of thing a mention names.

Covers: pronouns with their person, number and gender; gendered and person nouns; titles; frequent first names.
Not here: the rules that apply them (`features.properties`). The lists are written by hand and are only hints: the
model learns how far to trust each.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Mention types: what the paper's model conjoins its features with.
PROPER, DEFINITE, DEMONSTRATIVE, POSSESSED, INDEFINITE, BARE, QUANTIFIED, QUANTITY = range(8)
COORDINATED = 8
I_, YOU, HE, SHE, IT, WE, THEY, THIS, THAT, REFLEXIVE_OTHER, INDEFINITE_PRONOUN = range(9, 20)
N_TYPES = 20
FIRST_PRONOUN = I_

TYPE_NAMES = (
    "name", "definite", "demonstrative", "possessed", "indefinite", "bare", "quantified", "number",
    "coordination",
    "I", "you", "he", "she", "it", "we", "they", "this", "that", "reciprocal", "indefinite pronoun",
)  # fmt: skip

UNKNOWN, MASCULINE, FEMININE, NEUTER = range(4)

PRONOUNS = {
    **dict.fromkeys(_words("i me my mine myself"), I_),
    **dict.fromkeys(_words("you your yours yourself yourselves u ya thou thee thy thine ye"), YOU),
    **dict.fromkeys(_words("he him his himself"), HE),
    **dict.fromkeys(_words("she her hers herself"), SHE),
    **dict.fromkeys(_words("it its itself"), IT),
    **dict.fromkeys(_words("we us our ours ourselves 's"), WE),
    **dict.fromkeys(_words("they them their theirs themselves themself 'em em"), THEY),
    **dict.fromkeys(_words("this these"), THIS),
    **dict.fromkeys(_words("that those"), THAT),
}
"""Mention type of each referring pronoun, by lower-case form."""

DETERMINERS = {
    "the": DEFINITE,
    **dict.fromkeys(_words("this that these those such"), DEMONSTRATIVE),
    **dict.fromkeys(_words("a an"), INDEFINITE),
}
"""Mention type of a common noun by its determiner."""

GENDER_OF_TYPE = {HE: MASCULINE, SHE: FEMININE, IT: NEUTER}
PERSON_OF_TYPE = {I_: 1, WE: 1, YOU: 2, HE: 3, SHE: 3, IT: 3, THEY: 3, THIS: 3, THAT: 3}
PLURAL_TYPES = frozenset({WE, THEY})
SINGULAR_TYPES = frozenset({I_, HE, SHE, IT})
ANIMATE_TYPES = frozenset({I_, YOU, HE, SHE, WE})

MASCULINE_NOUNS = _words(
    """man boy father son brother husband uncle grandfather grandson nephew king prince duke lord sir mr mr. gentleman
    guy emperor actor priest monk dad daddy papa chap fellow lad boyfriend groom widower businessman chairman
    congressman spokesman policeman salesman fireman sergeant waiter wizard stepfather godfather monsieur herr
    senor count baron bishop pope rabbi imam sultan shah czar tsar"""
)
FEMININE_NOUNS = _words(
    """woman girl mother daughter sister wife aunt grandmother granddaughter niece queen princess duchess lady madam
    mrs mrs. ms ms. miss actress nun mom mommy mum mama girlfriend bride widow businesswoman chairwoman
    congresswoman spokeswoman policewoman waitress witch stepmother godmother madame frau senora countess
    baroness empress goddess"""
)
PERSON_NOUNS = _words(
    """person people child kid baby adult friend parent student teacher doctor dr dr. professor prof prof. president
    minister senator governor mayor judge lawyer officer soldier general colonel captain major leader member
    worker player author writer artist scientist researcher patient victim citizen resident official director
    manager reporter journalist editor candidate voter farmer driver passenger guest host owner customer user
    reader listener neighbor cousin sibling spouse partner colleague boss employee expert engineer nurse singer
    dancer musician director poet philosopher critic chief ambassador secretary spokesperson prisoner rebel
    terrorist gunman troops army crowd team family couple crew audience somebody someone anybody anyone
    everybody everyone nobody human individual guy folk folks participant speaker"""
)
PERSON_SUFFIXES = ("man", "men", "woman", "women", "ist", "ists", "ian", "ians", "ee", "ees", "person", "eer")
MONTHS = _words(
    """january february march april may june july august september october november december
    jan. feb. mar. apr. aug. sept. oct. nov. dec."""
)
CALENDAR = (MONTHS - {"may"}) | _words("monday tuesday wednesday thursday friday saturday sunday")
GROUP_NOUNS = _words(
    """government company team group army committee council party police family crew band club organization
    organisation agency university school staff union community nation country court board association firm bank
    force military administration department ministry parliament congress senate media press public"""
)
MASCULINE_NAMES = _words(
    """james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark
    donald steven paul andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey ryan jacob
    gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory alexander frank
    patrick raymond jack dennis jerry tyler aaron jose adam nathan henry douglas zachary peter kyle ethan walter
    noah jeremy christian keith roger terry austin sean gerald carl harold dylan arthur lawrence jordan jesse
    bryan billy bruce gabriel joe logan albert willie alan eugene russell vincent philip bobby johnny bradley
    mike tom bob jim bill steve dave dan ben sam tim jeff matt tony chris saddam muhammad mohammed ali hassan
    ahmed hussein ivan boris vladimir mikhail sergei fidel juan carlos luis pedro hans"""
)
FEMININE_NAMES = _words(
    """mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty sandra margaret ashley
    kimberly emily donna michelle carol amanda melissa deborah stephanie dorothy rebecca sharon laura cynthia
    amy kathleen angela shirley brenda emma anna pamela nicole samantha katherine christine helen debra rachel
    carolyn janet maria catherine heather diane olivia julie joyce victoria ruth virginia lauren kelly christina
    joan evelyn judith andrea hannah megan cheryl jacqueline martha madison teresa gloria sara janice ann anne
    kathryn abigail sophia frances jean alice judy isabella julia grace amber denise danielle marilyn beverly
    charlotte natalie theresa diana brittany kate jane lucy katie jenny annie rose claire ellen sue kim hillary
    margaret indira benazir golda fatima aisha"""
)

QUANTIFIERS = _words("some any no every each all both many most several few more another either neither much enough")
RECIPROCALS = frozenset({"each other", "one another"})
STOP_WORDS = _words(
    """a an the this that these those my your his her its our their 's ’s of in on at to for from by with and or , . "
    ' `` '' ( ) - -- : ;"""
)
