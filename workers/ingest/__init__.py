"""Archive files in, chunks of the archive out: streamed, validated, published at once or not at all."""

from workers.ingest.archive_files import ingest
from workers.ingest.catalogue import archive_chunks
from workers.ingest.chunks import Chunk
from workers.ingest.collect import Progress
from workers.ingest.config import COLUMNS, FORMATS, IngestConfig, IngestError
from workers.ingest.report import Example, FileCounts, IngestReport

__all__ = [
    "COLUMNS",
    "FORMATS",
    "Chunk",
    "Example",
    "FileCounts",
    "IngestConfig",
    "IngestError",
    "IngestReport",
    "Progress",
    "archive_chunks",
    "ingest",
]
