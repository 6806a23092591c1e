"""One chunk of documents in, one Parquet file out; runs on Dask workers."""
