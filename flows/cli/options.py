"""Options that several commands share.

Covers: their names, the placeholder for the value, and their help; each is written once.
Not here: options of one command (beside it), what they do.

One vocabulary for values: W a warehouse; FILE, FOLDER or PATH (either) on this machine; N a whole number, N,N several;
P a probability; DAY, QUARTER; COUNTRY a code; RUN, FRAME, CALIBRATION, DOC_ID ids; NAME one of the names that the help
lists; WORD; ADDRESS of a server; SIZE in bytes.
"""

from typing import Annotated

import typer

WAREHOUSE = "The warehouse: a folder or s3://bucket/path."

Warehouse = Annotated[str, typer.Argument(metavar="W", help=WAREHOUSE)]
OutWarehouse = Annotated[str, typer.Option("--out", metavar="W", help=WAREHOUSE)]
RunId = Annotated[
    str | None,
    typer.Option("--run", metavar="RUN", help="A run's id, or a query's name for its newest run; default: the latest."),
]
FrameId = Annotated[
    str | None, typer.Option("--frame", metavar="FRAME", help="A frame's id; default: the newest frame.")
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output, for machines.")]
Parser = Annotated[str, typer.Option(metavar="NAME|FOLDER", help="Parser: default, fast, stanza, or a model's folder.")]
Coref = Annotated[
    str,
    typer.Option(metavar="NAME|FOLDER", help="Coreference: default, loglinear, accurate, or a trained model's folder."),
]
Scheduler = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Address of a running Dask scheduler: tcp://... or tls://...")
]
Memory = Annotated[str, typer.Option(metavar="SIZE", help="Memory limit of each worker process started here.")]
TlsCa = Annotated[str | None, typer.Option(metavar="FILE", help="TLS: the certificate authority's file.")]
TlsCert = Annotated[str | None, typer.Option(metavar="FILE", help="TLS: the certificate's file.")]
TlsKey = Annotated[str | None, typer.Option(metavar="FILE", help="TLS: the key's file.")]
Strict = Annotated[
    bool, typer.Option("--strict", help="Refuse the data if one file cannot be read, instead of leaving it out.")
]
Seed = Annotated[int, typer.Option(metavar="N", help="Same seed, same counts.")]
Countries = Annotated[
    list[str] | None, typer.Option("--country", metavar="COUNTRY", help="A country's code; may be repeated.")
]
Fields = Annotated[
    list[str] | None,
    typer.Option("--field", metavar="COLUMN=NAME", help="If your file has other column names, e.g. text=body."),
]
Dates = Annotated[
    str, typer.Option(metavar="NAME", help="What 03/04/1987 means: day-first or month-first; iso refuses it.")
]
Encoding = Annotated[str, typer.Option(metavar="NAME", help="Encoding of text files, such as cp1252 or utf-16.")]
InputFormat = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="Format of the files, such as jsonl or csv; default: by content."),
]
