"""Measure a coreference model on annotated text, repair it, and publish both.

| module | job |
|---|---|
| `inputs` | annotated files in, documents out; what cannot be measured is refused |
| `folds` | models that have not seen the documents they are measured on |
| `prepare` | one document as the model sees it, in one mode |
| `measure` | one document's figures, before or after repair |
| `metrics`, `event_figures` | rows of the tables from all documents' figures |
| `drive` | the order of all that, here or on a Dask cluster |
| `publish` | tables and repair into the warehouse |
"""
