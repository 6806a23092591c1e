"""Measure a coreference model on annotated text, recalibrate it, and publish both.

| module | job |
|---|---|
| `inputs` | annotated files in, documents out; refuses what cannot be measured |
| `folds` | models that have not seen the documents they are measured on |
| `prepare` | one document as the model sees it, in one mode |
| `measure` | one document's figures, before or after recalibration |
| `metrics`, `event_figures` | rows of the tables from all documents' figures |
| `drive` | the order of all this, here or on a Dask cluster |
| `publish` | tables and recalibration into the warehouse |
| `published` | which calibrations a warehouse holds, and the recalibration that a run applies |
"""
