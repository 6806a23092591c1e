import pickle

import pyarrow as pa
import pytest

from workers.schemas import ARCHIVE, TABLES, SchemaError, check_schema, describe


@pytest.mark.parametrize("name", TABLES)
def test_every_column_says_what_it_means(name: str) -> None:
    assert all(describe(TABLES[name]).values())


def test_own_schema_passes_and_may_have_more_columns() -> None:
    check_schema(ARCHIVE.append(pa.field("section", pa.string())), ARCHIVE, "f")


def relabelled(**labels: str) -> pa.Schema:
    metadata = {"credence.table": "archive", "credence.version": "1"}
    return ARCHIVE.with_metadata(metadata | {f"credence.{key}": value for key, value in labels.items()})


@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        (relabelled(version="2"), "f: archive must be of version 1 or older; upgrade credence; got 2"),
        (relabelled(version="two"), "f: credence.version must be a whole number; got 'two'"),
        (relabelled(table="counts"), "f: file must hold the table archive; got counts"),
        (ARCHIVE.with_metadata({}), "f: file must hold the table archive; got no table name"),
        (ARCHIVE.remove(0), "f: archive must have a column doc_id of type string; got none"),
    ],
)
def test_other_files_are_refused_in_one_sentence(schema: pa.Schema, sentence: str) -> None:
    with pytest.raises(SchemaError) as caught:
        check_schema(schema, ARCHIVE, "f")
    assert str(caught.value) == sentence
    assert str(pickle.loads(pickle.dumps(caught.value))) == sentence  # noqa: S301
