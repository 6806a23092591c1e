"""Options that several commands share.

Covers: their names, the word that stands for the value, and their help; each is written once.
Not here: options of one command (beside it), what they do.

One vocabulary for values: W a warehouse; FILE, FOLDER or PATH (either) on this machine; N a whole number, P a
probability; DAY, QUARTER; COUNTRY a code; RUN, CALIBRATION, DOC_ID ids; NAME one of the names that the help lists;
ADDRESS of a server; SIZE in bytes.
"""

from typing import Annotated

import typer

WAREHOUSE = "The warehouse: a folder or s3://bucket/path."

Warehouse = Annotated[str, typer.Argument(metavar="W", help=WAREHOUSE)]
OutWarehouse = Annotated[str, typer.Option("--out", metavar="W", help=WAREHOUSE)]
RunId = Annotated[str | None, typer.Option("--run", metavar="RUN", help="A run by its id; by default the latest.")]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON on standard output, for machines.")]
Parser = Annotated[
    str, typer.Option(metavar="NAME|FOLDER", help="Parser: default, fast, stanza, or the folder of a model.")
]
Coref = Annotated[
    str, typer.Option(metavar="NAME|FOLDER", help="default, or the folder of a model by `credence train coref`.")
]
Scheduler = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler that runs already: tcp://... or tls://...")
]
Memory = Annotated[str, typer.Option(metavar="SIZE", help="Memory limit of each worker process started here.")]
TlsCa = Annotated[str | None, typer.Option(metavar="FILE", help="TLS: file of the certificate authority.")]
TlsCert = Annotated[str | None, typer.Option(metavar="FILE", help="TLS: file of the certificate.")]
TlsKey = Annotated[str | None, typer.Option(metavar="FILE", help="TLS: file of its key.")]
