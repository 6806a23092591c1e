"""Small annotated corpora, made up by rule."""

from pathlib import Path

NAMES = ("Ann", "Eve", "Ida", "Una", "Mae", "Joy", "Fay", "Kim", "Amy", "Sue", "Lea", "Zoe")
NOUNS = ("army", "team", "band", "crew")
VERBS = ("attacked", "slept", "moved", "won")


def document(number: int, genre: str = "news") -> str:
    """Five short sentences with two entities: a woman, and a group that goes by "it"."""
    name, noun, verb = NAMES[number % 12], NOUNS[number % 4], VERBS[(number // 2) % 4]
    return (
        f"# newdoc id = GUM_{genre}_{number:02d}\n# global.Entity = GRP\n"
        f"1\t{name}\t_\tPROPN\tNNP\tNumber=Sing\t2\tnsubj\t_\tEntity=(1)\n2\tpraised\t_\tVERB\tVBD\t_\t0\troot\t_\t_\n"
        f"3\tthe\t_\tDET\tDT\t_\t5\tdet\t_\tEntity=(2\n4\tbrave\t_\tADJ\tJJ\t_\t5\tamod\t_\t_\n"
        f"5\t{noun}\t_\tNOUN\tNN\tNumber=Sing\t2\tobj\t_\tEntity=2)\n\n"
        f"1\tIt\t_\tPRON\tPRP\tNumber=Sing\t2\tnsubj\t_\tEntity=(2)\n2\t{verb}\t_\tVERB\tVBD\t_\t0\troot\t_\t_\n\n"
        f"1\tShe\t_\tPRON\tPRP\tNumber=Sing\t2\tnsubj\t_\tEntity=(1)\n2\tmet\t_\tVERB\tVBD\t_\t0\troot\t_\t_\n"
        f"3\ta\t_\tDET\tDT\t_\t4\tdet\t_\t_\n4\tfriend\t_\tNOUN\tNN\tNumber=Sing\t2\tobj\t_\t_\n\n"
        f"1\tThe\t_\tDET\tDT\t_\t2\tdet\t_\tEntity=(2\n2\t{noun}\t_\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\tEntity=2)\n"
        f"3\tran\t_\tVERB\tVBD\t_\t0\troot\t_\t_\n\n"
        f"1\t{name}\t_\tPROPN\tNNP\tNumber=Sing\t2\tnsubj\t_\tEntity=(1)\n2\tslept\t_\tVERB\tVBD\t_\t0\troot\t_\t_\n"
        f"3\t{number}\t_\tNUM\tCD\tNumType=Card\t4\tnummod\t_\t_\n4\thours\t_\tNOUN\tNNS\tNumber=Plur\t2\tobl\t_\t_\n\n"
    )


def write_corpus(folder: Path, n_documents: int) -> Path:
    """A folder of files, one document each, of two genres."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(n_documents):
        genre = "news" if number % 2 else "fiction"
        (folder / f"GUM_{genre}_{number:02d}.conllu").write_text(document(number, genre))
    return folder
