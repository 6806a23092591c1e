"""The shipped parser, loaded once for all tests of this room."""

import pytest

from workers.parser import Parser, ParserConfig


@pytest.fixture(scope="session")
def parser() -> Parser:
    return Parser()


@pytest.fixture(scope="session")
def fast_parser() -> Parser:
    return Parser(ParserConfig(model="fast"))
