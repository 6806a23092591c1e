"""What can be measured, and what is refused with its reason."""

import pickle
from pathlib import Path

import pytest

from calib_core.coref import AntecedentModel, CorpusError
from tests.workers.calibration.corpus import document, write_corpus
from workers.calibration.inputs import (
    DataError,
    corpus_name,
    genre_of,
    read_annotated,
    refuse_training_documents,
    seen_in_training,
)

CONLL = "#begin document (nw/wsj/00); part 000\nx 0 0 Ann (0)\nx 0 1 she (0)\n\n#end document\n"


def test_a_folder_is_read_and_named_by_its_place(tmp_path: Path) -> None:
    found = read_annotated([write_corpus(tmp_path / "toy" / "dev", 3)])
    assert (found.dataset, found.split, len(found.documents), found.has_trees) == ("toy", "dev", 3, True)


def test_several_splits_are_all(tmp_path: Path) -> None:
    folders = [write_corpus(tmp_path / "toy" / split, 1) for split in ("train", "dev")]
    assert corpus_name(folders) == ("toy", "all")
    assert corpus_name([write_corpus(tmp_path / "mine", 1)]) == ("mine", "all")


@pytest.mark.parametrize(
    ("doc_id", "genre"),
    [("GUM_news_iodine", "news"), ("nw/wsj/02/wsj_0242#0", "news"), ("bc/cnn/1#1", "broadcast conversation"),
     ("105_persuasion_brat", "fiction"), ("letter 7", "unknown")],
)  # fmt: skip
def test_genres_by_id(doc_id: str, genre: str) -> None:
    assert genre_of(doc_id) == genre


def test_a_folder_without_annotated_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"has no file ending in \.conllu"):
        read_annotated([tmp_path])


def test_a_missing_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no file or folder at"):
        read_annotated([tmp_path / "nowhere"])


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("hello")
    with pytest.raises(DataError, match="a corpus file must end in"):
        read_annotated([path])


def test_mixed_formats_are_refused_with_an_example_of_each(tmp_path: Path) -> None:
    write_corpus(tmp_path, 1)
    (tmp_path / "b.conll").write_text(CONLL)
    with pytest.raises(DataError, match=r"mixed formats: .*CoNLL \(b.conll\), CoNLL-U \(GUM_fiction_00.conllu\)"):
        read_annotated([tmp_path])


def test_documents_without_gold_clusters_are_refused(tmp_path: Path) -> None:
    text = "# newdoc id = bare\n1\tAnn\t_\tPROPN\tNNP\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "a.conllu").write_text(text)
    with pytest.raises(DataError, match="document 'bare': it has no gold clusters"):
        read_annotated([tmp_path])


def test_a_corpus_without_any_entity_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text(CONLL.replace("(0)", "-"))
    with pytest.raises(DataError, match="no document has a gold entity with two mentions"):
        read_annotated([tmp_path])


def test_an_id_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(document(1) + document(1))
    with pytest.raises(DataError, match="document 'GUM_news_01': its id occurs twice"):
        read_annotated([tmp_path])


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text("")
    with pytest.raises((DataError, CorpusError)):
        read_annotated([tmp_path])


def test_training_documents_are_known_again_by_their_text(tmp_path: Path) -> None:
    annotated = read_annotated([write_corpus(tmp_path, 3)])
    shipped = AntecedentModel.load()
    assert seen_in_training(shipped, annotated.documents) == []
    trained = AntecedentModel(shipped.weights, about={"trained_on": annotated.hashes()[:1]})
    with pytest.raises(DataError, match="1 of 3 documents, GUM_fiction_00 among them: the model was trained on them"):
        refuse_training_documents(trained, annotated)


def test_the_shipped_model_says_what_it_was_trained_on() -> None:
    about = AntecedentModel.load().about
    assert len(about["trained_on"]) == about["documents"] == 177


def test_the_error_survives_pickling() -> None:
    assert str(pickle.loads(pickle.dumps(DataError("a", "b")))) == "a: b"  # noqa: S301 - our own bytes


def test_a_file_that_cannot_be_read_is_left_out_unless_strict(tmp_path: Path) -> None:
    folder = write_corpus(tmp_path / "toy" / "dev", 3)
    (folder / "z.conllu").write_text("# newdoc id = z\n1\tbroken\n\n")
    found = read_annotated([folder])
    assert (len(found.documents), [str(error) for error in found.left_out]) == (
        3, [f"{folder / 'z.conllu'}:2: a CoNLL-U line has 10 tab-separated columns; this one has 2"],
    )  # fmt: skip
    with pytest.raises(CorpusError, match=r"z\.conllu:2"):
        read_annotated([folder], strict=True)


def test_a_corpus_without_any_file_that_can_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "z.conllu").write_text("1\tbroken\n\n")
    with pytest.raises(CorpusError, match=r"z\.conllu:1"):
        read_annotated([tmp_path])
