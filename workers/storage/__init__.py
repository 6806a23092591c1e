"""Where tables are stored: a local folder or an object store, with complete files only."""

from workers.storage.address import locate, public_name
from workers.storage.encoding import content_hash, parquet_bytes
from workers.storage.errors import StorageError
from workers.storage.locking import Held, LockTiming
from workers.storage.warehouse import Warehouse

__all__ = ["Held", "LockTiming", "StorageError", "Warehouse", "content_hash", "locate", "parquet_bytes", "public_name"]
