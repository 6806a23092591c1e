"""What runs on Dask workers: one chunk of documents in, one Parquet file out."""
