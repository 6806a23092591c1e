"""Parse: the words, tags and trees of one text as CoNLL-U.

Covers: loading the parser that the request names, and its errors as ValueError.
Not here: parsing (`workers.parser`).
"""

from flows.jobs.progress import OnProgress, quiet
from flows.jobs.requests import ParseRequest
from workers.parser import ParseError, Parser, ParserConfig
from workers.parsing.conllu import to_conllu


def parse(request: ParseRequest, *, on_progress: OnProgress = quiet) -> list[str]:  # noqa: ARG001  one text
    """Lines of CoNLL-U, with their line ends."""
    parser = Parser(ParserConfig(model=request.model, package=request.package, gpu=request.gpu))
    try:
        document = parser.parse(request.name, request.text)
    except ParseError as error:
        raise ValueError(str(error)) from error
    return list(to_conllu(document, request.text))
