"""Numbers that do not depend on how many cores a machine has.

Covers: limiting the linear algebra under numpy, scipy and scikit-learn to one thread.
Not here: torch, which `workers.parser` limits to one thread; Dask's workers, which Dask starts with one thread each.

With several threads OpenBLAS cuts a long sum or a large matrix product into as many pieces as it has threads, and each
cut rounds differently. An optimiser carries that last bit into every weight.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import scipy.linalg  # noqa: F401  (brings a second OpenBLAS beside numpy's; one loaded later would not be held)
from threadpoolctl import threadpool_limits


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit linear algebra to one thread inside the block, or in the decorated function."""
    with threadpool_limits(limits=1):
        yield
