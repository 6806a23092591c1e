"""Read the small files that people write by hand, and say which file is at fault.

Covers: text in UTF-8, with or without a byte order mark; YAML without code and without repeated keys.
Not here: what the files mean (`query`, `lexicon`).
"""

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml


def read_text(path: Path) -> str:
    """The text of a file in UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8: byte {error.object[error.start]:#04x} at {error.start}") from error


def read_yaml(path: Path) -> object:
    """What a YAML file holds, loaded safely."""
    loader = _Loader(read_text(path))
    try:
        return loader.get_single_data()
    except yaml.YAMLError as error:
        raise ValueError(f"{path}: not YAML that can be loaded safely: {error}") from error
    finally:
        loader.dispose()


class _Loader(yaml.SafeLoader):
    """YAML without code; a key that is given twice is refused, where the library would keep the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """As the library does, after looking at the keys."""
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable) and key in seen:
                raise yaml.constructor.ConstructorError(None, None, f"key {key!r} is given twice", key_node.start_mark)
            if isinstance(key, Hashable):
                seen.add(key)
        return super().construct_mapping(node, deep=deep)
